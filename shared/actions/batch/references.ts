import { type Fault, Problem } from "../../domain/problems.ts";
import { pointerToken } from "../../domain/well-formed.ts";

/** `$<n>.<member>`, alone or as the value of a ref; more than one `$` stands for a text with one less. */
const REFERENCE = /^((?:id|key):)?(\$+)(\d+)\.([A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*)$/;

/** The results of the entries so far; the first one is number 1. */
export interface Results {
  readonly count: number;
  readonly of: (number: number) => unknown;
}

/**
 * A payload with every `$<n>.<member>` replaced by that member of the n-th entry's result. `place` is the JSON pointer of
 * the payload; `bad_parameters` lists every reference that leads nowhere.
 */
export function resolveReferences<T>(payload: T, results: Results, place: string): T {
  const faults: Fault[] = [];
  const resolve = (value: unknown, pointer: string): unknown => {
    if (typeof value === "string") return replaced(value, results, (detail) => faults.push({ pointer, detail }));
    if (Array.isArray(value)) return value.map((one, i) => resolve(one, `${pointer}/${i}`));
    if (typeof value !== "object" || value === null) return value;
    const members = Object.entries(value);
    return Object.fromEntries(members.map(([name, one]) => [name, resolve(one, `${pointer}/${pointerToken(name)}`)]));
  };
  const resolved = resolve(payload, place);
  const [first] = faults;
  if (first) throw new Problem("bad_parameters", first.detail, { errors: faults });
  // Strings were replaced, and nothing else.
  return resolved as T;
}

/**
 * The faults of the references in a payload that show before anything has run, and the parameters that hold one.
 * References may name the entries before number `i`.
 */
export function lookAtReferences(
  payload: Readonly<Record<string, unknown>>,
  i: number,
  place: string,
): { readonly faults: readonly Fault[]; readonly parameters: ReadonlySet<string> } {
  const faults: Fault[] = [];
  const parameters = new Set<string>();
  const look = (value: unknown, pointer: string, parameter: string): void => {
    if (typeof value === "string") {
      const [, , marks, count] = REFERENCE.exec(value) ?? [];
      if (marks === undefined) return;
      parameters.add(parameter);
      const detail = marks.length > 1 ? undefined : strayReference(value, Number(count), i);
      if (detail !== undefined) faults.push({ pointer, detail });
    } else if (typeof value === "object" && value !== null) {
      for (const [name, one] of Object.entries(value)) look(one, `${pointer}/${pointerToken(name)}`, parameter);
    }
  };
  for (const [name, value] of Object.entries(payload)) look(value, `${place}/${pointerToken(name)}`, name);
  return { faults, parameters };
}

/** The fault of a reference to an entry that is none of those before its own; undefined where it is one. */
function strayReference(text: string, number: number, before: number): string | undefined {
  if (number >= 1 && number <= before) return undefined;
  return `${text} names entry ${number}, which is none of the ${before} before this one`;
}

function replaced(text: string, results: Results, fault: (detail: string) => void): unknown {
  const [, scheme = "", marks, count, path] = REFERENCE.exec(text) ?? [];
  if (marks === undefined || path === undefined) return text;
  if (marks.length > 1) return text.replace("$", "");
  const number = Number(count);
  const stray = strayReference(text, number, results.count);
  if (stray !== undefined) {
    fault(stray);
    return text;
  }
  const value = memberOf(results.of(number), path);
  if (value === undefined || (scheme !== "" && typeof value !== "string")) {
    const what = value === undefined ? "has no such member" : "has no text there";
    fault(`${text}: the result of entry ${number} ${what}; write $${text.slice(scheme.length)} where a text is meant`);
    return text;
  }
  return scheme === "" ? value : `${scheme}${value}`;
}

function memberOf(result: unknown, path: string): unknown {
  let value = result;
  for (const step of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    // `Object.hasOwn` was true of it.
    value = (value as Readonly<Record<string, unknown>>)[step];
  }
  return value;
}
