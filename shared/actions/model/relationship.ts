import { relationshipFields } from "../../domain/fields/model-fields.ts";
import { entity, model, relationship } from "../../domain/kinds.ts";
import { LIMITS } from "../../domain/limits.ts";
import { createChange, deleteChange, updateChanges } from "../../domain/model/changes.ts";
import { includeMember } from "../../domain/model/content.ts";
import type { Relationship, Role } from "../../domain/model/objects.ts";
import { Problem, type ProblemCode } from "../../domain/problems.ts";
import { printRef, type Ref } from "../../domain/refs.ts";
import { cardinality, relationshipKey, relationshipRoleKey } from "../../domain/values/model-types.ts";
import { entityRef, relationshipRoleRef } from "../../domain/values/ref-types.ts";
import { markdown, singleLine } from "../../domain/values/value-types.ts";
import { deletedOutput, toRemovedRows } from "../building/answers.ts";
import {
  createDescribed,
  createKindActions,
  defineUpdateField,
  modelWrite,
  toSubject,
} from "../building/field-actions.ts";
import { createKindRows } from "../building/rows.ts";
import type { Action } from "../contract/action.ts";
import type { Call } from "../contract/call.ts";
import { defineAction } from "../contract/define-action.ts";
import { allowClearing, allowParam, createParameterProblem, type Param, requireParam } from "../contract/params.ts";
import type { ReadView } from "../contract/view.ts";
import { requireRef } from "../pipeline/resolve.ts";
import { getJoinedSides, keyPairList, resolveKeyPairs } from "./attribute-refs.ts";

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
    relationshipKey: requireParam(relationshipKey, "The key of the new relationship."),
    name: allowParam(singleLine, "Its name."),
    description: allowParam(markdown, "Its description."),
    keyPairs: allowParam(
      keyPairList,
      "The pairs of attributes of a join: each pair has one attribute of the entity in role A and one of the entity in role B.",
    ),
    roleAKey: requireParam(relationshipRoleKey, "The key of role A."),
    roleAEntityRef: requireParam(entityRef, "The entity in role A."),
    roleACardinality: requireParam(cardinality, "The number of instances on the side of role A."),
    roleAName: allowParam(singleLine, "The name of role A."),
    roleBKey: requireParam(relationshipRoleKey, "The key of role B, different from the key of role A."),
    roleBEntityRef: requireParam(entityRef, "The entity in role B."),
    roleBCardinality: requireParam(cardinality, "The number of instances on the side of role B."),
    roleBName: allowParam(singleLine, "The name of role B."),
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
    const { roleAKey, roleBKey } = input;
    if (roleAKey !== roleBKey) return;
    throw createParameterProblem(`roleBKey: ${roleBKey} is also the key of role A; use different keys`, "roleBKey");
  },
  run: async ({ view, input, call }) => {
    const [entityA, entityB] = await Promise.all([
      requireRef(view, entity, input.roleAEntityRef),
      requireRef(view, entity, input.roleBEntityRef),
    ]);
    const { roleAKey, roleAName, roleACardinality, roleBKey, roleBName, roleBCardinality } = input;
    const newRelationship: Relationship = {
      kind: "relationship",
      ...createDescribed(call, input.relationshipKey, input),
      roles: [
        createRole(call, { key: roleAKey, name: roleAName, entity: entityA.id, cardinality: roleACardinality }),
        createRole(call, { key: roleBKey, name: roleBName, entity: entityB.id, cardinality: roleBCardinality }),
      ],
      ...includeMember("keyPairs", await resolveKeyPairs(view, [entityA, entityB], "keyPairs", input.keyPairs)),
    };
    return { subject: toSubject(newRelationship), changes: [createChange(newRelationship)] };
  },
});

const relationshipDelete = defineAction({
  ...modelWrite,
  name: "relationship_delete",
  title: "Delete relationship",
  description: "Deletes a relationship with its roles and attributes, which the answer lists. The entities stay.",
  intent: "delete",
  target: relationship,
  output: deletedOutput,
  errors: [],
  example: { modelRef: "key:crm", relationshipRef: "key:places" },
  run: async ({ target, view }) => {
    const { items: attributes } = await view.list("attribute", target.id, { lookBack: true });
    return {
      subject: toSubject(target),
      changes: [deleteChange(target, attributes.length > 0)],
      removals: [...toRemovedRows("relationship_role", target.roles), ...toRemovedRows("attribute", attributes)],
    };
  },
});

const places = { modelRef: "key:crm", relationshipRef: "key:places" };
const actions = createKindActions(relationship, {
  prefix: "relationship",
  group: "model",
  rule: "model_write",
  one: "a relationship",
  example: places,
});

export const relationshipActions = [
  relationshipCreate,
  actions.get(rows, "Reads one relationship with its roles; `relationship_attribute_list` lists its attributes."),
  actions.list(rows, "relationships", "Lists the relationships of a model with their roles, sorted by key."),
  actions.updateKey(relationshipKey, "orders"),
  actions.updateName("Places"),
  actions.updateDescription("Who has ordered what."),
  ...actions.properties,
  defineUpdateField("relationship_update_key_pairs", relationship, "keyPairs", {
    title: "Set key pairs",
    description:
      "Replaces the pairs of attributes for the join of a relationship with two roles. " +
      "All pairs are removed when the relationship gets or loses a role, or when the entity in a role changes. " +
      "A pair is removed with either of its attributes.",
    rule: "model_write",
    value: allowClearing(
      keyPairList,
      "The pairs, each with one attribute of the entity in the first role and one of the entity in the second role. Leave it out, or give an empty list, to clear them.",
    ),
    errors: ["too_many_roles"],
    example: { modelRef: "key:crm", relationshipRef: "key:replaces", value: [["key:number", "key:number"]] },
    convert: async (pairs, target, view) =>
      pairs?.length ? resolveKeyPairs(view, getJoinedSides(target), "value", pairs) : undefined,
  }),
  relationshipDelete,
] as const satisfies readonly Action[];

const role = requireParam(relationshipRoleRef, "The role.");

const relationshipRoleCreate = defineAction({
  ...modelWrite,
  name: "relationship_role_create",
  title: "Add role",
  description:
    "Adds a role to a relationship, after the existing roles, and removes its key pairs. The answer names the role.",
  intent: "create",
  target: relationship,
  input: {
    roleKey: requireParam(relationshipRoleKey, "The key of the new role."),
    roleEntityRef: requireParam(entityRef, "The entity in the role."),
    roleCardinality: requireParam(cardinality, "The number of instances on the side of the role."),
    roleName: allowParam(singleLine, "Its name."),
  },
  errors: ["key_taken"],
  example: {
    modelRef: "key:crm",
    relationshipRef: "key:places",
    roleKey: "seller",
    roleEntityRef: "key:person",
    roleCardinality: "zeroOrOne",
  },
  run: async ({ target, view, input, call }) => {
    const inRole = await requireRef(view, entity, input.roleEntityRef);
    requireFreeKey(target, input.roleKey);
    checkMostRoles(target);
    const newRole = createRole(call, {
      key: input.roleKey,
      name: input.roleName,
      entity: inRole.id,
      cardinality: input.roleCardinality,
    });
    return {
      subject: toSubject(newRole),
      changes: updateChanges(target, { roles: [...target.roles, newRole], keyPairs: undefined }),
    };
  },
});

const relationshipRoleDelete = defineAction({
  ...modelWrite,
  name: "relationship_role_delete",
  title: "Delete role",
  description:
    "Removes a role from a relationship, and its key pairs. At least two roles must remain. The entity stays.",
  intent: "delete",
  target: relationship,
  input: { relationshipRoleRef: role },
  output: deletedOutput,
  errors: ["too_few_roles"],
  example: { modelRef: "key:crm", relationshipRef: "key:places", relationshipRoleRef: "key:payer" },
  run: async ({ target, input }) => {
    const oldRole = requireRole(target, input.relationshipRoleRef);
    checkFewestRoles(target);
    const changes = updateChanges(target, { roles: target.roles.filter((r) => r !== oldRole), keyPairs: undefined });
    return { subject: toSubject(oldRole), changes, removals: [] };
  },
});

interface RoleContext {
  readonly view: ReadView;
  readonly relationship: Relationship;
  readonly role: Role;
}

interface RoleUpdate<T> {
  readonly title: string;
  readonly description: string;
  readonly value: Param<T>;
  readonly errors?: readonly ProblemCode[];
  readonly example: string;
  readonly toFields: (value: T, context: RoleContext) => Promise<Partial<RoleFields>>;
}

function defineRoleUpdate<A extends string, T>(
  name: A,
  { title, description, value, errors = [], example, toFields }: RoleUpdate<T>,
) {
  return defineAction({
    ...modelWrite,
    name,
    title,
    description,
    intent: "update",
    target: relationship,
    input: { relationshipRoleRef: role, value },
    errors,
    example: { ...places, relationshipRoleRef: "key:buyer", value: example },
    run: async ({ target, view, input }) => {
      const before = requireRole(target, input.relationshipRoleRef);
      // The parameter is a Param<T>, which the type of `input` cannot see through the type parameter.
      const fields = await toFields(input.value as T, { view, relationship: target, role: before });
      const after = toRole({ ...before, ...fields });
      return {
        subject: toSubject(after),
        changes: updateChanges(target, {
          roles: target.roles.map((r) => (r === before ? after : r)),
          // The key pairs belong to the previous entity.
          ...(after.entity !== before.entity && { keyPairs: undefined }),
        }),
      };
    },
  });
}

export const relationshipRoleActions = [
  relationshipRoleCreate,
  defineRoleUpdate("relationship_role_update_key", {
    title: "Change role key",
    description: "Changes the key of a role of a relationship.",
    value: requireParam(relationshipRoleKey, "The new key."),
    errors: ["key_taken"],
    example: "customer",
    toFields: async (key, context) => {
      requireFreeKey(context.relationship, key, context.role);
      return { key };
    },
  }),
  defineRoleUpdate("relationship_role_update_name", {
    title: "Rename role",
    description: "Changes or clears the name of a role of a relationship.",
    value: allowClearing(singleLine, "The new name; leave it out to clear it."),
    example: "Buyer",
    toFields: async (name) => ({ name }),
  }),
  defineRoleUpdate("relationship_role_update_entity", {
    title: "Change entity in role",
    description: "Changes the entity in a role of a relationship, and removes its key pairs.",
    value: requireParam(entityRef, "The new entity."),
    example: "key:order",
    toFields: async (ref, { view }) => ({ entity: (await requireRef(view, entity, ref)).id }),
  }),
  defineRoleUpdate("relationship_role_update_cardinality", {
    title: "Change cardinality",
    description: "Sets the number of instances on the side of a role of a relationship.",
    value: requireParam(cardinality, "The new cardinality."),
    example: "zeroOrOne",
    toFields: async (value) => ({ cardinality: value }),
  }),
  relationshipRoleDelete,
] as const satisfies readonly Action[];

const FEWEST_ROLES = 2;

type RoleFields = Omit<Role, "name"> & { readonly name?: string | undefined };

function createRole({ nextId }: Call, fields: Omit<RoleFields, "id">): Role {
  return toRole({ id: nextId(), ...fields });
}

function toRole({ id, key, name, entity, cardinality }: RoleFields): Role {
  return { id, key, ...includeMember("name", name), entity, cardinality };
}

function requireRole({ key, roles }: Relationship, ref: Ref): Role {
  const match = roles.find((role) => role[ref.scheme] === ref.value);
  if (match) return match;
  throw new Problem("not_found", `no role ${printRef(ref)} in ${key}`);
}

function requireFreeKey({ roles }: Relationship, key: string, own?: Role) {
  if (!roles.some((role) => role.key === key && role.id !== own?.id)) return;
  throw new Problem("key_taken", `key ${key} is already used by another role of the relationship; choose another key`);
}

function checkMostRoles({ key, roles }: Relationship) {
  if (roles.length < LIMITS.relationshipRoles) return;
  throw new Problem(
    "too_large",
    `The relationship ${key} already has ${roles.length} roles, the maximum. Delete one first`,
  );
}

function checkFewestRoles({ key, roles }: Relationship) {
  if (roles.length > FEWEST_ROLES) return;
  throw new Problem(
    "too_few_roles",
    `The relationship ${key} has ${roles.length} roles, and the minimum is ${FEWEST_ROLES}. Add another role first, or delete the relationship`,
  );
}
