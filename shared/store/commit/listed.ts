import type { Part } from "../../actions/contract/store.ts";
import type { Change } from "../../domain/change.ts";
import { Problem } from "../../domain/problems.ts";
import { summaryKey } from "../table/keys.ts";
import type { RetryingTable } from "../table/retry.ts";
import { summaryWrites } from "./writes.ts";

/**
 * Waits until the list of models shows the rows that a commit changed. A transactional read waits for the transaction
 * that wrote them; afterwards every query shows them. A problem of the table does not keep the caller from the answer.
 */
export async function untilListed(table: RetryingTable, parts: readonly Part[]): Promise<void> {
  const keys = [...new Set(parts.flatMap(({ changes }) => changes.flatMap(listedKeys)))].map(summaryKey);
  try {
    if (keys.length > 0) await table.transactGet(keys);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
}

/** Keys of the models whose rows a change writes or deletes. */
function listedKeys(change: Change): readonly string[] {
  if (change.does === "delete") return change.before.kind === "model" ? [change.before.key] : [];
  const rows = summaryWrites([change], 0, { operationId: "", time: new Date(0).toISOString() });
  return rows.flatMap(({ write }) => ("put" in write ? [write.put.sk] : []));
}
