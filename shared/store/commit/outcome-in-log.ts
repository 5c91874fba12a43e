import type { Call } from "../../actions/contract/call.ts";
import type { CommitOutcome } from "../../actions/contract/store.ts";
import { Problem } from "../../domain/problems.ts";
import { operationAt } from "../log/head.ts";
import type { Table } from "../table/table.ts";

/**
 * The outcome of a commit whose answer was lost, read from the log in a way that waits until the commit there shows to
 * every reader.
 */
export async function outcomeInLog(table: Table, ledger: string, revision: number, call: Call): Promise<CommitOutcome> {
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
