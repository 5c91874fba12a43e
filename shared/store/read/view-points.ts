import type { KindName } from "../../domain/kind-names.ts";
import { type AnyObject, ownerOf } from "../../domain/objects.ts";
import type { Ref } from "../../domain/refs.ts";
import { layEntriesOver, sortKeyOfId } from "../log/overlay.ts";
import { idKey, kindOfSortKey, objectOf } from "../table/items.ts";
import { hasIdItem, kindPrefix, objectsPartition } from "../table/keys.ts";
import type { ViewContext } from "./view-context.ts";
import { listObjects } from "./view-lists.ts";

/** The object at a sort key, whether or not its owner is still there. */
export async function readPoint(context: ViewContext, sk: string): Promise<AnyObject | undefined> {
  const { table, partition, reads, recent, revision, changesOf } = context;
  const item = await table.get({ pk: objectsPartition(partition.model, partition.generation), sk });
  const object = await layEntriesOver(item && objectOf(item), sk, recent(), changesOf);
  // An object of a later commit: the answer belongs to a revision that has to be found first.
  reads.point(sk, object !== undefined && object.revision <= revision());
  return object;
}

/** The object a ref names; undefined when there is none, or its owner is removed. */
export async function findObject(
  context: ViewContext,
  kind: KindName,
  ref: Ref,
  owner: string | undefined,
): Promise<AnyObject | undefined> {
  if (ref.model !== undefined && ref.model !== context.partition.model) return undefined;
  if (ref.scheme === "id") return living(context, await findById(context, kind, ref.value, owner), owner);
  if (ref.group === undefined) {
    return living(context, await readPoint(context, kindPrefix(kind, owner) + ref.value), owner);
  }
  const group = await readPoint(context, kindPrefix("tag_group") + ref.group);
  return group && readPoint(context, kindPrefix(kind, group.id) + ref.value);
}

/** The object that a removed owner left at a key; undefined where there is none, or its owner is live. */
export async function findOrphan(context: ViewContext, kind: KindName, key: string): Promise<AnyObject | undefined> {
  const object = await readPoint(context, kindPrefix(kind) + key);
  return object && !(await living(context, object)) ? object : undefined;
}

async function findById(
  context: ViewContext,
  kind: KindName,
  id: string,
  owner: string | undefined,
): Promise<AnyObject | undefined> {
  if (!hasIdItem(kind)) {
    const { items } = await listObjects(context, kind, owner);
    return items.find((one) => one.id === id);
  }
  const at = await sortKeyOf(context, id);
  const object = at === undefined || kindOfSortKey(at) !== kind ? undefined : await readPoint(context, at);
  if (object?.id === id) return object;
  context.reads.restsOnId(id);
  return undefined;
}

/** The sort key an id leads to. */
async function sortKeyOf({ table, partition, recent, ids }: ViewContext, id: string): Promise<string | undefined> {
  const said = sortKeyOfId(id, recent());
  if (said !== undefined) return said === "gone" ? undefined : said;
  // Several objects may have one owner.
  const reading = ids.get(id) ?? table.get(idKey(partition, id));
  ids.set(id, reading);
  return (await reading)?.at as string | undefined;
}

/** The object unless its owner is removed; the owner in the ref (`through`) was found before. */
async function living(
  context: ViewContext,
  object: AnyObject | undefined,
  through?: string,
): Promise<AnyObject | undefined> {
  const owner = object && ownerOf(object);
  if (owner === undefined || owner === through) return object;
  context.reads.restsOnId(owner);
  return (await sortKeyOf(context, owner)) === undefined ? undefined : object;
}
