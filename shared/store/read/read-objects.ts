import type { Page, Rows } from "../../actions/contract/view.ts";
import type { KindName } from "../../domain/kinds.ts";
import type { Change } from "../../domain/model/changes.ts";
import { type AnyObject, getOwnerId } from "../../domain/model/objects.ts";
import type { Ref } from "../../domain/refs.ts";
import {
  applyRecentEntries,
  applyRecentEntriesToAll,
  findMovedSortKey,
  type LogEntry,
  listSortKeys,
  type ReadChanges,
  toLogChange,
} from "../log/log.ts";
import { type Partition, parseKind, toIdKey, toObject } from "../table/items.ts";
import { hasIdItem, kindPrefix, objectSortKey, objectsPartition, ownedBy } from "../table/keys.ts";
import type { RetryingTable } from "../table/retry.ts";
import type { Item } from "../table/table.ts";
import type { CachedLedger, CachedRange, ObjectsRead } from "./model-cache.ts";

interface ObjectSource {
  readonly source: RetryingTable;
  readonly partition: Partition;
  readonly reads: Reads;
  readonly objectsRead: ObjectsRead;
  readonly ids: Map<string, Promise<Item | undefined>>;
  readonly recent: readonly LogEntry[];
  readonly revision: number;
  readonly readChanges: ReadChanges;
  getCached(): CachedLedger | undefined;
  readEntriesFor(lookBack: boolean): Promise<readonly LogEntry[]>;
}

/** Lists objects of a kind or of one owner by key. Skips objects of a removed owner. */
export async function listObjects(
  view: ObjectSource,
  kind: KindName,
  owner?: string,
  page: Page = {},
): Promise<Rows<AnyObject>> {
  const { source, partition, reads, objectsRead } = view;
  const prefix = kindPrefix(kind, owner);
  const limit = page.limit ?? Number.POSITIVE_INFINITY;
  const start = page.after === undefined ? undefined : prefix + page.after;
  const cachedRows = listCachedRows(view, { prefix, after: start, limit: limit + 1 });
  if (cachedRows) return toPage(cachedRows, limit, prefix);
  reads.notePrefix(prefix);
  const entries = await view.readEntriesFor(page.lookBack ?? false);
  const rows = new Map<string, AnyObject>();
  const lives = createOwnerFilter(view);
  let after = start;
  let range: readonly AnyObject[] = [];
  let objects: readonly AnyObject[] = [];
  do {
    const itemPage = await source.query({
      pk: objectsPartition(partition.model, partition.generation),
      prefix,
      ...(after !== undefined && { after }),
      // One extra row shows whether there is a next page.
      ...(page.limit !== undefined && { limit: page.limit + 1 }),
    });
    for (const item of itemPage.items) rows.set(item.sk, toObject(item));
    after = itemPage.more;
    range = selectRange(await applyToCopy(rows, entries, view.readChanges), prefix, start, after);
    objects = await lives(range);
    // Rows removed by recent commits do not count.
  } while (after !== undefined && objects.length <= limit);
  for (const object of objects) objectsRead.objects.set(objectSortKey(object), object);
  if (start === undefined && after === undefined && objects.length === range.length) objectsRead.prefixes.add(prefix);
  return toPage(objects, limit, prefix);
}

function listCachedRows(view: ObjectSource, range: CachedRange): readonly AnyObject[] | undefined {
  const rows = view.getCached()?.listRange(range);
  const { reads } = view;
  if (!rows) return undefined;
  reads.noteCached(range);
  for (const object of rows) {
    const owner = getUnlistedOwner(object);
    if (owner !== undefined) reads.noteCached({ id: owner });
  }
  return rows;
}

function toPage(objects: readonly AnyObject[], limit: number, prefix: string): Rows<AnyObject> {
  const items = objects.slice(0, limit);
  const last = items.at(-1);
  return { items, ...(objects.length > limit && last && { next: objectSortKey(last).slice(prefix.length) }) };
}

function getUnlistedOwner(object: AnyObject): string | undefined {
  return object.kind === "attribute" ? undefined : getOwnerId(object);
}

function createOwnerFilter({ source, partition, reads, recent, objectsRead }: ObjectSource) {
  const answers = new Map<string, boolean>();
  const ask = async (owners: readonly string[]) => {
    const openIds: string[] = [];
    for (const owner of owners) {
      reads.noteId(owner);
      const movedKey = findMovedSortKey(owner, recent);
      answers.set(owner, movedKey !== undefined && movedKey !== "gone");
      if (movedKey === undefined) openIds.push(owner);
    }
    for (const { sk, at } of await source.batchGet(openIds.map((id) => toIdKey(partition, id)))) {
      answers.set(sk, true);
      objectsRead.ids.set(sk, String(at));
    }
  };
  return async (objects: readonly AnyObject[]): Promise<readonly AnyObject[]> => {
    const owners = new Set(objects.flatMap((object) => getUnlistedOwner(object) ?? []));
    await ask([...owners].filter((owner) => !answers.has(owner)));
    return objects.filter((object) => answers.get(getUnlistedOwner(object) ?? "") ?? true);
  };
}

async function applyToCopy(
  rows: ReadonlyMap<string, AnyObject>,
  entries: readonly LogEntry[],
  readChanges: ReadChanges,
): Promise<Map<string, AnyObject>> {
  const objects = new Map(rows);
  await applyRecentEntriesToAll(objects, entries, readChanges);
  return objects;
}

/** Returns the objects between two sort keys in order. Keys after `end` were not read yet. */
function selectRange(
  objects: ReadonlyMap<string, AnyObject>,
  prefix: string,
  start: string | undefined,
  end: string | undefined,
): AnyObject[] {
  const isInside = ([sk]: [string, AnyObject]) =>
    sk.startsWith(prefix) && (start === undefined || sk > start) && (end === undefined || sk <= end);
  const entries = [...objects.entries()].filter(isInside);
  return entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
}

/** Reads the object at a sort key, even if its owner was removed. */
export async function readObject(view: ObjectSource, sk: string): Promise<AnyObject | undefined> {
  const { reads, partition } = view;
  const cachedObject = view.getCached()?.getObject(sk);
  if (cachedObject !== undefined) {
    reads.noteCached({ point: sk });
    return cachedObject ?? undefined;
  }
  const item = await view.source.get({ pk: objectsPartition(partition.model, partition.generation), sk });
  const object = await applyRecentEntries(item && toObject(item), sk, view.recent, view.readChanges);
  // An object of a later commit: its revision has to be confirmed first.
  reads.notePoint(sk, object !== undefined && object.revision <= view.revision);
  view.objectsRead.objects.set(sk, object ?? null);
  return object;
}

/** Finds the object of a ref; undefined if there is none, or its owner was removed. */
export async function findObject(
  view: ObjectSource,
  kind: KindName,
  ref: Ref,
  owner: string | undefined,
): Promise<AnyObject | undefined> {
  if (ref.model !== undefined && ref.model !== view.partition.model) return undefined;
  if (ref.scheme === "id") return dropIfOrphaned(view, await findById(view, kind, ref.value, owner), owner);
  if (ref.group === undefined) {
    return dropIfOrphaned(view, await readObject(view, kindPrefix(kind, owner) + ref.value), owner);
  }
  const group = await readObject(view, kindPrefix("tag_group") + ref.group);
  return group && readObject(view, kindPrefix(kind, group.id) + ref.value);
}

/** Finds the object that a removed owner left at a key; undefined if there is none, or its owner is live. */
export async function findOrphan(view: ObjectSource, kind: KindName, key: string): Promise<AnyObject | undefined> {
  const object = await readObject(view, kindPrefix(kind) + key);
  return object && !(await dropIfOrphaned(view, object)) ? object : undefined;
}

async function findById(
  view: ObjectSource,
  kind: KindName,
  id: string,
  owner: string | undefined,
): Promise<AnyObject | undefined> {
  if (!hasIdItem(kind)) {
    const { items } = await listObjects(view, kind, owner);
    return items.find((one) => one.id === id);
  }
  const { sortKey, note } = await findSortKey(view, id);
  const object = sortKey === undefined || parseKind(sortKey) !== kind ? undefined : await readObject(view, sortKey);
  if (object?.id === id) return object;
  note();
  return undefined;
}

/** Finds the sort key of an id. `note` records that the answer depends on it. */
async function findSortKey(
  view: ObjectSource,
  id: string,
): Promise<{ readonly sortKey: string | undefined; readonly note: () => void }> {
  const { reads, ids } = view;
  const cachedKey = view.getCached()?.getSortKey(id);
  if (cachedKey !== undefined) return { sortKey: cachedKey ?? undefined, note: () => reads.noteCached({ id }) };
  const note = () => reads.noteId(id);
  const movedKey = findMovedSortKey(id, view.recent);
  if (movedKey !== undefined) return { sortKey: movedKey === "gone" ? undefined : movedKey, note };
  // Several objects may have one owner.
  const reading = ids.get(id) ?? view.source.get(toIdKey(view.partition, id));
  ids.set(id, reading);
  const sortKey = (await reading)?.at as string | undefined;
  view.objectsRead.ids.set(id, sortKey ?? null);
  return { sortKey, note };
}

async function dropIfOrphaned(
  view: ObjectSource,
  object: AnyObject | undefined,
  parent?: string,
): Promise<AnyObject | undefined> {
  const owner = object && getOwnerId(object);
  if (owner === undefined || owner === parent) return object;
  const { sortKey, note } = await findSortKey(view, owner);
  note();
  return sortKey === undefined ? undefined : object;
}

/**
 * Question to ask before an answer is given:
 * - `serializable`: the answer depends on several items or on an absence read from the table, so a commit under way has
 *   to be waited for.
 * - `plain`: it depends only on cached data of one revision, and no read has confirmed that this is the newest.
 */
type Question = "serializable" | "plain";

/** Keys, ids and prefixes that an answer depends on, to detect later commits. */
export class Reads {
  /** True while no read has confirmed that the first revision is the newest. */
  isAssumed: boolean;
  readonly #points = new Set<string>();
  readonly #ids = new Set<string>();
  readonly #prefixes: string[] = [];
  #absences = 0;
  #unconfirmed = 0;

  constructor(isAssumed = false) {
    this.isAssumed = isAssumed;
  }

  /** Notes a read of the object at a sort key. `isSure` is true if it existed, at the view's revision or before. */
  notePoint(sk: string, isSure: boolean): void {
    this.#points.add(sk);
    this.#unconfirmed += 1;
    if (!isSure) this.#absences += 1;
  }

  noteId(id: string): void {
    this.#ids.add(id);
    this.#absences += 1;
  }

  /** Notes that all objects with a prefix were read; "" for the whole partition. */
  notePrefix(prefix: string): void {
    this.#prefixes.push(prefix);
    this.#absences += 1;
  }

  /** Notes a cache read, valid at the view's revision without confirmation. */
  noteCached(read: { readonly point: string } | { readonly id: string } | { readonly prefix: string }): void {
    if ("point" in read) this.#points.add(read.point);
    else if ("id" in read) this.#ids.add(read.id);
    else this.#prefixes.push(read.prefix);
  }

  noteWrites(changes: readonly Change[]): void {
    for (const change of changes.map(toLogChange)) {
      for (const sk of listSortKeys(change)) this.#points.add(sk);
      this.#ids.add(change.id);
    }
  }

  isTouchedBy(entry: LogEntry): boolean {
    // A publication or a tombstone changes everything at once.
    if (!entry.touched || entry.state !== "live") return true;
    const points = this.#points;
    const prefixes = this.#prefixes;
    return entry.touched.some((change) => {
      if (this.#ids.has(change.id)) return true;
      // Objects are deleted with their owner.
      const infix = change.does === "delete" ? ownedBy(change.id) : undefined;
      return (
        listSortKeys(change).some((sk) => points.has(sk) || prefixes.some((p) => sk.startsWith(p))) ||
        (infix !== undefined && [...points, ...prefixes].some((key) => key.includes(infix)))
      );
    });
  }

  getQuestion(): Question | undefined {
    const isUncertain = this.#absences > 0 || this.#unconfirmed > 1;
    if (isUncertain || (this.isAssumed && this.#unconfirmed > 0)) return "serializable";
    return this.isAssumed ? "plain" : undefined;
  }

  markConfirmed(): void {
    this.isAssumed = false;
    this.#absences = 0;
    this.#unconfirmed = 0;
  }
}
