import type { Change } from "../../domain/model/changes.ts";
import { type LogEntry, toLogChange } from "../log/log.ts";
import { listSortKeys } from "../log/recent-entries.ts";
import { ownedBy } from "../table/keys.ts";

/** Keys, ids and prefixes that the answer of a call depends on, to detect later commits that touch them. */
export interface Reads {
  /** Notes a read of the object at a sort key. `sure` is true if it existed, at the view's revision or before. */
  notePoint(sk: string, sure: boolean): void;
  /** Notes that the answer depends on the sort key of an id, or on its absence. */
  noteId(id: string): void;
  /** Notes that all objects with a prefix were read; "" for the whole partition. */
  notePrefix(prefix: string): void;
  /** Notes reads from the cache, which are valid at the view's revision and need no confirmation by themselves. */
  readonly cached: Pick<Reads, "noteId" | "notePrefix"> & { notePoint(sk: string): void };
  /** Notes the keys and ids that a commit writes, as if they had been read. */
  noteWrites(changes: readonly Change[]): void;
  /** Returns true if a commit touches a key, id or prefix that was read. */
  isTouchedBy(entry: LogEntry): boolean;
  /** Returns the question to ask before the answer is given; undefined if none is needed. */
  getQuestion(): Question | undefined;
  /** True while no read has confirmed that the first revision is the newest. */
  readonly isAssumed: boolean;
  /** Notes that all reads so far are confirmed at a later revision. */
  markConfirmed(): void;
}

/**
 * - `serializable`: the answer depends on several items or on an absence read from the table, so a commit under way has
 *   to be waited for.
 * - `plain`: it depends only on cached data of one revision, and no read has confirmed that this is the newest.
 */
export type Question = "serializable" | "plain";

/** Creates an empty record of reads. `isAssumed` is true if no read has confirmed the first revision. */
export function createReads(isAssumed = false): Reads {
  const points = new Set<string>();
  const ids = new Set<string>();
  const prefixes: string[] = [];
  let absences = 0;
  let unconfirmed = 0;
  let assumed = isAssumed;
  return {
    notePoint: (sk, sure) => {
      points.add(sk);
      unconfirmed += 1;
      if (!sure) absences += 1;
    },
    noteId: (id) => {
      ids.add(id);
      absences += 1;
    },
    notePrefix: (prefix) => {
      prefixes.push(prefix);
      absences += 1;
    },
    cached: {
      notePoint: (sk) => points.add(sk),
      noteId: (id) => ids.add(id),
      notePrefix: (prefix) => prefixes.push(prefix),
    },
    noteWrites: (changes) => {
      for (const one of changes) {
        const change = toLogChange(one);
        for (const sk of listSortKeys(change)) points.add(sk);
        ids.add(change.id);
      }
    },
    isTouchedBy: (entry) => {
      // A publication or a tombstone changes everything at once.
      if (!entry.touched || entry.state !== "live") return true;
      return entry.touched.some((change) => {
        if (ids.has(change.id)) return true;
        // Objects are deleted with their owner.
        const owned = change.does === "delete" ? ownedBy(change.id) : undefined;
        return (
          listSortKeys(change).some((sk) => points.has(sk) || prefixes.some((p) => sk.startsWith(p))) ||
          (owned !== undefined && [...points, ...prefixes].some((read) => read.includes(owned)))
        );
      });
    },
    getQuestion: () => {
      if (absences > 0 || unconfirmed > 1 || (assumed && unconfirmed > 0)) return "serializable";
      return assumed ? "plain" : undefined;
    },
    get isAssumed() {
      return assumed;
    },
    markConfirmed: () => {
      assumed = false;
      absences = 0;
      unconfirmed = 0;
    },
  };
}
