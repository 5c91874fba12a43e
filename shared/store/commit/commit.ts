import type { AnswerRecord, RecordedCall } from "../../actions/contract/call.ts";
import type { Commit, CommitOutcome, Part, Requirement } from "../../actions/contract/store.ts";
import { LIMITS } from "../../domain/limits.ts";
import { includeMember } from "../../domain/model/content.ts";
import { Problem } from "../../domain/problems.ts";
import {
  countChangesBytes,
  createLogEntry,
  type LedgerFacts,
  readNewestEntries,
  readOperation,
  toLogChange,
  toLogEntry,
  toLogItem,
} from "../log/log.ts";
import { StagingAbandoned } from "../log/stagings.ts";
import type { ModelView, StoreContext } from "../read/view.ts";
import { countItemBytes } from "../table/dynamo-rules.ts";
import { isMoved, toObjectKey } from "../table/items.ts";
import { deletedModelKey, IDENTITY, type ItemKey, logKey, objectsPartition, summaryKey, TAGS } from "../table/keys.ts";
import { writePieces } from "../table/pieces.ts";
import type { RetryingTable } from "../table/retry.ts";
import {
  ConditionFailed,
  Contention,
  getWriteKey,
  type Item,
  OutcomeUnknown,
  type Table,
  type Write,
} from "../table/table.ts";
import { createAccountWrites } from "./account-writes.ts";
import { readRecord, splitRecord } from "./records.ts";
import { createRunWrites } from "./runs.ts";
import { createSnapshotNote, planBlob, planSnapshot } from "./snapshot-writes.ts";
import { type CommitPlan, createLedgerWrites, createSummaryWrites } from "./writes.ts";

/** Writes a commit in one transaction. Returns undefined, with nothing written, if it does not fit into one. */
export async function commitInOneTransaction(
  context: StoreContext,
  view: ModelView,
  commit: Commit,
  call: RecordedCall,
): Promise<CommitOutcome | undefined> {
  const transaction = await planCommit(context, view, commit, call);
  if (!transaction) return undefined;
  const outcome = await sendCommit(context.table, view.ledgerId, view.revision + 1, transaction, call, commit.record);
  if (typeof outcome === "object" && "revision" in outcome) cacheCommit(context, view, transaction, commit);
  // The other transaction is most likely the commit that takes this revision.
  return outcome === "contended" ? "conflict" : outcome;
}

/** Plans the one transaction of a commit or its dry run. Returns undefined for a generation. Throws `too_large`. */
async function planCommit(
  context: StoreContext,
  view: ModelView,
  commit: Commit,
  call: RecordedCall,
): Promise<CommitPlan | undefined> {
  const { alongside = [], changes } = commit;
  // A job ends with the transaction that publishes its generation.
  if (commit.publish || commit.job) return undefined;
  // A generation belongs to one model. Other ledgers have none.
  const isModel = view.ledgerId !== TAGS.model && view.ledgerId !== IDENTITY;
  const mayPublish = alongside.length === 0 && isModel;
  if (mayPublish && changes.length >= LIMITS.transactionItems) return undefined;
  const revision = view.revision + 1;
  const plan: CommitPlan = { writes: [], before: [] };
  const isKept = commit.release !== undefined && commit.holds !== undefined && view.head;
  const snapshot = isKept ? context.runtime.newId() : undefined;
  const log = await planLog(context, plan, view, commit, call, commit.requires, snapshot);
  plan.writes.push(...createLedgerWrites(view.partition, commit, revision, call, snapshot));
  if (view.ledgerId === IDENTITY) {
    plan.writes.push(...(await createAccountWrites(context.table, commit, revision, call)));
  }
  await planOtherWrites(context, plan, commit, call);
  const now = Math.floor(Date.parse(call.time) / 1000);
  const transaction = createTransaction(context.table, log, plan, commit.record, now);
  if (mayPublish) return fits(transaction) ? transaction : undefined;
  checkFits(transaction);
  return transaction;
}

/** Plans the writes and checks of a commit in other ledgers. */
export async function planOtherWrites(
  context: StoreContext,
  plan: CommitPlan,
  { alongside = [], requires = [], expectedRevisions = [] }: Commit,
  call: RecordedCall,
): Promise<void> {
  for (const { view, ...part } of alongside) {
    // Callers pass only views that this store created.
    const modelView = view as ModelView;
    const log = await planLog(context, plan, modelView, part, call, requires);
    plan.writes.push({ put: log, expect: { absent: true }, lock: true });
    plan.writes.push(...createLedgerWrites(modelView.partition, part, modelView.revision + 1, call));
  }
  const checks = requires.map(({ view, object }): Write => {
    const { partition } = view as ModelView;
    return { check: toObjectKey(partition, object), expect: { equal: { id: object.id } } };
  });
  // No log entry may follow the expected revision.
  const headChecks = expectedRevisions.map(({ ledgerId, revision }): Write => {
    return { check: logKey(ledgerId, revision + 1), expect: { absent: true }, lock: true };
  });
  plan.writes.push(...checks, ...headChecks);
}

/** Returns the log item of a commit. Plans its blobs, and the note of a snapshot that is due. */
async function planLog(
  context: StoreContext,
  plan: CommitPlan,
  view: ModelView,
  part: Part,
  call: RecordedCall,
  requires: readonly Requirement[] = [],
  snapshot?: string,
): Promise<Item> {
  const { ledgerId: model } = view;
  const revision = view.revision + 1;
  const tags = await readTagsRevision(context.table, view, part.tagsSeen, requires);
  const changes = part.changes.map(toLogChange);
  const entry = {
    ...createLogEntry(revision, computeFacts(view, part), call, changes, tags, part),
    ...includeMember("snapshot", snapshot),
  };
  if (revision % LIMITS.snapshotCommits === 0 && model !== IDENTITY) {
    plan.writes.push(createSnapshotNote(model, revision, context.runtime.newId(), call));
  }
  plan.writes.push(...createRunWrites(call, model, revision));
  for (const { name, value } of part.blobs ?? []) planBlob(context, plan, { model, revision, name }, value);
  if (snapshot !== undefined) planSnapshot(context, plan, { model, revision, name: snapshot }, part);
  if (countChangesBytes(changes) <= LIMITS.logBytes) return toLogItem(model, entry);
  // Each attempt has its own blob.
  const blob = context.runtime.newId();
  planBlob(context, plan, { model, revision, name: blob }, changes);
  return toLogItem(model, { ...entry, blob });
}

/** Returns the revision of the global tags that a commit sees, for past states. 0, without a read, if it has none. */
export async function readTagsRevision(
  table: Table,
  view: ModelView,
  revision: number | undefined,
  requires: readonly Requirement[] = [],
): Promise<number> {
  const before = view.head?.entry.tags ?? 0;
  if (revision === undefined && before > 0) {
    const [newest] = await readNewestEntries(table, TAGS.model, 1);
    return Math.max(before, newest?.revision ?? 0);
  }
  // A tag may become visible before the log entry of its commit.
  const revisions = requires.filter((one) => one.view.ledgerId === TAGS.model).map(({ object }) => object.revision);
  return Math.max(before, revision ?? 0, ...revisions);
}

/** Returns the model facts for the new entry. */
export function computeFacts(view: ModelView, part: Part): LedgerFacts {
  let key = view.modelKey;
  let state: LedgerFacts["state"] = "live";
  for (const change of part.changes) {
    if (change.does === "delete" && change.before.kind === "model") state = "deleted";
    if (change.does !== "delete" && change.after.kind === "model") key = change.after.key;
  }
  return { key, generation: view.partition.generation, state };
}

/** Creates the transaction of a commit: the log item first, the record last. `now` is in seconds. */
export function createTransaction(
  table: Table,
  log: Item,
  { writes, before }: CommitPlan,
  record: AnswerRecord | undefined,
  now: number,
): CommitPlan {
  const item = record && splitRecord(record);
  return {
    writes: [{ put: log, expect: { absent: true } }, ...mergeWritesPerItem(writes), ...(item ? [item.write(now)] : [])],
    before: item ? [...before, () => writePieces(table, item.parts)] : before,
  };
}

function countBytes(writes: readonly Write[]) {
  let bytes = 0;
  for (const write of writes) if ("put" in write) bytes += countItemBytes(write.put);
  return bytes;
}

function fits({ writes }: CommitPlan) {
  return writes.length <= LIMITS.transactionItems && countBytes(writes) <= LIMITS.transactionBytes;
}

/** Throws `too_large` if the writes do not fit into one transaction. */
export function checkFits(transaction: CommitPlan): void {
  if (fits(transaction)) return;
  const { writes } = transaction;
  const capacity = `one call may write ${LIMITS.transactionItems} items and ${LIMITS.transactionBytes} bytes`;
  const size = `${writes.length} items and ${countBytes(writes)} bytes`;
  throw new Problem("too_large", `${capacity}; this one needs ${size}${suggestSmallerCommit(writes)}`);
}

function suggestSmallerCommit(writes: readonly Write[]) {
  const locks = writes.filter(({ lock }) => lock);
  const lockCount = locks.filter((write) => "check" in write).length;
  if (lockCount > 0) {
    return `. ${lockCount} of the items are revisions of models that If-Match names and nothing is written to: name fewer`;
  }
  return locks.length > 0 ? ". A batch this large may write to one model: make a batch of each" : "";
}

/** Merges writes so that each item has one, as DynamoDB requires. An arriving object overwrites a leaving one. */
function mergeWritesPerItem(writes: readonly Write[]): Iterable<Write> {
  const byItem = new Map<string, Write>();
  for (const one of writes) {
    const { pk, sk } = getWriteKey(one);
    const name = `${pk}\n${sk}`;
    const other = byItem.get(name);
    byItem.set(name, other ? mergeWrites(other, one) : one);
  }
  return byItem.values();
}

function mergeWrites(a: Write, b: Write): Write {
  if ("check" in a) return b;
  if ("check" in b) return a;
  const [addition, removal] = isDeparture(a) ? [b, a] : [a, b];
  if (!isDeparture(removal)) throw new Error(`${getWriteKey(a).pk} ${getWriteKey(a).sk} is written twice`);
  if (isDeparture(addition)) return "anything" in addition.expect ? removal : addition;
  // The item that was read must still be there, unless the arriving object expects it itself.
  const expect = "equal" in addition.expect ? addition.expect : removal.expect;
  const { createProblem: _, ...write } = addition;
  return { ...write, expect };
}

function isDeparture(write: Write) {
  return "delete" in write || ("put" in write && isMoved(write.put));
}

/** Sends the transaction of a commit and determines the outcome from the answer. */
export async function sendCommit(
  table: RetryingTable,
  ledger: string,
  revision: number,
  { writes, before }: CommitPlan,
  call: RecordedCall,
  record?: AnswerRecord,
): Promise<CommitOutcome | "contended"> {
  try {
    for (const write of before) await write();
  } catch (error) {
    // No log entry names the staged items. The next attempt stages new ones.
    if (error instanceof StagingAbandoned || error instanceof OutcomeUnknown) return "staging_abandoned";
    throw error;
  }
  try {
    await table.commit(writes);
    return { revision };
  } catch (error) {
    if (error instanceof Contention) return "contended";
    if (error instanceof ConditionFailed) {
      return interpretRefusal(table, error, writes, revision, call, record);
    }
    if (!(error instanceof OutcomeUnknown)) throw error;
    return readOutcome(table, ledger, revision, call);
  }
}

/** Updates the cache with a commit. Its reads were valid at the revision before. */
function cacheCommit({ cache }: StoreContext, view: ModelView, { writes: [log] }: CommitPlan, commit: Commit) {
  const ledger = view.getReadLedger();
  if (!cache || !ledger || !log || !("put" in log)) return;
  cache.learn(ledger);
  cache.advance(view.ledgerId, toLogEntry(log.put), commit.changes.map(toLogChange));
  for (const part of commit.alongside ?? []) cache.forget(part.view.ledgerId);
}

/** Determines the outcome of an unanswered commit, once the log is visible to every reader. */
async function readOutcome(table: Table, ledger: string, revision: number, call: RecordedCall): Promise<CommitOutcome> {
  try {
    const operation = await readOperation(table, ledger, revision);
    if (operation === undefined) return "unknown";
    return operation === call.operationId ? { revision } : "conflict";
  } catch (error) {
    // An unreadable log does not reveal the outcome.
    if (error instanceof Problem) return "unknown";
    throw error;
  }
}

/** Determines the outcome of a failed condition. Throws the problem if the caller caused it. */
async function interpretRefusal(
  table: Table,
  error: ConditionFailed,
  all: readonly Write[],
  revision: number,
  call: RecordedCall,
  record: AnswerRecord | undefined,
): Promise<CommitOutcome> {
  // The log entry has our own operation id: an earlier attempt without an answer succeeded.
  if (error.faults[0] && error.items[0]?.operation === call.operationId) return { revision };
  // The record comes first: a concurrent duplicate has already answered.
  const last = all.length - 1;
  const duplicate = record && error.faults[last] ? await readRecord(table, error.items[last], record.id, 0) : undefined;
  if (duplicate) return { duplicate };
  if (error.faults[0] || all.some((w, i) => w.lock && error.faults[i])) return "conflict";
  const write = all.find((w, i) => error.faults[i] && w.createProblem);
  if (write?.createProblem) throw write.createProblem();
  return "conflict";
}

/** Waits until the lists of models and of deleted models show the rows, by a transactional read. Ignores failures. */
export async function waitUntilListed(table: RetryingTable, commit: Commit): Promise<void> {
  const { changes, alongside = [], undeletes } = commit;
  const keys = new Map<string, ItemKey>();
  for (const change of [...changes, ...alongside.flatMap((part) => part.changes)]) {
    if (change.does === "delete" && change.before.kind === "model") {
      const { id, key } = change.before;
      for (const row of [summaryKey(key), deletedModelKey(id)]) keys.set(row.sk, row);
    } else if (change.does !== "delete" && change.after.kind === "model") {
      // Of the writes only their keys are needed.
      const rows = createSummaryWrites([change], 0, { time: new Date(0).toISOString() }).map(getWriteKey);
      for (const row of undeletes ? [...rows, deletedModelKey(change.after.id)] : rows) keys.set(row.sk, row);
    }
  }
  try {
    if (keys.size > 0) await table.transactGet([...keys.values()]);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
}

/** Checks the expectations whose failure is a problem of the caller, without writing. */
export async function preview(
  context: StoreContext,
  view: ModelView,
  commit: Commit,
  call: RecordedCall,
  checkPublication: () => Promise<void>,
): Promise<void> {
  const { table } = context;
  const revision = view.revision + 1;
  const transaction = await planCommit(context, view, commit, call);
  if (!transaction) await checkPublication();
  if (commit.keysLookedUp) return;
  // A publication writes into a new generation, so that only keys in the list of models can be taken.
  const writes = transaction?.writes ?? createSummaryWrites(commit.changes, revision, call);
  for (const write of writes) {
    if (!write.createProblem || !("put" in write)) continue;
    const { pk, sk } = write.put;
    const next = view.head ? [logKey(view.ledgerId, revision)] : [];
    const [item, nextEntry] = await table.transactGet([{ pk, sk }, ...next]);
    const isTaken = item !== undefined && !isMoved(item);
    if (isTaken && !nextEntry) throw write.createProblem();
    // A later commit may have taken or released the key. If it touches the key, `confirm` makes the call decide again.
    if (nextEntry && isTaken) view.reads.notePrefix("");
    if (nextEntry && pk === objectsPartition(view.partition.model, view.partition.generation))
      view.reads.notePoint(sk, false);
  }
}
