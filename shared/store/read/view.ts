import type { Page, ReadView, Rows } from "../../actions/contract/view.ts";
import type { KindName } from "../../domain/kinds.ts";
import { removeOrphans, toModelContent } from "../../domain/model/content.ts";
import type { AnyObject, Model, ObjectByKind } from "../../domain/model/objects.ts";
import { Problem } from "../../domain/problems.ts";
import type { Ref } from "../../domain/refs.ts";
import {
  type Head,
  LOOK_BACK_ENTRIES,
  type LogEntry,
  readChanges,
  readEntry,
  readEntrySerializably,
  readNewestEntries,
} from "../log/log.ts";
import { applyRecentEntriesToAll, filterByGeneration, type ReadChanges } from "../log/recent-entries.ts";
import { type Partition, toObject } from "../table/items.ts";
import { objectSortKey, objectsPartition } from "../table/keys.ts";
import { readItems, type Table } from "../table/table.ts";
import { type CachedLedger, createObjectsRead } from "./cached-ledger.ts";
import type { StoreContext, ViewContext } from "./contexts.ts";
import type { Learned } from "./model-cache.ts";
import { readAhead } from "./read-ahead.ts";
import { findObject, findOrphan, listObjects, readObject } from "./read-objects.ts";
import { createReads, type Reads } from "./reads.ts";

/** A view with the facts the store needs: the head it started from and the objects it has read. */
export interface ModelView extends ReadView {
  readonly head: Head | undefined;
  readonly partition: Partition;
  readonly reads: Reads;
  /** True once a commit touched an object that was read before: the call has to start again. */
  readonly stale: boolean;
  /** Moves the view on to a later commit that touches no object it has read; false where it touches one. */
  advance(entry: LogEntry): Promise<boolean>;
  /** All objects stored in the model, for a publication; moves the view on to later commits as far as it can. */
  whole(): Promise<Whole>;
  /** What was read, for the cache; undefined for a ledger that has not begun. */
  learned(): Learned | undefined;
}

/** All objects of a model by sort key, with those of removed owners, as they are at the view's revision. */
export interface Whole {
  readonly objects: ReadonlyMap<string, AnyObject>;
  /** The next commit, where there is one that cannot be applied or that touches an object that was read. */
  readonly next?: LogEntry;
}

/** Attributes made in one commit are told apart by this many low bits of their order. */
const ORDERS_PER_REVISION = 2 ** 20;

/** How a ledger was opened. */
export interface Opened {
  readonly ledgerId: string;
  readonly key: string;
  readonly generation: string;
  /** Absent for a model that begins with this call. */
  readonly head?: Head | undefined;
  /** True where the key led here, so that with another one it is no longer what was asked for. */
  readonly byKey?: boolean;
  /** True where nobody asked whether the head is the newest: a commit finds out, and any other answer asks before it is given. */
  readonly isAssumed?: boolean;
  /** The cached ledger whose head it is; looked up unless given. */
  readonly cached?: CachedLedger | undefined;
}

/** The view of a ledger at its head. */
export function createView(
  { table, cache }: Pick<StoreContext, "table" | "cache">,
  { ledgerId, key: firstKey, generation, head, byKey = false, isAssumed = false, cached }: Opened,
): ModelView {
  const partition: Partition = { model: ledgerId, generation };
  const pk = objectsPartition(ledgerId, generation);
  const reads = createReads(isAssumed);
  const facts = createObjectsRead();
  const laterEntries: LogEntry[] = [];
  let recent = filterByGeneration(head?.recent ?? [], generation);
  let revision = head?.entry.revision ?? 0;
  let modelKey = firstKey;
  let stale = false;
  /** All objects, once they were read. */
  let all: Map<string, AnyObject> | undefined;
  let ordersTaken = 0;
  let source = table;
  let lookedBack: { readonly at: number; readonly entries: Promise<readonly LogEntry[]> } | undefined;

  /**
   * The log entries that are applied to objects that were read: those of the head, or with `lookBack` as many as may
   * still be invisible.
   */
  const entriesFor = async (scan: boolean): Promise<readonly LogEntry[]> => {
    if (!scan) return recent;
    // A log never changes up to a revision, so that one reading serves every scan at that revision.
    if (lookedBack?.at !== revision) lookedBack = { at: revision, entries: entriesUpTo(revision) };
    return lookedBack.entries;
  };

  const entriesUpTo = async (last: number): Promise<readonly LogEntry[]> => {
    const newestFirst = await readNewestEntries(table, ledgerId, LOOK_BACK_ENTRIES);
    return filterByGeneration(newestFirst.toReversed(), generation).filter((e) => e.revision <= last);
  };

  /** The model was deleted after its head was read: the call starts again, and finds the tombstone. */
  const rootGone = (): Problem => {
    stale = true;
    return new Problem("not_found", `no model ${modelKey}`);
  };

  const changesOf: ReadChanges = (entry) => readChanges(table, entry);

  // The cache is asked once. Another call may advance what it has, which then no longer is at the view's revision.
  const kept = cached ?? cache?.of(ledgerId);
  const known = (): CachedLedger | undefined => {
    return kept?.generation === generation && kept.head.entry.revision === revision ? kept : undefined;
  };

  const context: ViewContext = {
    get table() {
      return source;
    },
    partition,
    reads,
    getCached: known,
    objectsRead: facts,
    ids: new Map(),
    getRecent: () => recent,
    readChanges: changesOf,
    getRevision: () => revision,
    readEntriesFor: entriesFor,
  };

  /** Applies entries to all objects. Until each of them could be read, nothing was: what is half applied is of no revision. */
  const layOverAll = async (objects: Map<string, AnyObject>, entries: readonly LogEntry[]): Promise<typeof objects> => {
    all = undefined;
    await applyRecentEntriesToAll(objects, entries, changesOf);
    all = objects;
    return objects;
  };

  const advance = async (entry: LogEntry): Promise<boolean> => {
    // With another key, the ref that led here leads elsewhere, and perhaps to where the caller may not look.
    if (((byKey || isAssumed) && entry.key !== modelKey) || reads.isTouchedBy(entry)) {
      stale = true;
      return false;
    }
    if (all) await layOverAll(all, [entry]);
    recent = [...recent, entry];
    laterEntries.push(entry);
    revision = entry.revision;
    modelKey = entry.key;
    return true;
  };

  /** Goes on only where the head is known to be the newest: reading everything would go from one commit to the next. */
  const assured = async (): Promise<void> => {
    if (!reads.isAssumed || !(await readEntry(table, ledgerId, revision + 1))) return;
    stale = true;
    throw new Problem("contention", `the model ${modelKey} has changed`);
  };

  /** All objects in the partition, by sort key. */
  const everything = async (scan: boolean): Promise<Whole> => {
    await assured();
    const entries = await entriesFor(scan);
    const objects = await layOverAll(all ?? (await readPartition(source, pk)), entries);
    // A long read never starts over: it ends at the newest commit, or before a publication or a tombstone.
    for (;;) {
      const next = await readEntrySerializably(table, ledgerId, revision + 1);
      if (!next) return { objects };
      if (!next.touched || next.state !== "live" || !(await advance(next))) return { objects, next };
    }
  };

  /** All objects, noted as read: the answer of the call rests on them. */
  const read = async (scan: boolean): Promise<Iterable<AnyObject>> => {
    const kept = known()?.listRange({ prefix: "" });
    if (kept) {
      reads.cached.notePrefix("");
      return kept;
    }
    const { objects } = await everything(scan);
    reads.notePrefix("");
    reads.markConfirmed();
    return objects.values();
  };

  return {
    ledgerId,
    get modelKey() {
      return modelKey;
    },
    partition,
    head,
    reads,
    get revision() {
      return revision;
    },
    get stale() {
      return stale;
    },
    advance,
    // An object that a publication does not find is lost, so it looks far back.
    whole: async () => (head ? everything(true) : { objects: new Map() }),
    readModel: async () => {
      const found = await readObject(context, objectSortKey({ kind: "model", key: modelKey }));
      if (found) return found as Model;
      throw rootGone();
    },
    // The sort key of a kind holds objects of that kind only, here and in the next two.
    find: async <N extends KindName>(kind: N, ref: Ref, owner?: string) =>
      (await findObject(context, kind, ref, owner)) as ObjectByKind[N] | undefined,
    findOrphan: async <N extends KindName>(kind: N, key: string) =>
      (await findOrphan(context, kind, key)) as ObjectByKind[N] | undefined,
    list: async <N extends KindName>(kind: N, owner?: string, page?: Page) =>
      (await listObjects(context, kind, owner, page)) as Rows<AnyObject> as Rows<ObjectByKind[N]>,
    readContent: async (scan = false) => {
      const content = toModelContent(await read(scan));
      if (!content) throw rootGone();
      return content;
    },
    readObjects: async () => removeOrphans(await read(false)),
    preload: async () => {
      // Few batches are so long that they read everything at once.
      source = await readAhead(table, partition);
    },
    learned: () => {
      if (!head) return undefined;
      if (all) {
        for (const [sk, object] of all) facts.objects.set(sk, object);
        facts.prefixes.add("");
      }
      const newest = [...head.recent, ...laterEntries];
      return { ledgerId, generation, head: { entry: newest.at(-1) ?? head.entry, recent: newest }, facts };
    },
    takeNextOrder: () => (revision + 1) * ORDERS_PER_REVISION + ordersTaken++,
  };
}

async function readPartition(table: Table, pk: string): Promise<Map<string, AnyObject>> {
  const objects = new Map<string, AnyObject>();
  let last: AnyObject | undefined;
  for await (const item of readItems(table, { pk })) {
    last = toObject(item, last);
    objects.set(item.sk, last);
  }
  return objects;
}
