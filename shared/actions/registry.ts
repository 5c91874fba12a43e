import { Problem } from "../domain/problems.ts";
import { findNearest } from "../domain/text/suggestions.ts";
import type { Action, Registry } from "./contract/action.ts";
import type { Group } from "./contract/typed-action.ts";

/** A part of the catalogue, loaded with the first call of one of its actions. */
export interface ActionModule {
  /** The prefixes of `<group>/<action>` of its actions. If several modules match, the longest prefix decides. */
  readonly prefixes: readonly string[];
  readonly load: () => Promise<readonly Action[]>;
}

/** The plural of each group, which callers may use too. */
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
 * Creates a registry of action modules. The prefixes only decide the module that is loaded first: an action of another module is
 * found by loading all modules. Throws when two actions have the same name.
 */
export function createRegistry(modules: readonly ActionModule[]): Registry {
  const loaders = modules.map(({ prefixes, load }) => ({
    prefixes,
    actions: memoize(async () => indexByPath(await load())),
  }));
  const byPrefix = loaders
    .flatMap(({ prefixes, actions }) => prefixes.map((prefix) => ({ prefix, actions })))
    .sort((a, b) => b.prefix.length - a.prefix.length);
  const every = memoize(async () => {
    const maps = await Promise.all(loaders.map(({ actions }) => actions()));
    return indexByPath(maps.flatMap((actions) => [...actions.values()]));
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
      throw new Problem("unknown_action", `Unknown action \`${wanted}\`.${close ? ` Did you mean \`${close}\`?` : ""}`);
    },
  };
}

function indexByPath(actions: readonly Action[]): ReadonlyMap<string, Action> {
  const paths = new Map<string, Action>();
  for (const action of actions) {
    const path = `${action.group}/${action.name}`;
    if (paths.has(path)) throw new Error(`Two actions have the name ${path}`);
    paths.set(path, action);
  }
  return paths;
}

/** Returns a function that creates a value only once. After a failure the next call tries again. */
function memoize<T extends object>(create: () => Promise<T>): () => Promise<T> {
  let value: T | undefined;
  return async () => {
    value ??= await create();
    return value;
  };
}
