import type { Registry } from "./contract/action.ts";
import { type ActionModule, createRegistry } from "./registry.ts";

/**
 * Every action of the service, by kind. The order is that of discovery and documentation; a test tells when a prefix leads
 * the callers of an action to another module than its own.
 */
export const ACTION_MODULES = [
  { prefixes: ["model/model_"], load: async () => (await import("./model/model.ts")).modelActions },
  {
    prefixes: ["model/model_export", "model/model_copy", "model/import", "model/inspect_"],
    load: async () => (await import("./model/exchange.ts")).exchangeActions,
  },
  { prefixes: ["model/model_release"], load: async () => (await import("./model/release.ts")).releaseActions },
  { prefixes: ["model/model_restore"], load: async () => (await import("./model/restore.ts")).restoreActions },
  { prefixes: ["model/model_apply"], load: async () => (await import("./model/apply.ts")).applyActions },
  { prefixes: ["model/model_compare"], load: async () => (await import("./model/compare.ts")).compareActions },
  { prefixes: ["model/history_"], load: async () => (await import("./model/history.ts")).historyActions },
  { prefixes: ["model/type_"], load: async () => (await import("./model/type.ts")).typeActions },
  { prefixes: ["model/entity_"], load: async () => (await import("./model/entity.ts")).entityActions },
  {
    prefixes: ["model/entity_attribute_"],
    load: async () => (await import("./model/entity-attribute.ts")).entityAttributeActions,
  },
  {
    prefixes: ["model/business_key_"],
    load: async () => (await import("./model/business-key.ts")).businessKeyActions,
  },
  {
    prefixes: ["model/relationship_"],
    load: async () => (await import("./model/relationship.ts")).relationshipActions,
  },
  {
    prefixes: ["model/relationship_role_"],
    load: async () => (await import("./model/relationship-role.ts")).relationshipRoleActions,
  },
  {
    prefixes: ["model/relationship_attribute_"],
    load: async () => (await import("./model/relationship-attribute.ts")).relationshipAttributeActions,
  },
  {
    prefixes: ["model", "entity", "entity_attribute", "relationship", "relationship_attribute"].flatMap((kind) => [
      `model/${kind}_add_tag`,
      `model/${kind}_delete_tag`,
    ]),
    load: async () => (await import("./model/tagging.ts")).taggingActions,
  },
  { prefixes: ["model/search"], load: async () => (await import("./model/search.ts")).searchActions },
  {
    prefixes: ["model/maintenance_", "tag/maintenance_"],
    load: async () => (await import("./model/maintenance.ts")).maintenanceActions,
  },
  { prefixes: ["tag/tag_group_"], load: async () => (await import("./tag/tag-group.ts")).tagGroupActions },
  { prefixes: ["tag/tag_global_"], load: async () => (await import("./tag/tag-global.ts")).tagGlobalActions },
  { prefixes: ["tag/tag_local_"], load: async () => (await import("./tag/tag-local.ts")).tagLocalActions },
  { prefixes: ["tag/tag_search"], load: async () => (await import("./tag/tag-search.ts")).tagSearchActions },
  {
    prefixes: ["property/"],
    load: async () => (await import("./property/definition.ts")).propertyDefinitionActions,
  },
  { prefixes: ["auth/role_"], load: async () => (await import("./auth/role.ts")).roleActions },
  { prefixes: ["auth/actor_"], load: async () => (await import("./auth/actor.ts")).actorActions },
  {
    prefixes: ["auth/user_", "auth/change_my_"],
    load: async () => (await import("./auth/user.ts")).userActions,
  },
  {
    prefixes: ["auth/service_account_"],
    load: async () => (await import("./auth/service-account.ts")).serviceAccountActions,
  },
  { prefixes: ["auth/token_"], load: async () => (await import("./auth/token.ts")).tokenActions },
  { prefixes: ["auth/can"], load: async () => (await import("./auth/can.ts")).canActions },
  { prefixes: ["auth/audit_"], load: async () => (await import("./auth/audit.ts")).auditActions },
  { prefixes: ["auth/"], load: async () => (await import("./auth/auth.ts")).authActions },
  { prefixes: ["batch/batch_"], load: async () => (await import("./batch/batch-run.ts")).batchActions },
  { prefixes: ["batch/job_"], load: async () => (await import("./batch/job.ts")).jobActions },
  { prefixes: ["config/"], load: async () => (await import("./config/config-actions.ts")).configActions },
] as const satisfies readonly ActionModule[];

/** The registry of every action of the service. */
export function createCatalogue(): Registry {
  return createRegistry(ACTION_MODULES);
}
