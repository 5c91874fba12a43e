import type { AnyObject } from "../../domain/model/objects.ts";
import { type LogEntry, readWholeEntry, toLogEntry, type WholeEntry } from "../log/log.ts";
import { applyEntry, type Objects } from "../log/replay.ts";
import { type ItemKey, logKey } from "../table/keys.ts";
import type { Item, Table, Write } from "../table/table.ts";
import type { Repair, Violation } from "./violation.ts";

/** Milliseconds after which pending work of the sweeper counts as forgotten. */
export const DAY_MS = 24 * 3_600_000;

/** State of one model by its log at one revision, to compare the table with. */
export interface ExpectedState {
  readonly table: Table;
  readonly model: string;
  /** Newest log entry, with revision 0 for an empty log. It advances while the model is checked. */
  head: LogEntry;
  readonly objects: Objects;
  byId: ReadonlyMap<string, AnyObject>;
  readonly blobs: ReadonlySet<string>;
  readonly generations: ReadonlySet<string>;
  /** Ids of objects removed within the last day. Objects they owned may still be stored. */
  readonly removals: Set<string>;
}

/** A key of the table and the rule for its item. */
export interface ItemRule {
  readonly key: ItemKey;
  readonly check: (item: Item | undefined) => readonly Violation[];
}

/** The model was published or deleted during the check, so the check has to start again. */
export class StateReplaced extends Error {}

/** Items read together. This many of the largest objects fit into the 4 MB of TransactGetItems. */
const RULES_PER_READ = 10;

/** Checks rules by serializable reads with the next log entry. Applies newer commits. Throws `StateReplaced`. */
export async function confirmRules(state: ExpectedState, rules: readonly ItemRule[]): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (let at = 0; at < rules.length; at += RULES_PER_READ) {
    const batch = rules.slice(at, at + RULES_PER_READ);
    for (;;) {
      const next = logKey(state.model, state.head.revision + 1);
      const [entry, ...items] = await state.table.transactGet([next, ...batch.map(({ key }) => key)]);
      if (!entry) {
        violations.push(...batch.flatMap(({ check }, i) => check(items[i])));
        break;
      }
      advanceState(state, await readWholeEntry(state.table, toLogEntry(entry)));
    }
  }
  return violations;
}

function advanceState(state: ExpectedState, entry: WholeEntry) {
  if (!entry.changes || entry.state !== "live" || state.head.state !== "live") throw new StateReplaced();
  if (applyEntry(state.objects, entry).length > 0) throw new StateReplaced();
  for (const change of entry.changes) if (change.does === "delete") state.removals.add(change.id);
  state.byId = indexById(state.objects);
  state.head = entry;
}

/** Indexes objects by id. */
export function indexById(objects: Objects): ReadonlyMap<string, AnyObject> {
  return new Map([...objects.values()].map((object) => [object.id, object]));
}

/** Creates a repair that is done only if the log has no newer commit. */
export function createRepair(state: ExpectedState, text: string, ...writes: readonly Write[]): Repair {
  const headCheck: Write = { check: logKey(state.model, state.head.revision + 1), expect: { absent: true } };
  return { how: text, by: [headCheck, ...writes] };
}
