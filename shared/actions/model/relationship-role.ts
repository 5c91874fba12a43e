import { entity, relationship } from "../../domain/kinds.ts";
import { LIMITS } from "../../domain/limits.ts";
import { updateChanges } from "../../domain/model/changes.ts";
import { optionalMember } from "../../domain/model/content.ts";
import type { Relationship, Role } from "../../domain/model/objects.ts";
import { Problem, type ProblemCode } from "../../domain/problems.ts";
import { printRef, type Ref } from "../../domain/refs.ts";
import { cardinality, relationshipRoleKey } from "../../domain/values/model-types.ts";
import { entityRef, relationshipRoleRef } from "../../domain/values/ref-types.ts";
import { singleLine } from "../../domain/values/value-types.ts";
import { deleted, written } from "../building/answers.ts";
import { subjectOf } from "../building/field-actions.ts";
import type { Action, ActionTexts } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { clearing, optional, type Param, required } from "../contract/params.ts";
import type { View } from "../contract/view.ts";
import { need } from "../pipeline/resolve.ts";

const role = required(relationshipRoleRef, "The role.");

const relationshipRoleCreate = defineAction({
  group: "model",
  name: "relationship_role_create",
  title: "Add role",
  description:
    "Adds a role to a relationship, after those it has, which takes its key pairs away; the answer names the role.",
  intent: "create",
  rule: "model_write",
  target: relationship,
  input: {
    roleKey: required(relationshipRoleKey, "The key of the new role."),
    roleEntityRef: required(entityRef, "The entity in the role."),
    roleCardinality: required(cardinality, "How many instances there may be on the side of the role."),
    roleName: optional(singleLine, "Its name."),
  },
  output: written,
  errors: ["key_taken"],
  example: {
    modelRef: "key:crm",
    relationshipRef: "key:places",
    roleKey: "seller",
    roleEntityRef: "key:person",
    roleCardinality: "zeroOrOne",
  },
  run: async ({ target, view, input, call }) => {
    const inRole = await need(view, entity, input.roleEntityRef);
    refuseTakenKey(target, input.roleKey);
    refuseMoreRoles(target);
    const made = roleOf({
      id: call.nextId(),
      key: input.roleKey,
      name: input.roleName,
      entity: inRole.id,
      cardinality: input.roleCardinality,
    });
    return {
      subject: subjectOf(made),
      changes: updateChanges(target, { roles: [...target.roles, made], keyPairs: undefined }),
    };
  },
});

const relationshipRoleDelete = defineAction({
  group: "model",
  name: "relationship_role_delete",
  title: "Delete role",
  description:
    "Takes a role out of a relationship, which keeps two at least, and its key pairs with it; the entity stays.",
  intent: "delete",
  rule: "model_write",
  target: relationship,
  input: { relationshipRoleRef: role },
  output: deleted,
  errors: ["too_few_roles"],
  example: { modelRef: "key:crm", relationshipRef: "key:places", relationshipRoleRef: "key:payer" },
  run: async ({ target, input }) => {
    const gone = needRole(target, input.relationshipRoleRef);
    refuseFewerRoles(target);
    const changes = updateChanges(target, { roles: target.roles.filter((r) => r !== gone), keyPairs: undefined });
    return { subject: subjectOf(gone), changes, removed: [] };
  },
});

/** The view, relationship and role that the new fields of a role are made from. */
interface RoleContext {
  readonly view: View;
  readonly relationship: Relationship;
  readonly role: Role;
}

/** An action that sets a field of a role; `fields` answers it for a new value. */
function updateRole<A extends string, T>(
  name: A,
  {
    value,
    errors = [],
    ...texts
  }: ActionTexts & { readonly value: Param<T>; readonly errors?: readonly ProblemCode[] },
  fields: (value: T, place: RoleContext) => Promise<Partial<RoleFields>>,
) {
  return defineAction({
    group: "model",
    name,
    ...texts,
    intent: "update",
    rule: "model_write",
    target: relationship,
    input: { relationshipRoleRef: role, value },
    output: written,
    errors,
    run: async ({ target, view, input }) => {
      const before = needRole(target, input.relationshipRoleRef);
      // The parameter is a Param<T>, which the type of `input` cannot see through the type parameter.
      const set = await fields(input.value as T, { view, relationship: target, role: before });
      const after = roleOf({ ...before, ...set });
      return {
        subject: subjectOf(after),
        changes: updateChanges(target, {
          roles: target.roles.map((r) => (r === before ? after : r)),
          // They join the entity that was there.
          ...(after.entity !== before.entity && { keyPairs: undefined }),
        }),
      };
    },
  });
}

const OF_BUYER = { modelRef: "key:crm", relationshipRef: "key:places", relationshipRoleRef: "key:buyer" };

/** The `relationship_role_*` actions; `relationship_get` reads roles. */
export const relationshipRoleActions = [
  relationshipRoleCreate,
  updateRole(
    "relationship_role_update_key",
    {
      title: "Change role key",
      description: "Gives a role of a relationship another key.",
      value: required(relationshipRoleKey, "The new key."),
      errors: ["key_taken"],
      example: { ...OF_BUYER, value: "customer" },
    },
    async (key, place) => {
      refuseTakenKey(place.relationship, key, place.role);
      return { key };
    },
  ),
  updateRole(
    "relationship_role_update_name",
    {
      title: "Rename role",
      description: "Changes or clears the name of a role of a relationship.",
      value: clearing(singleLine, "The new name; leave it out to clear it."),
      example: { ...OF_BUYER, value: "Buyer" },
    },
    async (name) => ({ name }),
  ),
  updateRole(
    "relationship_role_update_entity",
    {
      title: "Change entity in role",
      description: "Puts another entity of the model in a role of a relationship, which takes its key pairs away.",
      value: required(entityRef, "The new entity."),
      example: { ...OF_BUYER, value: "key:order" },
    },
    async (ref, { view }) => ({ entity: (await need(view, entity, ref)).id }),
  ),
  updateRole(
    "relationship_role_update_cardinality",
    {
      title: "Change cardinality",
      description: "Says how many instances there may be on the side of a role of a relationship.",
      value: required(cardinality, "The new cardinality."),
      example: { ...OF_BUYER, value: "zeroOrOne" },
    },
    async (value) => ({ cardinality: value }),
  ),
  relationshipRoleDelete,
] as const satisfies readonly Action[];

/** The least number of roles of a relationship. */
const FEWEST_ROLES = 2;

/** A role whose name may also be undefined. */
type RoleFields = Omit<Role, "name"> & { readonly name?: string | undefined };

/** A role of these fields; an undefined name is left out. */
export function roleOf({ id, key, name, entity, cardinality }: RoleFields): Role {
  return { id, key, ...optionalMember("name", name), entity, cardinality };
}

/** The role of a relationship that a ref names, or `not_found` naming the ref. */
function needRole({ key, roles }: Relationship, ref: Ref): Role {
  const found = roles.find((role) => role[ref.scheme] === ref.value);
  if (found) return found;
  throw new Problem("not_found", `no role ${printRef(ref)} in ${key}`);
}

/** `key_taken` where another role of the relationship has the key. */
function refuseTakenKey({ roles }: Relationship, key: string, own?: Role): void {
  if (!roles.some((role) => role.key === key && role.id !== own?.id)) return;
  throw new Problem("key_taken", `the key ${key} is taken by another role of the relationship; choose another key`);
}

/** `too_large` where a relationship has all the roles it may have. */
function refuseMoreRoles({ key, roles }: Relationship): void {
  if (roles.length < LIMITS.relationshipRoles) return;
  throw new Problem(
    "too_large",
    `the relationship ${key} has ${roles.length} roles, the most there may be; delete one first`,
  );
}

/** `too_few_roles` where a relationship cannot lose one. */
function refuseFewerRoles({ key, roles }: Relationship): void {
  if (roles.length > FEWEST_ROLES) return;
  throw new Problem(
    "too_few_roles",
    `the relationship ${key} has ${roles.length} roles and needs ${FEWEST_ROLES}; add another first, or delete the relationship`,
  );
}
