import type { Runtime } from "../../actions/contract/call.ts";
import type { LogEntry, ReadChanges } from "../log/log.ts";
import type { Partition } from "../table/items.ts";
import type { RetryingTable, RetryPolicy } from "../table/retry.ts";
import type { Item } from "../table/table.ts";
import type { CachedLedger, ModelCache, ObjectsRead } from "./model-cache.ts";
import type { Reads } from "./read-objects.ts";

/** State shared by the parts of one view. */
export interface ViewContext {
  readonly table: RetryingTable;
  readonly partition: Partition;
  readonly reads: Reads;
  /** Returns the cached ledger at the view's revision; undefined if the cache has no entry or another revision. */
  readonly getCached: () => CachedLedger | undefined;
  /** Objects read from the table so far. */
  readonly objectsRead: ObjectsRead;
  /** Id items that were read. Recent log entries take precedence. */
  readonly ids: Map<string, Promise<Item | undefined>>;
  /** Returns the recent commits of the view's generation, oldest first. */
  readonly getRecent: () => readonly LogEntry[];
  readonly readChanges: ReadChanges;
  readonly getRevision: () => number;
  /**
   * Reads the log entries to apply to objects read afterwards: those of the head, or with `lookBack` all that may be
   * invisible.
   */
  readonly readEntriesFor: (scan: boolean) => Promise<readonly LogEntry[]>;
}

/** Dependencies of the store for one call. */
export interface StoreContext {
  readonly table: RetryingTable;
  readonly ambient: Runtime;
  readonly retryPolicy: RetryPolicy;
  /** Cached ledgers of the process; undefined if the call reads everything from the table. */
  readonly cache?: ModelCache | undefined;
}
