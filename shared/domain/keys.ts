import { LIMITS } from "./limits.ts";

/** 1 to 128 printable ASCII characters without backslash, quotes and backtick, for patterns. */
export const FREE_KEY_PATTERN = `[ !#-&(-\\[\\]-_a-~]{1,${LIMITS.keyCharacters}}`;

export const FREE_KEY = new RegExp(`^${FREE_KEY_PATTERN}$`);

/** Tests a key of a model, type, entity, attribute, relationship, role or business key: verbatim and case-sensitive. */
export function isFreeKey(text: string): boolean {
  return FREE_KEY.test(text);
}

/** 1 to 128 letters, digits, `_` and `-`, for patterns. */
export const TAG_KEY_PATTERN = `[A-Za-z0-9_-]{1,${LIMITS.keyCharacters}}`;

export const TAG_KEY = new RegExp(`^${TAG_KEY_PATTERN}$`);

/** Tests a key of a tag or tag group, which has no `/` so that two of them can be one ref. */
export function isTagKey(text: string): boolean {
  return TAG_KEY.test(text);
}

/** A lower-case letter, then letters and digits, with single `.`, `_` or `-` between them. */
export const USERNAME = /^[a-z](?:[._-]?[a-z0-9])*$/;

/** Tests the name of a user of the built-in provider. */
export function isUsername(text: string): boolean {
  return text.length >= 3 && text.length <= LIMITS.usernameCharacters && USERNAME.test(text);
}

/**
 * Names that no member has whose name callers choose: a JSON body could hold `__proto__` or `constructor.prototype` by them, which
 * is refused everywhere, and the store takes an object with a member `constructor` for one of another class.
 */
export const UNSPEAKABLE: readonly string[] = ["__proto__", "constructor"];
