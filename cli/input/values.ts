import { readFileSync } from "node:fs";
import { UUID_PATTERN } from "../../shared/domain/refs.ts";
import { createUsageFailure } from "../terminal/failure.ts";

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

/** Splits a list at commas; with schemes only before a scheme, because keys may contain commas. */
export function splitAtCommas(text: string): readonly string[] {
  const parts = /^(id|key):/.test(text) ? text.split(/,(?=(?:id|key):)/) : text.split(",");
  return parts.flatMap((part) => part.trim() || []);
}

/** Tests whether a value is an object that is not a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Parses JSON. Throws a usage failure that names the input if it is not valid. */
export function parseJson(text: string, input: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw createUsageFailure(`${input} is not valid JSON: ${getMessage(error)}`);
  }
}

/** Parses the text as JSON; falls back to the raw string. */
export function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Reads a text file. Throws a usage failure that names it and its flag. */
export function readTextFile(file: string, flag?: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    const fault = code === "ENOENT" ? "does not exist" : `cannot be read (${code})`;
    throw createUsageFailure(`${flag === undefined ? "" : `${flag}: `}${file} ${fault}`);
  }
}

/** Returns the message of anything that was thrown. */
export function getMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Quotes a word for a POSIX shell, unless it only has plain characters. */
export function quoteForShell(word: string, plain = /^[\w:/.@%+,=-]+$/): string {
  return plain.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
