import { Problem } from "../domain/problems.ts";
import { findNearest } from "../domain/text/suggestions.ts";
import type { Action, Group, Registry } from "./contract/action.ts";
import { entityAttributeActions, relationshipAttributeActions } from "./model/attribute.ts";
import { businessKeyActions } from "./model/business-key.ts";
import { entityActions } from "./model/entity.ts";
import { modelActions } from "./model/model.ts";
import { relationshipActions, relationshipRoleActions } from "./model/relationship.ts";
import { taggingActions } from "./model/tagging.ts";
import { typeActions } from "./model/type.ts";

/** Every action, in the order of documentation. The structure of models is part of every process. */
export const ACTION_MODULES = [
  { prefixes: ["model/model_"], load: async () => modelActions },
  {
    prefixes: ["model/model_export", "model/model_copy", "model/import", "model/inspect_"],
    load: async () => (await import("./model/exchange.ts")).exchangeActions,
  },
  {
    prefixes: ["model/model_release", "model/model_restore", "model/model_undelete", "model/deleted_list"],
    load: async () => (await import("./model/versions.ts")).versionActions,
  },
  { prefixes: ["model/model_undo"], load: async () => (await import("./model/undo.ts")).undoActions },
  { prefixes: ["model/run_"], load: async () => (await import("./model/run.ts")).runActions },
  { prefixes: ["model/model_apply"], load: async () => (await import("./model/apply.ts")).applyActions },
  { prefixes: ["model/model_compare"], load: async () => (await import("./model/compare.ts")).compareActions },
  { prefixes: ["model/history_"], load: async () => (await import("./model/history.ts")).historyActions },
  { prefixes: ["model/type_"], load: async () => typeActions },
  { prefixes: ["model/entity_"], load: async () => entityActions },
  { prefixes: ["model/entity_attribute_"], load: async () => entityAttributeActions },
  { prefixes: ["model/business_key_"], load: async () => businessKeyActions },
  { prefixes: ["model/relationship_"], load: async () => relationshipActions },
  { prefixes: ["model/relationship_role_"], load: async () => relationshipRoleActions },
  { prefixes: ["model/relationship_attribute_"], load: async () => relationshipAttributeActions },
  {
    prefixes: ["model", "entity", "entity_attribute", "relationship", "relationship_attribute"].flatMap((kind) => [
      `model/${kind}_add_tag`,
      `model/${kind}_delete_tag`,
    ]),
    load: async () => taggingActions,
  },
  { prefixes: ["model/search"], load: async () => (await import("./model/search.ts")).searchActions },
  {
    prefixes: ["model/maintenance_", "tag/maintenance_"],
    load: async () => (await import("./model/maintenance.ts")).maintenanceActions,
  },
  { prefixes: ["tag/"], load: async () => (await import("./tag/tag.ts")).tagActions },
  {
    prefixes: ["property/"],
    load: async () => (await import("./property/definition.ts")).propertyDefinitionActions,
  },
  { prefixes: ["auth/"], load: async () => (await import("./auth/auth.ts")).authActions },
  { prefixes: ["batch/"], load: async () => (await import("./batch/batch-run.ts")).batchActions },
  { prefixes: ["config/"], load: async () => (await import("./config/config-actions.ts")).configActions },
] as const satisfies readonly ActionModule[];

/** Creates the registry of every action of the service. */
export function createCatalogue(): Registry {
  return createRegistry(ACTION_MODULES);
}

/** A part of the catalogue, loaded with the first call of one of its actions. */
export interface ActionModule {
  /** Prefixes of `<group>/<action>`. If several modules match, the longest prefix decides. */
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

/** Creates a registry of action modules. Prefixes only decide which module is loaded first. */
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
  const calledBefore = new Map<string, Map<string, Action>>();
  return {
    list: async () => [...(await every()).values()],
    find: async (group, name) => {
      const cachedAction = calledBefore.get(group)?.get(name);
      if (cachedAction) return cachedAction;
      const path = `${SINGULARS.get(group) ?? group}/${name}`;
      const module = byPrefix.find(({ prefix }) => path.startsWith(prefix));
      const action = (await module?.actions())?.get(path) ?? (await every()).get(path);
      if (action) {
        const ofGroup = calledBefore.get(group) ?? new Map<string, Action>();
        calledBefore.set(group, ofGroup.set(name, action));
        return action;
      }
      const close = findNearest(path, (await every()).keys());
      throw new Problem("unknown_action", `Unknown action \`${path}\`.${close ? ` Did you mean \`${close}\`?` : ""}`);
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
