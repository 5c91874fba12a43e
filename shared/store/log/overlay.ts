import type { AnyObject } from "../../domain/objects.ts";
import type { LogChange, LogEntry, Touch } from "./log.ts";

/** An object by sort key, as far as it is known; undefined where there is none. */
type Known = AnyObject | undefined;

/**
 * What one commit makes of the object read at a sort key. The items of a transaction may become visible one after the
 * other: what was read may or may not show the commit yet.
 */
export function layOver(read: Known, sk: string, change: LogChange, revision: number): Known {
  if (read && read.revision >= revision) return read;
  const leaves = change.does === "delete" ? change.at === sk : change.from === sk;
  if (leaves) return undefined;
  if (change.at !== sk) return read;
  // A whole image comes to its place; a partial one fits only the very state it was made from.
  if (isWhole(change)) return objectFrom(change, {}, revision);
  return read?.id === change.id && read.revision === change.base ? objectFrom(change, read, revision) : read;
}

/** True where the whole object is told after the commit. */
function isWhole({ does, from }: Touch): boolean {
  return does === "create" || from !== undefined;
}

function objectFrom(change: LogChange, base: object, revision: number): AnyObject {
  const fields: Record<string, unknown> = { ...base, ...change.after, kind: change.kind, revision };
  for (const [name, value] of Object.entries(fields)) if (value === null) delete fields[name];
  // The image of an object, completed to one.
  return fields as unknown as AnyObject;
}

/** True where a commit brings something to a sort key that what was read there does not show yet. */
function brings(read: Known, sk: string, touch: Touch, revision: number): boolean {
  if (touch.does === "delete" || touch.at !== sk || (read && read.revision >= revision)) return false;
  return isWhole(touch) || (read?.id === touch.id && read.revision === touch.base);
}

/** How the changes of a commit are found that are laid over something; asked for only where what was read is older. */
export type ChangesOf = (entry: LogEntry) => Promise<readonly LogChange[]>;

/** Lays the commits after what was read over it, oldest first. */
export async function layEntriesOver(
  read: Known,
  sk: string,
  oldestFirst: readonly LogEntry[],
  changesOf: ChangesOf,
): Promise<Known> {
  let known = read;
  for (const entry of oldestFirst) {
    for (const [i, touch] of (entry.touched ?? []).entries()) {
      const change = brings(known, sk, touch, entry.revision) ? (await changesOf(entry))[i] : touch;
      if (change) known = layOver(known, sk, change, entry.revision);
    }
  }
  return known;
}

/** Those of a ledger's entries that may be laid over a generation: what came before its publication is in it already. */
export function ofGeneration(oldestFirst: readonly LogEntry[], generation: string): readonly LogEntry[] {
  return oldestFirst.filter((entry) => entry.generation === generation);
}

/** Lays commits over all objects of a partition, by sort key, in place. */
export async function layEntriesOverAll(
  objects: Map<string, AnyObject>,
  oldestFirst: readonly LogEntry[],
  changesOf: ChangesOf,
): Promise<void> {
  for (const entry of oldestFirst) {
    for (const [i, touch] of (entry.touched ?? []).entries()) {
      for (const sk of sortKeysOf(touch)) {
        const read = objects.get(sk);
        const change = brings(read, sk, touch, entry.revision) ? (await changesOf(entry))[i] : touch;
        const known = change && layOver(read, sk, change, entry.revision);
        if (known) objects.set(sk, known);
        else objects.delete(sk);
      }
    }
  }
}

/** The sort keys a change concerns. */
export function sortKeysOf(change: Touch): readonly string[] {
  return change.from === undefined ? [change.at] : [change.from, change.at];
}

/** Where the newest commits say an id is: its sort key, "gone", or nothing. */
export function placeOfId(id: string, oldestFirst: readonly LogEntry[]): string | "gone" | undefined {
  let place: string | "gone" | undefined;
  for (const entry of oldestFirst) {
    for (const change of entry.touched ?? []) {
      if (change.id === id) place = change.does === "delete" ? "gone" : change.at;
    }
  }
  return place;
}
