import { LIMITS } from "../../domain/limits.ts";
import type { Change } from "../../domain/model/changes.ts";
import { type Head, type LogChange, type LogEntry, toLogChange } from "../log/log.ts";
import { CachedLedger, coversUnseen, type ObjectsRead } from "./cached-ledger.ts";

/** What a call read of a ledger, at the head that it ended at. */
export interface Learned {
  readonly ledgerId: string;
  readonly generation: string;
  readonly head: Head;
  readonly facts: ObjectsRead;
}

/** What a process knows of ledgers, each at one revision; only the log tells whether that is still the newest. */
export interface ModelCache {
  of(ledgerId: string): CachedLedger | undefined;
  /** The id of the model that had a key when it was last asked about. */
  idOf(modelKey: string): string | undefined;
  /** Adds what a call read; what was known before the head it was read at is brought up to that, or forgotten. */
  learn(learned: Learned): void;
  /** Brings a ledger up to a head, or forgets it if a commit in between is missing. Returns what is cached then. */
  catchUp(ledgerId: string, head: Head): CachedLedger | undefined;
  /** Applies the next commit, with its changes wherever they are kept. */
  advance(ledgerId: string, entry: LogEntry, changes: readonly Change[]): void;
  forget(ledgerId: string): void;
  /** Roughly how much memory it takes, in objects of a common size. */
  readonly weight: number;
}

interface Kept {
  readonly known: CachedLedger;
  /** Milliseconds since the epoch. */
  readonly since: number;
  weight: number;
}

/** A cache for so many objects, the least recently used ledger dropped first; `now` in milliseconds since the epoch. */
export function createModelCache(now: () => number, most: number = LIMITS.cachedObjects): ModelCache {
  /** The least recently used first. */
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

  /** Weighs again what has changed, as the most recently used, and drops others until all fit. */
  const used = (ledgerId: string, kept: Kept): void => {
    weight += kept.known.weight - kept.weight;
    kept.weight = kept.known.weight;
    all.delete(ledgerId);
    all.set(ledgerId, kept);
    // One that is too large alone drives out no other.
    for (const id of kept.weight > most ? [ledgerId] : all.keys()) {
      if (weight <= most) break;
      forget(id);
    }
  };

  /** Applies an entry to the cached revision before it, or forgets the ledger. Returns what is cached then. */
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

  /** Brings a ledger up to a head. Returns what is cached then. */
  const catchUp = (ledgerId: string, head: Head): Kept | undefined => {
    let kept = of(ledgerId);
    if (!kept || kept.known.head.entry.revision >= head.entry.revision) return kept;
    for (const entry of head.recent) {
      // The changes of others that lie in a blob are not read for this.
      kept &&= apply(ledgerId, kept, entry, entry.blob === undefined ? entry.touched : undefined);
    }
    return kept;
  };

  return {
    get weight() {
      return weight;
    },
    of: (ledgerId) => of(ledgerId)?.known,
    idOf: (modelKey) => ids.get(modelKey),
    catchUp: (ledgerId, head) => catchUp(ledgerId, head)?.known,
    advance: (ledgerId, entry, changes) => {
      const kept = of(ledgerId);
      if (kept) apply(ledgerId, kept, entry, changes.map(toLogChange));
    },
    learn: ({ ledgerId, generation, head, facts }) => {
      const kept = catchUp(ledgerId, head) ?? { known: new CachedLedger(generation, head), since: now(), weight: 0 };
      // Another call may have read what is newer.
      if (kept.known.head.entry.revision !== head.entry.revision) return;
      // What was read may lack a commit that does not show yet, unless all of these were applied to it.
      if (coversUnseen(head, now()) && facts.objects.size <= most) kept.known.add(facts);
      ids.set(head.entry.key, ledgerId);
      used(ledgerId, kept);
    },
    forget,
  };
}
