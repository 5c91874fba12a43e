import { relationshipFields } from "../../domain/fields/model-fields.ts";
import { entity, model, relationship } from "../../domain/kinds.ts";
import { createChange, deleteChange, updateChanges } from "../../domain/model/changes.ts";
import { optionalMember } from "../../domain/model/content.ts";
import type { Relationship } from "../../domain/model/objects.ts";
import { Problem } from "../../domain/problems.ts";
import { cardinality, relationshipKey, relationshipRoleKey } from "../../domain/values/model-types.ts";
import { entityRef } from "../../domain/values/ref-types.ts";
import { markdown, singleLine } from "../../domain/values/value-types.ts";
import { deletedOutput, removedRows } from "../building/answers.ts";
import { createDescribed, createKindActions, modelWrite, toSubject } from "../building/field-actions.ts";
import { defineGetObject, defineListObjects } from "../building/reads.ts";
import { createKindRows } from "../building/rows.ts";
import type { Action } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { clearableParam, optionalParam, requiredParam } from "../contract/params.ts";
import { need } from "../pipeline/resolve.ts";
import { getJoinedSides, keyPairList, resolveKeyPairs } from "./attribute-refs.ts";
import { createRole } from "./relationship-role.ts";

const rows = createKindRows("Relationship", relationshipFields);

const relationshipCreate = defineAction({
  ...modelWrite,
  name: "relationship_create",
  title: "Create relationship",
  description:
    "Creates a relationship between the entities of two roles, A and B, which may be the same entity. `relationship_role_create` adds more roles.",
  intent: "create",
  within: model,
  input: {
    relationshipKey: requiredParam(relationshipKey, "The key of the new relationship."),
    name: optionalParam(singleLine, "Its name."),
    description: optionalParam(markdown, "Its description."),
    keyPairs: optionalParam(
      keyPairList,
      "The pairs of attributes of a join: each pair has one attribute of the entity in role A and one of the entity in role B.",
    ),
    roleAKey: requiredParam(relationshipRoleKey, "The key of role A."),
    roleAEntityRef: requiredParam(entityRef, "The entity in role A."),
    roleACardinality: requiredParam(cardinality, "The number of instances on the side of role A."),
    roleAName: optionalParam(singleLine, "The name of role A."),
    roleBKey: requiredParam(relationshipRoleKey, "The key of role B, different from the key of role A."),
    roleBEntityRef: requiredParam(entityRef, "The entity in role B."),
    roleBCardinality: requiredParam(cardinality, "The number of instances on the side of role B."),
    roleBName: optionalParam(singleLine, "The name of role B."),
  },
  errors: ["key_taken"],
  example: {
    modelRef: "key:crm",
    relationshipKey: "places",
    name: "Places",
    roleAKey: "buyer",
    roleAEntityRef: "key:person",
    roleACardinality: "one",
    roleBKey: "order",
    roleBEntityRef: "key:order",
    roleBCardinality: "many",
  },
  prepare: async ({ input }) => {
    if (input.roleAKey === input.roleBKey) throwSameKey(input.roleBKey);
  },
  run: async ({ view, input, call }) => {
    const [entityA, entityB] = await Promise.all([
      need(view, entity, input.roleAEntityRef),
      need(view, entity, input.roleBEntityRef),
    ]);
    const { roleAKey, roleAName, roleACardinality, roleBKey, roleBName, roleBCardinality } = input;
    const made: Relationship = {
      kind: "relationship",
      ...createDescribed(call, input.relationshipKey, input),
      roles: [
        createRole(call, { key: roleAKey, name: roleAName, entity: entityA.id, cardinality: roleACardinality }),
        createRole(call, { key: roleBKey, name: roleBName, entity: entityB.id, cardinality: roleBCardinality }),
      ],
      ...optionalMember("keyPairs", await resolveKeyPairs(view, [entityA, entityB], "keyPairs", input.keyPairs)),
    };
    return { subject: toSubject(made), changes: [createChange(made)] };
  },
});

function throwSameKey(key: string): never {
  const detail = `roleBKey: ${key} is also the key of role A; use different keys`;
  throw new Problem("bad_parameters", detail, { errors: [{ pointer: "/roleBKey", detail }] });
}

const relationshipUpdateKeyPairs = defineAction({
  ...modelWrite,
  name: "relationship_update_key_pairs",
  title: "Set key pairs",
  description:
    "Replaces the pairs of attributes for the join of a relationship with two roles. All pairs are removed when the relationship gets or loses a role, or when the entity in a role changes. A pair is removed with either of its attributes.",
  intent: "update",
  target: relationship,
  input: {
    value: clearableParam(
      keyPairList,
      "The pairs, each with one attribute of the entity in the first role and one of the entity in the second role. Leave it out, or give an empty list, to clear them.",
    ),
  },
  errors: ["too_many_roles"],
  example: { modelRef: "key:crm", relationshipRef: "key:replaces", value: [["key:number", "key:number"]] },
  run: async ({ target, view, input }) => {
    const keyPairs = input.value?.length
      ? await resolveKeyPairs(view, getJoinedSides(target), "value", input.value)
      : undefined;
    return { subject: toSubject(target), changes: updateChanges(target, { keyPairs }) };
  },
});

const relationshipDelete = defineAction({
  ...modelWrite,
  name: "relationship_delete",
  title: "Delete relationship",
  description: "Deletes a relationship with its roles and attributes, which the answer lists. The entities stay.",
  intent: "delete",
  target: relationship,
  input: {},
  output: deletedOutput,
  errors: [],
  example: { modelRef: "key:crm", relationshipRef: "key:places" },
  run: async ({ target, view }) => {
    const { items: attributes } = await view.list("attribute", target.id, { lookBack: true });
    return {
      subject: toSubject(target),
      changes: [deleteChange(target, attributes.length > 0)],
      removed: [...removedRows("relationship_role", target.roles), ...removedRows("attribute", attributes)],
    };
  },
});

const places = { modelRef: "key:crm", relationshipRef: "key:places" };
const actions = createKindActions(relationship, {
  group: "model",
  rule: "model_write",
  one: "a relationship",
  example: places,
});

/** The `relationship_*` actions. */
export const relationshipActions = [
  relationshipCreate,
  defineGetObject("relationship_get", relationship, rows, {
    description: "Reads one relationship with its roles; `relationship_attribute_list` lists its attributes.",
    example: places,
  }),
  defineListObjects(
    "relationship_list",
    relationship,
    rows,
    "relationships",
    "Lists the relationships of a model with their roles, sorted by key.",
  ),
  actions.updateKey("relationship_update_key", relationshipKey, "orders"),
  actions.updateName("relationship_update_name", "Places"),
  actions.updateDescription("relationship_update_description", "Who has ordered what."),
  actions.updateProperty("relationship_update_property"),
  actions.deleteProperty("relationship_delete_property"),
  relationshipUpdateKeyPairs,
  relationshipDelete,
] as const satisfies readonly Action[];
