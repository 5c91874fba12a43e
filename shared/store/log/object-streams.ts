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
    else if (!since.removals.has(getOwnerId(object) ?? "")) yield object;
  }
  await replay(table, ledger, changedObjects, after, entry.revision);
  yield* changedObjects.values();
}

interface ChangedKeys {
  readonly sortKeys: ReadonlySet<string>;
  /** Ids of removed objects. Everything they owned is removed too. */
  readonly removals: ReadonlySet<string>;
}

async function readTouched(table: Table, ledger: string, after: number, last: number): Promise<ChangedKeys> {
  const sortKeys = new Set<string>();
  const removals = new Set<string>();
  for await (const { changes = [] } of readLogEntries(table, ledger, after + 1, last)) {
    for (const change of changes) {
      for (const sk of listSortKeys(change)) sortKeys.add(sk);
      if (change.does === "delete") removals.add(change.id);
    }
  }
  return { sortKeys, removals };
}

async function* readSnapshotObjects(table: Table, blob: string | undefined): AsyncGenerator<AnyObject> {
  // Whole objects with their revisions, written by a publication, a release or the sweeper.
  if (blob !== undefined) yield* readList(table, blob) as AsyncGenerator<AnyObject>;
}

async function* mergeTouched(
  snapshot: AsyncIterable<AnyObject>,
  { sortKeys, removals }: ChangedKeys,
  changedObjects: Objects,
): AsyncGenerator<AnyObject> {
  const entries = [...changedObjects].sort(comparePairs);
  let next = 0;
  for await (const object of snapshot) {
    const sk = objectSortKey(object);
    if (sortKeys.has(sk) || removals.has(getOwnerId(object) ?? "")) continue;
    for (; (entries[next]?.[0] ?? sk) < sk; next++) yield* toObject(entries[next]);
    yield object;
  }
  for (; next < entries.length; next++) yield* toObject(entries[next]);
}

type Pair = readonly [sk: string, object: AnyObject];

function comparePairs([a]: Pair, [b]: Pair) {
  return a < b ? -1 : 1;
}

function toObject(pair: Pair | undefined): readonly AnyObject[] {
  return pair ? [pair[1]] : [];
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
    const window: Pair[] = [];
    for await (const object of snapshot()) {
      const sk = objectSortKey(object);
      if (sk >= first && sk <= last) window.push([sk, object]);
    }
    for (const pair of window.sort(comparePairs)) yield pair[1];
  }
}
