import { isDeepStrictEqual } from "node:util";
import { type AnyObject, ownerOf } from "../../domain/objects.ts";
import { logKey, logPartition, objectSortKey } from "../table/keys.ts";
import { pagesOf } from "../table/pages.ts";
import type { Table } from "../table/table.ts";
import { readBlob } from "./blobs.ts";
import { changesIn, type WholeEntry, wholeEntries } from "./entry-changes.ts";
import { type LogChange, type LogEntry, logChange, logEntryOf } from "./log.ts";

/** The objects of a model by sort key. */
export type Objects = Map<string, AnyObject>;

/** The log of a ledger does not lead to the state asked for: it has a gap, or an entry that does not fit what was before. */
export class LogBroken extends Error {}

/** The entries of a ledger from one revision to another, oldest first. */
export async function* logEntries(table: Table, ledger: string, from = 1, to?: number): AsyncGenerator<WholeEntry> {
  // DynamoDB refuses a range that ends before it begins.
  if (to !== undefined && to < from) return;
  const pk = logPartition(ledger);
  const range = { pk, from: logKey(ledger, from).sk, ...(to !== undefined && { to: logKey(ledger, to).sk }) };
  for await (const items of pagesOf(table, range)) yield* wholeEntries(table, items.map(logEntryOf));
}

/**
 * All objects after a log entry with a snapshot. Commits that came between writing the snapshot and publishing it touch
 * nothing of it, and are applied here. An error when the snapshot cannot be read, `LogBroken` when a commit does not fit it.
 */
export async function snapshotState(table: Table, ledger: string, entry: LogEntry, snapshot: string): Promise<Objects> {
  const objects = await snapshotObjects(table, snapshot);
  if (entry.snapshotAt === undefined) return objects;
  for await (const later of logEntries(table, ledger, entry.snapshotAt + 1, entry.revision - 1)) {
    const [misfit] = applyEntry(objects, later);
    if (misfit !== undefined) throw new LogBroken(`${ledger} at revision ${later.revision}: ${misfit}`);
  }
  return objects;
}

/**
 * The changes of a commit as the history shows them. A publication has them in a blob of its own; one that began a
 * model created every object of its snapshot.
 */
export async function changesOf(table: Table, entry: LogEntry): Promise<readonly LogChange[]> {
  if (entry.touched) return changesIn(table, entry);
  // Written by a publication.
  if (entry.publication !== undefined) return (await readBlob(table, entry.publication)) as readonly LogChange[];
  const made = entry.snapshot === undefined ? [] : [...(await snapshotObjects(table, entry.snapshot)).values()];
  return made.map((after) => logChange({ does: "create", after }));
}

/** The objects in the blob of a snapshot; an error when it is not there or cannot be read. */
export async function snapshotObjects(table: Table, name: string): Promise<Objects> {
  // Written by a publication: whole objects with their revisions.
  const all = (await readBlob(table, name)) as readonly AnyObject[];
  return new Map(all.map((object) => [objectSortKey(object), object]));
}

/** Does to the objects, in place, what one commit did; answers one sentence for each change that did not fit. */
export function applyEntry(objects: Objects, entry: WholeEntry): string[] {
  return applyChanges(objects, entry.changes ?? [], entry.revision).map(({ sentence }) => sentence);
}

/** Why a change does not fit what is there. */
export interface Misfit {
  readonly sentence: string;
  /** The object that comes to a key where another one is. */
  readonly taken?: AnyObject;
}

/**
 * Does changes to objects, in place; those that are changed get the revision. The changes of one commit happen at once: a
 * key that one object gives up may be taken by another.
 */
export function applyChanges(objects: Objects, changes: Iterable<LogChange>, revision: number): Misfit[] {
  const misfits: Misfit[] = [];
  const coming = new Map<string, AnyObject>();
  const removed = new Set<string>();
  for (const change of changes) {
    const from = change.from ?? change.at;
    const before = change.does === "create" ? undefined : objects.get(from);
    const misfit = change.does === "create" ? undefined : misfitOf(change, before);
    if (misfit !== undefined) misfits.push({ sentence: `${change.does} of ${from}: ${misfit}` });
    if (before) objects.delete(from);
    if (change.does !== "delete") {
      if (misfit === undefined) coming.set(change.at, objectAfter(change, before, revision));
    } else if (change.kind === "model") objects.clear();
    else removed.add(change.id);
  }
  if (removed.size > 0) removeOwned(objects, removed);
  for (const [at, object] of coming) {
    if (objects.has(at)) misfits.push({ sentence: `the place ${at} is taken`, taken: object });
    if (objectSortKey(object) !== at) {
      misfits.push({ sentence: `${at} is no place for ${object.kind} ${object.key}` });
    }
    objects.set(at, object);
  }
  return misfits;
}

function misfitOf(change: LogChange, before: AnyObject | undefined): string | undefined {
  if (!before) return "there is nothing";
  if (before.id !== change.id) return `it is ${before.id}, not ${change.id}`;
  if (before.revision !== change.base) return `it is at revision ${before.revision}, not ${change.base}`;
  const fields: Readonly<Record<string, unknown>> = { ...before };
  const other = Object.entries(change.before ?? {}).find(
    ([name, value]) => !isDeepStrictEqual(fields[name] ?? null, value),
  );
  return other && `its ${other[0]} was another`;
}

function objectAfter(change: LogChange, before: AnyObject | undefined, revision: number): AnyObject {
  const inPlace = change.does === "update" && change.from === undefined;
  const fields: Record<string, unknown> = { ...(inPlace && before), ...change.after, kind: change.kind, revision };
  for (const [name, value] of Object.entries(fields)) if (value === null) delete fields[name];
  // A whole image, or a partial one over the object it was made from.
  return fields as unknown as AnyObject;
}

function removeOwned(objects: Objects, owners: ReadonlySet<string>): void {
  for (const [sk, object] of objects) {
    const owner = ownerOf(object);
    if (owner !== undefined && owners.has(owner)) objects.delete(sk);
  }
}
