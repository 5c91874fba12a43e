import type { Page, Rows } from "../../actions/contract/view.ts";
import type { KindName } from "../../domain/kinds.ts";
import { type AnyObject, ownerOf } from "../../domain/model/objects.ts";
import type { Ref } from "../../domain/refs.ts";
import type { LogEntry } from "../log/log.ts";
import {
  applyRecentEntries,
  applyRecentEntriesToAll,
  findMovedSortKey,
  type ReadChanges,
} from "../log/recent-entries.ts";
import { parseKind, toIdKey, toObject } from "../table/items.ts";
import { hasIdItem, kindPrefix, objectSortKey, objectsPartition } from "../table/keys.ts";
import type { CachedRange } from "./cached-ledger.ts";
import type { ViewContext } from "./contexts.ts";

/** Objects of a kind, in the model or of one owner, in the order of their keys; objects of a removed owner are skipped. */
export async function listObjects(
  context: ViewContext,
  kind: KindName,
  owner?: string,
  page: Page = {},
): Promise<Rows<AnyObject>> {
  const { table, partition, reads, readEntriesFor: entriesFor, readChanges: changesOf, objectsRead: facts } = context;
  const prefix = kindPrefix(kind, owner);
  const limit = page.limit ?? Number.POSITIVE_INFINITY;
  const start = page.after === undefined ? undefined : prefix + page.after;
  const kept = listCachedRows(context, { prefix, after: start, limit: limit + 1 });
  if (kept) return toPage(kept, limit, prefix);
  reads.notePrefix(prefix);
  const entries = await entriesFor(page.lookBack ?? false);
  const read = new Map<string, AnyObject>();
  const lives = createOwnerFilter(context);
  let after = start;
  let stored: readonly AnyObject[] = [];
  let sorted: readonly AnyObject[] = [];
  do {
    const got = await table.query({
      pk: objectsPartition(partition.model, partition.generation),
      prefix,
      ...(after !== undefined && { after }),
      // One row more than asked for tells whether there is a next page.
      ...(page.limit !== undefined && { limit: page.limit + 1 }),
    });
    for (const item of got.items) read.set(item.sk, toObject(item));
    after = got.more;
    stored = selectRange(await applyToCopy(read, entries, changesOf), prefix, start, after);
    sorted = await lives(stored);
    // Rows that the newest commits removed do not count.
  } while (after !== undefined && sorted.length <= limit);
  for (const object of sorted) facts.objects.set(objectSortKey(object), object);
  if (start === undefined && after === undefined && sorted.length === stored.length) facts.prefixes.add(prefix);
  return toPage(sorted, limit, prefix);
}

/** The rows of a list that are known; undefined where some of its prefix are not. */
function listCachedRows(
  { getCached: known, reads }: ViewContext,
  range: CachedRange,
): readonly AnyObject[] | undefined {
  const rows = known()?.listRange(range);
  if (!rows) return undefined;
  reads.cached.notePrefix(range.prefix);
  for (const object of rows) {
    const owner = getUnlistedOwner(object);
    if (owner !== undefined) reads.cached.noteId(owner);
  }
  return rows;
}

/** A page of at most `limit` rows; one more of them tells that there is a next page. */
function toPage(sorted: readonly AnyObject[], limit: number, prefix: string): Rows<AnyObject> {
  const items = sorted.slice(0, limit);
  const last = items.at(-1);
  return { items, ...(sorted.length > limit && last && { next: objectSortKey(last).slice(prefix.length) }) };
}

/** The owner of an object that was not listed by its owner. */
function getUnlistedOwner(object: AnyObject): string | undefined {
  return object.kind === "attribute" ? undefined : ownerOf(object);
}

/** A filter for objects whose owner is live; the owner they were listed by needs no check. Each owner is looked up once. */
function createOwnerFilter({ table, partition, reads, getRecent: recent, objectsRead: facts }: ViewContext) {
  const known = new Map<string, boolean>();
  const ask = async (owners: readonly string[]): Promise<void> => {
    const unsaid: string[] = [];
    for (const owner of owners) {
      reads.noteId(owner);
      const said = findMovedSortKey(owner, recent());
      known.set(owner, said !== undefined && said !== "gone");
      if (said === undefined) unsaid.push(owner);
    }
    for (const { sk, at } of await table.batchGet(unsaid.map((id) => toIdKey(partition, id)))) {
      known.set(sk, true);
      facts.ids.set(sk, String(at));
    }
  };
  return async (objects: readonly AnyObject[]): Promise<readonly AnyObject[]> => {
    const owners = new Set(objects.flatMap((object) => getUnlistedOwner(object) ?? []));
    await ask([...owners].filter((owner) => !known.has(owner)));
    return objects.filter((object) => known.get(getUnlistedOwner(object) ?? "") ?? true);
  };
}

/** A copy of the objects read, with the newest log entries applied. */
async function applyToCopy(
  read: ReadonlyMap<string, AnyObject>,
  entries: readonly LogEntry[],
  changesOf: ReadChanges,
): Promise<Map<string, AnyObject>> {
  const objects = new Map(read);
  await applyRecentEntriesToAll(objects, entries, changesOf);
  return objects;
}

/** The objects between two sort keys, in their order; keys after `end` were not read yet. */
function selectRange(
  objects: ReadonlyMap<string, AnyObject>,
  prefix: string,
  start: string | undefined,
  end: string | undefined,
): AnyObject[] {
  const inside = ([sk]: [string, AnyObject]): boolean =>
    sk.startsWith(prefix) && (start === undefined || sk > start) && (end === undefined || sk <= end);
  const found = [...objects.entries()].filter(inside);
  return found.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
}

/** The object at a sort key, whether or not its owner is still there. */
export async function readObject(context: ViewContext, sk: string): Promise<AnyObject | undefined> {
  const {
    table,
    partition,
    reads,
    getRecent: recent,
    getRevision: revision,
    readChanges: changesOf,
    getCached: known,
    objectsRead: facts,
  } = context;
  const kept = known()?.getObject(sk);
  if (kept !== undefined) {
    reads.cached.notePoint(sk);
    return kept ?? undefined;
  }
  const item = await table.get({ pk: objectsPartition(partition.model, partition.generation), sk });
  const object = await applyRecentEntries(item && toObject(item), sk, recent(), changesOf);
  // An object of a later commit: the answer belongs to a revision that has to be found first.
  reads.notePoint(sk, object !== undefined && object.revision <= revision());
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
  if (ref.scheme === "id") return dropIfOrphaned(context, await findById(context, kind, ref.value, owner), owner);
  if (ref.group === undefined) {
    return dropIfOrphaned(context, await readObject(context, kindPrefix(kind, owner) + ref.value), owner);
  }
  const group = await readObject(context, kindPrefix("tag_group") + ref.group);
  return group && readObject(context, kindPrefix(kind, group.id) + ref.value);
}

/** The object that a removed owner left at a key; undefined where there is none, or its owner is live. */
export async function findOrphan(context: ViewContext, kind: KindName, key: string): Promise<AnyObject | undefined> {
  const object = await readObject(context, kindPrefix(kind) + key);
  return object && !(await dropIfOrphaned(context, object)) ? object : undefined;
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
  const { sortKey, note } = await findSortKey(context, id);
  const object = sortKey === undefined || parseKind(sortKey) !== kind ? undefined : await readObject(context, sortKey);
  if (object?.id === id) return object;
  note();
  return undefined;
}

/** The sort key an id leads to, and a function that notes that the answer rests on it. */
async function findSortKey(
  { table, partition, getRecent: recent, ids, reads, getCached: known, objectsRead: facts }: ViewContext,
  id: string,
): Promise<{ readonly sortKey: string | undefined; readonly note: () => void }> {
  const kept = known()?.getSortKey(id);
  if (kept !== undefined) return { sortKey: kept ?? undefined, note: () => reads.cached.noteId(id) };
  const note = () => reads.noteId(id);
  const said = findMovedSortKey(id, recent());
  if (said !== undefined) return { sortKey: said === "gone" ? undefined : said, note };
  // Several objects may have one owner.
  const reading = ids.get(id) ?? table.get(toIdKey(partition, id));
  ids.set(id, reading);
  const sortKey = (await reading)?.at as string | undefined;
  facts.ids.set(id, sortKey ?? null);
  return { sortKey, note };
}

/** The object unless its owner is removed; the owner in the ref (`through`) was found before. */
async function dropIfOrphaned(
  context: ViewContext,
  object: AnyObject | undefined,
  through?: string,
): Promise<AnyObject | undefined> {
  const owner = object && ownerOf(object);
  if (owner === undefined || owner === through) return object;
  const { sortKey, note } = await findSortKey(context, owner);
  note();
  return sortKey === undefined ? undefined : object;
}
