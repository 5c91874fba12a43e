import type { Ambient } from "../../actions/contract/call.ts";
import type { AnyObject } from "../../domain/objects.ts";
import { type WholeEntry, wholeEntry } from "../log/entry-changes.ts";
import { type LogEntry, logEntryOf } from "../log/log.ts";
import { applyEntry, type Objects } from "../log/replay.ts";
import { type ItemKey, logKey } from "../table/keys.ts";
import type { Item, Table, Write } from "../table/table.ts";
import type { Finding, Mend } from "./finding.ts";

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
  readonly judge: (item: Item | undefined) => readonly Finding[];
}

/** A publication or a tombstone came while the model was checked: it has to be checked anew. */
export class StateReplaced extends Error {}

/** Places asked at once; that many of the largest objects fit the 4 MB that TransactGetItems answers. */
const ASKED = 10;

/**
 * The certain findings for these items. They are read together with the next revision of the log in one serializable
 * read: while that revision is not taken, every item is as the last commit left it. Commits that came meanwhile are
 * applied to the expected state. `StateReplaced`.
 */
export async function confirmed(expected: ExpectedState, rules: readonly ItemRule[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (let at = 0; at < rules.length; at += ASKED) {
    const asked = rules.slice(at, at + ASKED);
    for (;;) {
      const next = logKey(expected.model, expected.head.revision + 1);
      const [entry, ...items] = await expected.table.transactGet([next, ...asked.map(({ key }) => key)]);
      if (!entry) {
        findings.push(...asked.flatMap(({ judge }, i) => judge(items[i])));
        break;
      }
      step(expected, await wholeEntry(expected.table, logEntryOf(entry)));
    }
  }
  return findings;
}

function step(expected: ExpectedState, entry: WholeEntry): void {
  if (!entry.changes || entry.state !== "live" || expected.head.state !== "live") throw new StateReplaced();
  if (applyEntry(expected.objects, entry).length > 0) throw new StateReplaced();
  for (const change of entry.changes) if (change.does === "delete") expected.removed.add(change.id);
  expected.byId = byIdOf(expected.objects);
  expected.head = entry;
}

/** Objects by id. */
export function byIdOf(objects: Objects): ReadonlyMap<string, AnyObject> {
  return new Map([...objects.values()].map((object) => [object.id, object]));
}

/** A mend by the log, which happens only while the log has not moved on. */
export function byLog(expected: ExpectedState, how: string, ...writes: readonly Write[]): Mend {
  const unmoved: Write = { check: logKey(expected.model, expected.head.revision + 1), expect: { absent: true } };
  return { how, by: [unmoved, ...writes] };
}
