import type { AnyObject } from "../../domain/model/objects.ts";
import type { LogChange, LogEntry, Touch } from "./log.ts";

/** An object by sort key, as far as it is known; undefined where there is none. */
type MaybeObject = AnyObject | undefined;

/**
 * The object at a sort key after one commit. The items of a transaction may become visible one after the other, so the
 * object that was read may or may not show the commit yet.
 */
export function applyRecentChange(read: MaybeObject, sk: string, change: LogChange, revision: number): MaybeObject {
  if (read && read.revision >= revision) return read;
  const leaves = change.does === "delete" ? change.at === sk : change.from === sk;
  if (leaves) return undefined;
  if (change.at !== sk) return read;
  // A whole image comes to its place; a partial one fits only the very state it was made from.
  if (isWhole(change)) return completeObject(change, {}, revision);
  return read?.id === change.id && read.revision === change.base ? completeObject(change, read, revision) : read;
}

/** True for a change that holds the whole object after the commit. */
function isWhole({ does, from }: Touch): boolean {
  return does === "create" || from !== undefined;
}

function completeObject(change: LogChange, base: object, revision: number): AnyObject {
  const fields: Record<string, unknown> = { ...base, ...change.after, kind: change.kind, revision };
  for (const [name, value] of Object.entries(fields)) if (value === null) delete fields[name];
  // The image of an object, completed to one.
  return fields as unknown as AnyObject;
}

/** True where a commit puts an object at a sort key and the object read there does not show it yet. */
function isUnseenArrival(read: MaybeObject, sk: string, touch: Touch, revision: number): boolean {
  if (touch.does === "delete" || touch.at !== sk || (read && read.revision >= revision)) return false;
  return isWhole(touch) || (read?.id === touch.id && read.revision === touch.base);
}

/** Reads the changes of a commit. It is called only for a commit that the object read does not show yet. */
export type ReadChanges = (entry: LogEntry) => Promise<readonly LogChange[]>;

/** The object at a sort key after the log entries, oldest first, are applied to the object that was read. */
export async function applyRecentEntries(
  read: MaybeObject,
  sk: string,
  oldestFirst: readonly LogEntry[],
  changesOf: ReadChanges,
): Promise<MaybeObject> {
  let known = read;
  for (const entry of oldestFirst) {
    for (const [i, touch] of (entry.touched ?? []).entries()) {
      const change = isUnseenArrival(known, sk, touch, entry.revision) ? (await changesOf(entry))[i] : touch;
      if (change) known = applyRecentChange(known, sk, change, entry.revision);
    }
  }
  return known;
}

/**
 * The log entries that may be applied to objects of a generation; the generation itself holds every commit before its
 * publication.
 */
export function filterByGeneration(oldestFirst: readonly LogEntry[], generation: string): readonly LogEntry[] {
  return oldestFirst.filter((entry) => entry.generation === generation);
}

/** Applies log entries, oldest first, to all objects of a partition in place; the map is by sort key. */
export async function applyRecentEntriesToAll(
  objects: Map<string, AnyObject>,
  oldestFirst: readonly LogEntry[],
  changesOf: ReadChanges,
): Promise<void> {
  for (const entry of oldestFirst) {
    for (const [i, touch] of (entry.touched ?? []).entries()) {
      for (const sk of listSortKeys(touch)) {
        const read = objects.get(sk);
        const change = isUnseenArrival(read, sk, touch, entry.revision) ? (await changesOf(entry))[i] : touch;
        const known = change && applyRecentChange(read, sk, change, entry.revision);
        if (known) objects.set(sk, known);
        else objects.delete(sk);
      }
    }
  }
}

/** The sort keys a change concerns. */
export function listSortKeys(change: Touch): readonly string[] {
  return change.from === undefined ? [change.at] : [change.from, change.at];
}

/**
 * The sort key to which the newest commits moved an id; "gone" where they deleted its object, undefined where none
 * touched it.
 */
export function findMovedSortKey(id: string, oldestFirst: readonly LogEntry[]): string | "gone" | undefined {
  let sortKey: string | "gone" | undefined;
  for (const entry of oldestFirst) {
    for (const change of entry.touched ?? []) {
      if (change.id === id) sortKey = change.does === "delete" ? "gone" : change.at;
    }
  }
  return sortKey;
}
