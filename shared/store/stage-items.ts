import { isDeepStrictEqual } from "node:util";
import type { AnyObject } from "../domain/objects.ts";
import { checkObjectSize } from "./item-size.ts";
import { idItem, objectItem, type Place } from "./items.ts";
import type { ItemKey } from "./keys.ts";
import type { Item } from "./seam.ts";

/** What a generation is to hold. */
export interface Wanted {
  /** By sort key. */
  readonly objects: ReadonlyMap<string, AnyObject>;
  /** Sort keys of what the call itself changed: it keeps the revision it was staged with while it is the same otherwise. */
  readonly own: ReadonlySet<string>;
}

/** An item to write. */
interface Put {
  readonly item: Item;
  /** Set where the item is the object itself. */
  readonly object?: AnyObject;
}

/** What has to be written, and what has to go. */
export interface Differences {
  readonly puts: readonly Put[];
  readonly deletes: readonly ItemKey[];
}

/** What makes a generation that holds some objects hold what is wanted. */
export function differences(place: Place, held: ReadonlyMap<string, AnyObject>, wanted: Wanted): Differences {
  const puts: Put[] = [];
  const leaving: Item[] = [];
  const leaves = (object: AnyObject): void => {
    leaving.push(...putsOf(place, object).map(({ item }) => item));
  };
  for (const [sk, object] of wanted.objects) {
    const there = held.get(sk);
    if (there && isSame(there, object, wanted.own.has(sk))) continue;
    if (there) leaves(there);
    puts.push(...putsOf(place, object));
  }
  for (const [sk, object] of held) if (!wanted.objects.has(sk)) leaves(object);
  const items = puts.map(({ item }) => item);
  return { puts, deletes: without(leaving, items) };
}

function isSame(there: AnyObject, object: AnyObject, own: boolean): boolean {
  return there === object || isDeepStrictEqual(own ? { ...there, revision: object.revision } : there, object);
}

/** The item of an object, and that of its id. */
function putsOf(place: Place, object: AnyObject): Put[] {
  const item = objectItem(place, object, object.revision);
  checkObjectSize(item);
  const id = idItem(place, object, object.revision);
  return [{ item, object }, ...(id ? [{ item: id }] : [])];
}

/** The keys of what leaves and is not overwritten by what comes. */
function without(leaving: readonly Item[], coming: readonly Item[]): ItemKey[] {
  const kept = new Set(coming.map(keyText));
  return leaving.filter((item) => !kept.has(keyText(item))).map(({ pk, sk }) => ({ pk, sk }));
}

function keyText({ pk, sk }: ItemKey): string {
  return `${pk} ${sk}`;
}
