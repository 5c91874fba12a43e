import type { Principal } from "../../domain/accounts/principal.ts";
import { LIMITS } from "../../domain/limits.ts";
import { optionalMember } from "../../domain/model/content.ts";
import { type Fault, PROBLEMS, Problem, requireProblem } from "../../domain/problems.ts";
import { escapePointerToken } from "../../domain/text/characters.ts";
import { findNearest } from "../../domain/text/suggestions.ts";
import type { BatchEntry } from "../../domain/values/batch-types.ts";
import { type Action, explainBatchExclusion, type Ports } from "../contract/action.ts";
import type { Payload } from "../contract/call.ts";
import { authorize } from "../contract/rules.ts";
import { readPayload } from "../pipeline/read-payload.ts";

/** An entry with an action that the caller may run. */
export interface PreparedEntry {
  readonly action: Action;
  readonly sent: BatchEntry["payload"];
  /** The payload. Undefined when it refers to the result of an earlier entry and has to be read later. */
  readonly payload: Payload | undefined;
  /** The value that the action prepared for an input (canonical JSON), reused by retries. */
  prepared?: { readonly input: string; readonly value: unknown };
}

/**
 * Finds the action of each entry, checks its rule and reads its parameters before any entry runs. Throws one
 * `bad_parameters` with the faults of all entries.
 */
export async function prepareEntries(
  entries: readonly BatchEntry[],
  ports: Pick<Ports, "find">,
  principal: Principal | undefined,
): Promise<readonly PreparedEntry[]> {
  const actions: Action[] = [];
  for (const [i, entry] of entries.entries()) {
    const action = await runForEntry(i, entry, () => ports.find(entry.group, entry.action));
    await runForEntry(i, entry, async () => authorize(action, principal));
    actions.push(action);
  }
  const ready: PreparedEntry[] = [];
  const problems: Problem[] = [];
  for (const [i, action] of actions.entries()) {
    const entry = entries[i] as BatchEntry;
    const one = await runForEntry(i, entry, async () => prepareEntry(action, entry, i)).catch(requireProblem);
    if (one instanceof Problem) problems.push(one);
    else ready.push(one);
  }
  if (problems.length > 0) throw mergeProblems(problems);
  return ready;
}

function prepareEntry(action: Action, entry: BatchEntry, i: number): PreparedEntry {
  checkAllowedInBatch(action, entry, i);
  const { payload: sent } = entry;
  const { faults, parameters } = findReferences(sent, i);
  if (parameters.size === 0)
    return { action, sent, payload: readPayload(action, { query: [], body: sent }, findNearest) };
  // A parameter with a reference can be checked only when the reference is resolved.
  const isKnown = ({ pointer }: Fault): boolean =>
    [...parameters].every((name) => !`${pointer}/`.startsWith(`/${escapePointerToken(name)}/`));
  const others = collectFaults(() => readPayload(action, { query: [], body: sent }, findNearest)).filter(isKnown);
  const [first] = [...faults, ...others];
  if (first) throw new Problem("bad_parameters", first.detail, { errors: [...faults, ...others] });
  return { action, sent, payload: undefined };
}

function collectFaults(read: () => Payload): readonly Fault[] {
  try {
    read();
    return [];
  } catch (error) {
    return requireProblem(error).members.errors ?? [];
  }
}

/** Merges the faults of several entries into one problem. */
function mergeProblems(problems: readonly Problem[]): Problem {
  const [first] = problems as readonly [Problem, ...Problem[]];
  if (problems.length === 1) return first;
  const numbers = problems.map(({ members }) => members.entry);
  const listed = numbers.slice(0, 10).join(", ");
  const errors = problems.flatMap(({ members }) => members.errors ?? []).slice(0, LIMITS.listedFaults);
  const detail = `${problems.length} entries are invalid: ${listed}${numbers.length > 10 ? ", …" : ""}. See errors for all faults`;
  return new Problem("bad_parameters", detail, { errors, ...optionalMember("entry", first.members.entry) });
}

/** Throws `bad_parameters` when an action, or a parameter of it, is not allowed in a batch. */
function checkAllowedInBatch(action: Action, { payload }: BatchEntry, i: number): void {
  const not = explainBatchExclusion(action);
  const given = not?.parameters?.find((parameter) => Object.hasOwn(payload, parameter));
  if (!not || (not.parameters && given === undefined)) return;
  const what = `${action.group}/${action.name}${given === undefined ? "" : ` with ${given}`}`;
  const detail = `${what} is not allowed in a batch: ${not.why}; call it separately`;
  const path = given === undefined ? "action" : `payload/${given}`;
  throw new Problem("bad_parameters", detail, { errors: [{ pointer: `/actions/${i}/${path}`, detail }] });
}

/** Runs a function for an entry. A problem that the entry caused gets the number of the entry. */
export async function runForEntry<T>(
  i: number,
  { group, action }: Pick<BatchEntry, "group" | "action">,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Problem) || !isEntryProblem(error)) throw error;
    const { code, members } = error;
    // Pointers of other problems point into the content of an import, not into the payload.
    const inPayload = code === "bad_parameters";
    const path = `/actions/${i}`;
    const errors = members.errors?.map(({ pointer, detail }) => ({
      pointer: inPayload && !pointer.startsWith("/actions/") ? `${path}/payload${pointer}` : pointer,
      detail,
    }));
    throw new Problem(code, `Entry ${i + 1} (${group}/${action}): ${error.message}`, {
      ...members,
      ...(errors && { errors }),
      entry: i + 1,
    });
  }
}

/** Returns true for a problem that the entry caused: not retryable, and not a failure of the service. */
function isEntryProblem({ code }: Problem): boolean {
  const { status, retryable } = PROBLEMS[code];
  return status < 500 && !retryable;
}

/** `$<n>.<member>`, alone or as the value of a ref. With more than one `$` it is a text with one `$` less. */
const REFERENCE = /^((?:id|key):)?(\$+)(\d+)\.([A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*)$/;

/** The results of the entries so far. The first result has number 1. */
interface EntryResults {
  readonly count: number;
  readonly get: (number: number) => unknown;
}

/**
 * Replaces each `$<n>.<member>` in a payload by that member of the result of entry n. `path` is the JSON pointer of the
 * payload. Throws `bad_parameters` with all references that cannot be resolved.
 */
export function resolveReferences<T>(payload: T, results: EntryResults, path: string): T {
  const faults: Fault[] = [];
  const resolve = (value: unknown, pointer: string): unknown => {
    if (typeof value === "string")
      return replaceReference(value, results, (detail) => faults.push({ pointer, detail }));
    if (Array.isArray(value)) return value.map((one, i) => resolve(one, `${pointer}/${i}`));
    if (typeof value !== "object" || value === null) return value;
    const members = Object.entries(value);
    return Object.fromEntries(
      members.map(([name, one]) => [name, resolve(one, `${pointer}/${escapePointerToken(name)}`)]),
    );
  };
  const resolved = resolve(payload, path);
  const [first] = faults;
  if (first) throw new Problem("bad_parameters", first.detail, { errors: faults });
  // Only strings were replaced.
  return resolved as T;
}

/**
 * Finds the references in a payload: the parameters that hold one, and the faults that are known before any entry runs.
 * A reference may only name the entries before number `i`.
 */
function findReferences(
  payload: Readonly<Record<string, unknown>>,
  i: number,
): { readonly faults: readonly Fault[]; readonly parameters: ReadonlySet<string> } {
  const faults: Fault[] = [];
  const parameters = new Set<string>();
  const look = (value: unknown, pointer: string, parameter: string): void => {
    if (typeof value === "string") {
      const [, , marks, count] = REFERENCE.exec(value) ?? [];
      if (marks === undefined) return;
      parameters.add(parameter);
      const detail = marks.length > 1 ? undefined : describeInvalidReference(value, Number(count), i);
      if (detail !== undefined) faults.push({ pointer, detail });
    } else if (typeof value === "object" && value !== null) {
      for (const [name, one] of Object.entries(value)) look(one, `${pointer}/${escapePointerToken(name)}`, parameter);
    }
  };
  for (const [name, value] of Object.entries(payload)) look(value, `/${escapePointerToken(name)}`, name);
  return { faults, parameters };
}

/** Describes the fault of a reference that does not name an earlier entry. Returns undefined for a valid reference. */
function describeInvalidReference(text: string, number: number, before: number): string | undefined {
  if (number >= 1 && number <= before) return undefined;
  return before === 0
    ? `${text} refers to entry ${number}, but this is the first entry`
    : `${text} refers to entry ${number}; only the entries 1 to ${before} come before this one`;
}

function replaceReference(text: string, results: EntryResults, fault: (detail: string) => void): unknown {
  const [, scheme = "", marks, count, path] = REFERENCE.exec(text) ?? [];
  if (marks === undefined || path === undefined) return text;
  if (marks.length > 1) return text.replace("$", "");
  const number = Number(count);
  const stray = describeInvalidReference(text, number, results.count);
  if (stray !== undefined) {
    fault(stray);
    return text;
  }
  const value = getMember(results.get(number), path);
  if (value === undefined || (scheme !== "" && typeof value !== "string")) {
    const what = value === undefined ? "has no such member" : "has a value that is not a text";
    fault(
      `${text}: the result of entry ${number} ${what}. To send this text literally, write $${text.slice(scheme.length)}`,
    );
    return text;
  }
  return scheme === "" ? value : `${scheme}${value}`;
}

function getMember(result: unknown, path: string): unknown {
  let value = result;
  for (const step of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    // `Object.hasOwn` was true of it.
    value = (value as Readonly<Record<string, unknown>>)[step];
  }
  return value;
}
