import { Problem } from "../domain/problems.ts";
import { findNearest } from "../domain/text/suggestions.ts";
import type { Action, Registry } from "./contract/action.ts";
import type { Group } from "./contract/typed-action.ts";

/** A part of the catalogue that is loaded when one of its actions is called. */
export interface ActionModule {
  /** The beginnings of `<group>/<action>` of its actions; where several modules match, the longest prefix decides. */
  readonly prefixes: readonly string[];
  readonly load: () => Promise<readonly Action[]>;
}

/** The plural that each group answers to as well. */
export const PLURALS: Readonly<Record<Group, string>> = {
  model: "models",
  tag: "tags",
  property: "properties",
  auth: "auths",
  config: "configs",
  batch: "batches",
};

const SINGULARS: ReadonlyMap<string, string> = new Map(
  Object.entries(PLURALS).map(([group, plural]) => [plural, group]),
);

/**
 * A registry over action modules; two actions of one name are an error of the call that asks for all. The prefixes only say
 * where to look first: an action of another module is found as well, by loading every module.
 */
export function createRegistry(modules: readonly ActionModule[]): Registry {
  const known = modules.map(({ prefixes, load }) => ({
    prefixes,
    actions: remembered(async () => byPath(await load())),
  }));
  const byPrefix = known
    .flatMap(({ prefixes, actions }) => prefixes.map((prefix) => ({ prefix, actions })))
    .sort((a, b) => b.prefix.length - a.prefix.length);
  const every = remembered(async () => {
    const maps = await Promise.all(known.map(({ actions }) => actions()));
    return byPath(maps.flatMap((actions) => [...actions.values()]));
  });
  /** The actions that were called before, by group and name as callers write them. */
  const calledBefore = new Map<string, Map<string, Action>>();
  return {
    all: async () => [...(await every()).values()],
    find: async (group, name) => {
      const called = calledBefore.get(group)?.get(name);
      if (called) return called;
      const wanted = `${SINGULARS.get(group) ?? group}/${name}`;
      const module = byPrefix.find(({ prefix }) => wanted.startsWith(prefix));
      const action = (await module?.actions())?.get(wanted) ?? (await every()).get(wanted);
      if (action) {
        const ofGroup = calledBefore.get(group) ?? new Map<string, Action>();
        calledBefore.set(group, ofGroup.set(name, action));
        return action;
      }
      const close = findNearest(wanted, (await every()).keys());
      throw new Problem("unknown_action", `there is no action ${wanted}${close ? `; did you mean ${close}?` : ""}`);
    },
  };
}

function byPath(actions: readonly Action[]): ReadonlyMap<string, Action> {
  const paths = new Map<string, Action>();
  for (const action of actions) {
    const path = `${action.group}/${action.name}`;
    if (paths.has(path)) throw new Error(`two actions are called ${path}`);
    paths.set(path, action);
  }
  return paths;
}

/** A function that makes a value once; after a failure the next call tries again. */
function remembered<T extends object>(make: () => Promise<T>): () => Promise<T> {
  let made: T | undefined;
  return async () => {
    made ??= await make();
    return made;
  };
}
