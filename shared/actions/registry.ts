import { Problem } from "../domain/problems.ts";
import type { Action } from "./define-action.ts";
import { nearest } from "./nearest.ts";

/** Every action by group and name; the only list doors and descriptions are made from. */
export interface Registry {
  readonly actions: readonly Action[];
  /** The action of a call, whose group may be plural; `unknown_action` with the nearest name when there is none. */
  find(group: string, name: string): Action;
}

/** Plural spelling of a group -> its name. */
const PLURALS: ReadonlyMap<string, string> = new Map([
  ["models", "model"],
  ["tags", "tag"],
  ["databases", "database"],
]);

/** A registry over explicit lists; refuses two actions of one name. */
export function createRegistry(...lists: readonly (readonly Action[])[]): Registry {
  const actions = lists.flat();
  const byName = new Map<string, Action>();
  for (const action of actions) {
    const name = `${action.group}/${action.name}`;
    if (byName.has(name)) throw new Error(`two actions are called ${name}`);
    byName.set(name, action);
  }
  return {
    actions,
    find: (group, name) => {
      const wanted = `${PLURALS.get(group) ?? group}/${name}`;
      const action = byName.get(wanted);
      if (action) return action;
      const close = nearest(wanted, byName.keys());
      throw new Problem("unknown_action", `there is no action ${wanted}${close ? `; did you mean ${close}?` : ""}`);
    },
  };
}
