import { idKey, kindOfSortKey, type Partition } from "../table/items.ts";
import { hasIdItem, type ItemKey, idsPartition, objectsPartition } from "../table/keys.ts";
import { itemsOf } from "../table/pages.ts";
import { FORMAT, type Item, type ItemPage, type Range, type Table } from "../table/table.ts";
import { createSortedKeys, type SortedKeys } from "./sorted-keys.ts";

/**
 * A table that has read all objects of a generation and answers for them and their ids from memory; other keys are read
 * from the table. Objects from memory are as old as any read, so the newest log entries are applied to them as ever.
 */
export async function readAhead<T extends Table>(table: T, partition: Partition): Promise<T> {
  const objects = objectsPartition(partition.model, partition.generation);
  const ids = idsPartition(partition.model, partition.generation);
  const items = new Map<string, Item>();
  for await (const item of itemsOf(table, { pk: objects })) items.set(item.sk, item);
  const sorted = createSortedKeys(items.keys());
  const idItems = new Map<string, Item>();
  for (const { sk, id } of items.values()) {
    const key = idKey(partition, String(id));
    if (hasIdItem(kindOfSortKey(sk))) idItems.set(key.sk, { ...key, v: FORMAT, at: sk });
  }
  const known = ({ pk, sk }: ItemKey): Item | undefined => (pk === ids ? idItems : items).get(sk);
  return {
    ...table,
    get: async (key) => (key.pk === objects || key.pk === ids ? known(key) : table.get(key)),
    batchGet: async (keys) =>
      keys.every(({ pk }) => pk === objects || pk === ids)
        ? keys.flatMap((key) => known(key) ?? [])
        : table.batchGet(keys),
    query: async (range) => (range.pk === objects ? pageOf(items, sorted, range) : table.query(range)),
  };
}

/** A page of the items in memory: with a prefix, after a sort key, at most `limit`. */
function pageOf(items: ReadonlyMap<string, Item>, sorted: SortedKeys, range: Range): ItemPage {
  const { prefix = "", after, limit = items.size } = range;
  // One more than asked for tells whether there is a next page.
  const keys = sorted.range(prefix, after, limit + 1);
  const page = keys.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.flatMap((sk) => items.get(sk) ?? []),
    ...(last !== undefined && keys.length > limit && { more: last }),
  };
}
