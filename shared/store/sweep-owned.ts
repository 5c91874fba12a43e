import type { AnyObject, KindName } from "../domain/objects.ts";
import { deleteAll } from "./batches.ts";
import { idKey, objectOf, type Place } from "./items.ts";
import { hasIdItem, type ItemKey, kindPrefix, objectSortKey, objectsPartition, usesPartition } from "./keys.ts";
import { type Item, type ItemPage, Refused, type Seam } from "./seam.ts";
import type { SweepNote } from "./sweep-notes.ts";
import { tagIdsOf, useKeyOf } from "./tag-uses.ts";
import type { Waiting } from "./waiting.ts";

interface Ground {
  readonly seam: Seam;
  readonly waiting: Waiting;
}

/** What was deleted, and whether anything is left to look at. */
export interface PlaceSwept {
  readonly items: number;
  readonly done: boolean;
}

/** The kinds of objects that go with an owner, and whether the owner stands in their sort keys. */
const OWNED: readonly { readonly kind: KindName; readonly inKey: boolean }[] = [
  { kind: "attribute", inKey: true },
  { kind: "business_key", inKey: false },
  { kind: "global_tag", inKey: true },
];

/**
 * Deletes what a removed object owned in a generation that lives, each item only as it was read, and the hints that lead
 * to it. What another writer holds is left to the second look.
 */
export async function sweepOwned(ground: Ground, note: SweepNote, goOn: () => boolean): Promise<PlaceSwept> {
  const { owner = "" } = note;
  const uses = await sweepUses(ground, owner, goOn);
  if (!uses.done) return uses;
  let { items } = uses;
  await forgetUses(ground, note, owner, note.tags ?? []);
  for (const { kind, inKey } of OWNED) {
    const prefix = kindPrefix(kind, inKey ? owner : undefined);
    let after: string | undefined;
    do {
      const page = await pageOf(ground.seam, note, prefix, after);
      const mine = page.items.filter((item) => inKey || item.entity === owner);
      for (const item of mine) if (await sweepObject(ground, note, item)) items += 1;
      after = page.more;
      if (after !== undefined && !goOn()) return { items, done: false };
    } while (after !== undefined);
  }
  return { items, done: true };
}

function pageOf(seam: Seam, place: Place, prefix: string, after: string | undefined): Promise<ItemPage> {
  const pk = objectsPartition(place.model, place.generation);
  return seam.query({ pk, prefix, ...(after !== undefined && { after }) });
}

/** The hints go first: as long as the object is there, whoever comes after a crash finds them. */
async function sweepObject(ground: Ground, place: Place, item: Item): Promise<boolean> {
  const object = objectOf(item);
  await forgetUses(ground, place, object.id, tagIdsOf(object));
  if (object.kind === "global_tag") await sweepUses(ground, object.id);
  if (hasIdItem(object.kind)) await deleteId(ground.seam, place, object);
  const expect = { equal: { revision: Number(item.revision) } };
  return ifAsRead(() => ground.seam.write({ delete: { pk: item.pk, sk: item.sk }, expect }));
}

async function deleteId(seam: Seam, place: Place, object: AnyObject): Promise<void> {
  const expect = { equal: { at: objectSortKey(object) } };
  await ifAsRead(() => seam.write({ delete: idKey(place, object.id), expect }));
}

/** Deletes every hint that leads from a tag to what it marks; nothing for what is no tag. */
async function sweepUses({ seam, waiting }: Ground, tag: string, goOn = () => true): Promise<PlaceSwept> {
  const pk = usesPartition(tag);
  let count = 0;
  for (;;) {
    const { items, more } = await seam.query({ pk });
    await deleteAll(seam, keysOf(items), waiting);
    count += items.length;
    if (more === undefined) return { items: count, done: true };
    if (!goOn()) return { items: count, done: false };
  }
}

/** Deletes the hints that lead to objects of a generation that is swept as a whole. */
export async function forgetUsesOf(ground: Ground, place: Place, items: readonly Item[]): Promise<void> {
  const keys = items.map(objectOf).flatMap((object) => tagIdsOf(object).map((tag) => useKeyOf(place, object.id, tag)));
  await deleteAll(ground.seam, keys, ground.waiting);
}

/** Deletes the hints that lead from these tags to an object. */
export async function forgetUses(
  { seam, waiting }: Ground,
  place: Place,
  object: string,
  tags: readonly string[],
): Promise<void> {
  const keys = tags.map((tag) => useKeyOf(place, object, tag));
  await deleteAll(seam, keys, waiting);
}

function keysOf(items: readonly Item[]): readonly ItemKey[] {
  return items.map(({ pk, sk }) => ({ pk, sk }));
}

/** False when another sweeper, or the writer itself, was faster. */
export async function ifAsRead(write: () => Promise<void>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}
