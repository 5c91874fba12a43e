import type { Action } from "../../../../shared/actions/contract/action.ts";
import type { Chance } from "../../../support/chance.ts";
import type { RefState } from "../reference/state.ts";

/** The state and the chance that a random call is drawn from. */
export interface CallContext {
  readonly chance: Chance;
  readonly actions: readonly Action[];
  readonly state: RefState;
  readonly prefix: string;
  readonly ids: readonly string[];
  /** A key that no call of the history has used. */
  readonly newIdempotencyKey: () => string;
}
