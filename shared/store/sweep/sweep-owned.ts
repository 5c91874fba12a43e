import type { KindName } from "../../domain/kind-names.ts";
import type { SweepNote } from "../log/sweep-notes.ts";
import { idKey, objectOf, type Partition } from "../table/items.ts";
import { hasIdItem, kindPrefix, objectsPartition } from "../table/keys.ts";
import { type Item, type ItemPage, isWritten, type Table } from "../table/table.ts";

interface SweepContext {
  readonly table: Table;
}

/** The number of items deleted or made for one sweep note, and whether the note is worked off. */
export interface NoteSwept {
  readonly items: number;
  readonly done: boolean;
  /** True where a second look would find nothing more to do. */
  readonly isLast?: boolean;
}

/** The kinds of objects that go with an owner, and whether the owner stands in their sort keys. */
const OWNED: readonly { readonly kind: KindName; readonly inKey: boolean }[] = [
  { kind: "attribute", inKey: true },
  { kind: "business_key", inKey: false },
  { kind: "global_tag", inKey: true },
];

/**
 * Deletes the objects of a removed owner in a live generation, each only as it was read. An object that another writer
 * changed is left to the second look.
 */
export async function sweepOwned(context: SweepContext, note: SweepNote, goOn: () => boolean): Promise<NoteSwept> {
  const { owner = "" } = note;
  let items = 0;
  for (const { kind, inKey } of OWNED) {
    const prefix = kindPrefix(kind, inKey ? owner : undefined);
    let after: string | undefined;
    do {
      const page = await pageOf(context.table, note, prefix, after);
      const mine = page.items.filter((item) => inKey || item.entity === owner);
      for (const item of mine) if (await sweepObject(context, note, item)) items += 1;
      after = page.more;
      if (after !== undefined && !goOn()) return { items, done: false };
    } while (after !== undefined);
  }
  return { items, done: true };
}

function pageOf(table: Table, partition: Partition, prefix: string, after: string | undefined): Promise<ItemPage> {
  const pk = objectsPartition(partition.model, partition.generation);
  return table.query({ pk, prefix, ...(after !== undefined && { after }) });
}

/** Deletes an object and its id item, the id first: while the object is there, a sweep after a crash finds it. */
async function sweepObject(context: SweepContext, partition: Partition, item: Item): Promise<boolean> {
  const object = objectOf(item);
  if (hasIdItem(object.kind)) {
    // An id item of a removed object has no use any more: ids return only in another generation.
    await context.table.write({ delete: idKey(partition, object.id), expect: { anything: true } });
  }
  const expect = { equal: { revision: Number(item.revision) } };
  return isWritten(() => context.table.write({ delete: { pk: item.pk, sk: item.sk }, expect }));
}
