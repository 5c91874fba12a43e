import { type Partition, parseKind, toIdKey } from "../table/items.ts";
import { hasIdItem, type ItemKey, idsPartition, objectsPartition } from "../table/keys.ts";
import { FORMAT, type Item, type ItemPage, type Range, readItems, type Table } from "../table/table.ts";

/** Reads all objects of a generation. Returns a table that answers from memory. */
export async function readAhead<T extends Table>(table: T, partition: Partition): Promise<T> {
  const objects = objectsPartition(partition.model, partition.generation);
  const ids = idsPartition(partition.model, partition.generation);
  const items = new Map<string, Item>();
  for await (const item of readItems(table, { pk: objects })) items.set(item.sk, item);
  const sortedKeys = new SortedKeys(items.keys());
  const idItems = new Map<string, Item>();
  for (const { sk, id } of items.values()) {
    const key = toIdKey(partition, String(id));
    if (hasIdItem(parseKind(sk))) idItems.set(key.sk, { ...key, v: FORMAT, at: sk });
  }
  const findItem = ({ pk, sk }: ItemKey) => (pk === ids ? idItems : items).get(sk);
  return {
    ...table,
    get: async (key) => (key.pk === objects || key.pk === ids ? findItem(key) : table.get(key)),
    batchGet: async (keys) =>
      keys.every(({ pk }) => pk === objects || pk === ids)
        ? keys.flatMap((key) => findItem(key) ?? [])
        : table.batchGet(keys),
    query: async (range) => (range.pk === objects ? selectPage(items, sortedKeys, range) : table.query(range)),
  };
}

function selectPage(items: ReadonlyMap<string, Item>, sortedKeys: SortedKeys, range: Range): ItemPage {
  const { prefix = "", after, limit = items.size } = range;
  // One extra key shows whether there is a next page.
  const keys = sortedKeys.listRange(prefix, after, limit + 1);
  const page = keys.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.flatMap((sk) => items.get(sk) ?? []),
    ...(last !== undefined && keys.length > limit && { more: last }),
  };
}

/** Set of sort keys with ordered ranges. It is sorted when the next range is read. */
export class SortedKeys {
  #keys: readonly string[];
  readonly #additions = new Set<string>();
  readonly #removals = new Set<string>();

  constructor(keys: Iterable<string> = []) {
    this.#keys = [...keys].sort();
  }

  add(key: string): void {
    this.#removals.delete(key);
    this.#additions.add(key);
  }

  remove(key: string): void {
    this.#additions.delete(key);
    this.#removals.add(key);
  }

  listRange(prefix: string, after: string | undefined, limit: number): readonly string[] {
    const keys = this.#sort();
    const page: string[] = [];
    for (let at = findFirstNotBefore(keys, after !== undefined && after > prefix ? after : prefix); ; at++) {
      const key = keys[at];
      if (key === undefined || page.length >= limit || !key.startsWith(prefix)) return page;
      if (after === undefined || key > after) page.push(key);
    }
  }

  #sort(): readonly string[] {
    const [additions, removals] = [this.#additions, this.#removals];
    if (additions.size === 0 && removals.size === 0) return this.#keys;
    // Sorting an almost sorted list takes little more than one pass.
    this.#keys = [...this.#keys.filter((key) => !removals.has(key) && !additions.has(key)), ...additions].sort();
    additions.clear();
    removals.clear();
    return this.#keys;
  }
}

function findFirstNotBefore(keys: readonly string[], key: string) {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] ?? "") < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
