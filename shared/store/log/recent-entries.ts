import type { AnyObject } from "../../domain/model/objects.ts";
import type { LogChange, LogEntry, Touch } from "./log.ts";

/** The object at a sort key; undefined if there is none. */
type MaybeObject = AnyObject | undefined;

/**
 * Applies one change of a commit to the object read at a sort key. The object may show the commit already: the items of
 * a transaction may become visible one after the other.
 */
export function applyRecentChange(read: MaybeObject, sk: string, change: LogChange, revision: number): MaybeObject {
  if (read && read.revision >= revision) return read;
  const leaves = change.does === "delete" ? change.at === sk : change.from === sk;
  if (leaves) return undefined;
  if (change.at !== sk) return read;
  // A whole image replaces the object. A partial one fits only the state that it was made from.
  if (isWhole(change)) return completeObject(change, {}, revision);
  return read?.id === change.id && read.revision === change.base ? completeObject(change, read, revision) : read;
}

/** Returns true for a change that holds the whole object after the commit. */
function isWhole({ does, from }: Touch): boolean {
  return does === "create" || from !== undefined;
}

function completeObject(change: LogChange, base: object, revision: number): AnyObject {
  const fields: Record<string, unknown> = { ...base, ...change.after, kind: change.kind, revision };
  for (const [name, value] of Object.entries(fields)) if (value === null) delete fields[name];
  // A whole image, or a partial one merged into its base.
  return fields as unknown as AnyObject;
}

/** Returns true if a commit puts an object at a sort key and the object read there does not show it yet. */
function isUnseenArrival(read: MaybeObject, sk: string, touch: Touch, revision: number): boolean {
  if (touch.does === "delete" || touch.at !== sk || (read && read.revision >= revision)) return false;
  return isWhole(touch) || (read?.id === touch.id && read.revision === touch.base);
}

/** Reads the changes of a commit. Called only if the object read does not show the commit yet. */
export type ReadChanges = (entry: LogEntry) => Promise<readonly LogChange[]>;

/** Applies log entries, oldest first, to the object read at a sort key. */
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
 * Returns the log entries that may be applied to objects of a generation. The generation already contains every commit
 * before its publication.
 */
export function filterByGeneration(oldestFirst: readonly LogEntry[], generation: string): readonly LogEntry[] {
  return oldestFirst.filter((entry) => entry.generation === generation);
}

/** Applies log entries, oldest first, to all objects of a partition in place. The map is by sort key. */
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

/** Returns the sort keys of an object before and after a change. */
export function listSortKeys(change: Touch): readonly string[] {
  return change.from === undefined ? [change.at] : [change.from, change.at];
}

/**
 * Finds the sort key to which recent commits moved an id. Returns "gone" if they deleted its object, undefined if none
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
