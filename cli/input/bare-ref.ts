import { UUID_PATTERN } from "../../shared/domain/refs.ts";

const UUID = new RegExp(`^${UUID_PATTERN}$`);

/** A ref as people write it: a bare word is a key, and a bare UUID an id. */
export function toRef(word: string): string {
  if (/^(id|key):/.test(word)) return word;
  return UUID.test(word) ? `id:${word}` : `key:${word}`;
}

/** Types of parameters that take a word without a scheme, which may mean more than a key. */
const BARE_THEMSELVES: ReadonlySet<string> = new Set(["UserRef"]);

/** True for a type whose values are refs of objects with keys. */
export function isRefType(type: string): boolean {
  return type.endsWith("Ref") && !BARE_THEMSELVES.has(type);
}

/**
 * The members of a list that was written as one text: those between its commas. A text with a scheme is parted only where
 * the next scheme begins, since a key may hold a comma.
 */
export function partedAtCommas(text: string): readonly string[] {
  const parts = /^(id|key):/.test(text) ? text.split(/,(?=(?:id|key):)/) : text.split(",");
  return parts.flatMap((part) => part.trim() || []);
}
