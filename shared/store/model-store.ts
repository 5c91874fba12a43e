import type { Ambient } from "../actions/call.ts";
import type { Commit, Store, View } from "../actions/store.ts";
import { Problem } from "../domain/problems.ts";
import { printRef, type Ref } from "../domain/refs.ts";
import { answeringSeam } from "./answering-seam.ts";
import { commitInOneTransaction } from "./commit.ts";
import { commitNotes } from "./commit-notes.ts";
import { entryAt, readHead } from "./head.ts";
import { isMoved, summaryOf } from "./items.ts";
import { logKey, recordKey, summaryKey } from "./keys.ts";
import { patiently } from "./patience.ts";
import { publishNewModel } from "./publish.ts";
import { keepRecord, recordOf } from "./records.ts";
import type { Item, Seam } from "./seam.ts";
import { listModels } from "./summaries.ts";
import { createView, type ModelView } from "./view.ts";
import { createWaiting, type Waiting } from "./waiting.ts";
import { newSummary, writesOf } from "./writes.ts";

interface Ground {
  readonly seam: Seam;
  readonly ambient: Ambient;
  readonly waiting: Waiting;
}

/** The store of models over one table. */
export function createStore(table: Seam, ambient: Ambient): Store {
  const waiting = createWaiting(ambient);
  const seam = answeringSeam(table, waiting);
  const ground: Ground = { seam, ambient, waiting };
  return {
    open: (ref) => (ref.scheme === "id" ? openById(ground, ref) : openByKey(ground, ref)),
    begin: (id, key) => createView(seam, id, key, ambient.newId(), undefined, false),
    confirm: (view) => confirm(ground, own(view)),
    commit: async (view, commit, call) => {
      const mine = own(view);
      if (mine.stale) return "moved";
      return commit.publish
        ? publishNewModel(ground, mine, commit, call)
        : commitInOneTransaction(seam, mine, commit, call);
    },
    rehearse: (view, commit) => rehearse(ground, own(view), commit),
    since: (view, revision) => commitNotes(seam, own(view).modelId, revision, view.revision),
    operationAt: async (modelId, revision) => {
      const item = await seam.get(logKey(modelId, revision));
      return item?.operation as string | undefined;
    },
    recall: async (id) => recordOf(await seam.get(recordKey(id)), id, seconds(ambient)),
    remember: (record) => patiently(waiting, () => keepRecord(seam, record, seconds(ambient))),
    models: (page = {}) => listModels(ground, page),
  };
}

function seconds(ambient: Ambient): number {
  return Math.floor(ambient.now() / 1000);
}

/** The views that come back to this store are those it handed out. */
function own(view: View): ModelView {
  return view as ModelView;
}

async function openById(ground: Ground, ref: Ref): Promise<ModelView> {
  // A model that comes into being may show its summary before its log; whoever saw it has to find it.
  const began = async (): Promise<boolean> => (await entryAt(ground.seam, ref.value, 1)) !== undefined;
  const first = await readHead(ground.seam, ref.value);
  const head = first ?? ((await began()) ? await readHead(ground.seam, ref.value) : undefined);
  if (head?.entry.state !== "live") throw noModel(ref);
  return createView(ground.seam, ref.value, head.entry.key, head.entry.generation, head, false);
}

/** How often a key is followed again when its summary and the model's head disagree. */
const MOST_LOOKS = 10;

/** A key leads through its summary, which counts only if the model's head agrees. */
async function openByKey(ground: Ground, ref: Ref): Promise<ModelView> {
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const seen = await ground.seam.get(summaryKey(ref.value));
    const summary = seen && !isMoved(seen) ? seen : await confirmedSummary(ground, ref);
    if (!summary) throw noModel(ref);
    const { id } = summaryOf(summary);
    const head = await readHead(ground.seam, id);
    if (head?.entry.state === "live" && head.entry.key === ref.value) {
      return createView(ground.seam, id, head.entry.key, head.entry.generation, head, true);
    }
    await ground.waiting.pause(looks);
  }
  throw noModel(ref);
}

/** Asks once more for a summary that was not there, in a way that waits for a rename under way. */
async function confirmedSummary({ seam }: Ground, ref: Ref): Promise<Item | undefined> {
  const [item] = await seam.transactGet([summaryKey(ref.value)]);
  return item && !isMoved(item) ? item : undefined;
}

function noModel(ref: Ref): Problem {
  return new Problem("not_found", `no model ${printRef(ref)}`);
}

/** True when everything the answer rests on still held at the end: no later commit touches it. */
async function confirm({ seam }: Ground, view: ModelView): Promise<boolean> {
  if (view.stale) return false;
  if (!view.reads.needConfirmation()) return true;
  for (;;) {
    const next = await entryAt(seam, view.modelId, view.revision + 1);
    if (!next) return true;
    if (!view.advance(next)) return false;
  }
}

/** Checks the writes whose refusal a caller would be told of. */
async function rehearse({ seam }: Ground, view: ModelView, commit: Commit): Promise<void> {
  const call = { operationId: "rehearsal", time: new Date(0).toISOString() };
  const revision = view.revision + 1;
  // What is published as a generation of its own meets nothing but other models.
  const writes = commit.publish
    ? commit.changes.flatMap((change) => (change.does === "create" ? newSummary(change.after, revision) : []))
    : writesOf(view.place, commit, revision, call);
  for (const { write, otherwise } of writes) {
    if (!otherwise || !("put" in write)) continue;
    const { pk, sk } = write.put;
    const [taken] = await seam.transactGet([{ pk, sk }]);
    if (!taken || isMoved(taken)) continue;
    // Taken by a later commit: the view's revision is not the newest, so `confirm` has the call decide again.
    if (!view.head || !(await entryAt(seam, view.modelId, view.revision + 1))) throw otherwise;
    view.reads.scan("");
    return;
  }
}
