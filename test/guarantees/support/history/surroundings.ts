import type { Action } from "../../../../shared/actions/contract/action.ts";
import type { Chance } from "../../../support/chance.ts";
import type { RefEntity, RefModel, RefRelationship } from "../reference/objects.ts";
import type { RefState } from "../reference/state.ts";

/** The place of a value that is drawn: the state before the call, and the objects that the call's path names. */
export interface Surroundings {
  readonly chance: Chance;
  readonly state: RefState;
  /** Begins the key of every model of the history. */
  readonly prefix: string;
  readonly model: RefModel | undefined;
  readonly entity: RefEntity | undefined;
  readonly relationship: RefRelationship | undefined;
  /** Ids that were given out, among them those of objects that are gone. */
  readonly ids: readonly string[];
  readonly undone: RegExp | undefined;
}

/** The state and the chance that a random call is drawn from. */
export interface CallContext {
  readonly chance: Chance;
  readonly actions: readonly Action[];
  readonly state: RefState;
  readonly prefix: string;
  readonly ids: readonly string[];
  /** In a history of undos: the writes that it repeats, by their names. */
  readonly undone: RegExp | undefined;
  /** A key that no call of the history has used. */
  readonly newIdempotencyKey: () => string;
}
