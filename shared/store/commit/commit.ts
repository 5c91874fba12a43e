import type { AnswerRecord, Call } from "../../actions/contract/call.ts";
import type { Commit, CommitOutcome, Part } from "../../actions/contract/store.ts";
import type { Change } from "../../domain/model/changes.ts";
import { Problem } from "../../domain/problems.ts";
import { readOperation, toLogEntry } from "../log/log.ts";
import { StagingAbandoned } from "../log/stagings.ts";
import type { StoreContext } from "../read/contexts.ts";
import type { ModelView } from "../read/view.ts";
import { isMoved } from "../table/items.ts";
import { logKey, objectsPartition, summaryKey } from "../table/keys.ts";
import type { RetryingTable } from "../table/retry.ts";
import { ConditionFailed, Contended, OutcomeUnknown, type Table } from "../table/table.ts";
import { type CommitPlan, planCommit } from "./commit-plan.ts";
import { readRecord } from "./records.ts";
import { nameSnapshot } from "./snapshot-writes.ts";
import { createSummaryWrites, type PlannedWrite } from "./writes.ts";

/**
 * Writes a commit in one transaction. Its first item is the log entry at the next revision: the lock. Returns
 * undefined, with nothing written, if the commit does not fit into one transaction.
 */
export async function commitInOneTransaction(
  context: StoreContext,
  view: ModelView,
  asked: Commit,
  call: Call,
): Promise<CommitOutcome | undefined> {
  const commit = nameSnapshot(context, view, asked);
  const transaction = await planCommit(context, view, commit, call);
  if (!transaction) return undefined;
  const outcome = await sendCommit(context.table, view.ledgerId, view.revision + 1, transaction, call, commit.record);
  if (typeof outcome === "object" && "revision" in outcome) cacheCommit(context, view, transaction, commit);
  // The other transaction is most likely the commit that takes this revision.
  return outcome === "contended" ? "conflict" : outcome;
}

/** Sends the transaction of a commit and determines the outcome from the answer. */
export async function sendCommit(
  table: RetryingTable,
  ledger: string,
  revision: number,
  { writes, before }: CommitPlan,
  call: Call,
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
    await table.commit(writes.map(({ write }) => write));
    return { revision };
  } catch (error) {
    if (error instanceof Contended) return "contended";
    if (error instanceof ConditionFailed) {
      return interpretRefusal(table, error, writes, revision, call, record);
    }
    if (!(error instanceof OutcomeUnknown)) throw error;
    return readOutcome(table, ledger, revision, call);
  }
}

/** Updates the cache with a commit. Its reads were valid at the revision before. */
function cacheCommit({ cache }: StoreContext, view: ModelView, { writes: [log] }: CommitPlan, commit: Commit): void {
  const learned = view.getReadLedger();
  if (!cache || !learned || !log || !("put" in log.write)) return;
  cache.learn(learned);
  cache.advance(view.ledgerId, toLogEntry(log.write.put), commit.changes);
  for (const part of commit.alongside ?? []) cache.forget(part.view.ledgerId);
}

/**
 * Determines the outcome of a commit without an answer from the log. Waits until the commit there is visible to every
 * reader.
 */
async function readOutcome(table: Table, ledger: string, revision: number, call: Call): Promise<CommitOutcome> {
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

/** Determines the outcome of a transaction with a failed condition. Throws the problem if the caller caused it. */
async function interpretRefusal(
  table: Table,
  error: ConditionFailed,
  all: readonly PlannedWrite[],
  revision: number,
  call: Call,
  record: AnswerRecord | undefined,
): Promise<CommitOutcome> {
  // The log entry has our own operation id: an earlier attempt without an answer succeeded.
  if (error.failed[0] && error.found[0]?.operation === call.operationId) return { revision };
  // The record comes first: a concurrent duplicate has already answered.
  const last = all.length - 1;
  const duplicate = record && error.failed[last] ? await readRecord(table, error.found[last], record.id, 0) : undefined;
  if (duplicate) return { duplicate };
  if (error.failed[0] || all.some((w, i) => w.lock && error.failed[i])) return "conflict";
  const refused = all.find((w, i) => error.failed[i] && w.createProblem);
  if (refused?.createProblem) throw refused.createProblem();
  return "conflict";
}

/**
 * Waits until the list of models shows the rows that a commit changed. A transactional read waits for the transaction;
 * later queries show the rows. The caller gets its answer even if the table fails.
 */
export async function waitUntilListed(table: RetryingTable, parts: readonly Part[]): Promise<void> {
  const keys = [...new Set(parts.flatMap(({ changes }) => changes.flatMap(listChangedKeys)))].map(summaryKey);
  try {
    if (keys.length > 0) await table.transactGet(keys);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
}

/** Returns the keys of the models whose rows a change writes. */
function listChangedKeys(change: Change): readonly string[] {
  if (change.does === "delete") return change.before.kind === "model" ? [change.before.key] : [];
  const rows = createSummaryWrites([change], 0, { operationId: "", time: new Date(0).toISOString() });
  return rows.flatMap(({ write }) => ("put" in write ? [write.put.sk] : []));
}

/**
 * Checks the expectations whose failure is a problem of the caller, without writing. `checkPublication` checks a commit
 * that does not fit into one transaction.
 */
export async function rehearse(
  context: StoreContext,
  view: ModelView,
  asked: Commit,
  call: Call,
  checkPublication: (commit: Commit) => Promise<void>,
): Promise<void> {
  const { table } = context;
  const revision = view.revision + 1;
  const commit = nameSnapshot(context, view, asked);
  const transaction = await planCommit(context, view, commit, call);
  if (!transaction) await checkPublication(commit);
  if (commit.keysLookedUp) return;
  // A publication writes into a new generation, so that only keys in the list of models can be taken.
  const writes = transaction?.writes ?? createSummaryWrites(commit.changes, revision, call);
  for (const { write, createProblem } of writes) {
    if (!createProblem || !("put" in write)) continue;
    const { pk, sk } = write.put;
    const next = view.head ? [logKey(view.ledgerId, revision)] : [];
    const [found, later] = await table.transactGet([{ pk, sk }, ...next]);
    const isTaken = found !== undefined && !isMoved(found);
    if (isTaken && !later) throw createProblem();
    // A later commit may have taken or released the key. If it touches the key, `confirm` makes the call decide again.
    if (later && isTaken) view.reads.notePrefix("");
    if (later && pk === objectsPartition(view.partition.model, view.partition.generation))
      view.reads.notePoint(sk, false);
  }
}
