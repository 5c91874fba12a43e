import { isDeepStrictEqual } from "node:util";
import type { AnyObject } from "../../domain/objects.ts";
import type { LogEntry } from "../log/log.ts";
import { type Objects, snapshotObjects } from "../log/replay.ts";
import { pointerOf, snapshotValue } from "../log/snapshots.ts";
import { snapshotKey } from "../table/keys.ts";
import { itemsOf } from "../table/pages.ts";
import type { Item, Table } from "../table/table.ts";
import { readable } from "./entry-blobs.ts";
import { type Finding, remove } from "./finding.ts";

/** The snapshots that the sweeper made of one ledger, held against its log as it is walked. */
export interface Snapshots {
  /** Notes the state of the ledger after each revision. */
  visit(entry: LogEntry, objects: Objects): void;
  /** Names of their blobs. */
  readonly blobs: readonly string[];
  /** Findings for snapshots that differ from what the log gave on the way. */
  findings(): Promise<readonly Finding[]>;
}

/** The objects that the log gives at the revision of a snapshot. */
interface LoggedState {
  readonly generation: string;
  readonly objects: readonly AnyObject[];
}

export async function readSnapshots(table: Table, ledger: string): Promise<Snapshots> {
  const { pk } = snapshotKey(ledger, 0);
  const items: Item[] = [];
  for await (const item of itemsOf(table, { pk })) items.push(item);
  const logged = new Map<number, LoggedState>();
  return {
    blobs: items.map((item) => pointerOf(item).blob),
    visit: ({ revision, generation }, objects) => {
      if (!items.some((item) => pointerOf(item).revision === revision)) return;
      logged.set(revision, { generation, objects: snapshotValue(objects.values()) });
    },
    findings: async () => {
      const findings: Finding[] = [];
      for (const item of items) {
        const why = await wrong(table, item, logged.get(pointerOf(item).revision));
        if (why !== undefined) findings.push(findingOf(item, why));
      }
      return findings;
    },
  };
}

/** The finding for a snapshot. Deleting the snapshot loses nothing: it is a shorter way to a state that the log gives. */
function findingOf(item: Item, why: string): Finding {
  const { pk, sk } = item;
  const sentence = `the snapshot of revision ${pointerOf(item).revision} cannot be used: ${why}`;
  return { code: "snapshot-wrong", place: { pk, sk }, sentence, mend: { how: "It is deleted.", by: [remove(item)] } };
}

async function wrong(table: Table, item: Item, logged: LoggedState | undefined): Promise<string | undefined> {
  const { generation, blob } = pointerOf(item);
  if (!logged) return "the log has no such revision";
  if (generation !== logged.generation) return `it names the generation ${generation}, the log ${logged.generation}`;
  const kept = await readable(() => snapshotObjects(table, blob));
  if (typeof kept === "string") return kept;
  const same = isDeepStrictEqual(snapshotValue(kept.values()), logged.objects);
  return same ? undefined : "it is not what the log gives there";
}
