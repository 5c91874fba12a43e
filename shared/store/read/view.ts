import type { Runtime } from "../../actions/contract/call.ts";
import type { Page, ReadView, Rows } from "../../actions/contract/view.ts";
import type { KindName } from "../../domain/kinds.ts";
import { type ModelContent, removeOrphans, toModelContent } from "../../domain/model/content.ts";
import type { AnyObject, Model, ObjectByKind } from "../../domain/model/objects.ts";
import { Problem } from "../../domain/problems.ts";
import type { Ref } from "../../domain/refs.ts";
import {
  applyRecentEntriesToAll,
  filterByGeneration,
  type Head,
  LOOK_BACK_ENTRIES,
  type LogChange,
  type LogEntry,
  readChanges,
  readEntry,
  readEntrySerializably,
  readNewestEntries,
} from "../log/log.ts";
import { type Partition, toObject } from "../table/items.ts";
import { objectSortKey, objectsPartition } from "../table/keys.ts";
import type { RetryingTable, RetryPolicy } from "../table/retry.ts";
import { type Item, readItems, type Table } from "../table/table.ts";
import { type CachedLedger, createObjectsRead, type ModelCache, type ReadLedger } from "./model-cache.ts";
import { readAhead } from "./read-ahead.ts";
import { findObject, findOrphan, listObjects, Reads, readObject } from "./read-objects.ts";

/** All objects of a model by sort key, including those of removed owners. */
export interface WholeModel {
  readonly objects: ReadonlyMap<string, AnyObject>;
  /** Next commit, if it cannot be applied or touches an object that was read. */
  readonly next?: LogEntry;
}

const ORDERS_PER_REVISION = 2 ** 20;

/** State of a ledger when it is opened. */
export interface ViewStart {
  readonly ledgerId: string;
  /** Key and generation of a ledger that has no head yet. A model that begins again has another generation. */
  readonly key?: string;
  readonly generation?: string;
  /** Absent for a model that this call creates, and for a ledger before its first commit. */
  readonly head?: Head | undefined;
  /** True if the model was found by its key. With another key it is not the requested model. */
  readonly byKey?: boolean;
  /** True if no read has confirmed that the head is the newest. Only a commit finds out by itself. */
  readonly isAssumed?: boolean;
  readonly ledger?: CachedLedger | undefined;
  readonly deleted?: true;
  /** True for a deleted model that a call publishes again, as the generation given. */
  readonly beginsAgain?: true;
}

/** Dependencies of the store for one call. */
export interface StoreContext {
  readonly table: RetryingTable;
  readonly runtime: Runtime;
  readonly retryPolicy: RetryPolicy;
  readonly cache?: ModelCache | undefined;
  readonly noteContent?: ((content: ModelContent) => void) | undefined;
}

/** A view with the head it started from and the objects it has read. */
export class ModelView implements ReadView {
  readonly ledgerId: string;
  readonly deleted?: true;
  readonly head: Head | undefined;
  /** True for a model without objects before the call, which publishes its first generation or undeletes it. */
  readonly isNew: boolean;
  readonly partition: Partition;
  readonly reads: Reads;
  /** Revision and key of the model. Only `advance` changes them. */
  revision: number;
  modelKey: string;
  /** True once a commit touched an object that was read before. The call has to start again. */
  stale = false;
  /** Table that objects are read from: the table itself, or all objects in memory. */
  source: RetryingTable;
  readonly objectsRead = createObjectsRead();
  readonly ids = new Map<string, Promise<Item | undefined>>();
  readonly #table: RetryingTable;
  readonly #noteContent: StoreContext["noteContent"];
  readonly #ledger: CachedLedger | undefined;
  /** True if a commit with another key means another model. */
  readonly #isKeyFixed: boolean;
  readonly #laterEntries: LogEntry[] = [];
  #recent: readonly LogEntry[] | undefined;
  #all: Map<string, AnyObject> | undefined;
  #ordersTaken = 0;
  #lookedBack: { readonly at: number; readonly entries: Promise<readonly LogEntry[]> } | undefined;

  constructor({ table, cache, noteContent }: Pick<StoreContext, "table" | "cache" | "noteContent">, start: ViewStart) {
    const { ledgerId, head, byKey = false, isAssumed = false, deleted, beginsAgain = false } = start;
    this.ledgerId = ledgerId;
    if (deleted) this.deleted = deleted;
    this.head = head;
    this.isNew = !head || beginsAgain;
    const { key = head?.entry.key ?? "", generation = head?.entry.generation ?? "" } = start;
    this.partition = { model: ledgerId, generation };
    this.reads = new Reads(isAssumed);
    this.#table = table;
    this.source = table;
    this.#noteContent = noteContent;
    // Asks the cache once: another call may advance the entry past the view's revision.
    this.#ledger = start.ledger ?? cache?.get(ledgerId);
    this.#isKeyFixed = byKey || isAssumed;
    this.revision = head?.entry.revision ?? 0;
    this.modelKey = key;
  }

  get recent(): readonly LogEntry[] {
    this.#recent ??= filterByGeneration(this.head?.recent ?? [], this.partition.generation);
    return this.#recent;
  }

  /** Advances the view to a later commit. Returns false if the commit touches an object that was read. */
  async advance(entry: LogEntry): Promise<boolean> {
    // With another key, the ref leads to another model, which may be hidden from the caller.
    if ((this.#isKeyFixed && entry.key !== this.modelKey) || this.reads.isTouchedBy(entry)) {
      this.stale = true;
      return false;
    }
    if (this.#all) await this.#applyToAll(this.#all, [entry]);
    this.#recent = [...this.recent, entry];
    this.#laterEntries.push(entry);
    this.revision = entry.revision;
    this.modelKey = entry.key;
    return true;
  }

  /** Reads all objects for a publication. Advances the view as far as possible. */
  async readWhole(): Promise<WholeModel> {
    // A publication would lose an object that it does not find, so it looks far back.
    return this.head ? this.#readEverything(true) : { objects: new Map() };
  }

  getReadLedger(): ReadLedger | undefined {
    const { head, ledgerId } = this;
    if (!head) return undefined;
    const facts = this.objectsRead;
    if (this.#all) {
      for (const [sk, object] of this.#all) facts.objects.set(sk, object);
      facts.prefixes.add("");
    }
    const recent = [...head.recent, ...this.#laterEntries];
    const { generation } = this.partition;
    return { ledgerId, generation, head: { entry: recent.at(-1) ?? head.entry, recent }, facts };
  }

  async readModel(): Promise<Model> {
    const model = await readObject(this, objectSortKey({ kind: "model", key: this.modelKey }));
    if (model) return model as Model;
    throw this.#createGoneProblem();
  }

  // The sort key of a kind holds only objects of that kind, here and below.
  async find<N extends KindName>(kind: N, ref: Ref, owner?: string): Promise<ObjectByKind[N] | undefined> {
    return (await findObject(this, kind, ref, owner)) as ObjectByKind[N] | undefined;
  }

  async findOrphan<N extends KindName>(kind: N, key: string): Promise<ObjectByKind[N] | undefined> {
    return (await findOrphan(this, kind, key)) as ObjectByKind[N] | undefined;
  }

  async list<N extends KindName>(kind: N, owner?: string, page?: Page): Promise<Rows<ObjectByKind[N]>> {
    return (await listObjects(this, kind, owner, page)) as Rows<AnyObject> as Rows<ObjectByKind[N]>;
  }

  async readContent(lookBack = false): Promise<ModelContent> {
    const content = toModelContent(await this.#readAll(lookBack));
    if (!content) throw this.#createGoneProblem();
    this.#noteContent?.(content);
    return content;
  }

  async readObjects(): Promise<Iterable<AnyObject>> {
    return removeOrphans(await this.#readAll(false));
  }

  async preload(): Promise<void> {
    this.source = await readAhead(this.#table, this.partition);
  }

  takeNextOrder(): number {
    return (this.revision + 1) * ORDERS_PER_REVISION + this.#ordersTaken++;
  }

  readonly readChanges = (entry: LogEntry): Promise<readonly LogChange[]> => readChanges(this.#table, entry);

  getCached(): CachedLedger | undefined {
    const ledger = this.#ledger;
    if (ledger?.generation !== this.partition.generation) return undefined;
    return ledger.head.entry.revision === this.revision ? ledger : undefined;
  }

  /** Reads the entries to apply to objects: those of the head, or with `lookBack` all that may be invisible. */
  async readEntriesFor(lookBack: boolean): Promise<readonly LogEntry[]> {
    if (!lookBack) return this.recent;
    // The log up to a revision never changes, so one read serves all scans at that revision.
    if (this.#lookedBack?.at !== this.revision) {
      this.#lookedBack = { at: this.revision, entries: this.#readEntriesUpTo(this.revision) };
    }
    return this.#lookedBack.entries;
  }

  async #readEntriesUpTo(last: number): Promise<readonly LogEntry[]> {
    const newestFirst = await readNewestEntries(this.#table, this.ledgerId, LOOK_BACK_ENTRIES);
    const entries = filterByGeneration(newestFirst.toReversed(), this.partition.generation);
    return entries.filter((entry) => entry.revision <= last);
  }

  async #readAll(lookBack: boolean): Promise<Iterable<AnyObject>> {
    const rows = this.getCached()?.listRange({ prefix: "" });
    if (rows) {
      this.reads.noteCached({ prefix: "" });
      return rows;
    }
    const { objects } = await this.#readEverything(lookBack);
    this.reads.notePrefix("");
    this.reads.markConfirmed();
    return objects.values();
  }

  async #readEverything(lookBack: boolean): Promise<WholeModel> {
    await this.#checkHead();
    const entries = await this.readEntriesFor(lookBack);
    const pk = objectsPartition(this.ledgerId, this.partition.generation);
    const objects = await this.#applyToAll(this.#all ?? (await readPartition(this.source, pk)), entries);
    // A long read never starts again: it ends at the newest commit, or before a publication or a tombstone.
    for (;;) {
      const next = await this.#confirmAll();
      if (!next) return { objects };
      if (!next.touched || next.state !== "live" || !(await this.advance(next))) return { objects, next };
    }
  }

  /** Returns the next commit. If that is not known, forgets all objects: they may include parts of a commit under way. */
  async #confirmAll(): Promise<LogEntry | undefined> {
    const all = this.#all;
    this.#all = undefined;
    const next = await readEntrySerializably(this.#table, this.ledgerId, this.revision + 1);
    this.#all = all;
    return next;
  }

  /** Throws unless the head is the newest: reading everything from an old head would follow all commits since. */
  async #checkHead(): Promise<void> {
    if (!this.reads.isAssumed || !(await readEntry(this.#table, this.ledgerId, this.revision + 1))) return;
    this.stale = true;
    throw new Problem("contention", `the model ${this.modelKey} has changed`);
  }

  /** Applies entries to all objects. Discards half-applied objects: they belong to no revision. */
  async #applyToAll(
    objects: Map<string, AnyObject>,
    entries: readonly LogEntry[],
  ): Promise<ReadonlyMap<string, AnyObject>> {
    this.#all = undefined;
    await applyRecentEntriesToAll(objects, entries, this.readChanges);
    this.#all = objects;
    return objects;
  }

  #createGoneProblem(): Problem {
    this.stale = true;
    return new Problem("not_found", `no model ${this.modelKey}`);
  }
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
