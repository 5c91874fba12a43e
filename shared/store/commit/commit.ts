import type { AnswerRecord } from "../../actions/contract/answer.ts";
import type { Call } from "../../actions/contract/call.ts";
import type { Commit, CommitOutcome } from "../../actions/contract/store.ts";
import { logEntryOf } from "../log/log.ts";
import { StagingAbandoned } from "../log/staging-abandoned.ts";
import type { StoreContext } from "../read/store-context.ts";
import type { ModelView } from "../read/view.ts";
import type { RetryingTable } from "../table/retry.ts";
import { ConditionFailed, Contended, OutcomeUnknown } from "../table/table.ts";
import { planCommit } from "./commit-plan.ts";
import { withSnapshotNamed } from "./snapshot-due.ts";
import type { Planned } from "./transaction.ts";

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
  if (typeof outcome === "object" && "revision" in outcome) learnCommit(context, view, transaction, commit);
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
    // Most commits succeed, so the code is loaded for the others alone.
    if (error instanceof ConditionFailed) {
      return (await import("./refusal.ts")).refusal(table, error, writes, revision, call, record);
    }
    if (!(error instanceof OutcomeUnknown)) throw error;
    // Few answers are lost, so the code is loaded for them alone.
    return (await import("./outcome-in-log.ts")).outcomeInLog(table, ledger, revision, call);
  }
}

/** Brings what the process knows up to a commit that was made: what it rests on held at the revision before. */
function learnCommit({ cache }: StoreContext, view: ModelView, { writes: [log] }: Planned, commit: Commit): void {
  const learned = view.learned();
  if (!cache || !learned || !log || !("put" in log.write)) return;
  cache.learn(learned);
  cache.advance(view.ledgerId, logEntryOf(log.write.put), commit.changes);
  for (const part of commit.alongside ?? []) cache.forget(part.view.ledgerId);
}
