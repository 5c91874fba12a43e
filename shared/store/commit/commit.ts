import type { AnswerRecord } from "../../actions/contract/answer.ts";
import type { Call } from "../../actions/contract/call.ts";
import type { Commit, CommitOutcome } from "../../actions/contract/store.ts";
import { Problem } from "../../domain/problems.ts";
import { operationAt } from "../log/head.ts";
import { StagingAbandoned } from "../log/staging-abandoned.ts";
import type { StoreContext } from "../read/store-context.ts";
import type { ModelView } from "../read/view.ts";
import type { RetryingTable } from "../table/retry.ts";
import { ConditionFailed, Contended, OutcomeUnknown, type Table } from "../table/table.ts";
import { planCommit } from "./commit-plan.ts";
import { recordOf } from "./records.ts";
import { withSnapshotNamed } from "./snapshot-due.ts";
import type { Planned } from "./transaction.ts";
import type { GuardedWrite } from "./writes.ts";

/**
 * Writes a commit in one transaction, whose first item is the log entry at the next revision: the lock. Undefined, with
 * nothing written, where it does not fit one.
 */
export async function commitInOneTransaction(
  context: StoreContext,
  view: ModelView,
  asked: Commit,
  call: Call,
): Promise<CommitOutcome | undefined> {
  const commit = withSnapshotNamed(context, view, asked);
  const transaction = await planCommit(context, view, commit, call);
  if (!transaction) return undefined;
  const outcome = await sendCommit(context.table, view.ledgerId, view.revision + 1, transaction, call, commit.record);
  // The other transaction is most likely the commit that takes this revision.
  return outcome === "contended" ? "conflict" : outcome;
}

/** Sends the transaction of a commit, as `transactionOf` makes it, and tells from the answer what became of it. */
export async function sendCommit(
  table: RetryingTable,
  ledger: string,
  revision: number,
  { writes, before }: Planned,
  call: Call,
  record?: AnswerRecord,
): Promise<CommitOutcome | "contended"> {
  try {
    for (const write of before) await write();
  } catch (error) {
    // No log entry names the staged items, and the next attempt stages them anew.
    if (error instanceof StagingAbandoned || error instanceof OutcomeUnknown) return "staging_abandoned";
    throw error;
  }
  try {
    await table.commit(writes.map(({ write }) => write));
    return { revision };
  } catch (error) {
    if (error instanceof Contended) return "contended";
    if (error instanceof ConditionFailed) return refusal(table, error, writes, revision, call, record);
    if (!(error instanceof OutcomeUnknown)) throw error;
    return outcomeInLog(table, ledger, revision, call);
  }
}

async function refusal(
  table: Table,
  error: ConditionFailed,
  all: readonly GuardedWrite[],
  revision: number,
  call: Call,
  record: AnswerRecord | undefined,
): Promise<CommitOutcome> {
  // The log entry there has our own operation: an earlier attempt, whose answer was lost, did succeed.
  if (error.failed[0] && error.found[0]?.operation === call.operationId) return { revision };
  // The record comes next, before anything else: a concurrent duplicate has answered already.
  const last = all.length - 1;
  const duplicate = record && error.failed[last] ? await recordOf(table, error.found[last], record.id, 0) : undefined;
  if (duplicate) return { duplicate };
  if (error.failed[0] || all.some((w, i) => w.lock && error.failed[i])) return "conflict";
  const refused = all.find((w, i) => error.failed[i] && w.otherwise);
  if (refused?.otherwise) throw refused.otherwise();
  return "conflict";
}

/**
 * The outcome of a commit whose answer was lost, read from the log in a way that waits until the commit there shows to
 * every reader.
 */
async function outcomeInLog(table: Table, ledger: string, revision: number, call: Call): Promise<CommitOutcome> {
  try {
    const operation = await operationAt(table, ledger, revision);
    if (operation === undefined) return "unknown";
    return operation === call.operationId ? { revision } : "conflict";
  } catch (error) {
    // A log that cannot be read tells nothing of what became of the commit.
    if (error instanceof Problem) return "unknown";
    throw error;
  }
}
