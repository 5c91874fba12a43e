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
  /** Notes the keys and ids that a commit writes: another commit that touches them counts like one that touches what was read. */
  writes(changes: readonly Change[]): void;
  /** True when a commit touches a key, id or prefix that was read. */
  touchedBy(entry: LogEntry): boolean;
  /** True when the answer rests on several items or on an absence. */
  needConfirmation(): boolean;
  /** Notes that all reads so far were confirmed at a later revision. */
  confirmed(): void;
}

export function createReads(): Reads {
  const points = new Set<string>();
  const ids = new Set<string>();
  const prefixes: string[] = [];
  let absences = 0;
  let doubtful = 0;
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
    needConfirmation: () => absences > 0 || doubtful > 1,
    confirmed: () => {
      absences = 0;
      doubtful = 0;
    },
  };
}
