import type { Ambient } from "../../actions/contract/call.ts";
import type { AnyObject } from "../../domain/model/objects.ts";
import { type LogEntry, readWholeEntry, toLogEntry, type WholeEntry } from "../log/log.ts";
import { applyEntry, type Objects } from "../log/replay.ts";
import { type ItemKey, logKey } from "../table/keys.ts";
import type { Item, Table, Write } from "../table/table.ts";
import type { Repair, Violation } from "./violation.ts";

/** Milliseconds after which work that the sweeper should have done counts as forgotten. */
export const DAY_MS = 24 * 3_600_000;

/** One model as its log gives it at one revision, to hold the table against. */
export interface ExpectedState {
  readonly table: Table;
  readonly ambient: Ambient;
  readonly model: string;
  /** The newest log entry; it changes while the model is checked. */
  head: LogEntry;
  readonly objects: Objects;
  /** The objects by id. */
  byId: ReadonlyMap<string, AnyObject>;
  /** Names of the blobs that its log makes real. */
  readonly blobs: ReadonlySet<string>;
  /** Every generation that its log names. */
  readonly generations: ReadonlySet<string>;
  /** Ids of objects that were removed within the last day: objects they owned may still be stored. */
  readonly removed: Set<string>;
}

/** A key of the table and the rule for its item. */
export interface ItemRule {
  readonly key: ItemKey;
  /** The findings for the item there, by the expected state at the time of the call. */
  readonly check: (item: Item | undefined) => readonly Violation[];
}

/** A publication or a tombstone came while the model was checked: it has to be checked anew. */
export class StateReplaced extends Error {}

/** Places asked at once; that many of the largest objects fit the 4 MB that TransactGetItems answers. */
const RULES_PER_READ = 10;

/**
 * The certain findings for these items. They are read together with the next revision of the log in one serializable
 * read: while that revision is not taken, every item is as the last commit left it. Commits that came meanwhile are
 * applied to the expected state. `StateReplaced`.
 */
export async function confirmRules(expected: ExpectedState, rules: readonly ItemRule[]): Promise<Violation[]> {
  const findings: Violation[] = [];
  for (let at = 0; at < rules.length; at += RULES_PER_READ) {
    const asked = rules.slice(at, at + RULES_PER_READ);
    for (;;) {
      const next = logKey(expected.model, expected.head.revision + 1);
      const [entry, ...items] = await expected.table.transactGet([next, ...asked.map(({ key }) => key)]);
      if (!entry) {
        findings.push(...asked.flatMap(({ check: judge }, i) => judge(items[i])));
        break;
      }
      advanceState(expected, await readWholeEntry(expected.table, toLogEntry(entry)));
    }
  }
  return findings;
}

function advanceState(expected: ExpectedState, entry: WholeEntry): void {
  if (!entry.changes || entry.state !== "live" || expected.head.state !== "live") throw new StateReplaced();
  if (applyEntry(expected.objects, entry).length > 0) throw new StateReplaced();
  for (const change of entry.changes) if (change.does === "delete") expected.removed.add(change.id);
  expected.byId = indexById(expected.objects);
  expected.head = entry;
}

/** Objects by id. */
export function indexById(objects: Objects): ReadonlyMap<string, AnyObject> {
  return new Map([...objects.values()].map((object) => [object.id, object]));
}

/** A mend by the log, which happens only while the log has not moved on. */
export function createRepair(expected: ExpectedState, how: string, ...writes: readonly Write[]): Repair {
  const unmoved: Write = { check: logKey(expected.model, expected.head.revision + 1), expect: { absent: true } };
  return { how, by: [unmoved, ...writes] };
}
