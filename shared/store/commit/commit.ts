import type { AnswerRecord } from "../../actions/contract/answer.ts";
import type { Call } from "../../actions/contract/call.ts";
import type { Commit, CommitOutcome } from "../../actions/contract/store.ts";

import { Problem } from "../../domain/problems.ts";
import { operationAt } from "../log/head.ts";
import { Spoilt } from "../log/staging-abandoned.ts";
import type { Ground } from "../read/store-context.ts";
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
  ground: Ground,
  view: ModelView,
  asked: Commit,
  call: Call,
): Promise<CommitOutcome | undefined> {
  const commit = withSnapshotNamed(ground, view, asked);
  const transaction = await planCommit(ground, view, commit, call);
  if (!transaction) return undefined;
  const outcome = await sendCommit(ground.table, view.modelId, view.revision + 1, transaction, call, commit.record);
  // It has most likely met the commit that takes its revision.
  return outcome === "conflict" ? "moved" : outcome;
}

/** Sends the transaction of a commit, as `transactionOf` makes it, and tells from the answer what became of it. */
export async function sendCommit(
  table: RetryingTable,
  ledger: string,
  revision: number,
  { writes, before }: Planned,
  call: Call,
  record?: AnswerRecord,
): Promise<CommitOutcome | "conflict"> {
  try {
    for (const write of before) await write();
  } catch (error) {
    // Nothing names what was written, and the next attempt writes it anew.
    if (error instanceof Spoilt || error instanceof OutcomeUnknown) return "spoilt";
    throw error;
  }
  try {
    await table.commit(writes.map(({ write }) => write));
    return { revision };
  } catch (error) {
    if (error instanceof Contended) return "conflict";
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
  // Our own operation in the log: an earlier attempt, whose answer was lost, did succeed.
  if (error.failed[0] && error.found[0]?.operation === call.operationId) return { revision };
  // Then the record, before anything else: a twin has answered already.
  const last = all.length - 1;
  const twin = record && error.failed[last] ? await recordOf(table, error.found[last], record.id, 0) : undefined;
  if (twin) return { twin };
  if (error.failed[0] || all.some((w, i) => w.lock && error.failed[i])) return "moved";
  const refused = all.find((w, i) => error.failed[i] && w.otherwise);
  if (refused?.otherwise) throw refused.otherwise;
  return "moved";
}

/** After a lost answer: what the log says, once the commit there shows to every reader. */
async function outcomeInLog(table: Table, ledger: string, revision: number, call: Call): Promise<CommitOutcome> {
  try {
    const operation = await operationAt(table, ledger, revision);
    if (operation === undefined) return "unknown";
    return operation === call.operationId ? { revision } : "moved";
  } catch (error) {
    // A log that cannot be read tells nothing of what became of the commit.
    if (error instanceof Problem) return "unknown";
    throw error;
  }
}
