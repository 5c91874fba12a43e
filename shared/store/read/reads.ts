import type { Change } from "../../domain/model/changes.ts";
import { type LogEntry, toLogChange } from "../log/log.ts";
import { listSortKeys } from "../log/recent-entries.ts";
import { ownedBy } from "../table/keys.ts";

/** The keys, ids and prefixes that the answer of a call rests on, to tell whether a later commit touches them. */
export interface Reads {
  /** Notes that an object was read by its sort key; `sure` when it was there, at the view's revision or before. */
  notePoint(sk: string, sure: boolean): void;
  /** Notes that the answer rests on where an id leads, or on its leading nowhere. */
  noteId(id: string): void;
  /** Notes that all objects with a prefix were read; "" for the whole partition. */
  notePrefix(prefix: string): void;
  /** The same for what was known at the view's revision, so that of itself it needs no confirmation. */
  readonly cached: Pick<Reads, "noteId" | "notePrefix"> & { notePoint(sk: string): void };
  /** Notes the keys and ids that a commit writes: another commit that touches them counts like one that touches what was read. */
  noteWrites(changes: readonly Change[]): void;
  /** True when a commit touches a key, id or prefix that was read. */
  isTouchedBy(entry: LogEntry): boolean;
  /** The question that the answer needs before it is given; undefined where it stands as it is. */
  getQuestion(): Question | undefined;
  /** True while nobody has asked whether the revision it began at is the newest. */
  readonly isAssumed: boolean;
  /** Notes that all reads so far were confirmed at a later revision. */
  markConfirmed(): void;
}

/**
 * - `serializable`: the answer rests on several items or on an absence that were read from the table, so that a commit that is
 *   under way has to be waited for.
 * - `plain`: it rests on what was known of a revision alone, and nobody asked whether that is the newest.
 */
export type Question = "serializable" | "plain";

/** The reads of a call, none yet; `isAssumed` where nobody asked whether the revision it begins at is the newest. */
export function createReads(isAssumed = false): Reads {
  const points = new Set<string>();
  const ids = new Set<string>();
  const prefixes: string[] = [];
  let absences = 0;
  let doubtful = 0;
  let assumed = isAssumed;
  return {
    notePoint: (sk, sure) => {
      points.add(sk);
      doubtful += 1;
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
        // Objects of an owner are deleted with it.
        const owned = change.does === "delete" ? ownedBy(change.id) : undefined;
        return (
          listSortKeys(change).some((sk) => points.has(sk) || prefixes.some((p) => sk.startsWith(p))) ||
          (owned !== undefined && [...points, ...prefixes].some((read) => read.includes(owned)))
        );
      });
    },
    getQuestion: () => {
      if (absences > 0 || doubtful > 1 || (assumed && doubtful > 0)) return "serializable";
      return assumed ? "plain" : undefined;
    },
    get isAssumed() {
      return assumed;
    },
    markConfirmed: () => {
      assumed = false;
      absences = 0;
      doubtful = 0;
    },
  };
}
