import type { Call } from "../../actions/contract/call.ts";
import type { Commit } from "../../actions/contract/store.ts";
import type { StoreContext } from "../read/store-context.ts";
import type { ModelView } from "../read/view.ts";
import { isMoved } from "../table/items.ts";
import { logKey, objectsPartition } from "../table/keys.ts";
import { planCommit } from "./commit-plan.ts";
import { withSnapshotNamed } from "./snapshot-due.ts";
import { summaryWrites } from "./writes.ts";

/**
 * Checks, without writing, the expectations whose failure is a problem of the caller; `beyondOneTransaction` checks a
 * commit that is published as a generation of its own.
 */
export async function rehearse(
  context: StoreContext,
  view: ModelView,
  asked: Commit,
  call: Call,
  beyondOneTransaction: (commit: Commit) => Promise<void>,
): Promise<void> {
  const { table } = context;
  const revision = view.revision + 1;
  const commit = withSnapshotNamed(context, view, asked);
  const transaction = await planCommit(context, view, commit, call);
  if (!transaction) await beyondOneTransaction(commit);
  if (commit.keysLookedUp) return;
  // A publication writes into a generation of its own, so that only the rows of the list of models can be taken.
  const writes = transaction?.writes ?? summaryWrites(commit.changes, revision, call);
  for (const { write, otherwise } of writes) {
    if (!otherwise || !("put" in write)) continue;
    const { pk, sk } = write.put;
    const next = view.head ? [logKey(view.ledgerId, revision)] : [];
    const [found, later] = await table.transactGet([{ pk, sk }, ...next]);
    const isTaken = found !== undefined && !isMoved(found);
    if (isTaken && !later) throw otherwise();
    // A later commit may have taken the key, or made it free: where it touches that, `confirm` has the call decide again.
    if (later && isTaken) view.reads.scan("");
    if (later && pk === objectsPartition(view.partition.model, view.partition.generation)) view.reads.point(sk, false);
  }
}
