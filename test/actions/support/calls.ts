import { type Action, isWrite } from "../../../shared/actions/contract/action.ts";
import { listAddressedKinds } from "../../../shared/actions/contract/action-parameters.ts";
import { addressesModel } from "../../../shared/actions/describe/describe.ts";
import type { Kind, Ledger } from "../../../shared/domain/kinds.ts";
import { ACTIONS } from "../../support/actions.ts";
import type { Example } from "./models.ts";

/** An action with the facts that suites over all actions need of it. */
export interface Listed {
  readonly path: string;
  readonly action: Action;
  readonly writes: boolean;
  /** Kinds of the refs it takes, outermost first. */
  readonly kinds: readonly Kind[];
}

export const LISTED: readonly Listed[] = ACTIONS.map((action) => ({
  path: `${action.group}/${action.name}`,
  action,
  writes: isWrite(action),
  kinds: listAddressedKinds(action),
}));

export const ADDRESSING: readonly Listed[] = LISTED.filter(({ kinds }) => kinds.length > 0);

/** The actions that concern one model, or the ledger of tags. */
export const CONCERNING: readonly Listed[] = LISTED.filter(({ action }) => addressesModel(action));

/** The ledger that holds the objects a call of the action reads and writes. */
export function ledgerOf({ action, kinds }: Listed): Ledger {
  return action.ledger ?? kinds[0]?.ledger ?? "model";
}

/** The parameters in which actions take the key of the object they make inside a model. */
const KEYS_OF_NEW = ["key", "typeKey", "entityKey", "attributeKey", "relationshipKey", "roleKey"];

/** The example payload of an action, on that example model, with a new key for the object that the action makes. */
export function payloadOn({ action }: Listed, { model, gone }: Example): Readonly<Record<string, unknown>> {
  const payload: Record<string, unknown> = { ...action.example };
  if (payload.modelRef !== undefined) payload.modelRef = action.findsDeleted ? gone.byId : model.ref;
  for (const key of KEYS_OF_NEW) if (payload[key] !== undefined) payload[key] = `${model.key}-made`;
  return payload;
}
