import { LIMITS } from "../../domain/limits.ts";
import type { Change } from "../../domain/model/changes.ts";
import { type Head, type LogChange, type LogEntry, toLogChange } from "../log/log.ts";
import { CachedLedger, coversUnseen, type ObjectsRead } from "./cached-ledger.ts";

/** Objects that a call read of a ledger, at the head where the call ended. */
export interface ReadLedger {
  readonly ledgerId: string;
  readonly generation: string;
  readonly head: Head;
  readonly facts: ObjectsRead;
}

/** Cached ledgers of a process, each at one revision. Only the log shows whether that is still the newest. */
export interface ModelCache {
  get(ledgerId: string): CachedLedger | undefined;
  /** Returns the id of the model that last had a key. */
  findId(modelKey: string): string | undefined;
  /** Adds objects that a call read. Older cached objects are updated to the call's head, or removed. */
  learn(learned: ReadLedger): void;
  /** Updates a ledger to a head, or removes it if a commit in between is missing. Returns the cached ledger. */
  catchUp(ledgerId: string, head: Head): CachedLedger | undefined;
  /** Applies the next commit with its changes. */
  advance(ledgerId: string, entry: LogEntry, changes: readonly Change[]): void;
  forget(ledgerId: string): void;
  /** Approximate memory, in objects of a common size. */
  readonly weight: number;
}

interface Kept {
  readonly known: CachedLedger;
  /** Milliseconds since the epoch. */
  readonly since: number;
  weight: number;
}

/**
 * Creates a cache for so many objects. It evicts the least recently used ledger first. `now` is in milliseconds since
 * the epoch.
 */
export function createModelCache(now: () => number, most: number = LIMITS.cachedObjects): ModelCache {
  /** Least recently used first. */
  const all = new Map<string, Kept>();
  const ids = new Map<string, string>();
  let weight = 0;

  const forget = (ledgerId: string): void => {
    const kept = all.get(ledgerId);
    if (!kept) return;
    weight -= kept.weight;
    all.delete(ledgerId);
    const { key } = kept.known.head.entry;
    if (ids.get(key) === ledgerId) ids.delete(key);
  };

  const of = (ledgerId: string): Kept | undefined => {
    const kept = all.get(ledgerId);
    if (kept && kept.since + LIMITS.cachedMs < now()) forget(ledgerId);
    return all.get(ledgerId);
  };

  /** Updates the weight of a ledger, marks it as most recently used, and evicts others until all fit. */
  const used = (ledgerId: string, kept: Kept): void => {
    weight += kept.known.weight - kept.weight;
    kept.weight = kept.known.weight;
    all.delete(ledgerId);
    all.set(ledgerId, kept);
    // A ledger larger than the whole cache is evicted itself instead of evicting all others.
    for (const id of kept.weight > most ? [ledgerId] : all.keys()) {
      if (weight <= most) break;
      forget(id);
    }
  };

  /** Applies an entry to the cached revision before it, or removes the ledger. Returns the cached entry. */
  const apply = (
    ledgerId: string,
    kept: Kept,
    entry: LogEntry,
    changes: readonly LogChange[] | undefined,
  ): Kept | undefined => {
    const { head } = kept.known;
    if (head.entry.revision >= entry.revision) return kept;
    if (entry.key === head.entry.key && kept.known.advance(entry, changes)) used(ledgerId, kept);
    else forget(ledgerId);
    return all.get(ledgerId);
  };

  /** Updates a ledger to a head. Returns the cached entry. */
  const catchUp = (ledgerId: string, head: Head): Kept | undefined => {
    let kept = of(ledgerId);
    if (!kept || kept.known.head.entry.revision >= head.entry.revision) return kept;
    for (const entry of head.recent) {
      // Changes of other processes in blobs are not read for this.
      kept &&= apply(ledgerId, kept, entry, entry.blob === undefined ? entry.touched : undefined);
    }
    return kept;
  };

  return {
    get weight() {
      return weight;
    },
    get: (ledgerId) => of(ledgerId)?.known,
    findId: (modelKey) => ids.get(modelKey),
    catchUp: (ledgerId, head) => catchUp(ledgerId, head)?.known,
    advance: (ledgerId, entry, changes) => {
      const kept = of(ledgerId);
      if (kept) apply(ledgerId, kept, entry, changes.map(toLogChange));
    },
    learn: ({ ledgerId, generation, head, facts }) => {
      const kept = catchUp(ledgerId, head) ?? { known: new CachedLedger(generation, head), since: now(), weight: 0 };
      // Another call may have read a newer revision.
      if (kept.known.head.entry.revision !== head.entry.revision) return;
      // The objects may lack a commit that is not visible yet, unless all such commits were applied.
      if (coversUnseen(head, now()) && facts.objects.size <= most) kept.known.add(facts);
      ids.set(head.entry.key, ledgerId);
      used(ledgerId, kept);
    },
    forget,
  };
}
