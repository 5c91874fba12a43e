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
import { deletedOutput } from "../building/answers.ts";
import { modelWrite, toSubject } from "../building/field-actions.ts";
import type { Action, ActionTexts } from "../contract/action.ts";
import type { Call } from "../contract/call.ts";
import { defineAction } from "../contract/define-action.ts";
import { clearableParam, optionalParam, type Param, requiredParam } from "../contract/params.ts";
import type { ReadView } from "../contract/view.ts";
import { need } from "../pipeline/resolve.ts";

const role = requiredParam(relationshipRoleRef, "The role.");

const relationshipRoleCreate = defineAction({
  ...modelWrite,
  name: "relationship_role_create",
  title: "Add role",
  description:
    "Adds a role to a relationship, after the existing roles, and removes its key pairs. The answer names the role.",
  intent: "create",
  target: relationship,
  input: {
    roleKey: requiredParam(relationshipRoleKey, "The key of the new role."),
    roleEntityRef: requiredParam(entityRef, "The entity in the role."),
    roleCardinality: requiredParam(cardinality, "The number of instances on the side of the role."),
    roleName: optionalParam(singleLine, "Its name."),
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
    const inRole = await need(view, entity, input.roleEntityRef);
    requireFreeKey(target, input.roleKey);
    checkMostRoles(target);
    const made = createRole(call, {
      key: input.roleKey,
      name: input.roleName,
      entity: inRole.id,
      cardinality: input.roleCardinality,
    });
    return {
      subject: toSubject(made),
      changes: updateChanges(target, { roles: [...target.roles, made], keyPairs: undefined }),
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
    const gone = requireRole(target, input.relationshipRoleRef);
    checkFewestRoles(target);
    const changes = updateChanges(target, { roles: target.roles.filter((r) => r !== gone), keyPairs: undefined });
    return { subject: toSubject(gone), changes, removed: [] };
  },
});

/** The view, the relationship and the role for new fields of a role. */
interface RoleContext {
  readonly view: ReadView;
  readonly relationship: Relationship;
  readonly role: Role;
}

/** Defines an action that sets a field of a role. `fields` returns the field for a new value. */
function defineRoleUpdate<A extends string, T>(
  name: A,
  {
    value,
    errors = [],
    ...texts
  }: ActionTexts & { readonly value: Param<T>; readonly errors?: readonly ProblemCode[] },
  fields: (value: T, context: RoleContext) => Promise<Partial<RoleFields>>,
) {
  return defineAction({
    ...modelWrite,
    name,
    ...texts,
    intent: "update",
    target: relationship,
    input: { relationshipRoleRef: role, value },
    errors,
    run: async ({ target, view, input }) => {
      const before = requireRole(target, input.relationshipRoleRef);
      // The parameter is a Param<T>, which the type of `input` cannot see through the type parameter.
      const set = await fields(input.value as T, { view, relationship: target, role: before });
      const after = toRole({ ...before, ...set });
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

const OF_BUYER = { modelRef: "key:crm", relationshipRef: "key:places", relationshipRoleRef: "key:buyer" };

/** The `relationship_role_*` actions; `relationship_get` reads roles. */
export const relationshipRoleActions = [
  relationshipRoleCreate,
  defineRoleUpdate(
    "relationship_role_update_key",
    {
      title: "Change role key",
      description: "Changes the key of a role of a relationship.",
      value: requiredParam(relationshipRoleKey, "The new key."),
      errors: ["key_taken"],
      example: { ...OF_BUYER, value: "customer" },
    },
    async (key, context) => {
      requireFreeKey(context.relationship, key, context.role);
      return { key };
    },
  ),
  defineRoleUpdate(
    "relationship_role_update_name",
    {
      title: "Rename role",
      description: "Changes or clears the name of a role of a relationship.",
      value: clearableParam(singleLine, "The new name; leave it out to clear it."),
      example: { ...OF_BUYER, value: "Buyer" },
    },
    async (name) => ({ name }),
  ),
  defineRoleUpdate(
    "relationship_role_update_entity",
    {
      title: "Change entity in role",
      description: "Changes the entity in a role of a relationship, and removes its key pairs.",
      value: requiredParam(entityRef, "The new entity."),
      example: { ...OF_BUYER, value: "key:order" },
    },
    async (ref, { view }) => ({ entity: (await need(view, entity, ref)).id }),
  ),
  defineRoleUpdate(
    "relationship_role_update_cardinality",
    {
      title: "Change cardinality",
      description: "Sets the number of instances on the side of a role of a relationship.",
      value: requiredParam(cardinality, "The new cardinality."),
      example: { ...OF_BUYER, value: "zeroOrOne" },
    },
    async (value) => ({ cardinality: value }),
  ),
  relationshipRoleDelete,
] as const satisfies readonly Action[];

/** The minimum number of roles of a relationship. */
const FEWEST_ROLES = 2;

/** A role with a name that may be undefined. */
type RoleFields = Omit<Role, "name"> & { readonly name?: string | undefined };

/** Creates a role with a new id. */
export function createRole({ nextId }: Call, fields: Omit<RoleFields, "id">): Role {
  return toRole({ id: nextId(), ...fields });
}

/** Returns the role with these fields. An undefined name is omitted. */
function toRole({ id, key, name, entity, cardinality }: RoleFields): Role {
  return { id, key, ...optionalMember("name", name), entity, cardinality };
}

/** Returns the role of a relationship that a ref names. Throws `not_found`. */
function requireRole({ key, roles }: Relationship, ref: Ref): Role {
  const found = roles.find((role) => role[ref.scheme] === ref.value);
  if (found) return found;
  throw new Problem("not_found", `no role ${printRef(ref)} in ${key}`);
}

/** Throws `key_taken` when another role of the relationship has the key. */
function requireFreeKey({ roles }: Relationship, key: string, own?: Role): void {
  if (!roles.some((role) => role.key === key && role.id !== own?.id)) return;
  throw new Problem("key_taken", `key ${key} is already used by another role of the relationship; choose another key`);
}

/** Throws `too_large` when a relationship has the maximum number of roles. */
function checkMostRoles({ key, roles }: Relationship): void {
  if (roles.length < LIMITS.relationshipRoles) return;
  throw new Problem(
    "too_large",
    `The relationship ${key} already has ${roles.length} roles, the maximum. Delete one first`,
  );
}

/** Throws `too_few_roles` when a relationship has the minimum number of roles. */
function checkFewestRoles({ key, roles }: Relationship): void {
  if (roles.length > FEWEST_ROLES) return;
  throw new Problem(
    "too_few_roles",
    `The relationship ${key} has ${roles.length} roles, and the minimum is ${FEWEST_ROLES}. Add another role first, or delete the relationship`,
  );
}
