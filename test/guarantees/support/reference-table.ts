import type { RefAction } from "./reference-action.ts";
import { ATTRIBUTE_ACTIONS, ENTITY_ACTIONS, TYPE_ACTIONS } from "./reference-contents.ts";
import { EXCHANGE_ACTIONS } from "./reference-exchange.ts";
import { JOB_ACTIONS } from "./reference-jobs.ts";
import { MODEL_ACTIONS } from "./reference-models.ts";
import { serviceActions } from "./reference-service.ts";

/**
 * What every action has to answer, by `<group>/<action>`. A new action of the service needs one small function here, or
 * the histories fail by its name; a new type of parameter needs its check in reference-values.ts and its values in
 * history-values.ts.
 */
export const REFERENCE: Readonly<Record<string, RefAction>> = {
  ...MODEL_ACTIONS,
  ...EXCHANGE_ACTIONS,
  ...TYPE_ACTIONS,
  ...ENTITY_ACTIONS,
  ...ATTRIBUTE_ACTIONS,
  ...JOB_ACTIONS,
  ...serviceActions(() => REFERENCE),
};
