import { authActions } from "./auth/auth.ts";
import { jobActions } from "./batch/job.ts";
import { configActions } from "./config/config-actions.ts";
import type { Action } from "./define-action.ts";
import { entityActions } from "./model/entity.ts";
import { entityAttributeActions } from "./model/entity-attribute.ts";
import { exchangeActions } from "./model/exchange.ts";
import { modelActions } from "./model/model.ts";
import { typeActions } from "./model/type.ts";
import { createRegistry, type Registry } from "./registry.ts";

/** Every action of the service, by kind. */
export const ACTIONS: readonly Action[] = [
  ...modelActions,
  ...exchangeActions,
  ...typeActions,
  ...entityActions,
  ...entityAttributeActions,
  ...authActions,
  ...jobActions,
  ...configActions(() => ACTIONS),
];

/** The registry of every action of the service. */
export function createCatalogue(): Registry {
  return createRegistry(ACTIONS);
}
