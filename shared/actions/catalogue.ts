import type { Registry } from "./contract/action.ts";
import { entityAttributeActions, relationshipAttributeActions } from "./model/attribute.ts";
import { businessKeyActions } from "./model/business-key.ts";
import { entityActions } from "./model/entity.ts";
import { maintenanceActions } from "./model/maintenance.ts";
import { modelActions } from "./model/model.ts";
import { relationshipActions } from "./model/relationship.ts";
import { relationshipRoleActions } from "./model/relationship-role.ts";
import { taggingActions } from "./model/tagging.ts";
import { typeActions } from "./model/type.ts";
import { type ActionModule, createRegistry } from "./registry.ts";

/**
 * Every action of the service, by kind, in the order of discovery and documentation. The actions on the structure of models
 * are part of every process; each other group is loaded with its first call. A test fails when a prefix belongs to another module.
 */
export const ACTION_MODULES = [
  { prefixes: ["model/model_"], load: async () => modelActions },
  {
    prefixes: ["model/model_export", "model/model_copy", "model/import", "model/inspect_"],
    load: async () => (await import("./model/exchange.ts")).exchangeActions,
  },
  {
    prefixes: ["model/model_release", "model/model_restore"],
    load: async () => (await import("./model/versions.ts")).versionActions,
  },
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
  { prefixes: ["model/maintenance_", "tag/maintenance_"], load: async () => maintenanceActions },
  { prefixes: ["tag/"], load: async () => (await import("./tag/tag-group.ts")).tagActions },
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
