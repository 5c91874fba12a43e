import type { Change } from "../../domain/change.ts";
import { type LogEntry, logChange } from "../log/log.ts";
import { sortKeysOf } from "../log/overlay.ts";
import { ownedBy } from "../table/keys.ts";

/** The keys, ids and prefixes that the answer of a call rests on, to tell whether a later commit touches them. */
export interface Reads {
  /** Notes that an object was read by its sort key; `sure` when it was there, at the view's revision or before. */
  point(sk: string, sure: boolean): void;
  /** Notes that the answer rests on where an id leads, or on its leading nowhere. */
  restsOnId(id: string): void;
  /** Notes that all objects with a prefix were read; "" for the whole partition. */
  scan(prefix: string): void;
  /** The same for what was known at the view's revision, so that of itself it needs no confirmation. */
  readonly known: Pick<Reads, "restsOnId" | "scan"> & { point(sk: string): void };
  /** Notes the keys and ids that a commit writes: another commit that touches them counts like one that touches what was read. */
  writes(changes: readonly Change[]): void;
  /** True when a commit touches a key, id or prefix that was read. */
  touchedBy(entry: LogEntry): boolean;
  /** The question that the answer needs before it is given; undefined where it stands as it is. */
  question(): Question | undefined;
  /** True while nobody has asked whether the revision it began at is the newest. */
  readonly isAssumed: boolean;
  /** Notes that all reads so far were confirmed at a later revision. */
  confirmed(): void;
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
    point: (sk, sure) => {
      points.add(sk);
      doubtful += 1;
      if (!sure) absences += 1;
    },
    restsOnId: (id) => {
      ids.add(id);
      absences += 1;
    },
    scan: (prefix) => {
      prefixes.push(prefix);
      absences += 1;
    },
    known: {
      point: (sk) => points.add(sk),
      restsOnId: (id) => ids.add(id),
      scan: (prefix) => prefixes.push(prefix),
    },
    writes: (changes) => {
      for (const one of changes) {
        const change = logChange(one);
        for (const sk of sortKeysOf(change)) points.add(sk);
        ids.add(change.id);
      }
    },
    touchedBy: (entry) => {
      // A publication or a tombstone changes everything at once.
      if (!entry.touched || entry.state !== "live") return true;
      return entry.touched.some((change) => {
        if (ids.has(change.id)) return true;
        // Objects of an owner are deleted with it.
        const owned = change.does === "delete" ? ownedBy(change.id) : undefined;
        return (
          sortKeysOf(change).some((sk) => points.has(sk) || prefixes.some((p) => sk.startsWith(p))) ||
          (owned !== undefined && [...points, ...prefixes].some((read) => read.includes(owned)))
        );
      });
    },
    question: () => {
      if (absences > 0 || doubtful > 1 || (assumed && doubtful > 0)) return "serializable";
      return assumed ? "plain" : undefined;
    },
    get isAssumed() {
      return assumed;
    },
    confirmed: () => {
      assumed = false;
      absences = 0;
      doubtful = 0;
    },
  };
}
