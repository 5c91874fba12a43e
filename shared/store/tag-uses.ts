import type { Commit } from "../actions/store.ts";
import type { AnyObject, Tagged } from "../domain/objects.ts";
import { idKey, type Place } from "./items.ts";
import { type ItemKey, TAGS, useKey } from "./keys.ts";
import { FORMAT, type Item, type Seam } from "./seam.ts";

/** Ids of all tags an object is marked with, of its model and of groups. */
export function tagIdsOf(object: AnyObject | undefined): readonly string[] {
  // Kinds that cannot be marked have neither field.
  const { tags = [], globalTags = [] } = (object ?? {}) as Tagged;
  return [...tags, ...globalTags];
}

/** The items that lead from each of an object's tags to it. */
export function useItems(place: Place, object: AnyObject): readonly Item[] {
  return tagIdsOf(object).map((tag) => ({ ...useKeyOf(place, object.id, tag), v: FORMAT }));
}

export function useKeyOf({ model, generation }: Place, object: string, tag: string): ItemKey {
  return useKey(tag, model, generation, object);
}

/** Keys one batch of reads may hold; the limit of BatchGetItem. */
const BATCH = 100;

/** Tags that objects of a model name although they are gone: those of the model by its own objects, all others by asking. */
export async function deadTags(
  seam: Seam,
  objects: ReadonlyMap<string, AnyObject>,
  { alongside = [] }: Commit,
): Promise<ReadonlySet<string>> {
  const named = new Set([...objects.values()].flatMap(tagIdsOf));
  for (const { id } of objects.values()) named.delete(id);
  // Tags that are made with the generation are not there yet.
  for (const change of alongside.flatMap(({ changes }) => changes)) {
    if (change.does === "create") named.delete(change.after.id);
  }
  const asked = [...named];
  for (let at = 0; at < asked.length; at += BATCH) {
    const found = await seam.batchGet(asked.slice(at, at + BATCH).map((id) => idKey(TAGS, id)));
    for (const { sk } of found) named.delete(sk);
  }
  return named;
}
