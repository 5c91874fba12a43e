import { type ActionModule, createCatalogue } from "../../shared/actions/catalogue.ts";
import type { Action } from "../../shared/actions/contract/action.ts";

/** Every action of the service. */
export const ACTIONS: readonly Action[] = await createCatalogue().list();

/** Returns the action of a path such as `model/model_get`. */
export function findAction(path: string): Action {
  const action = ACTIONS.find(({ group, name }) => `${group}/${name}` === path);
  if (!action) throw new Error(`there is no action ${path}`);
  return action;
}

/** A room of the actions given, for whatever name is looked for. */
export function roomOf(...actions: readonly Action[]): ActionModule {
  return { prefixes: [""], load: async () => actions };
}
