import type { Ambient } from "../../actions/contract/call.ts";
import type { RetryingTable, RetryPolicy } from "../table/retry.ts";
import type { ModelCache } from "./model-cache.ts";

/** The dependencies of the store of one call. */
export interface StoreContext {
  readonly table: RetryingTable;
  readonly ambient: Ambient;
  readonly retryPolicy: RetryPolicy;
  /** What the process knows of ledgers; undefined where the call reads everything from the table. */
  readonly cache?: ModelCache | undefined;
}
