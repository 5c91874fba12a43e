import type { LogEntry } from "../log/log.ts";
import type { ChangesOf } from "../log/overlay.ts";
import type { Partition } from "../table/items.ts";
import type { Item, Table } from "../table/table.ts";
import type { Reads } from "./reads.ts";

/** What the parts of one view share. */
export interface ViewContext {
  readonly table: Table;
  readonly place: Partition;
  readonly reads: Reads;
  /** What was read of ids; the newest commits are asked first. */
  readonly ids: Map<string, Promise<Item | undefined>>;
  /** The newest commits of the view's generation, oldest first. */
  readonly recent: () => readonly LogEntry[];
  readonly changesOf: ChangesOf;
  readonly revision: () => number;
  /** What is laid over: the head's entries, or for a scan as many as may still be invisible. */
  readonly entriesFor: (scan: boolean) => Promise<readonly LogEntry[]>;
}
