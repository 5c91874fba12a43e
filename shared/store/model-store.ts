import type { Ambient, Call } from "../actions/contract/call.ts";
import type { Commit, Store, View } from "../actions/contract/store.ts";
import type { Change } from "../domain/change.ts";
import { Problem } from "../domain/problems.ts";
import { printRef, type Ref } from "../domain/refs.ts";
import { commitInOneTransaction } from "./commit/commit.ts";
import { planCommit } from "./commit/commit-plan.ts";
import { keepRecord, recordOf } from "./commit/records.ts";
import { withSnapshotNamed } from "./commit/snapshot-due.ts";
import { summaryWrites } from "./commit/writes.ts";
import { entryAt, type Head, operationAt, readHead } from "./log/head.ts";
import type { Publisher } from "./publish/publish.ts";
import type { Ground } from "./read/store-context.ts";
import { listModels } from "./read/summaries.ts";
import { createView, type ModelView } from "./read/view.ts";
import { isMoved, summaryOf } from "./table/items.ts";
import { ACCOUNTS_LEDGER, logKey, objectsPartition, recordKey, summaryKey, TAGS } from "./table/keys.ts";
import { createRetryPolicy, type RetryBudget, retryingTable } from "./table/retry.ts";
import type { Item, Seam } from "./table/table.ts";

/** The store of models over one table, for one call; `budget` is that of the process. */
export function createStore(table: Seam, ambient: Ambient, budget?: RetryBudget): Store {
  const waiting = createRetryPolicy(ambient, budget);
  const seam = retryingTable(table, waiting);
  const ground: Ground = { seam, ambient, waiting };
  // Few calls write a whole model, so the code is loaded when it is asked for.
  let loading: Promise<Publisher> | undefined;
  const publisher = (): Promise<Publisher> => {
    loading ??= import("./publish/publish.ts").then(({ createPublisher }) => createPublisher(ground));
    return loading;
  };
  return {
    open: async (ref, isShown) => {
      const view = await (ref.scheme === "id" ? openById : openByKey)(ground, ref, isShown);
      if (view) return view;
      // What the call was going to publish has no model any more.
      await (await loading)?.closeAll();
      throw new Problem("not_found", `no model ${printRef(ref)}`);
    },
    openDeleted: (ref) => openDeleted(ground, ref),
    // Few calls look back, so the code is loaded when it is asked for.
    past: async () => (await import("./read/past.ts")).createPast(seam),
    tags: () => openTags(ground),
    identity: () => openIdentity(ground),
    begin: (id, key) => createView(seam, id, key, ambient.newId(), undefined, false),
    confirm: (view) => confirm(ground, own(view)),
    // Searches alone ask it, so the code is loaded when it is asked for.
    unmoved: async (seen) => (await import("./read/unmoved.ts")).unmovedOf(seam, seen),
    commit: async (view, commit, call) => {
      const mine = own(view);
      if (mine.stale) return "moved";
      return (
        (await commitInOneTransaction(ground, mine, commit, call)) ?? (await publisher()).publish(mine, commit, call)
      );
    },
    listed: async (commit) => {
      const parts = [commit, ...(commit.alongside ?? [])];
      // Few commits change a row of the list, so the code is loaded for them alone.
      if (parts.some(({ changes }) => changes.some(isOfModel)))
        await (await import("./commit/listed.ts")).untilListed(seam, parts);
    },
    rehearse: (view, commit, call) => rehearse(ground, own(view), commit, call, publisher),
    // After a failed precondition alone.
    since: async (view, revision) =>
      (await import("./log/commit-notes.ts")).commitNotes(seam, own(view).modelId, revision, view.revision),
    operationAt: (modelId, revision) => operationAt(seam, modelId, revision),
    recall: async (id) => recordOf(seam, await seam.get(recordKey(id)), id, seconds(ambient)),
    remember: (record) => keepRecord(seam, record, seconds(ambient)),
    models: (page = {}) => listModels(ground, page),
  };
}

function seconds(ambient: Ambient): number {
  return Math.floor(ambient.now() / 1000);
}

/** True for a change of a model itself. */
function isOfModel(change: Change): boolean {
  return (change.does === "delete" ? change.before : change.after).kind === "model";
}

/** The views that come back to this store are those it handed out. */
function own(view: View): ModelView {
  return view as ModelView;
}

type Shown = Parameters<Store["open"]>[1];

async function openById({ seam }: Ground, { value: id }: Ref, shown: Shown): Promise<ModelView | undefined> {
  const first = await readHead(seam, id);
  const isShown = await shown;
  const opened = (head: Head | undefined): ModelView | undefined => {
    if (head?.entry.state !== "live" || isShown?.({ id, key: head.entry.key }) === false) return undefined;
    return createView(seam, id, head.entry.key, head.entry.generation, head, false);
  };
  const view = opened(first);
  if (view) return view;
  // Gone for good, which is no secret to whoever is shown all models.
  if (first && !isShown) return undefined;
  // A model that comes into being may show its summary before its log; whoever saw it has to find it. The question is the
  // same for one that never was, one that is gone and one that is not shown.
  const next = await entryAt(seam, id, (first?.entry.revision ?? 0) + 1);
  return next && opened(await readHead(seam, id));
}

async function openDeleted({ seam }: Ground, ref: Ref): Promise<View | undefined> {
  const head = ref.scheme === "id" ? await readHead(seam, ref.value) : undefined;
  if (head?.entry.state !== "deleted") return undefined;
  const { key, generation } = head.entry;
  return { ...createView(seam, ref.value, key, generation, head, false), deleted: true };
}

/** The tags ledger has always been there; before its first commit it is at revision 0. */
async function openTags({ seam }: Ground): Promise<ModelView> {
  return createView(seam, TAGS.model, "", TAGS.generation, await readHead(seam, TAGS.model), false);
}

/** The ledger of accounts begins with the first administrator. */
async function openIdentity({ seam }: Ground): Promise<ModelView> {
  const { model, generation } = ACCOUNTS_LEDGER;
  return createView(seam, model, model, generation, await readHead(seam, model), false);
}

/** How often a key is followed again when its summary and the model's head disagree. */
const MOST_LOOKS = 10;

/** A key leads through its summary, which counts only if the model's head agrees. */
async function openByKey(ground: Ground, { value: key }: Ref, shown: Shown): Promise<ModelView | undefined> {
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const seen = await ground.seam.get(summaryKey(key));
    const isShown = await shown;
    const isHere = (item: Item): boolean => !isMoved(item) && isShown?.({ id: summaryOf(item).id, key }) !== false;
    const summary = seen && isHere(seen) ? seen : await confirmedSummary(ground, key);
    if (!summary || !isHere(summary)) return undefined;
    const { id } = summaryOf(summary);
    const head = await readHead(ground.seam, id);
    if (head?.entry.state === "live" && head.entry.key === key) {
      return createView(ground.seam, id, key, head.entry.generation, head, true);
    }
    await ground.waiting.pause(looks);
  }
  return undefined;
}

/** Asks once more for a summary that was not there, in a way that waits for a rename under way. */
async function confirmedSummary({ seam }: Ground, key: string): Promise<Item | undefined> {
  return (await seam.transactGet([summaryKey(key)]))[0];
}

/** True when everything the answer rests on still held at the end: no later commit touches it. */
async function confirm({ seam }: Ground, view: ModelView): Promise<boolean> {
  if (view.stale) return false;
  if (!view.reads.needConfirmation()) return true;
  for (;;) {
    const next = await entryAt(seam, view.modelId, view.revision + 1);
    if (!next) return true;
    if (!(await view.advance(next))) return false;
  }
}

/** Checks the writes whose refusal a caller would be told of. */
async function rehearse(
  ground: Ground,
  view: ModelView,
  asked: Commit,
  call: Call,
  publisher: () => Promise<Publisher>,
): Promise<void> {
  const { seam } = ground;
  const revision = view.revision + 1;
  const commit = withSnapshotNamed(ground, view, asked);
  const transaction = await planCommit(ground, view, commit, call);
  if (!transaction) await (await publisher()).rehearse(view, commit);
  if (commit.keysLookedUp) return;
  // What is published as a generation of its own meets nothing but other models.
  const writes = transaction?.writes ?? summaryWrites(commit.changes, revision, call);
  for (const { write, otherwise } of writes) {
    if (!otherwise || !("put" in write)) continue;
    const { pk, sk } = write.put;
    const next = view.head ? [logKey(view.modelId, revision)] : [];
    const [found, later] = await seam.transactGet([{ pk, sk }, ...next]);
    const isTaken = found !== undefined && !isMoved(found);
    if (isTaken && !later) throw otherwise;
    // A later commit may have taken the key, or made it free: where it touches that, `confirm` has the call decide again.
    if (later && isTaken) view.reads.scan("");
    if (later && pk === objectsPartition(view.place.model, view.place.generation)) view.reads.point(sk, false);
  }
}
