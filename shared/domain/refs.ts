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
export const FORBIDDEN_NAMES: readonly string[] = ["__proto__", "constructor"];

/** A parsed ref: the scheme decides how the value is read. */
export interface Ref {
  readonly scheme: "id" | "key";
  readonly value: string;
  /** Key of the tag group, in the key of a global tag. */
  readonly group?: string;
  /** Id of the model, in the key of a local tag where that was given. */
  readonly model?: string;
}

/** A ref whose scheme callers may leave out. `bare` tells it apart for the compiler and is never there. */
export interface BareRef extends Ref {
  readonly bare?: true;
}

/** A scheme's own check: the fault of a value in words, or undefined when the value is well-formed. */
type SchemeCheck = (value: string) => string | undefined;

/** A UUID in either case, for patterns. */
export const UUID_PATTERN = "[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}";

const UUID = new RegExp(`^${UUID_PATTERN}$`);

/** The grammar of refs: a new scheme is one entry here. */
const SCHEMES: { readonly [S in Ref["scheme"]]: SchemeCheck } = {
  id: (value) => (UUID.test(value) ? undefined : `"${value}" is not a UUID`),
  key: (value) => (isFreeKey(value) ? undefined : `"${value}" cannot be a key`),
};

/** Reads `id:<uuid>` or `key:<key>`, split at the first colon and verbatim after it; answers a sentence when it is neither. */
export function parseRef(text: string): Ref | string {
  const colon = text.indexOf(":");
  const scheme = colon < 0 ? undefined : text.slice(0, colon);
  if (scheme === undefined || !Object.hasOwn(SCHEMES, scheme)) {
    return `"${text}" is not a ref; write id:<uuid> or key:<key>`;
  }
  const value = text.slice(colon + 1);
  const known = scheme as Ref["scheme"];
  const fault = SCHEMES[known](value);
  if (fault) return `${fault}; write id:<uuid> or key:<key>`;
  return { scheme: known, value: known === "id" ? value.toLowerCase() : value };
}

/** The ref as a caller writes it. */
export function printRef({ scheme, group, model, value }: Ref): string {
  const above = group === undefined ? (model === undefined ? "" : `model/${model}/`) : `${group}/`;
  return `${scheme}:${above}${value}`;
}

/**
 * A pattern of models: the one whose key it is, with `*` for any run of characters, also none. `\*` and `\\` stand for
 * the characters themselves; a backslash before anything else is no pattern. A text that begins as a ref does means the one
 * model that the ref names.
 */
export type KeyPattern = string;

/** The pattern that every model fits. */
export const ANY_MODEL: KeyPattern = "*";

/** Id and key of a model, as patterns are matched with them; one that begins with a call has no id that anybody could know. */
export interface ModelIdentity {
  readonly id?: string | undefined;
  readonly key: string;
}

/** The one model that a pattern names; undefined for a pattern of keys. */
export function parseModelPattern(pattern: KeyPattern): Ref | undefined {
  const ref = /^(?:id|key):/.test(pattern) ? parseRef(pattern) : undefined;
  return typeof ref === "string" ? undefined : ref;
}

/** The sentence why a text is no pattern; undefined where it is one. */
export function findPatternFault(text: string): string | undefined {
  const ref = /^(?:id|key):/.test(text) ? parseRef(text) : undefined;
  if (ref !== undefined) return typeof ref === "string" ? ref : undefined;
  if (text === "") return "must not be empty; * alone means every model";
  return /^(?:[^\\]|\\[\\*])*$/.test(text) ? undefined : "a backslash stands only before * or another backslash";
}

/** Tests a model against a pattern. It takes no longer than the product of pattern and key, whatever the pattern. */
export function matchesPattern(pattern: KeyPattern, { id, key }: ModelIdentity): boolean {
  const one = parseModelPattern(pattern);
  if (one) return one.value === (one.scheme === "id" ? id : key);
  const runs = splitPattern(pattern);
  const [first = ""] = runs;
  if (runs.length === 1) return key === first;
  const last = runs.at(-1) ?? "";
  if (!key.startsWith(first) || !key.endsWith(last) || key.length < first.length + last.length) return false;
  let at = first.length;
  const end = key.length - last.length;
  for (const run of runs.slice(1, -1)) {
    // The earliest place leaves the most room for those that follow.
    const found = key.indexOf(run, at);
    if (found < 0 || found + run.length > end) return false;
    at = found + run.length;
  }
  return true;
}

/** Tests a model against patterns, of which it has to fit one; without patterns every model does. */
export function matchesAnyPattern(patterns: readonly KeyPattern[] | undefined, model: ModelIdentity): boolean {
  return patterns?.some((pattern) => matchesPattern(pattern, model)) ?? true;
}

/** The texts between the stars of a pattern, at least one. */
function splitPattern(pattern: KeyPattern): readonly string[] {
  const runs = [""];
  for (const [piece] of pattern.matchAll(/\\[\\*]|./gs)) {
    if (piece === "*") runs.push("");
    else runs.push(`${runs.pop() ?? ""}${piece.startsWith("\\") ? piece.slice(1) : piece}`);
  }
  return runs;
}

/** Two attributes that a join follows: one of the entity in the first role, one of that in the second. */
export type KeyPair = readonly [first: string, second: string];

/** Pairs in the order of these two roles as pairs in the order of the roles' keys, which is that of documents. */
export function sortPairsByRoleKey(roles: readonly { readonly key: string }[], pairs: readonly KeyPair[]): KeyPair[] {
  const [a, b] = roles;
  const turns = a !== undefined && b !== undefined && b.key < a.key;
  return pairs.map(([first, second]) => (turns ? [second, first] : [first, second]));
}
