import type { Ambient } from "../../actions/contract/call.ts";
import type { AnyObject } from "../../domain/objects.ts";
import { type WholeEntry, wholeEntry } from "../log/entry-changes.ts";
import { type LogEntry, logEntryOf } from "../log/log.ts";
import { applyEntry, type Objects } from "../log/replay.ts";
import { type ItemKey, logKey } from "../table/keys.ts";
import type { Item, Table, Write } from "../table/table.ts";
import type { Finding, Mend } from "./finding.ts";

/** Time after which what should have been swept counts as forgotten. */
export const DAY_MS = 24 * 3_600_000;

/** One model as its log gives it at one revision, to hold the table against. */
export interface ExpectedState {
  readonly table: Table;
  readonly ambient: Ambient;
  readonly model: string;
  /** Moves on while the model is checked. */
  head: LogEntry;
  readonly objects: Objects;
  /** The same by id. */
  byId: ReadonlyMap<string, AnyObject>;
  /** Names of the blobs that its log makes real. */
  readonly blobs: ReadonlySet<string>;
  /** Every generation that its log names. */
  readonly generations: ReadonlySet<string>;
  /** Ids of objects that were removed within the last day: what they owned may still be there. */
  readonly removed: Set<string>;
}

/** A place of the table and the rule for it. */
export interface ItemRule {
  readonly key: ItemKey;
  /** What is wrong with the item there, by the expected state as it stands when it is asked. */
  readonly judge: (item: Item | undefined) => readonly Finding[];
}

/** A publication or a tombstone came while the model was checked: it has to be checked anew. */
export class Moved extends Error {}

/** Places asked at once; so many of the largest objects fit the 4 MB that TransactGetItems answers. */
const ASKED = 10;

/**
 * What is wrong with these places for certain. They are asked together with the next revision of the log, serializably: while
 * it is not taken, every item is as the last commit left it. Commits that came meanwhile move that state on. `Moved`.
 */
export async function confirmed(expected: ExpectedState, places: readonly ItemRule[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (let at = 0; at < places.length; at += ASKED) {
    const asked = places.slice(at, at + ASKED);
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
  if (!entry.changes || entry.state !== "live" || expected.head.state !== "live") throw new Moved();
  if (applyEntry(expected.objects, entry).length > 0) throw new Moved();
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
