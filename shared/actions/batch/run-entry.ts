import { LIMITS } from "../../domain/limits.ts";
import { includeMember } from "../../domain/model/content.ts";
import { type Fault, PROBLEMS, Problem, requireProblem } from "../../domain/problems.ts";
import { escapePointerToken } from "../../domain/text/characters.ts";
import { findMember, toCanonicalJson } from "../../domain/text/json-values.ts";
import { findNearest } from "../../domain/text/suggestions.ts";
import type { BatchEntry } from "../../domain/values/batch-types.ts";
import {
  type Action,
  authorize,
  type Decision,
  explainBatchExclusion,
  type FreeContext,
  type Ports,
  type RunContext,
} from "../contract/action.ts";
import { listUsedDeprecations } from "../contract/action-parameters.ts";
import type { CallBudget } from "../contract/budget.ts";
import type { Call, Payload } from "../contract/call.ts";
import { createParameterProblem, type Params } from "../contract/params.ts";
import type { Commit, Store } from "../contract/store.ts";
import type { ReadView } from "../contract/view.ts";
import { createScoping } from "../pipeline/caller-rights.ts";
import { formatWritten } from "../pipeline/commit-decision.ts";
import { readPayload } from "../pipeline/read-payload.ts";
import { decide, openAllowed } from "../pipeline/resolve.ts";
import type { EntryStore, StagedStore, StagedView } from "./staged-store.ts";

interface PreparedEntry {
  readonly action: Action;
  readonly body: BatchEntry["payload"];
  /** The payload. Undefined when it refers to an earlier entry and has to be read later. */
  readonly payload: Payload | undefined;
  /** The value that the action prepared for an input (canonical JSON), reused by retries. */
  prepared?: { readonly input: string; readonly value: unknown };
}

/** Reads the parameters of all entries. Throws one `bad_parameters` with all faults. */
export async function prepareEntries(
  entries: readonly BatchEntry[],
  ports: Pick<Ports, "find">,
  { principal, noteDeprecation = () => undefined }: Pick<Call, "principal" | "noteDeprecation">,
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
  for (const { action, body } of ready) listUsedDeprecations(action, { query: [], body }).forEach(noteDeprecation);
  return ready;
}

function prepareEntry(action: Action, entry: BatchEntry, i: number): PreparedEntry {
  checkAllowedInBatch(action, entry, i);
  const { payload: body } = entry;
  const { faults, parameters } = findReferences(body, i);
  if (parameters.size === 0) return { action, body, payload: readPayload(action, { query: [], body }, findNearest) };
  // A parameter with a reference can be checked only when the reference is resolved.
  const isKnown = ({ pointer }: Fault) =>
    [...parameters].every((name) => !`${pointer}/`.startsWith(`/${escapePointerToken(name)}/`));
  const others = collectFaults(() => readPayload(action, { query: [], body }, findNearest)).filter(isKnown);
  const [first] = [...faults, ...others];
  if (first) throw new Problem("bad_parameters", first.detail, { errors: [...faults, ...others] });
  return { action, body, payload: undefined };
}

function collectFaults(read: () => Payload): readonly Fault[] {
  try {
    read();
    return [];
  } catch (error) {
    return requireProblem(error).members.errors ?? [];
  }
}

function mergeProblems(problems: readonly Problem[]): Problem {
  const [first] = problems as readonly [Problem, ...Problem[]];
  if (problems.length === 1) return first;
  const numbers = problems.map(({ members }) => members.entry);
  const list = numbers.slice(0, 10).join(", ");
  const errors = problems.flatMap(({ members }) => members.errors ?? []).slice(0, LIMITS.listedFaults);
  const detail = `${problems.length} entries are invalid: ${list}${numbers.length > 10 ? ", …" : ""}. See errors for all faults`;
  return new Problem("bad_parameters", detail, { errors, ...includeMember("entry", first.members.entry) });
}

function checkAllowedInBatch(action: Action, { payload }: BatchEntry, i: number) {
  const not = explainBatchExclusion(action);
  const usedParameter = not?.parameters?.find((parameter) => Object.hasOwn(payload, parameter));
  if (!not || (not.parameters && usedParameter === undefined)) return;
  const label = `${action.group}/${action.name}${usedParameter === undefined ? "" : ` with ${usedParameter}`}`;
  const detail = `${label} is not allowed in a batch: ${not.why}; call it separately`;
  const path = usedParameter === undefined ? "action" : `payload/${usedParameter}`;
  throw createParameterProblem(detail, `actions/${i}/${path}`);
}

/** Runs a function for an entry, whose number a problem gets. */
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

function isEntryProblem({ code }: Problem) {
  const { status, retryable } = PROBLEMS[code];
  return status < 500 && !retryable;
}

/** `$<n>.<member>`, alone or as the value of a ref. With more than one `$` it is a text with one `$` less. */
const REFERENCE = /^((?:id|key):)?(\$+)(\d+)\.([A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*)$/;

interface EntryResults {
  readonly count: number;
  /** Returns a member of result `number`; undefined if there is none. */
  readonly get: (number: number, path: string) => unknown;
}

function resolveReferences<T>(payload: T, results: EntryResults, path: string): T {
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
  const copy = resolve(payload, path);
  const [first] = faults;
  if (first) throw new Problem("bad_parameters", first.detail, { errors: faults });
  // Only strings were replaced.
  return copy as T;
}

function findReferences(
  payload: Readonly<Record<string, unknown>>,
  i: number,
): { readonly faults: readonly Fault[]; readonly parameters: ReadonlySet<string> } {
  const faults: Fault[] = [];
  const parameters = new Set<string>();
  const look = (value: unknown, pointer: string, parameter: string) => {
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
  const detail = describeInvalidReference(text, number, results.count);
  if (detail !== undefined) {
    fault(detail);
    return text;
  }
  const value = results.get(number, path);
  if (value === undefined || (scheme !== "" && typeof value !== "string")) {
    const reason = value === undefined ? "has no such member" : "has a value that is not a text";
    fault(
      `${text}: the result of entry ${number} ${reason}. To send this text literally, write $${text.slice(scheme.length)}`,
    );
    return text;
  }
  return scheme === "" ? value : `${scheme}${value}`;
}

/** The result of an entry: the answer of a read, or the decision of a write. */
export interface EntryResult {
  readonly action: string;
  /** The answer of a read, and whether it shows the revision of its model. */
  readonly body?: unknown;
  readonly showsRevision?: boolean;
  readonly decision?: Decision;
  readonly ledger: StagedView;
  readonly sawTags: boolean;
}

type EntryContext = Pick<RunContext<Params, undefined, undefined, undefined>, "call" | "ports">;

/** Runs an entry on the state that the earlier entries left, and stages its changes. */
export async function runEntry(
  i: number,
  entry: PreparedEntry,
  before: readonly EntryResult[],
  batch: StagedStore,
  { call, ports }: EntryContext,
): Promise<EntryResult> {
  const { action } = entry;
  const path = `${action.group}/${action.name}`;
  const payload = entry.payload ?? readReferringPayload(entry, i, before, call.budget);
  const scoping = call.principal && createScoping({ rule: action.rule, principal: call.principal });
  const store = scoping ? scoping.store(batch.store) : batch.store;
  const inner = {
    input: payload.input,
    call: { ...call, action: path, channel: "batch" as const },
    ports: createEntryPorts(ports, store),
  };
  const prepared = await prepareInput(entry, inner);
  const view = await openAllowed({ action, payload, scoping, ports: inner.ports });
  let sawTags = false;
  const tags = () => {
    sawTags = true;
    return store.openTags();
  };
  const { decision, reading } = await decide(action, payload, {
    ...inner,
    view,
    tags,
    open: store.open,
    prepared,
    // Actions on accounts are not allowed in a batch.
    accounts: () => ports.store.openIdentity(),
  });
  if (decision) {
    scoping?.checkNewKeys(decision);
    const ledger = findLedger(decision.begins ?? view, batch, path);
    checkRelease(ledger, decision, before);
    await batch.stage(ledger, decision);
    return { action: path, decision, ledger, sawTags };
  }
  const { body: answer, showsRevision = false, next } = reading;
  const body = next === undefined ? answer : { ...Object(answer), cursor: next };
  return { action: path, body, showsRevision, ledger: findLedger(view, batch, path), sawTags };
}

function readReferringPayload(
  { action, body }: PreparedEntry,
  i: number,
  before: readonly EntryResult[],
  budget: CallBudget,
): Payload {
  const results: EntryResults = {
    count: before.length,
    get: (number, path) => {
      const member = findMember(formatResult(before[number - 1]), path.split("."));
      // A short payload can name a long member many times.
      budget.chargeAnswer(member);
      return member;
    },
  };
  return readPayload(
    action,
    { query: [], body: resolveReferences(body, results, `/actions/${i}/payload`) },
    findNearest,
  );
}

/** Throws `bad_parameters` for a change of a released model: both would be one revision. */
function checkRelease(ledger: StagedView, decision: Decision, before: readonly EntryResult[]) {
  const index = before.findIndex((result) => result.ledger === ledger && result.decision?.release !== undefined);
  if (index < 0 || !hasChanges(decision)) return;
  // A new model is filled and released in the same revision.
  if (decision.release === undefined && ledger.begun) return;
  const detail = `Entry ${index + 1} releases the model ${ledger.modelKey}, and a batch creates only one revision. Release the model last, or in another call`;
  throw new Problem("bad_parameters", detail);
}

async function prepareInput(entry: PreparedEntry, inner: FreeContext<Params>): Promise<unknown> {
  if (!entry.action.prepare) return undefined;
  const input = toCanonicalJson(inner.input);
  if (entry.prepared?.input !== input) entry.prepared = { input, value: await entry.action.prepare(inner) };
  return entry.prepared.value;
}

function findLedger(view: ReadView | undefined, batch: StagedStore, action: string): StagedView {
  if (!view) throw new Error(`${action} has no ledger`);
  return batch.findLedger(view);
}

/** Formats the result of an entry with at most `removedRows` removed objects. */
export function formatResult(
  result: EntryResult | undefined,
  revision = result?.ledger.revision ?? 0,
  removedRows: number = LIMITS.removedRows,
): unknown {
  if (!result?.decision) return result?.showsRevision ? { ...Object(result.body), revision } : result?.body;
  return formatWritten(result.decision, revision, hasChanges(result.decision), { removedRows });
}

/** Returns true if a commit changes any ledger. */
export function hasChanges({ changes, alongside = [] }: Commit): boolean {
  return changes.length > 0 || alongside.some((part) => part.changes.length > 0);
}

function createEntryPorts(ports: Ports, store: Pick<Store, EntryStore>): Ports {
  return {
    ...ports,
    store: { ...createRefusingPort(ports.store), ...store },
    jobs: createRefusingPort(ports.jobs),
    checks: createRefusingPort(ports.checks),
    searches: createRefusingPort(ports.searches),
    identity: createRefusingPort(ports.identity),
    audit: createRefusingPort(ports.audit),
  };
}

function createRefusingPort<T extends object>(port: T): T {
  const names = Object.keys(port);
  // Every member of a port is a method.
  return Object.fromEntries(names.map((name) => [name, refuseInBatch])) as unknown as T;
}

function refuseInBatch(): never {
  const detail = "This action needs data that is not available in a batch; call it separately";
  throw new Problem("bad_parameters", detail);
}
