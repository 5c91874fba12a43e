import type { Ambient } from "../../actions/contract/call.ts";
import type { LogEntry } from "../log/log.ts";
import type { ReadChanges } from "../log/recent-entries.ts";
import type { Partition } from "../table/items.ts";
import type { RetryingTable, RetryPolicy } from "../table/retry.ts";
import type { Item } from "../table/table.ts";
import type { CachedLedger, ObjectsRead } from "./cached-ledger.ts";
import type { ModelCache } from "./model-cache.ts";
import type { Reads } from "./reads.ts";

/** The state that the parts of one view share. */
export interface ViewContext {
  readonly table: RetryingTable;
  readonly partition: Partition;
  readonly reads: Reads;
  /** What this process knows at the view's revision; undefined where it knows nothing, or what was before or after. */
  readonly getCached: () => CachedLedger | undefined;
  /** What was read from the table so far. */
  readonly objectsRead: ObjectsRead;
  /** The id items that were read; the newest log entries come before them. */
  readonly ids: Map<string, Promise<Item | undefined>>;
  /** The newest commits of the view's generation, oldest first. */
  readonly getRecent: () => readonly LogEntry[];
  readonly readChanges: ReadChanges;
  readonly getRevision: () => number;
  /**
   * The log entries that are applied to objects that were read: those of the head, or with `lookBack` as many as may
   * still be invisible.
   */
  readonly readEntriesFor: (scan: boolean) => Promise<readonly LogEntry[]>;
}

/** The dependencies of the store of one call. */
export interface StoreContext {
  readonly table: RetryingTable;
  readonly ambient: Ambient;
  readonly retryPolicy: RetryPolicy;
  /** What the process knows of ledgers; undefined where the call reads everything from the table. */
  readonly cache?: ModelCache | undefined;
}
