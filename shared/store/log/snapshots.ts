import type { AnyObject } from "../../domain/objects.ts";
import { logKey, objectSortKey, releaseKey, snapshotKey } from "../table/keys.ts";
import { itemsOf } from "../table/pages.ts";
import { FORMAT, type Item, type Table } from "../table/table.ts";
import { type LogEntry, logEntryOf } from "./log.ts";
import { applyEntry, LogBroken, logEntries, type Objects, snapshotObjects } from "./replay.ts";

/** A blob with everything there was in a ledger after a revision. */
export interface SnapshotPointer {
  readonly revision: number;
  /** The generation of that revision. */
  readonly generation: string;
  readonly blob: string;
}

/** The item that makes the blob of a snapshot real. */
export function pointerItem(ledger: string, { revision, generation, blob }: SnapshotPointer): Item {
  return { ...snapshotKey(ledger, revision), v: FORMAT, generation, blob };
}

export function pointerOf(item: Item): SnapshotPointer {
  // Written by `pointerItem`.
  const { generation, blob } = item as unknown as SnapshotPointer;
  return { revision: Number(item.sk), generation, blob };
}

/** The value of a snapshot's blob, always the same for the same objects. */
export function snapshotValue(objects: Iterable<AnyObject>): readonly AnyObject[] {
  return [...objects].sort((a, b) => (objectSortKey(a) < objectSortKey(b) ? -1 : 1));
}

/** The entry of a revision that a ledger has; `LogBroken`. */
export async function entryOf(table: Table, ledger: string, revision: number): Promise<LogEntry> {
  const item = await table.get(logKey(ledger, revision));
  if (!item) throw new LogBroken(`${ledger} has no revision ${revision}`);
  return logEntryOf(item);
}

/**
 * All objects of a ledger after a commit, from the nearest snapshot at or before it and the commits since. The log is
 * read in pages. `LogBroken`.
 */
export async function objectsAfter(table: Table, ledger: string, entry: LogEntry): Promise<Objects> {
  const { after, blob } = await nearestStart(table, ledger, entry);
  const objects: Objects = blob === undefined ? new Map() : await snapshotObjects(table, blob);
  await replay(table, ledger, objects, after, entry.revision);
  return objects;
}

/** Applies to objects, in place, the commits after a revision up to another one. `LogBroken`. */
export async function replay(
  table: Table,
  ledger: string,
  objects: Objects,
  after: number,
  last: number,
): Promise<void> {
  let reached = after;
  for await (const next of logEntries(table, ledger, after + 1, last)) {
    const [misfit] = next.revision === reached + 1 ? applyEntry(objects, next) : ["a revision is missing before it"];
    if (misfit !== undefined) throw new LogBroken(`${ledger} at revision ${next.revision}: ${misfit}`);
    reached = next.revision;
  }
  if (reached !== last) throw new LogBroken(`${ledger} has no revision ${reached + 1}`);
}

/** The start from which a past state is rebuilt: a snapshot or nothing, then every commit after a revision. */
export interface Start {
  readonly after: number;
  /** The blob of the snapshot. */
  readonly blob?: string;
}

/** The nearest snapshot at or before a commit, or the beginning of the log. `LogBroken`. */
export async function nearestStart(table: Table, ledger: string, entry: LogEntry): Promise<Start> {
  if (entry.snapshot !== undefined) return startAt(ledger, entry);
  const [swept, released] = await Promise.all([
    newestPointer(table, ledger, entry.revision),
    newestReleased(table, ledger, entry.revision),
  ]);
  const newest = released && released.revision > (swept?.revision ?? 0) ? released : swept;
  // Every publication has a generation of its own, so that one between them shows.
  if (newest?.generation === entry.generation) return { after: newest.revision, blob: newest.blob };
  const first = newest ? undefined : await entryOf(table, ledger, 1);
  if (first?.generation === entry.generation) return startAt(ledger, first);
  return startAt(ledger, await publicationOf(table, ledger, newest?.revision ?? 1, entry));
}

/**
 * The newest snapshot of the sweeper at or before a revision. The sweeper may not have made it yet; then an older one,
 * or undefined.
 */
async function newestPointer(table: Table, ledger: string, revision: number): Promise<SnapshotPointer | undefined> {
  const { pk, sk } = snapshotKey(ledger, revision);
  const { items } = await table.query({ pk, to: sk, descending: true, limit: 1 });
  return items[0] && pointerOf(items[0]);
}

/** The newest release with a snapshot at or before a revision. */
async function newestReleased(table: Table, ledger: string, revision: number): Promise<SnapshotPointer | undefined> {
  let newest: SnapshotPointer | undefined;
  for await (const item of itemsOf(table, { pk: releaseKey(ledger, "").pk })) {
    const snapshot = snapshotOfRelease(item);
    if (snapshot && snapshot.revision <= revision && snapshot.revision > (newest?.revision ?? 0)) newest = snapshot;
  }
  return newest;
}

/** The snapshot a release names; undefined for one that began a model, or was made in a batch. */
function snapshotOfRelease(item: Item): SnapshotPointer | undefined {
  // Written by `releaseWrite`.
  const { revision, generation, blob } = item as unknown as Partial<SnapshotPointer>;
  return revision !== undefined && generation !== undefined && blob !== undefined
    ? { revision, generation, blob }
    : undefined;
}

/**
 * The start at an entry that has a snapshot or is the first. Commits that its snapshot does not know are replayed like
 * those after the entry.
 */
function startAt(ledger: string, { revision, snapshot, snapshotAt }: LogEntry): Start {
  if (snapshot !== undefined) return { after: snapshotAt ?? revision, blob: snapshot };
  if (revision === 1) return { after: 0 };
  throw new LogBroken(`${ledger} has no snapshot at revision ${revision}`);
}

/** The publication that an entry's generation began with: after a revision of another generation, found by halving. */
async function publicationOf(table: Table, ledger: string, after: number, entry: LogEntry): Promise<LogEntry> {
  let [low, high] = [after, entry];
  while (high.revision - low > 1) {
    const middle = await entryOf(table, ledger, (low + high.revision) >> 1);
    if (middle.generation === entry.generation) high = middle;
    else low = middle.revision;
  }
  return high;
}
