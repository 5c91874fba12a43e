/** Returns names that begin with a kind of object: `named("type", "create delete")` is `type_create`, `type_delete`. */
const named = (kind: string, verbs: string): readonly string[] => verbs.split(" ").map((verb) => `${kind}_${verb}`);

const TEXTS = "update_description update_key update_name";
const OBJECT = `create delete ${TEXTS}`;
const TAGGED = `${OBJECT} add_tag delete_tag`;
const ATTRIBUTE = `${TAGGED} update_optional update_type`;

/** Names of the actions of the ancestor by group, as our contract spells groups: what callers of old expect to find. */
export const ANCESTOR_ACTIONS: { readonly [group: string]: readonly string[] } = {
  batch: ["batch_run"],
  auth: [
    ...named("actor", "add_role delete_role disable enable get list"),
    ...["admin_bootstrap", "change_my_password", "login", "whoami"],
    ...named("role", `add_permission delete_permission get list update_autoassign ${OBJECT}`),
    ...named("user", "change_fullname change_password create disable enable list"),
  ],
  tag: [
    ...["maintenance_rebuild_caches", "tag_search"],
    ...["tag_global", "tag_local"].flatMap((kind) => named(kind, OBJECT)),
    ...named("tag_group", `${OBJECT} list`),
  ],
  model: [
    ...named("business_key", `${OBJECT} update_participants`),
    ...["entity_attribute", "relationship_attribute"].flatMap((kind) => named(kind, ATTRIBUTE)),
    ...named("entity", `${TAGGED} primary_key_update update_documentation_link`),
    ...["history_version_changes", "history_versions", "import", "inspect_models_json"],
    ...["maintenance_rebuild_caches", "search"],
    ...named("model", `${TAGGED} compare copy export export_version list release`),
    ...named("model", "update_authority update_documentation_link"),
    ...named("relationship", TAGGED),
    ...named("relationship_role", "create delete update_cardinality update_entity update_key update_name"),
    ...named("type", OBJECT),
  ],
  config: [
    "ai_agents_instructions",
    ...named("inspect", "actions actions_all config config_text permissions security_rules type_system"),
  ],
  database: ["driver_list", "datasource_list"],
};
