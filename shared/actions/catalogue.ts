import type { Registry } from "./contract/action.ts";
import { createRegistry, type Room } from "./registry.ts";

/**
 * Every action of the service, by kind. The order is that of discovery and documentation; a test tells when a beginning
 * leads an action's callers to another room than its own.
 */
export const ROOMS = [
  { begin: ["model/model_"], load: async () => (await import("./model/model.ts")).modelActions },
  {
    begin: ["model/model_export", "model/model_copy", "model/import", "model/inspect_"],
    load: async () => (await import("./model/exchange.ts")).exchangeActions,
  },
  { begin: ["model/model_release"], load: async () => (await import("./model/release.ts")).releaseActions },
  { begin: ["model/model_restore"], load: async () => (await import("./model/restore.ts")).restoreActions },
  { begin: ["model/model_compare"], load: async () => (await import("./model/compare.ts")).compareActions },
  { begin: ["model/history_"], load: async () => (await import("./model/history.ts")).historyActions },
  { begin: ["model/type_"], load: async () => (await import("./model/type.ts")).typeActions },
  { begin: ["model/entity_"], load: async () => (await import("./model/entity.ts")).entityActions },
  {
    begin: ["model/entity_attribute_"],
    load: async () => (await import("./model/entity-attribute.ts")).entityAttributeActions,
  },
  {
    begin: ["model/business_key_"],
    load: async () => (await import("./model/business-key.ts")).businessKeyActions,
  },
  { begin: ["model/relationship_"], load: async () => (await import("./model/relationship.ts")).relationshipActions },
  {
    begin: ["model/relationship_role_"],
    load: async () => (await import("./model/relationship-role.ts")).relationshipRoleActions,
  },
  {
    begin: ["model/relationship_attribute_"],
    load: async () => (await import("./model/relationship-attribute.ts")).relationshipAttributeActions,
  },
  {
    begin: ["model", "entity", "entity_attribute", "relationship", "relationship_attribute"].flatMap((kind) => [
      `model/${kind}_add_tag`,
      `model/${kind}_delete_tag`,
    ]),
    load: async () => (await import("./model/tagging.ts")).taggingActions,
  },
  { begin: ["model/search"], load: async () => (await import("./model/search.ts")).searchActions },
  {
    begin: ["model/maintenance_", "tag/maintenance_"],
    load: async () => (await import("./model/maintenance.ts")).maintenanceActions,
  },
  { begin: ["tag/tag_group_"], load: async () => (await import("./tag/tag-group.ts")).tagGroupActions },
  { begin: ["tag/tag_global_"], load: async () => (await import("./tag/tag-global.ts")).tagGlobalActions },
  { begin: ["tag/tag_local_"], load: async () => (await import("./tag/tag-local.ts")).tagLocalActions },
  { begin: ["tag/tag_search"], load: async () => (await import("./tag/tag-search.ts")).tagSearchActions },
  { begin: ["auth/role_"], load: async () => (await import("./auth/role.ts")).roleActions },
  { begin: ["auth/actor_"], load: async () => (await import("./auth/actor.ts")).actorActions },
  {
    begin: ["auth/user_", "auth/change_my_"],
    load: async () => (await import("./auth/user.ts")).userActions,
  },
  { begin: ["auth/token_"], load: async () => (await import("./auth/token.ts")).tokenActions },
  { begin: ["auth/can"], load: async () => (await import("./auth/can.ts")).canActions },
  { begin: ["auth/audit_"], load: async () => (await import("./auth/audit.ts")).auditActions },
  { begin: ["auth/"], load: async () => (await import("./auth/auth.ts")).authActions },
  { begin: ["batch/batch_"], load: async () => (await import("./batch/batch-run.ts")).batchActions },
  { begin: ["batch/job_"], load: async () => (await import("./batch/job.ts")).jobActions },
  { begin: ["config/"], load: async () => (await import("./config/config-actions.ts")).configActions },
] as const satisfies readonly Room[];

/** The registry of every action of the service. */
export function createCatalogue(): Registry {
  return createRegistry(ROOMS);
}
