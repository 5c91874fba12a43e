import { authActions } from "./auth/auth.ts";
import { configActions } from "./config/config-actions.ts";
import type { Action } from "./define-action.ts";
import { entityActions } from "./model/entity.ts";
import { entityAttributeActions } from "./model/entity-attribute.ts";
import { exchangeActions } from "./model/exchange.ts";
import { modelActions } from "./model/model.ts";
import { typeActions } from "./model/type.ts";
import { createRegistry, type Registry } from "./registry.ts";

/** The registry of every action of the service. */
export function createCatalogue(): Registry {
  const all: readonly Action[] = [
    ...modelActions,
    ...exchangeActions,
    ...typeActions,
    ...entityActions,
    ...entityAttributeActions,
    ...authActions,
    ...configActions(() => all),
  ];
  return createRegistry(all);
}
