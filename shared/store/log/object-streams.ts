import { type AnyObject, getOwnerId } from "../../domain/model/objects.ts";
import { objectSortKey } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import { readList } from "./blobs.ts";
import { type LogEntry, listSortKeys } from "./log.ts";
import { findNearestStart, type Objects, readLogEntries, replay } from "./replay.ts";

/** Reads the objects after a commit in key order, with only the touched ones in memory. Throws `LogBroken`. */
export async function* readObjectsInOrder(table: Table, ledger: string, entry: LogEntry): AsyncGenerator<AnyObject> {
  const { after, blob } = await findNearestStart(table, ledger, entry);
  const since = await readTouched(table, ledger, after, entry.revision);
  const changedObjects: Objects = new Map();
  let isSorted = true;
  let last = "";
  for await (const object of readSnapshotObjects(table, blob)) {
    const sk = objectSortKey(object);
    if (sk < last) isSorted = false;
    last = sk;
    if (since.sortKeys.has(sk)) changedObjects.set(sk, object);
  }
  await replay(table, ledger, changedObjects, after, entry.revision);
  const snapshot = () => readSnapshotObjects(table, blob);
  yield* mergeTouched(isSorted ? snapshot() : sortSnapshot(snapshot), since, changedObjects);
}

/** Reads the objects after a commit in no order, with only the touched ones in memory. Throws `LogBroken`. */
export async function* readObjectsAfter(table: Table, ledger: string, entry: LogEntry): AsyncGenerator<AnyObject> {
  const { after, blob } = await findNearestStart(table, ledger, entry);
  const since = await readTouched(table, ledger, after, entry.revision);
  const changedObjects: Objects = new Map();
  for await (const object of readSnapshotObjects(table, blob)) {
    const sk = objectSortKey(object);
    if (since.sortKeys.has(sk)) changedObjects.set(sk, object);
    else if (!since.removed.has(getOwnerId(object) ?? "")) yield object;
  }
  await replay(table, ledger, changedObjects, after, entry.revision);
  yield* changedObjects.values();
}

interface Touched {
  readonly sortKeys: ReadonlySet<string>;
  /** Ids of removed objects. Everything they owned is removed too. */
  readonly removed: ReadonlySet<string>;
}

async function readTouched(table: Table, ledger: string, after: number, last: number): Promise<Touched> {
  const sortKeys = new Set<string>();
  const removed = new Set<string>();
  for await (const { changes = [] } of readLogEntries(table, ledger, after + 1, last)) {
    for (const change of changes) {
      for (const sk of listSortKeys(change)) sortKeys.add(sk);
      if (change.does === "delete") removed.add(change.id);
    }
  }
  return { sortKeys, removed };
}

async function* readSnapshotObjects(table: Table, blob: string | undefined): AsyncGenerator<AnyObject> {
  // Whole objects with their revisions, written by a publication, a release or the sweeper.
  if (blob !== undefined) yield* readList(table, blob) as AsyncGenerator<AnyObject>;
}

async function* mergeTouched(
  snapshot: AsyncIterable<AnyObject>,
  { sortKeys, removed }: Touched,
  changedObjects: Objects,
): AsyncGenerator<AnyObject> {
  const entries = [...changedObjects].sort(compareKeyed);
  let next = 0;
  for await (const object of snapshot) {
    const sk = objectSortKey(object);
    if (sortKeys.has(sk) || removed.has(getOwnerId(object) ?? "")) continue;
    for (; (entries[next]?.[0] ?? sk) < sk; next++) yield* objectIn(entries[next]);
    yield object;
  }
  for (; next < entries.length; next++) yield* objectIn(entries[next]);
}

type Keyed = readonly [sk: string, object: AnyObject];

function compareKeyed([a]: Keyed, [b]: Keyed) {
  return a < b ? -1 : 1;
}

function objectIn(keyed: Keyed | undefined): readonly AnyObject[] {
  return keyed ? [keyed[1]] : [];
}

/** Objects of an unsorted snapshot in memory at a time. */
const WINDOW = 20_000;

async function* sortSnapshot(snapshot: () => AsyncIterable<AnyObject>): AsyncGenerator<AnyObject> {
  const sortKeys: string[] = [];
  for await (const object of snapshot()) sortKeys.push(objectSortKey(object));
  sortKeys.sort();
  for (let at = 0; at < sortKeys.length; at += WINDOW) {
    const first = sortKeys[at] ?? "";
    const last = sortKeys.slice(at, at + WINDOW).at(-1) ?? "";
    const window: Keyed[] = [];
    for await (const object of snapshot()) {
      const sk = objectSortKey(object);
      if (sk >= first && sk <= last) window.push([sk, object]);
    }
    for (const keyed of window.sort(compareKeyed)) yield keyed[1];
  }
}
