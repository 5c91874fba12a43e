import { type ActionModule, createCatalogue } from "../../shared/actions/catalogue.ts";
import type { Action } from "../../shared/actions/contract/action.ts";
import { PASSWORD } from "./accounts.ts";

/** Passwords of the tests instead of the placeholders in examples, which the service refuses. */
const PASSWORDS: ReadonlyMap<unknown, string> = new Map([
  ["<password>", PASSWORD],
  ["<old password>", PASSWORD],
  ["<new password>", "Moth in the relay 1947"],
]);

const givePasswords = (action: Action): Action => {
  const members = Object.entries(action.example).map(([name, value]) => [name, PASSWORDS.get(value) ?? value]);
  return action.group === "auth" ? { ...action, example: Object.fromEntries(members) } : action;
};

export const ACTIONS: readonly Action[] = (await createCatalogue().list()).map(givePasswords);

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
