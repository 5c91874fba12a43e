import type { Action } from "../../../../shared/actions/contract/action.ts";
import { getAllParams, listAddressedKinds } from "../../../../shared/actions/contract/action-parameters.ts";
import type { RefModel } from "../reference/objects.ts";
import type { RefState } from "../reference/state.ts";

export const pathOf = ({ group, name }: Action): string => `${group}/${name}`;

/** How often an action is chosen; one that is not listed has its intent's weight. */
const WEIGHTS: Readonly<Record<string, number>> = {
  "model/model_create": 9,
  "model/type_create": 8,
  "model/entity_create": 8,
  "model/entity_attribute_create": 14,
  "model/entity_primary_key_update": 6,
  "model/model_delete": 2,
  "model/import": 6,
  "model/model_copy": 4,
  "model/model_export": 4,
  "model/model_release": 6,
  "model/history_version_changes": 3,
  "model/relationship_create": 9,
  // Few relationships have other than two roles, which is what it can be refused for.
  "model/relationship_update_key_pairs": 6,
  "model/business_key_create": 8,
  "tag/tag_local_create": 9,
  "tag/tag_group_create": 12,
  "tag/tag_global_create": 9,
  "batch/batch_run": 7,
  // The more actions there are, the rarer is one that needs nothing.
  "model/maintenance_rebuild_caches": 4,
  "tag/tag_group_get": 3,
  "tag/tag_group_update_key": 6,
  "property/definition_get": 5,
  "model/run_begin": 3,
  "model/model_undo": 6,
};
const WEIGHT_OF_INTENT = { create: 6, read: 2, update: 3, delete: 2, other: 1.5 } as const;

/** How often an action is chosen in a state: rather one that has something to work on. */
export function weightOf(action: Action, { models, tags, past }: RefState): number {
  const weight = WEIGHTS[pathOf(action)] ?? WEIGHT_OF_INTENT[action.intent];
  const kinds = listAddressedKinds(action);
  const factor = 2 ** kinds.length;
  const [outermost] = kinds;
  // Without a model most actions can only say that it is not there.
  const begins = action.intent === "create" && !outermost && !action.ledger;
  if (begins) return models.size === 0 ? weight * 20 : models.size > 3 ? weight / 3 : weight;
  if (!outermost) return weight;
  if (action.findsDeleted) return [...past.values()].some((commits) => !commits.at(-1)?.model) ? 12 : 0.3;
  const isThere =
    outermost.ledger === "tags"
      ? tags.groups.some((group) => outermost.name === "tag_group" || group.tags.length > 0)
      : [...models.values()].some((m) => hasWhatItNames(action, m));
  return isThere ? weight * (outermost.ledger === "tags" ? 4 : factor) : weight / 6;
}

/** Writes that histories of undos repeat, so that runs meet each other in a few members. */
export const UNDONE: readonly RegExp[] = [
  /^entity_(create|delete|update_)/,
  /^entity_(update_(name|description)|.*_property)$/,
  /^(type|entity|model)_update_(name|key)$/,
  /^(type|entity_attribute)_(create|delete|update_(key|type)|move)/,
  /^entity_attribute_(update_(optional|type|constraints)|move)/,
  /^relationship_(create|delete|update_(name|key)|role|attribute_(create|delete))/,
  /^relationship_(role_|update_key_pairs)/,
  /^(business_key_|entity_primary_key|entity_attribute_(create|delete)$)/,
  /^(tag_local_delete|entity_(add|delete)_tag)$/,
  /^(type|entity|business_key)_(create|delete|update_key)$/,
  /./,
];

/** The names of what is done in a history of undos beside its writes, and how often. */
export function weightsInUndos({ models, runs, past }: RefState): readonly (readonly [string, number])[] {
  const isDeleted = [...past.keys()].some((id) => !models.has(id));
  const isLong = [...models.keys()].some((id) => (past.get(id)?.length ?? 0) > 3);
  return [
    ["", 70],
    ["model_undo", isLong ? 22 : 0],
    ["run_begin", runs.size < 3 ? 50 : 0.5],
    ["model_undelete", isDeleted ? 30 : 0],
    ...["model_delete", "model_restore", "batch_run", "history_version_changes", "run_get", "run_get"].map(
      (n) => [n, 1.5] as const,
    ),
  ];
}

/** Whether a model holds something for every ref that the action takes. */
export function hasWhatItNames(action: Action, model: RefModel): boolean {
  const { types, entities, relationships, businessKeys, localTags } = model;
  const params = getAllParams(action);
  const holders = "entityRef" in params ? entities : "relationshipRef" in params ? relationships : undefined;
  if (("typeRef" in params || params.type) && types.length === 0) return false;
  if (holders && !holders.some((one) => !("attributeRef" in params) || one.attributes.length > 0)) return false;
  if ("roleAEntityRef" in params && entities.length === 0) return false;
  if ("businessKeyRef" in params && businessKeys.length === 0) return false;
  return params.tagRef?.type.id !== "LocalTagRef" || localTags.length > 0;
}
