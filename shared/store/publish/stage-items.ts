import { isDeepStrictEqual } from "node:util";
import type { AnyObject } from "../../domain/objects.ts";
import { checkObjectSize } from "../table/item-size.ts";
import { idItem, objectItem, type Partition } from "../table/items.ts";
import type { ItemKey } from "../table/keys.ts";
import type { Item } from "../table/table.ts";

/** The objects that a generation is to hold. */
export interface Wanted {
  /** By sort key. */
  readonly objects: ReadonlyMap<string, AnyObject>;
  /** True for an object that the call itself changed: otherwise unchanged, it keeps the revision it was staged with. */
  readonly isOwn: (object: AnyObject) => boolean;
}

/** The objects to write, and the keys of the items to delete. */
export interface Differences {
  readonly puts: readonly AnyObject[];
  readonly deletes: readonly ItemKey[];
}

/**
 * The differences between the objects a generation holds and those it is to hold; `too_large` for an object that fits
 * no item.
 */
export function differences(partition: Partition, held: ReadonlyMap<string, AnyObject>, wanted: Wanted): Differences {
  const puts: AnyObject[] = [];
  const leaving: AnyObject[] = [];
  for (const [sk, object] of wanted.objects) {
    const there = held.get(sk);
    if (there && isSame(there, object, wanted.isOwn(object))) continue;
    checkObjectSize(objectItem(partition, object, object.revision));
    if (there) leaving.push(there);
    puts.push(object);
  }
  for (const [sk, object] of held) if (!wanted.objects.has(sk)) leaving.push(object);
  return { puts, deletes: leaving.length === 0 ? [] : without(itemsOf(partition, leaving), itemsOf(partition, puts)) };
}

/** The objects of a generation once the differences are written: an object that did not differ stays the one that is there. */
export function heldAfter(
  held: ReadonlyMap<string, AnyObject>,
  { objects }: Wanted,
  { puts }: Differences,
): ReadonlyMap<string, AnyObject> {
  // At first all objects are written, and one map of so many is enough.
  if (held.size === 0) return objects;
  const came = new Set(puts);
  const all = new Map<string, AnyObject>();
  for (const [sk, object] of objects) all.set(sk, came.has(object) ? object : (held.get(sk) ?? object));
  return all;
}

function isSame(there: AnyObject, object: AnyObject, own: boolean): boolean {
  return there === object || isDeepStrictEqual(own ? { ...there, revision: object.revision } : there, object);
}

/** Objects in the order of their sort keys, as snapshots have them. */
export function* inOrder(objects: ReadonlyMap<string, AnyObject>): Generator<AnyObject> {
  for (const sk of [...objects.keys()].sort()) {
    const object = objects.get(sk);
    if (object) yield object;
  }
}

/** The item of each object, and that of its id. They are made one by one, because there may be very many. */
export function* itemsOf(partition: Partition, objects: Iterable<AnyObject>): Generator<Item> {
  for (const object of objects) {
    yield objectItem(partition, object, object.revision);
    const id = idItem(partition, object, object.revision);
    if (id) yield id;
  }
}

/** The keys of leaving items that no arriving item overwrites. */
function without(leaving: Iterable<Item>, coming: Iterable<Item>): ItemKey[] {
  const kept = new Set<string>();
  for (const item of coming) kept.add(keyText(item));
  return [...leaving].filter((item) => !kept.has(keyText(item))).map(({ pk, sk }) => ({ pk, sk }));
}

function keyText({ pk, sk }: ItemKey): string {
  return `${pk} ${sk}`;
}
