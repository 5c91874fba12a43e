import type { Ambient } from "../../actions/contract/call.ts";
import type { RetryingTable, RetryPolicy } from "../table/retry.ts";

/** What the store of one call works with. */
export interface StoreContext {
  readonly table: RetryingTable;
  readonly ambient: Ambient;
  readonly waiting: RetryPolicy;
}
