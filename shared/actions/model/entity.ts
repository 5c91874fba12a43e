import { entityFields } from "../../domain/fields/model-fields.ts";
import { entity, model } from "../../domain/kinds.ts";
import { LIMITS } from "../../domain/limits.ts";
import { createChange, deleteChange, updateChanges } from "../../domain/model/changes.ts";
import { includeMember } from "../../domain/model/content.ts";
import type { Attribute, Entity, Relationship } from "../../domain/model/objects.ts";
import { Problem } from "../../domain/problems.ts";
import { entityAttributeRef } from "../../domain/values/ref-types.ts";
import { createListType, entityKey, link, markdown, singleLine } from "../../domain/values/value-types.ts";
import { deletedOutput, toRemovedRows } from "../building/answers.ts";
import {
  createDescribed,
  createKindActions,
  defineUpdateField,
  modelWrite,
  toSubject,
} from "../building/field-actions.ts";
import { createKindRows } from "../building/rows.ts";
import type { Action, RemovedRow } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { allowClearing, allowParam, requireParam } from "../contract/params.ts";
import { resolveAttributeIds } from "./attribute-refs.ts";

const rows = createKindRows("Entity", entityFields);

const entityCreate = defineAction({
  ...modelWrite,
  name: "entity_create",
  title: "Create entity",
  description: "Creates an entity without attributes and without a primary key.",
  intent: "create",
  within: model,
  input: {
    entityKey: requireParam(entityKey, "The key of the new entity."),
    name: allowParam(singleLine, "Its name."),
    description: allowParam(markdown, "What it represents."),
    documentationHome: allowParam(link, "The URL of its documentation."),
  },
  errors: ["key_taken"],
  example: { modelRef: "key:crm", entityKey: "customer", name: "Customer" },
  run: async ({ input, call }) => {
    const newEntity: Entity = {
      kind: "entity",
      ...createDescribed(call, input.entityKey, input),
      ...includeMember("documentationHome", input.documentationHome),
      primaryKey: [],
    };
    return { subject: toSubject(newEntity), changes: [createChange(newEntity)] };
  },
});

const entityDelete = defineAction({
  ...modelWrite,
  name: "entity_delete",
  title: "Delete entity",
  description:
    "Deletes an entity with its attributes, primary key and business keys, which the answer lists. The entity must not have a role in a relationship.",
  intent: "delete",
  target: entity,
  output: deletedOutput,
  errors: ["still_used"],
  example: { modelRef: "key:crm", entityRef: "key:customer" },
  run: async ({ target, view }) => {
    const lookBack = { lookBack: true };
    const [relationships, attributes, businessKeys] = await Promise.all([
      view.list("relationship", undefined, lookBack),
      view.list("attribute", target.id, lookBack),
      view.list("business_key", undefined, lookBack),
    ]);
    requireUnused(
      target,
      relationships.items.filter((r) => r.roles.some((role) => role.entity === target.id)),
    );
    const keys = businessKeys.items.filter((b) => b.entity === target.id);
    const owns = attributes.items.length > 0 || keys.length > 0;
    const removals = [
      ...toRemovedPrimaryKey(target, attributes.items),
      ...toRemovedRows("business_key", keys),
      ...toRemovedRows("attribute", attributes.items),
    ];
    return { subject: toSubject(target), changes: [deleteChange(target, owns)], removals };
  },
});

const NAMED_USES = 5;

function requireUnused(target: Entity, uses: readonly Relationship[]) {
  if (uses.length === 0) return;
  const names = uses.slice(0, NAMED_USES).map((r) => r.key);
  if (uses.length > NAMED_USES) names.push("…");
  throw new Problem(
    "still_used",
    `Cannot delete entity ${target.key}: it has a role in ${uses.length} relationship(s): ${names.join(", ")}. Delete them, or give the roles another entity first`,
  );
}

const entityPrimaryKeyUpdate = defineAction({
  ...modelWrite,
  name: "entity_primary_key_update",
  title: "Set primary key",
  description: "Replaces the primary key of an entity by these attributes in this order; an empty list removes it.",
  intent: "update",
  target: entity,
  input: {
    attributeRef: requireParam(
      createListType(entityAttributeRef, LIMITS.primaryKeyAttributes),
      "Refs of attributes of the entity, in order; may be empty.",
      "value",
      "primaryKey",
      "participants",
    ),
  },
  errors: [],
  example: { modelRef: "key:crm", entityRef: "key:customer", attributeRef: ["key:code"] },
  run: async ({ target, view, input }) => {
    const primaryKey = await resolveAttributeIds(view, target, "attributeRef", input.attributeRef);
    return { subject: toSubject(target), changes: updateChanges(target, { primaryKey }) };
  },
});

const customer = { modelRef: "key:crm", entityRef: "key:customer" };
const actions = createKindActions(entity, {
  prefix: "entity",
  group: "model",
  rule: "model_write",
  one: "an entity",
  example: customer,
});

export const entityActions = [
  entityCreate,
  actions.get(rows, "Reads one entity with its primary key; `entity_attribute_list` lists its attributes."),
  actions.list(rows, "entities", "Lists the entities of a model, sorted by key."),
  actions.updateKey(entityKey, "client"),
  actions.updateName("Customer"),
  actions.updateDescription("A person or company that buys."),
  defineUpdateField("entity_update_documentation_link", entity, "documentationHome", {
    title: "Link entity documentation",
    description: "Changes or clears the link to the documentation of an entity.",
    rule: "model_write",
    value: allowClearing(link, "The new link; leave it out to clear it."),
    example: { ...customer, value: "https://example.com/customer" },
  }),
  entityPrimaryKeyUpdate,
  ...actions.properties,
  entityDelete,
] as const satisfies readonly Action[];

/** Returns the row of a primary key that loses attributes, if any. */
export function toRemovedPrimaryKey(
  { id, key, primaryKey }: Entity,
  removals: readonly Attribute[],
): readonly RemovedRow[] {
  const keys = new Map(removals.map((attribute) => [attribute.id, attribute.key]));
  const attributes = primaryKey.flatMap((one) => keys.get(one) ?? []);
  if (attributes.length === 0) return [];
  const remainder = attributes.length < primaryKey.length && { remains: true as const };
  return [{ kind: "primary_key", id, key, attributes, ...remainder }];
}
