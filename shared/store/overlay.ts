import type { AnyObject } from "../domain/objects.ts";
import type { LogChange, LogEntry } from "./log.ts";

/** An object by sort key, as far as it is known; undefined where there is none. */
type Known = AnyObject | undefined;

/**
 * What one commit makes of the object read at a sort key. The items of a transaction may become visible one after the
 * other: what was read may or may not show the commit yet.
 */
export function layOver(read: Known, sk: string, change: LogChange, revision: number): Known {
  if (read && read.revision >= revision) return read;
  const leaves = change.does === "delete" ? change.at === sk : change.from === sk;
  if (leaves) return read?.id === change.id ? undefined : read;
  if (change.at !== sk) return read;
  const inPlace = change.does === "update" && change.from === undefined;
  // A whole image comes to its place; a partial one fits only the very state it was made from.
  if (!inPlace) return objectFrom(change, {}, revision);
  return read?.id === change.id && read.revision === change.base ? objectFrom(change, read, revision) : read;
}

function objectFrom(change: LogChange, base: object, revision: number): AnyObject {
  const fields: Record<string, unknown> = { ...base, ...change.after, kind: change.kind, revision };
  for (const [name, value] of Object.entries(fields)) if (value === null) delete fields[name];
  // The image of an object, completed to one.
  return fields as unknown as AnyObject;
}

/** Lays the commits after what was read over it, oldest first. */
export function layEntriesOver(read: Known, sk: string, oldestFirst: readonly LogEntry[]): Known {
  let known = read;
  for (const entry of oldestFirst) {
    for (const change of entry.changes ?? []) known = layOver(known, sk, change, entry.revision);
  }
  return known;
}

/** Those of a ledger's entries that may be laid over a generation: what came before its publication is in it already. */
export function ofGeneration(oldestFirst: readonly LogEntry[], generation: string): readonly LogEntry[] {
  return oldestFirst.filter((entry) => entry.generation === generation);
}

/** Lays commits over all objects of a partition, by sort key, in place. */
export function layEntriesOverAll(objects: Map<string, AnyObject>, oldestFirst: readonly LogEntry[]): void {
  for (const entry of oldestFirst) {
    for (const change of entry.changes ?? []) {
      for (const sk of sortKeysOf(change)) {
        const known = layOver(objects.get(sk), sk, change, entry.revision);
        if (known) objects.set(sk, known);
        else objects.delete(sk);
      }
    }
  }
}

/** The sort keys a change concerns. */
export function sortKeysOf(change: LogChange): readonly string[] {
  return change.from === undefined ? [change.at] : [change.from, change.at];
}

/** Where the newest commits say an id is: its sort key, "gone", or nothing. */
export function placeOfId(id: string, oldestFirst: readonly LogEntry[]): string | "gone" | undefined {
  let place: string | "gone" | undefined;
  for (const entry of oldestFirst) {
    for (const change of entry.changes ?? []) {
      if (change.id === id) place = change.does === "delete" ? "gone" : change.at;
    }
  }
  return place;
}
