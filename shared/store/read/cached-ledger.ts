import type { KindName } from "../../domain/kinds.ts";
import { LIMITS } from "../../domain/limits.ts";
import { type AnyObject, ownerOf } from "../../domain/model/objects.ts";
import { HEAD_ENTRIES, type Head, LOOK_BACK_ENTRIES, type LogChange, type LogEntry } from "../log/log.ts";
import { applyRecentChange, listSortKeys } from "../log/recent-entries.ts";
import { hasIdItem, objectSortKey } from "../table/keys.ts";
import { createSortedKeys } from "./read-ahead.ts";

/** What a call read of one ledger, right at the revision that it ended at; null stands for an object that is not there. */
export interface ObjectsRead {
  /** Objects by sort key. */
  readonly objects: Map<string, AnyObject | null>;
  /** Sort keys by id. */
  readonly ids: Map<string, string | null>;
  /** Sort-key prefixes of which every object was read; "" for the whole ledger. */
  readonly prefixes: Set<string>;
}

export function createObjectsRead(): ObjectsRead {
  return { objects: new Map(), ids: new Map(), prefixes: new Set() };
}

/** The rows of a list to read from memory: those after a sort key, at most so many. */
export interface CachedRange {
  readonly prefix: string;
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
}

/**
 * The part of a ledger that a process has read, as it is at one revision. Objects whose owner is gone are never among it,
 * so that all it knows of a prefix is living.
 */
export interface CachedLedger {
  readonly generation: string;
  /** Its newest entry, and all that this process has followed, at least as far back as commits may not show yet. */
  readonly head: Head;
  /** Roughly how much memory it takes, in objects of a common size. */
  readonly weight: number;
  /** The object at a sort key; null where there is none, undefined where it was not read. */
  getObject(sortKey: string): AnyObject | null | undefined;
  /** The sort key an id leads to; null where it leads nowhere, undefined where it was not read. */
  getSortKey(id: string): string | null | undefined;
  /** Objects in the order of their sort keys; undefined where not all of the prefix were read. */
  listRange(range: CachedRange): readonly AnyObject[] | undefined;
  /** Adds what was read at the same revision. */
  add(facts: ObjectsRead): void;
  /**
   * Moves on to the next revision with its changes; what these leave in doubt is no longer known. False for a commit that
   * nothing can follow, such as a publication.
   */
  advance(entry: LogEntry, changes: readonly LogChange[] | undefined): boolean;
}

/** Characters of text that weigh as much as one object. */
const CHARACTERS_PER_OBJECT = 500;

/** What a ledger weighs of which nothing is known: its maps take as much memory as some objects. */
const LEDGER_WEIGHT = 4;

/** What is known of a ledger at its head, nothing yet. */
export function createCachedLedger(generation: string, first: Head): CachedLedger {
  const objects = new Map<string, AnyObject | null>();
  const ids = new Map<string, string | null>();
  const prefixes = new Set<string>();
  let sorted = createSortedKeys();
  let head = first;
  let weight = 0;

  const put = (sortKey: string, object: AnyObject | null): void => {
    const before = objects.get(sortKey);
    weight += computeWeight(object) - (before === undefined ? 0 : computeWeight(before));
    objects.set(sortKey, object);
    if (object) {
      if (!before) sorted.add(sortKey);
      if (hasIdItem(object.kind)) ids.set(object.id, sortKey);
    } else if (before) sorted.remove(sortKey);
  };

  /** True where every object under the prefix was read, itself or in a wider one. */
  const covers = (prefix: string): boolean => listPrefixes(prefix).some((one) => prefixes.has(one));

  const known = (sortKey: string) =>
    objects.get(sortKey) ?? (objects.has(sortKey) || covers(sortKey) ? null : undefined);

  const clear = (): void => {
    objects.clear();
    ids.clear();
    prefixes.clear();
    sorted = createSortedKeys();
    weight = 0;
  };

  /** Applies a change as far as it concerns what is known; false where what is known is wrong. */
  const applied = (change: LogChange, revision: number): boolean => {
    for (const sortKey of listSortKeys(change)) {
      const before = known(sortKey);
      const isWhole = change.does !== "update" || change.from !== undefined;
      if (before === undefined && !isWhole) continue;
      const after = applyRecentChange(before ?? undefined, sortKey, change, revision);
      if (!isWhole && after?.revision !== revision) return false;
      put(sortKey, after ?? null);
    }
    if (change.does === "delete") ids.set(change.id, null);
    return true;
  };

  /** False for an object that the sweeper may delete without a commit: one whose owner is not known to be there. */
  const isSettled = (object: AnyObject): boolean => {
    const owner = ownerOf(object);
    return owner === undefined || typeof ids.get(owner) === "string";
  };

  return {
    generation,
    get head() {
      return head;
    },
    get weight() {
      return LEDGER_WEIGHT + weight + ids.size + head.recent.length;
    },
    getObject: known,
    getSortKey: (id) => ids.get(id) ?? (ids.has(id) || prefixes.has("") ? null : undefined),
    listRange: ({ prefix, after, limit = Number.POSITIVE_INFINITY }) => {
      if (!covers(prefix)) return undefined;
      // Each of these keys has an object.
      return sorted.listRange(prefix, after, limit).map((sortKey) => objects.get(sortKey) as AnyObject);
    },
    add: (facts) => {
      const { revision } = head.entry;
      // An object of a later revision may be of the call's own commit, which is not applied yet.
      const read = [...facts.objects.values()].filter((object) => object !== null);
      if (read.some((object) => object.revision > revision)) return;
      for (const [id, sortKey] of facts.ids) ids.set(id, sortKey);
      for (const { kind, id, ...object } of read) {
        if (hasIdItem(kind)) ids.set(id, objectSortKey({ kind, ...object }));
      }
      for (const [sortKey, object] of facts.objects) {
        if (!object || isSettled(object)) put(sortKey, object);
      }
      if (read.every(isSettled)) for (const prefix of facts.prefixes) prefixes.add(prefix);
    },
    advance: (entry, changes) => {
      if (entry.revision !== head.entry.revision + 1 || entry.generation !== generation) return false;
      if (!entry.touched || entry.state !== "live") return false;
      head = { entry, recent: keepNeededEntries([...head.recent, entry]) };
      // What belonged to a removed owner goes without a commit of its own.
      if (!changes || changes.some(removesOwner) || !changes.every((change) => applied(change, entry.revision)))
        clear();
      return true;
    },
  };
}

/** True for a head whose recent entries are all those that some reader may not see yet; `now` in milliseconds. */
export function coversUnseen({ recent }: Head, now: number): boolean {
  const [oldest] = recent;
  if (!oldest) return false;
  // A publication shows as a whole.
  const isWhole = oldest.revision === 1 || recent.some(({ touched }) => !touched);
  return isWhole || Date.parse(oldest.time) + LIMITS.settledMs < now;
}

/** The entries that may still be applied to what is read, and one before them. */
function keepNeededEntries(entries: LogEntry[]): readonly LogEntry[] {
  const now = Date.parse(entries.at(-1)?.time ?? "");
  const unseen = entries.findIndex(({ time }) => Date.parse(time) + LIMITS.settledMs >= now);
  return entries.slice(Math.max(0, Math.min(unseen - 1, entries.length - HEAD_ENTRIES))).slice(-LOOK_BACK_ENTRIES);
}

/** True for a deletion that leaves objects of what is deleted to the sweeper. */
function removesOwner({ does, kind }: LogChange): boolean {
  return does === "delete" && OWNERS.has(kind);
}

/** Kinds that others belong to. */
const OWNERS: ReadonlySet<string> = new Set<KindName>(["model", "entity", "relationship", "tag_group"]);

/** The prefixes that hold a sort key or a prefix: all, its kind, its owner. */
function listPrefixes(sortKey: string): readonly string[] {
  const kind = sortKey.indexOf("#") + 1;
  const owner = sortKey.indexOf("#", kind) + 1;
  return ["", sortKey.slice(0, kind), sortKey.slice(0, owner)];
}

function computeWeight(object: AnyObject | null): number {
  if (!object) return 1;
  let text = 0;
  for (const value of Object.values(object)) {
    if (typeof value === "string") text += value.length;
    else if (typeof value === "object") text += JSON.stringify(value).length;
  }
  return Math.max(1, Math.ceil(text / CHARACTERS_PER_OBJECT));
}
