import type { Table } from "../table/table.ts";
import { readBlob } from "./blobs.ts";
import type { LogChange, LogEntry } from "./log.ts";

/** An entry with its changes, wherever they lie; a publication has none. */
export interface WholeEntry extends LogEntry {
  readonly changes?: readonly LogChange[];
}

/** The changes of entries that were read already: a blob is read once, however often its changes are applied. */
const known = new WeakMap<LogEntry, Promise<readonly LogChange[]>>();

/** The changes of a commit, in the order of the objects it touched; none for a publication. */
export function changesIn(table: Table, entry: LogEntry): Promise<readonly LogChange[]> {
  const { blob, touched = [] } = entry;
  if (blob === undefined) return Promise.resolve(touched);
  // Written by `spill`.
  const reading = known.get(entry) ?? (readBlob(table, blob) as Promise<readonly LogChange[]>);
  known.set(entry, reading);
  reading.catch(() => known.delete(entry));
  return reading;
}

/** An entry with its changes. */
export async function wholeEntry(table: Table, entry: LogEntry): Promise<WholeEntry> {
  return entry.touched ? { ...entry, changes: await changesIn(table, entry) } : entry;
}

/** Entries that are completed at once where many are read one after the other. */
const TOGETHER = 8;

/** The entries with their changes, in the order given. */
export async function* wholeEntries(table: Table, entries: readonly LogEntry[]): AsyncGenerator<WholeEntry> {
  for (let at = 0; at < entries.length; at += TOGETHER) {
    yield* await Promise.all(entries.slice(at, at + TOGETHER).map((entry) => wholeEntry(table, entry)));
  }
}
