import { isDeepStrictEqual } from "node:util";
import { type AnyObject, getOwnerId } from "../../domain/model/objects.ts";
import { logKey, logPartition, objectSortKey, releaseKey, snapshotKey } from "../table/keys.ts";
import { FORMAT, type Item, readItems, readPages, type Table } from "../table/table.ts";
import { readBlob } from "./blobs.ts";
import {
  type LogChange,
  type LogEntry,
  readChanges,
  readWholeEntries,
  toLogChange,
  toLogEntry,
  type WholeEntry,
} from "./log.ts";

/** Objects of a ledger by sort key. */
export type Objects = Map<string, AnyObject>;

/** The log of a ledger has a gap, or an entry that does not fit the state before it. */
export class LogBroken extends Error {}

/** Reads the entries of a ledger in a range of revisions, oldest first. */
export async function* readLogEntries(table: Table, ledger: string, from = 1, to?: number): AsyncGenerator<WholeEntry> {
  // DynamoDB rejects a range that ends before it begins.
  if (to !== undefined && to < from) return;
  const pk = logPartition(ledger);
  const range = { pk, from: logKey(ledger, from).sk, ...(to !== undefined && { to: logKey(ledger, to).sk }) };
  for await (const items of readPages(table, range)) yield* readWholeEntries(table, items.map(toLogEntry));
}

/** Reads all objects after an entry with a snapshot. Throws `LogBroken` if a commit does not fit it. */
export async function readSnapshotState(
  table: Table,
  ledger: string,
  entry: LogEntry,
  snapshot: string,
): Promise<Objects> {
  const objects = await readSnapshot(table, snapshot);
  if (entry.snapshotAt === undefined) return objects;
  for await (const laterEntry of readLogEntries(table, ledger, entry.snapshotAt + 1, entry.revision - 1)) {
    const [misfit] = applyEntry(objects, laterEntry);
    if (misfit !== undefined) throw new LogBroken(`${ledger} at revision ${laterEntry.revision}: ${misfit}`);
  }
  return objects;
}

/** Reads the changes of a commit for the history; of one that created a model, every object of its snapshot. */
export async function readHistoryChanges(table: Table, entry: LogEntry): Promise<readonly LogChange[]> {
  if (entry.touched) return readChanges(table, entry);
  // Written by a publication.
  if (entry.publication !== undefined) return (await readBlob(table, entry.publication)) as readonly LogChange[];
  const objects = entry.snapshot === undefined ? [] : [...(await readSnapshot(table, entry.snapshot)).values()];
  return objects.map((after) => toLogChange({ does: "create", after }));
}

/** Reads the objects of a snapshot's blob. Throws if it is missing or unreadable. */
export async function readSnapshot(table: Table, name: string): Promise<Objects> {
  // Written by a publication: whole objects with their revisions.
  const all = (await readBlob(table, name)) as readonly AnyObject[];
  return new Map(all.map((object) => [objectSortKey(object), object]));
}

/** Applies one commit in place. Returns a sentence for each change that does not fit. */
export function applyEntry(objects: Objects, entry: WholeEntry): string[] {
  return applyChanges(objects, entry.changes ?? [], entry.revision).map(({ sentence }) => sentence);
}

/** Reason why a change does not fit. */
export interface Misfit {
  readonly sentence: string;
  readonly duplicate?: AnyObject;
}

/** Applies simultaneous changes in place: a key that one object leaves may be taken by another. */
export function applyChanges(objects: Objects, changes: Iterable<LogChange>, revision: number): Misfit[] {
  const misfits: Misfit[] = [];
  const newObjects = new Map<string, AnyObject>();
  const removals = new Set<string>();
  for (const change of changes) {
    const from = change.from ?? change.at;
    const before = change.does === "create" ? undefined : objects.get(from);
    const misfit = change.does === "create" ? undefined : findMisfit(change, before);
    if (misfit !== undefined) misfits.push({ sentence: `${change.does} of ${from}: ${misfit}` });
    if (before) objects.delete(from);
    if (change.does !== "delete") {
      if (misfit === undefined) newObjects.set(change.at, computeObjectAfter(change, before, revision));
    } else if (change.kind === "model") objects.clear();
    else removals.add(change.id);
  }
  if (removals.size > 0) removeOwned(objects, removals);
  for (const [at, object] of newObjects) {
    if (objects.has(at)) misfits.push({ sentence: `the sort key ${at} is taken`, duplicate: object });
    if (objectSortKey(object) !== at) {
      misfits.push({ sentence: `${at} is not the sort key of ${object.kind} ${object.key}` });
    }
    objects.set(at, object);
  }
  return misfits;
}

function findMisfit(change: LogChange, before: AnyObject | undefined): string | undefined {
  if (!before) return "there is nothing";
  if (before.id !== change.id) return `it is ${before.id}, not ${change.id}`;
  if (before.revision !== change.base) return `it is at revision ${before.revision}, not ${change.base}`;
  const fields: Readonly<Record<string, unknown>> = { ...before };
  const other = Object.entries(change.before ?? {}).find(
    ([name, value]) => !isDeepStrictEqual(fields[name] ?? null, value),
  );
  return other && `its ${other[0]} was another`;
}

function computeObjectAfter(change: LogChange, before: AnyObject | undefined, revision: number): AnyObject {
  const inPlace = change.does === "update" && change.from === undefined;
  const fields: Record<string, unknown> = { ...(inPlace && before), ...change.after, kind: change.kind, revision };
  for (const [name, value] of Object.entries(fields)) if (value === null) delete fields[name];
  // A whole image, or a partial one merged into the object before.
  return fields as unknown as AnyObject;
}

function removeOwned(objects: Objects, owners: ReadonlySet<string>) {
  for (const [sk, object] of objects) {
    const owner = getOwnerId(object);
    if (owner !== undefined && owners.has(owner)) objects.delete(sk);
  }
}

interface SnapshotPointer {
  readonly revision: number;
  readonly generation: string;
  readonly blob: string;
}

/** Returns the item that makes a snapshot's blob valid. */
export function toPointerItem(ledger: string, { revision, generation, blob }: SnapshotPointer): Item {
  return { ...snapshotKey(ledger, revision), v: FORMAT, generation, blob };
}

export function toPointer(item: Item): SnapshotPointer {
  // Written by `toPointerItem`.
  const { generation, blob } = item as unknown as SnapshotPointer;
  return { revision: Number(item.sk), generation, blob };
}

/** Returns the objects in the order of a snapshot. Equal objects give an equal blob. */
export function toSnapshotValue(objects: Iterable<AnyObject>): readonly AnyObject[] {
  return [...objects].sort((a, b) => (objectSortKey(a) < objectSortKey(b) ? -1 : 1));
}

/** Reads the entry of a revision. Throws `LogBroken` if it is missing. */
export async function requireEntry(table: Table, ledger: string, revision: number): Promise<LogEntry> {
  const item = await table.get(logKey(ledger, revision));
  if (!item) throw new LogBroken(`${ledger} has no revision ${revision}`);
  return toLogEntry(item);
}

/** Loads all objects after a commit: the nearest snapshot plus the commits since. Throws `LogBroken`. */
export async function loadObjectsAfter(table: Table, ledger: string, entry: LogEntry): Promise<Objects> {
  const { after, blob } = await findNearestStart(table, ledger, entry);
  const objects: Objects = blob === undefined ? new Map() : await readSnapshot(table, blob);
  await replay(table, ledger, objects, after, entry.revision);
  return objects;
}

/** Applies the commits after one revision up to another to the objects in place. Throws `LogBroken`. */
export async function replay(
  table: Table,
  ledger: string,
  objects: Objects,
  after: number,
  last: number,
): Promise<void> {
  let position = after;
  for await (const next of readLogEntries(table, ledger, after + 1, last)) {
    const [misfit] = next.revision === position + 1 ? applyEntry(objects, next) : ["a revision is missing before it"];
    if (misfit !== undefined) throw new LogBroken(`${ledger} at revision ${next.revision}: ${misfit}`);
    position = next.revision;
  }
  if (position !== last) throw new LogBroken(`${ledger} has no revision ${position + 1}`);
}

interface ReplayStart {
  readonly after: number;
  readonly blob?: string;
}

/** Finds the nearest snapshot at or before a commit, or the beginning of the log. Throws `LogBroken`. */
export async function findNearestStart(table: Table, ledger: string, entry: LogEntry): Promise<ReplayStart> {
  if (entry.snapshot !== undefined) return createStart(ledger, entry);
  const [pointer, release] = await Promise.all([
    findNewestPointer(table, ledger, entry.revision),
    findNewestReleaseSnapshot(table, ledger, entry.revision),
  ]);
  const newest = release && release.revision > (pointer?.revision ?? 0) ? release : pointer;
  // Every publication has its own generation, so a publication in between is noticed.
  if (newest?.generation === entry.generation) return { after: newest.revision, blob: newest.blob };
  const first = newest ? undefined : await requireEntry(table, ledger, 1);
  if (first?.generation === entry.generation) return createStart(ledger, first);
  return createStart(ledger, await findPublication(table, ledger, newest?.revision ?? 1, entry));
}

/** Finds the newest snapshot of the sweeper at or before a revision. The sweeper may be late. */
async function findNewestPointer(table: Table, ledger: string, revision: number): Promise<SnapshotPointer | undefined> {
  const { pk, sk } = snapshotKey(ledger, revision);
  const { items } = await table.query({ pk, to: sk, descending: true, limit: 1 });
  return items[0] && toPointer(items[0]);
}

async function findNewestReleaseSnapshot(
  table: Table,
  ledger: string,
  revision: number,
): Promise<SnapshotPointer | undefined> {
  let newest: SnapshotPointer | undefined;
  for await (const item of readItems(table, { pk: releaseKey(ledger, "").pk })) {
    const snapshot = toReleaseSnapshot(item);
    if (snapshot && snapshot.revision <= revision && snapshot.revision > (newest?.revision ?? 0)) newest = snapshot;
  }
  return newest;
}

/** Returns the snapshot of a release; undefined for a release that created a model or was part of a batch. */
function toReleaseSnapshot(item: Item): SnapshotPointer | undefined {
  // Written by `createReleaseWrite`.
  const { revision, generation, blob } = item as unknown as Partial<SnapshotPointer>;
  return revision !== undefined && generation !== undefined && blob !== undefined
    ? { revision, generation, blob }
    : undefined;
}

function createStart(ledger: string, { revision, snapshot, snapshotAt }: LogEntry): ReplayStart {
  if (snapshot !== undefined) return { after: snapshotAt ?? revision, blob: snapshot };
  if (revision === 1) return { after: 0 };
  throw new LogBroken(`${ledger} has no snapshot at revision ${revision}`);
}

/** Finds the publication that began an entry's generation by binary search. Revision `after` has another generation. */
async function findPublication(table: Table, ledger: string, after: number, entry: LogEntry): Promise<LogEntry> {
  let [low, high] = [after, entry];
  while (high.revision - low > 1) {
    const middle = await requireEntry(table, ledger, (low + high.revision) >> 1);
    if (middle.generation === entry.generation) high = middle;
    else low = middle.revision;
  }
  return high;
}
