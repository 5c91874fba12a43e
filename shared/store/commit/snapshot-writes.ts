import type { RecordedCall } from "../../actions/contract/call.ts";
import type { Part } from "../../actions/contract/store.ts";
import type { AnyObject } from "../../domain/model/objects.ts";
import { ListBlob, toBlobItems } from "../log/blobs.ts";
import { readObjectsInOrder } from "../log/object-streams.ts";
import { LogBroken, requireEntry, toPointerItem, toSnapshotValue } from "../log/replay.ts";
import { abandonOnFailure, createStaging, expectOwnStaging, toStagingItem, toSweepItem } from "../log/stagings.ts";
import type { StoreContext } from "../read/view.ts";
import { putAll, Throttle } from "../table/batch-writes.ts";
import { countItemBytes } from "../table/dynamo-rules.ts";
import { stagingKey } from "../table/keys.ts";
import type { Item, Write } from "../table/table.ts";
import type { CommitPlan } from "./writes.ts";

/** Plans the snapshot of a release: all objects after the commit. */
export function planSnapshot(
  context: StoreContext,
  plan: CommitPlan,
  blob: NamedBlob,
  { holds = [], changes }: Part,
): void {
  planStagedBlob(context, plan, blob, () => {
    const ids = new Set(changes.map((change) => (change.does === "delete" ? "" : change.after.id)));
    const { revision } = blob;
    return toSnapshotValue(holds.map((o): AnyObject => (ids.has(o.id) ? { ...o, revision } : o)));
  });
}

/** Creates the note that makes the sweeper write a snapshot soon. */
export function createSnapshotNote(model: string, revision: number, blob: string, { time }: RecordedCall): Write {
  const note = toSweepItem({ model, generation: "", snapshot: { revision, blob }, round: 1 }, Date.parse(time), blob);
  return { put: note, expect: { absent: true } };
}

/** Writes a snapshot, valid once its pointer is written. Returns its number of items; undefined for a broken log. */
export async function makeSnapshot(
  { table, runtime, retryPolicy }: StoreContext,
  ledger: string,
  { revision, blob }: { readonly revision: number; readonly blob: string },
): Promise<number | undefined> {
  try {
    const entry = await requireEntry(table, ledger, revision);
    if (entry.state === "deleted") return 0;
    const list = new ListBlob(blob);
    const throttle = new Throttle(runtime, retryPolicy);
    let count = 0;
    const write = async (items: readonly Item[]) => {
      if (items.length === 0) return;
      count += items.length;
      await putAll(table, items, throttle);
    };
    for await (const object of readObjectsInOrder(table, ledger, entry)) await write(list.add(object));
    await write(list.end());
    const pointer = toPointerItem(ledger, { revision, generation: entry.generation, blob });
    await table.write({ put: pointer, expect: { anything: true } });
    return count + 1;
  } catch (error) {
    if (error instanceof LogBroken) return undefined;
    throw error;
  }
}

/** Largest blob in its commit's transaction, at two units per kB. Larger ones are written before, at one. */
const MAX_COMMIT_BLOB_BYTES = 16_384;

/** Plans the writes of a blob; a large one is written before the commit. */
export function planBlob(context: StoreContext, plan: CommitPlan, blob: NamedBlob, value: unknown): void {
  const [first, ...otherItems] = toBlobItems(blob.name, value);
  if (first && otherItems.length === 0 && countItemBytes(first) <= MAX_COMMIT_BLOB_BYTES) {
    plan.writes.push({ put: first, expect: { absent: true } });
  } else {
    planStagedBlob(context, plan, blob, () => value);
  }
}

interface NamedBlob {
  readonly model: string;
  readonly revision: number;
  readonly name: string;
}

/**
 * Plans a blob that is written before its commit. It has a staging record, which the transaction of the commit deletes.
 * Until then the sweeper finds the blob; once the sweeper has it, the commit fails. Its name is used by one attempt
 * only, because a write without an answer may still arrive. The write throws `StagingAbandoned` in that case.
 */
function planStagedBlob(
  { table, retryPolicy, runtime }: StoreContext,
  plan: CommitPlan,
  { model, revision, name }: NamedBlob,
  value: () => unknown,
) {
  const staging = createStaging({ generation: name, model, blobs: [name], revision }, runtime.now());
  plan.writes.push({ delete: stagingKey(name), expect: expectOwnStaging(staging) });
  plan.before.push(() =>
    abandonOnFailure(async () => {
      await table.write({ put: toStagingItem(staging), expect: { absent: true } });
      await putAll(table, toBlobItems(name, value()), new Throttle(runtime, retryPolicy));
    }),
  );
}
