import { KEY_CHARACTERS, USERNAME_CHARACTERS } from "./limits.ts";
import { Problem } from "./problems.ts";

/** Regular expression of a key: 1 to 128 printable ASCII characters without backslash, quotes and backtick. */
export const FREE_KEY_PATTERN = `[ !#-&(-\\[\\]-_a-~]{1,${KEY_CHARACTERS}}`;

export const FREE_KEY = new RegExp(`^${FREE_KEY_PATTERN}$`);

/** Tests a key of any object except tags. Keys are case-sensitive. */
export function isFreeKey(text: string): boolean {
  return FREE_KEY.test(text);
}

/** Regular expression of a tag key: 1 to 128 letters, digits, `_` and `-`. */
export const TAG_KEY_PATTERN = `[A-Za-z0-9_-]{1,${KEY_CHARACTERS}}`;

export const TAG_KEY = new RegExp(`^${TAG_KEY_PATTERN}$`);

/** Tests a key of a tag or tag group. It has no `/`, so that two keys can form one ref. */
export function isTagKey(text: string): boolean {
  return TAG_KEY.test(text);
}

/** A lower-case letter, then letters and digits, with single `.`, `_` or `-` between them. */
export const USERNAME = /^[a-z](?:[._-]?[a-z0-9])*$/;

/** Tests a username of the built-in provider. */
export function isUsername(text: string): boolean {
  return text.length >= 3 && text.length <= USERNAME_CHARACTERS && USERNAME.test(text);
}

/** Names of members that callers must not choose: JSON bodies and the store cannot safely contain them. */
export const FORBIDDEN_NAMES: readonly string[] = ["__proto__", "constructor"];

/** Parsed ref. The scheme decides how the value is interpreted. */
export interface Ref {
  readonly scheme: "id" | "key";
  readonly value: string;
  readonly group?: string;
  readonly model?: string;
}

/** Ref whose scheme is optional for callers. `bare` only distinguishes the type and is never set. */
export interface BareRef extends Ref {
  readonly bare?: true;
}

type SchemeCheck = (value: string) => string | undefined;

/** Regular expression of a UUID in upper or lower case. */
export const UUID_PATTERN = "[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}";

const UUID = new RegExp(`^${UUID_PATTERN}$`);

const SCHEMES: { readonly [S in Ref["scheme"]]: SchemeCheck } = {
  id: (value) => (UUID.test(value) ? undefined : `"${value}" is not a UUID`),
  key: (value) => (isFreeKey(value) ? undefined : `"${value}" is not a valid key`),
};

/** Parses `id:<uuid>` or `key:<key>`. Returns a sentence if the text is neither. */
export function parseRef(text: string): Ref | string {
  const colon = text.indexOf(":");
  const scheme = colon < 0 ? undefined : text.slice(0, colon);
  if (scheme === undefined || !Object.hasOwn(SCHEMES, scheme)) {
    return `"${text}" is not a valid ref; use id:<uuid> or key:<key>`;
  }
  const value = text.slice(colon + 1);
  const name = scheme as Ref["scheme"];
  const fault = SCHEMES[name](value);
  if (fault) return `${fault}; use id:<uuid> or key:<key>`;
  return { scheme: name, value: name === "id" ? value.toLowerCase() : value };
}

/** Formats a ref as callers write it. */
export function printRef({ scheme, group, model, value }: Ref): string {
  const prefix = group === undefined ? (model === undefined ? "" : `model/${model}/`) : `${group}/`;
  return `${scheme}:${prefix}${value}`;
}

/** Pattern of model keys: `*` matches any characters, `\*` and `\\` themselves. A ref selects the one model. */
export type KeyPattern = string;

export const ANY_MODEL: KeyPattern = "*";

/** Id and key of a model, for matching patterns. A model created by the current call has no id yet. */
export interface ModelIdentity {
  readonly id?: string | undefined;
  readonly key: string;
}

/** Creates the problem for a ref that leads to no model which the caller may see. */
export function createNoModelProblem(ref: Ref): Problem {
  return new Problem("not_found", `no model ${printRef(ref)}`);
}

/** Parses a pattern that is a ref to one model; else returns undefined. */
export function parseModelPattern(pattern: KeyPattern): Ref | undefined {
  const ref = /^(?:id|key):/.test(pattern) ? parseRef(pattern) : undefined;
  return typeof ref === "string" ? undefined : ref;
}

/** Returns a sentence if a text is not a valid pattern. */
export function findPatternFault(text: string): string | undefined {
  const ref = /^(?:id|key):/.test(text) ? parseRef(text) : undefined;
  if (ref !== undefined) return typeof ref === "string" ? ref : undefined;
  if (text === "") return "must not be empty; use * for every model";
  return findWildcardFault(text);
}

/** Returns a sentence if a text has a backslash that escapes nothing. */
export function findWildcardFault(text: string): string | undefined {
  return /^(?:[^\\]|\\[\\*])*$/.test(text) ? undefined : "a backslash is only allowed before * or another backslash";
}

/** Tests for a match, in time at most proportional to the product of both lengths. */
export function matchesPattern(pattern: KeyPattern, { id, key }: ModelIdentity): boolean {
  const one = parseModelPattern(pattern);
  return one ? one.value === (one.scheme === "id" ? id : key) : matchesWildcards(pattern, key);
}

/** Tests whether a text matches a pattern in which `*` is any text, in time at most proportional to the product of both. */
export function matchesWildcards(pattern: string, text: string): boolean {
  const runs = splitPattern(pattern);
  const [first = ""] = runs;
  if (runs.length === 1) return text === first;
  const last = runs.at(-1) ?? "";
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  let at = first.length;
  const end = text.length - last.length;
  for (const run of runs.slice(1, -1)) {
    // The earliest match leaves the most characters for the following texts.
    const index = text.indexOf(run, at);
    if (index < 0 || index + run.length > end) return false;
    at = index + run.length;
  }
  return true;
}

/** Tests whether a model matches at least one of the patterns; true without patterns. */
export function matchesAnyPattern(patterns: readonly KeyPattern[] | undefined, model: ModelIdentity): boolean {
  return patterns?.some((pattern) => matchesPattern(pattern, model)) ?? true;
}

/** Tests whether a key can match both patterns, in time proportional to the product of their lengths. */
export function patternsOverlap(one: KeyPattern, other: KeyPattern): boolean {
  const splitTokens = (pattern: KeyPattern): readonly string[] => pattern.match(/\\[\\*]|./gs) ?? [];
  const [rows, columns] = [splitTokens(one), splitTokens(other)];
  const getLast = (token: string) => token.at(-1) ?? "";
  const start = [...rows, ""].findIndex((token) => token !== "*");
  // For each number of tokens of the first pattern: whether they and the columns so far can match one key.
  let reach = [...rows, ""].map((_, i) => i <= start);
  for (const column of columns) {
    const next = [reach[0] === true && column === "*"];
    for (const [i, row] of rows.entries()) {
      const skipsOne = row === "*" || column === "*";
      const isSame = getLast(row) === getLast(column) && reach[i] === true;
      next.push(skipsOne ? reach[i + 1] === true || next[i] === true || reach[i] === true : isSame);
    }
    reach = next;
  }
  return reach.at(-1) === true;
}

function splitPattern(pattern: KeyPattern): readonly string[] {
  const runs = [""];
  for (const [token] of pattern.matchAll(/\\[\\*]|./gs)) {
    if (token === "*") runs.push("");
    else runs.push(`${runs.pop() ?? ""}${token.startsWith("\\") ? token.slice(1) : token}`);
  }
  return runs;
}

/** Pair of attributes that a join compares, in the order of the roles. */
export type KeyPair = readonly [first: string, second: string];

/** Reorders pairs so that the role with the smaller key comes first, as in documents. */
export function sortPairsByRoleKey(roles: readonly { readonly key: string }[], pairs: readonly KeyPair[]): KeyPair[] {
  const [a, b] = roles;
  const isReversed = a !== undefined && b !== undefined && b.key < a.key;
  return pairs.map(([first, second]) => (isReversed ? [second, first] : [first, second]));
}
