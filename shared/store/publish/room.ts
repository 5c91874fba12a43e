import type { Call } from "../../actions/contract/call.ts";
import type { Commit } from "../../actions/contract/store.ts";
import { factsAfter, planBeside } from "../commit/commit-plan.ts";
import { checkFits, together, transactionOf } from "../commit/transaction.ts";
import { type GuardedWrite, releaseWrite, summaryWrites } from "../commit/writes.ts";
import { logEntry, logItem } from "../log/log.ts";
import { openStaging, stagingItem } from "../log/stagings.ts";
import { sweepItem } from "../log/sweep-notes.ts";
import type { StoreContext } from "../read/store-context.ts";
import type { ModelView } from "../read/view.ts";
import { jobKey } from "../table/keys.ts";

/**
 * `too_large` where the writes that go with a publication, such as those for revisions of many models, do not fit its
 * transaction. Called before anything is staged, it counts an item for everything that the transaction will hold.
 */
export async function checkRoom(context: StoreContext, view: ModelView, commit: Commit, call: Call): Promise<void> {
  const { table, ambient } = context;
  const { ledgerId: model, partition } = view;
  const { changes, release, job, orJob, actions, record } = commit;
  const revision = view.revision + 1;
  const now = ambient.now();
  const { generation } = partition;
  // These names are as long as those of the stage will be.
  const blobs = [generation, generation];
  const put = (item: ReturnType<typeof stagingItem>): GuardedWrite => ({
    write: { put: item, expect: { absent: true } },
  });
  const own = [
    put(stagingItem(openStaging({ model, generation, blobs }, now))),
    ...(view.head ? [put(sweepItem({ model, generation, round: 1 }, now, generation))] : []),
    ...summaryWrites(changes, revision, call),
    ...(release === undefined ? [] : [releaseWrite(partition, release, revision, call)]),
    ...(job || orJob ? [{ write: { check: jobKey(job?.lease.id ?? ""), expect: { absent: true } } } as const] : []),
  ];
  const log = logItem(model, logEntry(revision, factsAfter(view, commit), call, undefined, 0, actions));
  const planned = together({ writes: own, before: [] }, await planBeside(context, commit, call));
  checkFits(transactionOf(table, log, planned, record, Math.floor(now / 1000)));
}
