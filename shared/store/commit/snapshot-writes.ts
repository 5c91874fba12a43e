import type { Call } from "../../actions/contract/call.ts";
import type { AnyObject } from "../../domain/objects.ts";
import { beginList } from "../log/blob-writes.ts";
import { objectsInOrder } from "../log/past-in-order.ts";
import { LogBroken } from "../log/replay.ts";
import { entryOf, pointerItem, snapshotValue } from "../log/snapshots.ts";
import { sweepItem } from "../log/sweep-notes.ts";
import type { StoreContext } from "../read/store-context.ts";
import type { ModelView } from "../read/view.ts";
import { putAll } from "../table/batches.ts";
import { createPace } from "../table/pace.ts";
import type { Item } from "../table/table.ts";
import { isSnapshotDue } from "./snapshot-due.ts";
import { keptBlob, stagedBlob } from "./spill.ts";
import { type Planned, together } from "./transaction.ts";
import type { GuardedWrite, KeptPart } from "./writes.ts";

/**
 * The writes of a commit for the blobs that it keeps, for the snapshot that it names, which is staged before, and for a note
 * of one that is due.
 */
export function planBlobs(
  context: StoreContext,
  view: ModelView,
  { holds = [], changes, keptAs, blobs = [] }: KeptPart,
  call: Call,
): Planned {
  const { ledgerId: model } = view;
  const revision = view.revision + 1;
  const due = isSnapshotDue(model, revision) ? [snapshotNote(model, revision, context.ambient.newId(), call)] : [];
  const noted = together(
    { writes: due, before: [] },
    ...blobs.map(({ name, value }) => keptBlob(context, { model, revision, name }, value)),
  );
  if (keptAs === undefined) return noted;
  const value = () => {
    const changed = new Set(changes.map((change) => (change.does === "delete" ? "" : change.after.id)));
    return snapshotValue(holds.map((o): AnyObject => (changed.has(o.id) ? { ...o, revision } : o)));
  };
  return together(noted, stagedBlob(context, { model, revision, name: keptAs }, value));
}

/** Has the sweeper make a snapshot soon. It has no generation, so that nothing is ever deleted for it. */
function snapshotNote(model: string, revision: number, blob: string, { time }: Call): GuardedWrite {
  const note = sweepItem({ model, generation: "", snapshot: { revision, blob }, round: 1 }, Date.parse(time), blob);
  return { write: { put: note, expect: { absent: true } } };
}

/**
 * Makes a snapshot of a ledger after a revision; answers how many items it has, undefined where the log cannot be read
 * through. Run again it writes the same items; a pointer makes the snapshot real once all of them are there.
 */
export async function makeSnapshot(
  { table, ambient, retryPolicy }: StoreContext,
  ledger: string,
  { revision, blob }: { readonly revision: number; readonly blob: string },
): Promise<number | undefined> {
  try {
    const entry = await entryOf(table, ledger, revision);
    if (entry.state === "deleted") return 0;
    const list = beginList(blob);
    const pace = createPace(ambient, retryPolicy);
    let count = 0;
    const write = async (items: readonly Item[]): Promise<void> => {
      if (items.length === 0) return;
      count += items.length;
      await putAll(table, items, pace);
    };
    for await (const object of objectsInOrder(table, ledger, entry)) await write(list.add(object));
    await write(list.end());
    const pointer = pointerItem(ledger, { revision, generation: entry.generation, blob });
    await table.write({ put: pointer, expect: { anything: true } });
    return count + 1;
  } catch (error) {
    if (error instanceof LogBroken) return undefined;
    throw error;
  }
}
