import { LIMITS } from "../../domain/limits.ts";
import { Problem } from "../../domain/problems.ts";
import { toCanonicalJson } from "../../domain/text/json-values.ts";
import { findNearest } from "../../domain/text/suggestions.ts";
import type { Decision, FreeContext, Ports, RunContext } from "../contract/action.ts";
import type { Payload } from "../contract/call.ts";
import type { Params } from "../contract/params.ts";
import type { Commit, Store } from "../contract/store.ts";
import type { ReadView } from "../contract/view.ts";
import { createScoping } from "../pipeline/caller-rights.ts";
import { formatWritten } from "../pipeline/commit-decision.ts";
import { readPayload } from "../pipeline/read-payload.ts";
import { decide, openAllowed } from "../pipeline/resolve.ts";
import { type PreparedEntry, resolveReferences } from "./entries.ts";
import type { EntryStore, StagedStore, StagedView } from "./staged-store.ts";

/** The result of an entry: the answer of a read, or the decision of a write. */
export interface EntryResult {
  /** `<group>/<action>` */
  readonly action: string;
  /** The answer of a read, and whether it shows the revision of its model. */
  readonly body?: unknown;
  readonly showsRevision?: boolean;
  /** The decision of a write, and the ledger it was made in. */
  readonly decision?: Decision;
  readonly ledger: StagedView;
  /** True where it read the ledger of global tags. */
  readonly sawTags: boolean;
}

type EntryContext = Pick<RunContext<Params, undefined, undefined, undefined>, "call" | "ports">;

/** Runs an entry on the state that the earlier entries left, and stages its changes. */
export async function runEntry(
  i: number,
  entry: PreparedEntry,
  before: readonly EntryResult[],
  staged: StagedStore,
  { call, ports }: EntryContext,
): Promise<EntryResult> {
  const { action } = entry;
  const path = `${action.group}/${action.name}`;
  const payload = entry.payload ?? readReferringPayload(entry, i, before);
  const scoping = call.principal && createScoping({ rule: action.rule, principal: call.principal });
  const store = scoping ? scoping.store(staged.store) : staged.store;
  const inner = {
    input: payload.input,
    call: { ...call, action: path, channel: "batch" as const },
    ports: createEntryPorts(ports, store),
  };
  const prepared = await prepareInput(entry, inner);
  const view = await openAllowed({ action, payload, scoping, ports: inner.ports });
  let sawTags = false;
  const tags = (): Promise<ReadView> => {
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
    const ledger = findLedger(decision.begins ?? view, staged, path);
    checkRelease(ledger, decision, before);
    await staged.stage(ledger, decision);
    return { action: path, decision, ledger, sawTags };
  }
  const { body: answer, showsRevision = false, next } = reading;
  const body = next === undefined ? answer : { ...Object(answer), cursor: next };
  return { action: path, body, showsRevision, ledger: findLedger(view, staged, path), sawTags };
}

/** Reads the payload of an entry that refers to answers of earlier entries. */
function readReferringPayload({ action, sent }: PreparedEntry, i: number, before: readonly EntryResult[]): Payload {
  const results = { count: before.length, get: (number: number) => formatResult(before[number - 1]) };
  return readPayload(
    action,
    { query: [], body: resolveReferences(sent, results, `/actions/${i}/payload`) },
    findNearest,
  );
}

/** Throws `bad_parameters` when an entry changes a model that an earlier entry released: both would be one revision. */
function checkRelease(ledger: StagedView, decision: Decision, before: readonly EntryResult[]): void {
  const released = before.findIndex((result) => result.ledger === ledger && result.decision?.release !== undefined);
  if (released < 0 || !hasChanges(decision)) return;
  // A new model is filled and released in the same revision.
  if (decision.release === undefined && ledger.begun) return;
  const detail = `Entry ${released + 1} releases the model ${ledger.modelKey}, and a batch creates only one revision. Release the model last, or in another call`;
  throw new Problem("bad_parameters", detail);
}

/** Runs `prepare` of an action once per input, however often the batch is retried. */
async function prepareInput(entry: PreparedEntry, inner: FreeContext<Params>): Promise<unknown> {
  if (!entry.action.prepare) return undefined;
  const input = toCanonicalJson(inner.input);
  if (entry.prepared?.input !== input) entry.prepared = { input, value: await entry.action.prepare(inner) };
  return entry.prepared.value;
}

function findLedger(view: ReadView | undefined, staged: StagedStore, action: string): StagedView {
  if (!view) throw new Error(`${action} has no ledger`);
  return staged.findLedger(view);
}

/** Formats the result of an entry, with the new revision of its ledger and at most `removedRows` removed objects. */
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

/** Creates the ports of an entry. It opens and creates ledgers through the batch; other ports refuse the entry. */
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

/** Returns a port with the same methods, each of which throws `bad_parameters`. */
function createRefusingPort<T extends object>(port: T): T {
  const names = Object.keys(port);
  // Every member of a port is a method.
  return Object.fromEntries(names.map((name) => [name, refuseInBatch])) as unknown as T;
}

function refuseInBatch(): never {
  const detail = "This action needs data that is not available in a batch; call it separately";
  throw new Problem("bad_parameters", detail);
}
