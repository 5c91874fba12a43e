import type { Page, Rows, View } from "../actions/store.ts";
import { contentOf, type ModelContent } from "../domain/content.ts";
import type { AnyObject, KindName, Model, ObjectByKind } from "../domain/objects.ts";
import { Problem } from "../domain/problems.ts";
import type { Ref } from "../domain/refs.ts";
import { entryAt, type Head } from "./head.ts";
import { idKey, kindOfSortKey, objectOf, type Place } from "./items.ts";
import { hasIdItem, kindPrefix, objectSortKey, objectsPartition } from "./keys.ts";
import { type LogEntry, newestEntries, SCAN_ENTRIES } from "./log.ts";
import { layEntriesOver, layEntriesOverAll, placeOfId } from "./overlay.ts";
import { createReads, type Reads } from "./reads.ts";
import type { Seam } from "./seam.ts";

/** A view as the store sees it: with the head it started from and what it has read. */
export interface ModelView extends View {
  readonly head: Head | undefined;
  readonly place: Place;
  readonly reads: Reads;
  /** True once a commit touched what was read before: the call has to start again. */
  readonly stale: boolean;
  /** Moves the view on to a later commit that touches nothing it has read. False where it does touch something. */
  advance(entry: LogEntry): boolean;
}

/** Attributes made in one commit are told apart by this many low bits of their order. */
const ORDERS_PER_REVISION = 2 ** 20;

/** The view of a model at its head, by key or by id; without a head it is a model that begins with this call. */
export function createView(
  seam: Seam,
  modelId: string,
  firstKey: string,
  generation: string,
  head: Head | undefined,
  byKey: boolean,
): ModelView {
  const place: Place = { model: modelId, generation };
  const pk = objectsPartition(modelId, generation);
  const reads = createReads();
  let recent = sameGeneration(head?.recent ?? [], generation);
  let revision = head?.entry.revision ?? 0;
  let modelKey = firstKey;
  let stale = false;
  let ordersTaken = 0;

  /** What is laid over: the head's entries, or for a scan as many as may still be invisible. */
  const entriesFor = async (scan: boolean): Promise<readonly LogEntry[]> => {
    if (!scan) return recent;
    const newestFirst = await newestEntries(seam, modelId, SCAN_ENTRIES);
    return sameGeneration(newestFirst.toReversed(), generation).filter((e) => e.revision <= revision);
  };

  /** The model was deleted after its head was read: the call starts again, and finds the tombstone. */
  const rootGone = (): Problem => {
    stale = true;
    return new Problem("not_found", `no model ${modelKey}`);
  };

  const readPoint = async (sk: string): Promise<AnyObject | undefined> => {
    const item = await seam.get({ pk, sk });
    const object = layEntriesOver(item && objectOf(item), sk, recent);
    // An object of a later commit: the answer belongs to a revision that has to be found first.
    reads.point(sk, object !== undefined && object.revision <= revision);
    return object;
  };

  const findById = async (kind: KindName, id: string, owner?: string): Promise<AnyObject | undefined> => {
    if (!hasIdItem(kind)) {
      const { items } = await list(kind, owner);
      return items.find((one) => one.id === id);
    }
    const said = placeOfId(id, recent);
    const at = said ?? ((await seam.get(idKey(place, id)))?.at as string | undefined);
    const object = at === undefined || at === "gone" || kindOfSortKey(at) !== kind ? undefined : await readPoint(at);
    if (object?.id === id) return object;
    reads.absentId(id);
    return undefined;
  };

  const list = async <N extends KindName>(kind: N, owner?: string, page: Page = {}): Promise<Rows<ObjectByKind[N]>> => {
    const prefix = kindPrefix(kind, owner);
    reads.scan(prefix);
    const entries = await entriesFor(page.scan ?? false);
    const limit = page.limit ?? Number.POSITIVE_INFINITY;
    const read = new Map<string, AnyObject>();
    const start = page.after === undefined ? undefined : prefix + page.after;
    let after = start;
    let sorted: AnyObject[] = [];
    do {
      const got = await seam.query({
        pk,
        prefix,
        ...(after !== undefined && { after }),
        // One row more than asked for tells whether there is a next page.
        ...(page.limit !== undefined && { limit: page.limit + 1 }),
      });
      for (const item of got.items) read.set(item.sk, objectOf(item));
      after = got.more;
      sorted = inRange(laidOver(read, entries), prefix, start, after);
      // Rows that the newest commits removed do not count.
    } while (after !== undefined && sorted.length <= limit);
    // The prefix of a kind holds objects of that kind only.
    const items = sorted.slice(0, limit) as unknown as ObjectByKind[N][];
    const last = items.at(-1);
    return { items, ...(sorted.length > limit && last && { next: last.key }) };
  };

  const advance = (entry: LogEntry): boolean => {
    // Under another key the ref that led here leads elsewhere.
    if ((byKey && entry.key !== modelKey) || reads.touchedBy(entry)) {
      stale = true;
      return false;
    }
    recent = [...recent, entry];
    revision = entry.revision;
    modelKey = entry.key;
    return true;
  };

  const content = async (scan = false): Promise<ModelContent> => {
    const objects = new Map<string, AnyObject>();
    const entries = await entriesFor(scan);
    let after: string | undefined;
    do {
      const page = await seam.query({ pk, ...(after !== undefined && { after }) });
      for (const item of page.items) objects.set(item.sk, objectOf(item));
      after = page.more;
    } while (after !== undefined);
    layEntriesOverAll(objects, entries);
    // A long read never starts over: it ends at the newest commit, or before a publication or a tombstone.
    for (;;) {
      const next = await entryAt(seam, modelId, revision + 1);
      if (!next?.changes || next.state !== "live") break;
      if (!advance(next)) break;
      layEntriesOverAll(objects, [next]);
    }
    const all = contentOf(objects.values());
    if (!all) throw rootGone();
    reads.scan("");
    reads.confirmed();
    return all;
  };

  return {
    modelId,
    get modelKey() {
      return modelKey;
    },
    place,
    head,
    reads,
    get revision() {
      return revision;
    },
    get stale() {
      return stale;
    },
    advance,
    model: async () => {
      const found = await readPoint(objectSortKey({ kind: "model", key: modelKey }));
      if (found) return found as Model;
      throw rootGone();
    },
    find: async <N extends KindName>(kind: N, ref: Ref, owner?: string) => {
      const object =
        ref.scheme === "id"
          ? await findById(kind, ref.value, owner)
          : await readPoint(kindPrefix(kind, owner) + ref.value);
      // The sort key of a kind holds objects of that kind only.
      return object as ObjectByKind[N] | undefined;
    },
    list,
    content,
    nextOrder: () => (revision + 1) * ORDERS_PER_REVISION + ordersTaken++,
  };
}

/** A copy of what was read, with the newest commits laid over. */
function laidOver(read: ReadonlyMap<string, AnyObject>, entries: readonly LogEntry[]): Map<string, AnyObject> {
  const objects = new Map(read);
  layEntriesOverAll(objects, entries);
  return objects;
}

/** The objects between two sort keys, in their order; what lies after `end` was not read yet. */
function inRange(
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

/** Entries before a publication are about another generation. */
function sameGeneration(oldestFirst: readonly LogEntry[], generation: string): readonly LogEntry[] {
  return oldestFirst.filter((entry) => entry.generation === generation);
}
