import { type ActionModule, createCatalogue } from "../../shared/actions/catalogue.ts";
import type { Action } from "../../shared/actions/contract/action.ts";

/** Every action of the service. */
export const ACTIONS: readonly Action[] = await createCatalogue().list();

/** A room of the actions given, for whatever name is looked for. */
export function roomOf(...actions: readonly Action[]): ActionModule {
  return { prefixes: [""], load: async () => actions };
}
