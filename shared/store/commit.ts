import type { Call } from "../actions/call.ts";
import type { AnswerRecord } from "../actions/idempotency.ts";
import type { Commit, CommitOutcome } from "../actions/store.ts";
import { LIMITS } from "../domain/limits.ts";
import { Problem } from "../domain/problems.ts";
import { mayPass } from "./answering-seam.ts";
import { itemBytes } from "./item-size.ts";
import { logKey } from "./keys.ts";
import { type LedgerFacts, logChange, logEntry, logItem } from "./log.ts";
import { recordOf, recordWrite } from "./records.ts";
import { Busy, type Item, Lost, Refused, type Seam } from "./seam.ts";
import type { ModelView } from "./view.ts";
import { type GuardedWrite, writesOf } from "./writes.ts";

/** Writes a commit in one transaction, whose first item is the log entry at the next revision: the lock. */
export async function commitInOneTransaction(
  seam: Seam,
  view: ModelView,
  commit: Commit,
  call: Call,
): Promise<CommitOutcome> {
  const revision = view.revision + 1;
  const entry = logEntry(revision, factsAfter(view, commit), call, commit.changes.map(logChange));
  const writes = writesOf(view.place, commit, revision, call);
  return sendCommit(seam, view.modelId, logItem(view.modelId, entry), writes, call, commit.record);
}

/** Sends a log item, its writes and the record to keep, and tells from the answer what became of them. */
export async function sendCommit(
  seam: Seam,
  ledger: string,
  log: Item,
  writes: readonly GuardedWrite[],
  call: Call,
  record?: AnswerRecord,
): Promise<CommitOutcome> {
  const now = Math.floor(Date.parse(call.time) / 1000);
  const all: readonly GuardedWrite[] = [
    { write: { put: log, expect: { absent: true } } },
    ...writes,
    // The last one, where `refusal` looks for it.
    ...(record ? [{ write: recordWrite(record, now) }] : []),
  ];
  checkTransactionSize(all);
  const revision = Number(log.sk);
  try {
    await seam.transactWrite(all.map((w) => w.write));
    return { revision };
  } catch (error) {
    if (error instanceof Busy) return error.throttled ? "throttled" : "moved";
    if (error instanceof Refused) return refusal(error, all, revision, call, record);
    if (!(error instanceof Lost)) throw error;
    return outcomeInLog(seam, ledger, revision, call);
  }
}

/** The model's facts as the new entry states them. */
function factsAfter(view: ModelView, commit: Commit): LedgerFacts {
  let key = view.modelKey;
  let state: LedgerFacts["state"] = "live";
  for (const change of commit.changes) {
    if (change.does === "delete" && change.before.kind === "model") state = "deleted";
    if (change.does !== "delete" && change.after.kind === "model") key = change.after.key;
  }
  return { key, generation: view.place.generation, state };
}

function refusal(
  error: Refused,
  all: readonly GuardedWrite[],
  revision: number,
  call: Call,
  record: AnswerRecord | undefined,
): CommitOutcome {
  // Our own operation in the log: an earlier attempt, whose answer was lost, did succeed.
  if (error.failed[0] && error.found[0]?.operation === call.operationId) return { revision };
  // Then the record, before anything else: a twin has answered already.
  const last = all.length - 1;
  const twin = record && error.failed[last] ? recordOf(error.found[last], record.id, 0) : undefined;
  if (twin) return { twin };
  if (error.failed[0]) return "moved";
  const refused = all.find((w, i) => error.failed[i] && w.otherwise);
  if (refused?.otherwise) throw refused.otherwise;
  return "moved";
}

/** After a lost answer: what the log says. */
async function outcomeInLog(seam: Seam, ledger: string, revision: number, call: Call): Promise<CommitOutcome> {
  try {
    const item = await seam.get(logKey(ledger, revision));
    if (!item) return "unknown";
    return item.operation === call.operationId ? { revision } : "moved";
  } catch (error) {
    if (mayPass(error)) return "unknown";
    throw error;
  }
}

function checkTransactionSize(all: readonly GuardedWrite[]): void {
  const [log] = all;
  if (log && "put" in log.write && itemBytes(log.write.put) > LIMITS.logBytes) {
    throw new Problem(
      "too_large",
      `what one call changes, before and after, may have ${LIMITS.logBytes} bytes; shorten the texts`,
    );
  }
  const bytes = all.reduce((sum, { write }) => sum + ("put" in write ? itemBytes(write.put) : 0), 0);
  if (all.length <= LIMITS.transactionItems && bytes <= LIMITS.transactionBytes) return;
  throw new Problem(
    "too_large",
    `one call may write ${LIMITS.transactionItems} items and ${LIMITS.transactionBytes} bytes; this one needs ${all.length} items and ${bytes} bytes`,
  );
}
