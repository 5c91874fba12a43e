import { UUID_PATTERN } from "../../shared/domain/refs.ts";

const UUID = new RegExp(`^${UUID_PATTERN}$`);

/** Converts a word to a ref: a bare word is a key, a bare UUID an id. */
export function toRef(word: string): string {
  if (/^(id|key):/.test(word)) return word;
  return UUID.test(word) ? `id:${word}` : `key:${word}`;
}

/** Parameter types that accept a word without a scheme, which may be more than a key. */
const BARE_THEMSELVES: ReadonlySet<string> = new Set(["UserRef"]);

/** True for a type whose values are refs of objects with keys. */
export function isRefType(type: string): boolean {
  return type.endsWith("Ref") && !BARE_THEMSELVES.has(type);
}

/** Splits a list at commas. With schemes, only before the next scheme, because keys may contain commas. */
export function splitAtCommas(text: string): readonly string[] {
  const parts = /^(id|key):/.test(text) ? text.split(/,(?=(?:id|key):)/) : text.split(",");
  return parts.flatMap((part) => part.trim() || []);
}
