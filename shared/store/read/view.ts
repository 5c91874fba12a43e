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

/** A view with additional facts for the store: the head it started from and the objects it has read. */
export interface ModelView extends ReadView {
  readonly head: Head | undefined;
  readonly partition: Partition;
  readonly reads: Reads;
  /** True once a commit touched an object that was read before. The call has to start again. */
  readonly stale: boolean;
  /** Advances the view to a later commit. Returns false if the commit touches an object that was read. */
  advance(entry: LogEntry): Promise<boolean>;
  /** Reads all objects of the model for a publication. Advances the view to later commits as far as possible. */
  whole(): Promise<Whole>;
  /** Returns the objects read, for the cache; undefined for a ledger that has not begun. */
  learned(): Learned | undefined;
}

/** All objects of a model by sort key at the view's revision, including those of removed owners. */
export interface Whole {
  readonly objects: ReadonlyMap<string, AnyObject>;
  /** Next commit, if it cannot be applied or touches an object that was read. */
  readonly next?: LogEntry;
}

/** Number of order values for the attributes created in one commit. */
const ORDERS_PER_REVISION = 2 ** 20;

/** State of a ledger when it is opened. */
export interface Opened {
  readonly ledgerId: string;
  readonly key: string;
  readonly generation: string;
  /** Absent for a model that this call creates. */
  readonly head?: Head | undefined;
  /** True if the model was found by its key. With another key it is not the requested model. */
  readonly byKey?: boolean;
  /**
   * True if no read has confirmed that the head is the newest. A commit finds out; any other answer has to confirm it.
   */
  readonly isAssumed?: boolean;
  /** Cached ledger at this head; looked up unless given. */
  readonly cached?: CachedLedger | undefined;
}

/** Creates the view of a ledger at its head. */
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

  /** Reads the log entries to apply to objects: those of the head, or with `lookBack` all that may be invisible. */
  const entriesFor = async (scan: boolean): Promise<readonly LogEntry[]> => {
    if (!scan) return recent;
    // The log up to a revision never changes, so one read serves all scans at that revision.
    if (lookedBack?.at !== revision) lookedBack = { at: revision, entries: entriesUpTo(revision) };
    return lookedBack.entries;
  };

  const entriesUpTo = async (last: number): Promise<readonly LogEntry[]> => {
    const newestFirst = await readNewestEntries(table, ledgerId, LOOK_BACK_ENTRIES);
    return filterByGeneration(newestFirst.toReversed(), generation).filter((e) => e.revision <= last);
  };

  /**
   * Creates the problem of a model that was deleted after its head was read. The call starts again and finds the
   * tombstone.
   */
  const rootGone = (): Problem => {
    stale = true;
    return new Problem("not_found", `no model ${modelKey}`);
  };

  const changesOf: ReadChanges = (entry) => readChanges(table, entry);

  // The cache is asked once. Another call may advance the entry, which is then not at the view's revision.
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

  /**
   * Applies entries to all objects. If some cannot be read the objects are discarded: half applied entries belong to no
   * revision.
   */
  const layOverAll = async (objects: Map<string, AnyObject>, entries: readonly LogEntry[]): Promise<typeof objects> => {
    all = undefined;
    await applyRecentEntriesToAll(objects, entries, changesOf);
    all = objects;
    return objects;
  };

  const advance = async (entry: LogEntry): Promise<boolean> => {
    // With another key, the ref of the call leads to another model, which the caller may not be allowed to see.
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

  /** Throws unless the head is the newest: reading everything from an old head would follow all commits since. */
  const assured = async (): Promise<void> => {
    if (!reads.isAssumed || !(await readEntry(table, ledgerId, revision + 1))) return;
    stale = true;
    throw new Problem("contention", `the model ${modelKey} has changed`);
  };

  /** Reads all objects of the partition by sort key. */
  const everything = async (scan: boolean): Promise<Whole> => {
    await assured();
    const entries = await entriesFor(scan);
    const objects = await layOverAll(all ?? (await readPartition(source, pk)), entries);
    // A long read never starts again: it ends at the newest commit, or before a publication or a tombstone.
    for (;;) {
      const next = await readEntrySerializably(table, ledgerId, revision + 1);
      if (!next) return { objects };
      if (!next.touched || next.state !== "live" || !(await advance(next))) return { objects, next };
    }
  };

  /** Reads all objects and notes that the answer depends on them. */
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
    // A publication would lose an object that it does not find, so it looks far back.
    whole: async () => (head ? everything(true) : { objects: new Map() }),
    readModel: async () => {
      const found = await readObject(context, objectSortKey({ kind: "model", key: modelKey }));
      if (found) return found as Model;
      throw rootGone();
    },
    // The sort key of a kind holds only objects of that kind, here and below.
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
