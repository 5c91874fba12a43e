import type { Seen } from "../../actions/contract/store.ts";
import { logKey } from "../table/keys.ts";
import type { RetryingTable } from "../table/retry.ts";

/**
 * Ids of the ledgers that have no commit after the revision they were seen at. A commit that was answered before this
 * call is found; one that is under way may be or not.
 */
export async function unmovedOf(table: RetryingTable, seen: readonly Seen[]): Promise<ReadonlySet<string>> {
  const next = new Map(seen.map(({ ledgerId, revision }) => [logKey(ledgerId, revision + 1).pk, ledgerId]));
  const keys = seen.map(({ ledgerId, revision }) => logKey(ledgerId, revision + 1));
  for (const { pk } of await table.batchGet(keys)) next.delete(pk);
  return new Set(next.values());
}
