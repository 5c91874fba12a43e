import type { LogEntry } from "../log/log.ts";
import type { ChangesOf } from "../log/overlay.ts";
import type { Partition } from "../table/items.ts";
import type { RetryingTable } from "../table/retry.ts";
import type { Item } from "../table/table.ts";
import type { Facts, KnownObjects } from "./known-objects.ts";
import type { Reads } from "./reads.ts";

/** The state that the parts of one view share. */
export interface ViewContext {
  readonly table: RetryingTable;
  readonly partition: Partition;
  readonly reads: Reads;
  /** What this process knows at the view's revision; undefined where it knows nothing, or what was before or after. */
  readonly known: () => KnownObjects | undefined;
  /** What was read from the table so far. */
  readonly facts: Facts;
  /** The id items that were read; the newest log entries come before them. */
  readonly ids: Map<string, Promise<Item | undefined>>;
  /** The newest commits of the view's generation, oldest first. */
  readonly recent: () => readonly LogEntry[];
  readonly changesOf: ChangesOf;
  readonly revision: () => number;
  /**
   * The log entries that are applied to objects that were read: those of the head, or with `lookBack` as many as may
   * still be invisible.
   */
  readonly entriesFor: (scan: boolean) => Promise<readonly LogEntry[]>;
}
