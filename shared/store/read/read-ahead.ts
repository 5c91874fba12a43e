import { idKey, kindOfSortKey, type Partition } from "../table/items.ts";
import { hasIdItem, type ItemKey, idsPartition, objectsPartition } from "../table/keys.ts";
import { itemsOf } from "../table/pages.ts";
import { FORMAT, type Item, type ItemPage, type Range, type Table } from "../table/table.ts";

/**
 * A table that has read all objects of a generation and answers for them and their ids from memory; other keys are read
 * from the table. Objects from memory are as old as any read, so the newest log entries are applied to them as ever.
 */
export async function readAhead<T extends Table>(table: T, partition: Partition): Promise<T> {
  const objects = objectsPartition(partition.model, partition.generation);
  const ids = idsPartition(partition.model, partition.generation);
  const items = new Map<string, Item>();
  for await (const item of itemsOf(table, { pk: objects })) items.set(item.sk, item);
  const sorted = [...items.keys()].sort();
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
function pageOf(items: ReadonlyMap<string, Item>, sorted: readonly string[], range: Range): ItemPage {
  const { prefix = "", after, limit = sorted.length } = range;
  const found: Item[] = [];
  let at = firstNotBefore(sorted, after !== undefined && after > prefix ? after : prefix);
  for (; at < sorted.length && found.length < limit; at++) {
    const sk = sorted[at] ?? "";
    if (!sk.startsWith(prefix)) break;
    const item = items.get(sk);
    if (item && (after === undefined || sk > after)) found.push(item);
  }
  const last = found.at(-1)?.sk;
  return { items: found, ...(last !== undefined && sorted[at]?.startsWith(prefix) && { more: last }) };
}

function firstNotBefore(sorted: readonly string[], sk: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? "") < sk) low = middle + 1;
    else high = middle;
  }
  return low;
}
