import { parseRef, type Ref } from "./refs.ts";

/**
 * A pattern of models: the one whose key it is, with `*` for any run of characters, also none. `\*` and `\\` stand for
 * the characters themselves; a backslash before anything else is no pattern. A text that begins as a ref does means the one
 * model that the ref names.
 */
export type KeyPattern = string;

/** The pattern that every model fits. */
export const ANY_MODEL: KeyPattern = "*";

/** Id and key of a model, as patterns are matched with them; one that begins with a call has no id that anybody could know. */
export interface NamedModel {
  readonly id?: string | undefined;
  readonly key: string;
}

/** The one model that a pattern names; undefined for a pattern of keys. */
export function modelNamed(pattern: KeyPattern): Ref | undefined {
  const ref = /^(?:id|key):/.test(pattern) ? parseRef(pattern) : undefined;
  return typeof ref === "string" ? undefined : ref;
}

/** The sentence why a text is no pattern; undefined where it is one. */
export function patternFault(text: string): string | undefined {
  const ref = /^(?:id|key):/.test(text) ? parseRef(text) : undefined;
  if (ref !== undefined) return typeof ref === "string" ? ref : undefined;
  if (text === "") return "must not be empty; * alone means every model";
  return /^(?:[^\\]|\\[\\*])*$/.test(text) ? undefined : "a backslash stands only before * or another backslash";
}

/** Tests a model against a pattern. It takes no longer than the product of pattern and key, whatever the pattern. */
export function fits(pattern: KeyPattern, { id, key }: NamedModel): boolean {
  const one = modelNamed(pattern);
  if (one) return one.value === (one.scheme === "id" ? id : key);
  const runs = literalRuns(pattern);
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
export function fitsAny(patterns: readonly KeyPattern[] | undefined, model: NamedModel): boolean {
  return patterns?.some((pattern) => fits(pattern, model)) ?? true;
}

/** The texts between the stars of a pattern, at least one. */
function literalRuns(pattern: KeyPattern): readonly string[] {
  const runs = [""];
  for (const [piece] of pattern.matchAll(/\\[\\*]|./gs)) {
    if (piece === "*") runs.push("");
    else runs.push(`${runs.pop() ?? ""}${piece.startsWith("\\") ? piece.slice(1) : piece}`);
  }
  return runs;
}
