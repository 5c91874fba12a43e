import type { Ambient } from "../../actions/contract/call.ts";
import type { RetryingTable, RetryPolicy } from "../table/retry.ts";

/** The dependencies of the store of one call. */
export interface StoreContext {
  readonly table: RetryingTable;
  readonly ambient: Ambient;
  readonly retryPolicy: RetryPolicy;
}
