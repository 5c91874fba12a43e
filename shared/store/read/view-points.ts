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
  const { table, partition, reads, recent, revision, changesOf, known, facts } = context;
  const kept = known()?.object(sk);
  if (kept !== undefined) {
    reads.known.point(sk);
    return kept ?? undefined;
  }
  const item = await table.get({ pk: objectsPartition(partition.model, partition.generation), sk });
  const object = await layEntriesOver(item && objectOf(item), sk, recent(), changesOf);
  // An object of a later commit: the answer belongs to a revision that has to be found first.
  reads.point(sk, object !== undefined && object.revision <= revision());
  facts.objects.set(sk, object ?? null);
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
  const { sortKey, note } = await lookUp(context, id);
  const object =
    sortKey === undefined || kindOfSortKey(sortKey) !== kind ? undefined : await readPoint(context, sortKey);
  if (object?.id === id) return object;
  note();
  return undefined;
}

/** The sort key an id leads to, and a function that notes that the answer rests on it. */
async function lookUp(
  { table, partition, recent, ids, reads, known, facts }: ViewContext,
  id: string,
): Promise<{ readonly sortKey: string | undefined; readonly note: () => void }> {
  const kept = known()?.sortKey(id);
  if (kept !== undefined) return { sortKey: kept ?? undefined, note: () => reads.known.restsOnId(id) };
  const note = () => reads.restsOnId(id);
  const said = sortKeyOfId(id, recent());
  if (said !== undefined) return { sortKey: said === "gone" ? undefined : said, note };
  // Several objects may have one owner.
  const reading = ids.get(id) ?? table.get(idKey(partition, id));
  ids.set(id, reading);
  const sortKey = (await reading)?.at as string | undefined;
  facts.ids.set(id, sortKey ?? null);
  return { sortKey, note };
}

/** The object unless its owner is removed; the owner in the ref (`through`) was found before. */
async function living(
  context: ViewContext,
  object: AnyObject | undefined,
  through?: string,
): Promise<AnyObject | undefined> {
  const owner = object && ownerOf(object);
  if (owner === undefined || owner === through) return object;
  const { sortKey, note } = await lookUp(context, owner);
  note();
  return sortKey === undefined ? undefined : object;
}
