import type { AnswerRecord } from "../../actions/contract/answer.ts";
import type { Call } from "../../actions/contract/call.ts";
import type { CommitOutcome } from "../../actions/contract/store.ts";
import type { ConditionFailed, Table } from "../table/table.ts";
import { recordOf } from "./records.ts";
import type { GuardedWrite } from "./writes.ts";

/** The outcome of a commit whose transaction found something else than it expected; a problem where that is the caller's. */
export async function refusal(
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
