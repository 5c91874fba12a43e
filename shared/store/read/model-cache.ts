import type { KindName } from "../../domain/kinds.ts";
import { LIMITS } from "../../domain/limits.ts";
import { type AnyObject, getOwnerId } from "../../domain/model/objects.ts";
import {
  applyRecentChange,
  HEAD_ENTRIES,
  type Head,
  LOOK_BACK_ENTRIES,
  type LogChange,
  type LogEntry,
  listSortKeys,
} from "../log/log.ts";
import { hasIdItem, objectSortKey } from "../table/keys.ts";
import { SortedKeys } from "./read-ahead.ts";

/** Objects that a call read of a ledger, at the head where the call ended. */
export interface ReadLedger {
  readonly ledgerId: string;
  readonly generation: string;
  readonly head: Head;
  readonly facts: ObjectsRead;
}

/** Cached ledgers of a process. Evicts the least recently used ledger first. */
export class ModelCache {
  /** Approximate memory, in objects of a common size. */
  weight = 0;
  readonly #now: () => number;
  readonly #most: number;
  /** Least recently used first. */
  readonly #ledgers = new Map<string, CachedLedger>();
  readonly #ids = new Map<string, string>();

  constructor(now: () => number, most: number = LIMITS.cachedObjects) {
    this.#now = now;
    this.#most = most;
  }

  get(ledgerId: string): CachedLedger | undefined {
    const ledger = this.#ledgers.get(ledgerId);
    if (!ledger || ledger.since + LIMITS.cachedMs >= this.#now()) return ledger;
    this.forget(ledgerId);
    return undefined;
  }

  findId(modelKey: string): string | undefined {
    return this.#ids.get(modelKey);
  }

  /** Adds objects that a call read. Older cached objects are updated to the call's head, or removed. */
  learn({ ledgerId, generation, head, facts }: ReadLedger): void {
    // The past of a deleted model is read from a view, too. Cached, it would be taken for live, and written to.
    if (head.entry.state !== "live") return;
    const ledger = this.catchUp(ledgerId, head) ?? new CachedLedger(generation, head, this.#now());
    // Another call may have read a newer revision.
    if (ledger.head.entry.revision !== head.entry.revision) return;
    // The objects may lack a commit that is not visible yet, unless all such commits were applied.
    if (coversUnseen(head, this.#now()) && facts.objects.size <= this.#most) ledger.add(facts);
    this.#ids.set(head.entry.key, ledgerId);
    this.#use(ledgerId, ledger);
  }

  /** Updates a ledger to a head, or removes it if a commit in between is missing. Returns the cached ledger. */
  catchUp(ledgerId: string, head: Head): CachedLedger | undefined {
    let ledger = this.get(ledgerId);
    if (!ledger || ledger.head.entry.revision >= head.entry.revision) return ledger;
    for (const entry of head.recent) {
      // Changes of other processes in blobs are not read for this.
      ledger &&= this.advance(ledgerId, entry, entry.blob === undefined ? entry.touched : undefined);
    }
    return ledger;
  }

  /** Applies the next commit, or removes the ledger if that is impossible. Returns the cached ledger. */
  advance(ledgerId: string, entry: LogEntry, changes: readonly LogChange[] | undefined): CachedLedger | undefined {
    const ledger = this.get(ledgerId);
    if (!ledger || ledger.head.entry.revision >= entry.revision) return ledger;
    if (entry.key === ledger.head.entry.key && ledger.advance(entry, changes)) this.#use(ledgerId, ledger);
    else this.forget(ledgerId);
    return this.#ledgers.get(ledgerId);
  }

  forget(ledgerId: string): void {
    const ledger = this.#ledgers.get(ledgerId);
    if (!ledger) return;
    this.weight -= ledger.countedWeight;
    this.#ledgers.delete(ledgerId);
    const { key } = ledger.head.entry;
    if (this.#ids.get(key) === ledgerId) this.#ids.delete(key);
  }

  #use(ledgerId: string, ledger: CachedLedger): void {
    this.weight += ledger.weight - ledger.countedWeight;
    ledger.countedWeight = ledger.weight;
    this.#ledgers.delete(ledgerId);
    this.#ledgers.set(ledgerId, ledger);
    // A ledger larger than the whole cache is evicted itself instead of evicting all others.
    for (const id of ledger.countedWeight > this.#most ? [ledgerId] : this.#ledgers.keys()) {
      if (this.weight <= this.#most) break;
      this.forget(id);
    }
  }
}

/** Objects that a call read, valid at the revision where it ended. Null means an absent object. */
export interface ObjectsRead {
  readonly objects: Map<string, AnyObject | null>;
  readonly ids: Map<string, string | null>;
  /** Sort-key prefixes that were read completely; "" for the whole ledger. */
  readonly prefixes: Set<string>;
}

export function createObjectsRead(): ObjectsRead {
  return { objects: new Map(), ids: new Map(), prefixes: new Set() };
}

/** Range of a list in memory: objects after a sort key, at most `limit`. */
export interface CachedRange {
  readonly prefix: string;
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
}

const CHARACTERS_PER_OBJECT = 500;

/** Weight of an empty ledger: its maps take the memory of some objects. */
const LEDGER_WEIGHT = 4;

/** Part of a ledger that a process has read, at one revision, with live objects only. */
export class CachedLedger {
  readonly generation: string;
  readonly #objects = new Map<string, AnyObject | null>();
  readonly #ids = new Map<string, string | null>();
  readonly #prefixes = new Set<string>();
  #sortedKeys = new SortedKeys();
  #weight = 0;
  /** Newest entry, and all entries followed since. They reach back as far as commits may be invisible. */
  head: Head;
  /** Milliseconds since the epoch. */
  readonly since: number;
  countedWeight = 0;

  constructor(generation: string, head: Head, since: number) {
    this.generation = generation;
    this.head = head;
    this.since = since;
  }

  get weight(): number {
    return LEDGER_WEIGHT + this.#weight + this.#ids.size + this.head.recent.length;
  }

  /** Returns the object at a sort key; null if there is none, undefined if it was not read. */
  getObject(sortKey: string): AnyObject | null | undefined {
    const object = this.#objects.get(sortKey);
    return object ?? (this.#objects.has(sortKey) || this.#covers(sortKey) ? null : undefined);
  }

  /** Returns the sort key of an id; null if there is none, undefined if it was not read. */
  getSortKey(id: string): string | null | undefined {
    return this.#ids.get(id) ?? (this.#ids.has(id) || this.#prefixes.has("") ? null : undefined);
  }

  listRange({ prefix, after, limit = Number.POSITIVE_INFINITY }: CachedRange): readonly AnyObject[] | undefined {
    if (!this.#covers(prefix)) return undefined;
    const sortKeys = this.#sortedKeys.listRange(prefix, after, limit);
    // Each of these keys has an object.
    return sortKeys.map((sortKey) => this.#objects.get(sortKey) as AnyObject);
  }

  add({ objects, ids, prefixes }: ObjectsRead): void {
    const { revision } = this.head.entry;
    // An object of a later revision may belong to the call's own commit, which is not applied yet.
    const rows = [...objects.values()].filter((object) => object !== null);
    if (rows.some((object) => object.revision > revision)) return;
    for (const [id, sortKey] of ids) this.#ids.set(id, sortKey);
    for (const { kind, id, ...object } of rows) {
      if (hasIdItem(kind)) this.#ids.set(id, objectSortKey({ kind, ...object }));
    }
    const isLasting = (object: AnyObject) => this.#isLasting(object);
    for (const [sortKey, object] of objects) {
      if (!object || isLasting(object)) this.#put(sortKey, object);
    }
    if (rows.every(isLasting)) for (const prefix of prefixes) this.#prefixes.add(prefix);
  }

  /** Advances to the next revision. Returns false for a commit that cannot be followed, such as a publication. */
  advance(entry: LogEntry, changes: readonly LogChange[] | undefined): boolean {
    if (entry.revision !== this.head.entry.revision + 1 || entry.generation !== this.generation) return false;
    if (!entry.touched || entry.state !== "live") return false;
    this.head = { entry, recent: keepNeededEntries([...this.head.recent, entry]) };
    if (!changes?.every((change) => this.#apply(change, entry.revision))) this.#clear();
    return true;
  }

  /** Applies a change to the cached objects. Returns false if they become uncertain. */
  #apply(change: LogChange, revision: number): boolean {
    // Objects of a removed owner disappear without a separate commit.
    if (change.does === "delete" && OWNERS.has(change.kind)) return false;
    const isWhole = change.does !== "update" || change.from !== undefined;
    for (const sortKey of listSortKeys(change)) {
      const before = this.getObject(sortKey);
      if (before === undefined && !isWhole) continue;
      const after = applyRecentChange(before ?? undefined, sortKey, change, revision);
      if (!isWhole && after?.revision !== revision) return false;
      this.#put(sortKey, after ?? null);
    }
    if (change.does === "delete") this.#ids.set(change.id, null);
    return true;
  }

  #put(sortKey: string, object: AnyObject | null): void {
    const before = this.#objects.get(sortKey);
    this.#weight += computeWeight(object) - (before === undefined ? 0 : computeWeight(before));
    this.#objects.set(sortKey, object);
    if (object) {
      if (!before) this.#sortedKeys.add(sortKey);
      if (hasIdItem(object.kind)) this.#ids.set(object.id, sortKey);
    } else if (before) this.#sortedKeys.remove(sortKey);
  }

  #clear(): void {
    this.#objects.clear();
    this.#ids.clear();
    this.#prefixes.clear();
    this.#sortedKeys = new SortedKeys();
    this.#weight = 0;
  }

  #covers(prefix: string): boolean {
    return listPrefixes(prefix).some((one) => this.#prefixes.has(one));
  }

  /** Returns false if the owner is not known to exist: the sweeper may delete the object without a commit. */
  #isLasting(object: AnyObject): boolean {
    const owner = getOwnerId(object);
    return owner === undefined || typeof this.#ids.get(owner) === "string";
  }
}

/** Tests whether the entries include all that some reader may not see yet. `now` is in milliseconds. */
export function coversUnseen({ recent }: Head, now: number): boolean {
  const [oldest] = recent;
  if (!oldest) return false;
  // A publication becomes visible at once.
  const isWhole = oldest.revision === 1 || recent.some(({ touched }) => !touched);
  return isWhole || Date.parse(oldest.time) + LIMITS.settledMs < now;
}

function keepNeededEntries(entries: LogEntry[]): readonly LogEntry[] {
  const now = Date.parse(entries.at(-1)?.time ?? "");
  const index = entries.findIndex(({ time }) => Date.parse(time) + LIMITS.settledMs >= now);
  return entries.slice(Math.max(0, Math.min(index - 1, entries.length - HEAD_ENTRIES))).slice(-LOOK_BACK_ENTRIES);
}

const OWNERS: ReadonlySet<string> = new Set<KindName>(["model", "entity", "relationship", "tag_group"]);

function listPrefixes(sortKey: string): readonly string[] {
  const kind = sortKey.indexOf("#") + 1;
  const owner = sortKey.indexOf("#", kind) + 1;
  return ["", sortKey.slice(0, kind), sortKey.slice(0, owner)];
}

function computeWeight(object: AnyObject | null) {
  if (!object) return 1;
  let text = 0;
  for (const value of Object.values(object)) {
    if (typeof value === "string") text += value.length;
    else if (typeof value === "object") text += JSON.stringify(value).length;
  }
  return Math.max(1, Math.ceil(text / CHARACTERS_PER_OBJECT));
}
