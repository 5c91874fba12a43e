import * as z from "zod/mini";
import { permissionKey, roleKey } from "../../domain/accounts/account-types.ts";
import { accountRoleFields } from "../../domain/fields/account-fields.ts";
import { role } from "../../domain/kinds.ts";
import { LIMITS } from "../../domain/limits.ts";
import { type Change, createChange, deleteChange, updateChanges } from "../../domain/model/changes.ts";
import { includeMember } from "../../domain/model/content.ts";
import type { AuthRole } from "../../domain/model/objects.ts";
import { Problem, type ProblemCode } from "../../domain/problems.ts";
import { flag, markdown, singleLine } from "../../domain/values/value-types.ts";
import { createNamedOutput, createNamedSchema } from "../building/answers.ts";
import { toSubject } from "../building/field-actions.ts";
import { createListOutput, pagingParams, toPage, toReading } from "../building/reads.ts";
import type { Action, ActionTexts } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { allowClearing, allowParam, createParameterProblem, type Param, requireParam } from "../contract/params.ts";
import { checkAdministratorRemains, checkGrant } from "./account-changes.ts";
import { adminRead, adminWrite, createAccountShape, toAccountRow } from "./account-rows.ts";

const createRoleSchema = () => createNamedSchema("Role", createAccountShape(accountRoleFields));

const roleCreate = defineAction({
  ...adminWrite,
  name: "role_create",
  title: "Create role",
  description: "Creates a role without permissions.",
  intent: "create",
  ledger: "identity",
  input: {
    key: requireParam(roleKey, "The key of the new role."),
    name: requireParam(singleLine, "Its name."),
    description: allowParam(markdown, "Its purpose."),
  },
  errors: ["key_taken"],
  example: { key: "importer", name: "Importer", description: "Imports models." },
  run: async ({ input, call, caller }) => {
    if (caller.roles.length >= LIMITS.roles) {
      throw new Problem("too_large", `There are already ${LIMITS.roles} roles, the maximum. Delete one first`);
    }
    const newRole: AuthRole = {
      kind: "role",
      id: call.nextId(),
      key: input.key,
      revision: 0,
      name: input.name,
      ...includeMember("description", input.description),
      permissions: [],
      managed: false,
      autoAssign: false,
      createdAt: call.time,
      updatedAt: call.time,
    };
    return { subject: toSubject(newRole), changes: [createChange(newRole)] };
  },
});

const roleGet = defineAction({
  ...adminRead,
  name: "role_get",
  title: "Get role",
  description: "Reads one role with its permissions, without implied ones.",
  target: role,
  output: createNamedOutput("RoleWithPermissions", "The role.", () => ({
    role: createRoleSchema(),
    permissions: z.array(z.string()),
  })),
  errors: [],
  example: { roleRef: "key:auditor" },
  run: async ({ target }) => ({
    body: { role: toAccountRow(target, accountRoleFields), permissions: target.permissions },
  }),
});

const roleList = defineAction({
  ...adminRead,
  name: "role_list",
  title: "List roles",
  description: "Lists all roles, sorted by key.",
  ledger: "identity",
  input: pagingParams,
  output: createListOutput("The roles.", createRoleSchema),
  errors: [],
  example: {},
  run: async ({ view, input }) =>
    toReading(await view.list("role", undefined, toPage(input)), (roles) => ({
      items: roles.map((one) => toAccountRow(one, accountRoleFields)),
    })),
});

type Field = "key" | "name" | "description";

function defineRoleUpdate<A extends string, F extends Field, T extends AuthRole[F]>(
  name: A,
  field: F,
  { value, errors, ...texts }: ActionTexts & { readonly value: Param<T>; readonly errors: readonly ProblemCode[] },
) {
  return defineAction({
    ...adminWrite,
    name,
    ...texts,
    intent: "update",
    target: role,
    input: { value },
    errors: ["managed_role", ...errors],
    run: async ({ target, input, call }) => {
      checkUnmanaged(target);
      const changes = changeRole(target, { [field]: input.value }, call.time);
      return { subject: { id: target.id, key: field === "key" ? String(input.value) : target.key }, changes };
    },
  });
}

/** Returns the change of a role; none if all values are already set. */
export function changeRole(target: AuthRole, fields: Partial<AuthRole>, time: string): readonly Change[] {
  return updateChanges(target, fields).length === 0 ? [] : updateChanges(target, { ...fields, updatedAt: time });
}

/** Throws `managed_role` for a role that the service manages. */
export function checkUnmanaged({ key, managed }: AuthRole): void {
  if (!managed) return;
  throw new Problem(
    "managed_role",
    `The role ${key} is managed by the service and cannot be changed; create another role`,
  );
}

const roleUpdateActions = [
  defineRoleUpdate("role_update_key", "key", {
    title: "Change role key",
    description: "Changes the key of a role. Actors with the role keep it.",
    value: requireParam(roleKey, "The new key."),
    errors: ["key_taken"],
    example: { roleRef: "key:auditor", value: "inspector" },
  }),
  defineRoleUpdate("role_update_name", "name", {
    title: "Rename role",
    description: "Changes the name of a role.",
    value: requireParam(singleLine, "The new name."),
    errors: [],
    example: { roleRef: "key:auditor", value: "Inspector" },
  }),
  defineRoleUpdate("role_update_description", "description", {
    title: "Describe role",
    description: "Changes or clears the description of a role.",
    value: allowClearing(markdown, "The new description; leave it out to clear it."),
    errors: [],
    example: { roleRef: "key:auditor", value: "Reads what others wrote." },
  }),
] as const satisfies readonly Action[];

const roleAddPermission = defineAction({
  ...adminWrite,
  name: "role_add_permission",
  title: "Add permission to role",
  description:
    "Gives a permission, and the permissions it implies, to all actors with the role. The role that new actors get cannot have the permission `admin`.",
  intent: "update",
  target: role,
  input: { permissionKey: requireParam(permissionKey, "The permission.") },
  errors: ["managed_role"],
  example: { roleRef: "key:auditor", permissionKey: "model_release" },
  run: async ({ target, input, call, caller }) => {
    checkUnmanaged(target);
    checkGrant(caller, [input.permissionKey]);
    if (input.permissionKey === "admin" && target.autoAssign)
      throw createParameterProblem(NO_ADMINISTRATOR, "permissionKey");
    const permissions = [...new Set([...target.permissions, input.permissionKey])].sort();
    return { subject: toSubject(target), changes: changeRole(target, { permissions }, call.time) };
  },
});

const roleDeletePermission = defineAction({
  ...adminWrite,
  name: "role_delete_permission",
  title: "Delete permission from role",
  description: "Removes a permission from the role. Actors keep the permission if another role gives it.",
  intent: "update",
  target: role,
  input: { permissionKey: requireParam(permissionKey, "The permission.") },
  errors: ["managed_role", "last_administrator"],
  example: { roleRef: "key:auditor", permissionKey: "model_read" },
  run: async ({ target, input, view, call }) => {
    checkUnmanaged(target);
    const permissions = target.permissions.filter((permission) => permission !== input.permissionKey);
    const changes = changeRole(target, { permissions }, call.time);
    if (input.permissionKey === "admin" && changes.length > 0) {
      await checkAdministratorRemains(view, { roles: new Map([[target.id, { ...target, permissions }]]) });
    }
    return { subject: toSubject(target), changes };
  },
});

const roleUpdateAutoassign = defineAction({
  ...adminWrite,
  name: "role_update_autoassign",
  title: "Choose the role of new actors",
  description:
    "With `true`, makes this the one role that new actors get, instead of any other. " +
    "With `false`, new actors no longer get this role. " +
    "The role may be one that the service manages, but it cannot have the permission `admin`.",
  intent: "update",
  target: role,
  input: { value: requireParam(flag, "Whether new actors get the role.") },
  errors: [],
  example: { roleRef: "key:auditor", value: true },
  run: async ({ target, input, call, caller }) => {
    if (input.value && target.permissions.includes("admin")) throw createParameterProblem(NO_ADMINISTRATOR, "value");
    if (input.value) checkGrant(caller, target.permissions);
    const others = input.value ? caller.roles.filter(({ id, autoAssign }) => autoAssign && id !== target.id) : [];
    return {
      subject: toSubject(target),
      changes: [
        ...changeRole(target, { autoAssign: input.value }, call.time),
        ...others.flatMap((other) => changeRole(other, { autoAssign: false }, call.time)),
      ],
    };
  },
});

const NO_ADMINISTRATOR = "The role that new actors get cannot have the permission admin";

const rolePermissionActions = [
  roleAddPermission,
  roleDeletePermission,
  roleUpdateAutoassign,
] as const satisfies readonly Action[];

const roleDelete = defineAction({
  ...adminWrite,
  name: "role_delete",
  title: "Delete role",
  description: "Deletes a role. Actors with the role lose its permissions.",
  intent: "delete",
  target: role,
  errors: ["managed_role", "last_administrator"],
  example: { roleRef: "key:auditor" },
  run: async ({ target, view }) => {
    checkUnmanaged(target);
    if (target.permissions.includes("admin")) {
      await checkAdministratorRemains(view, { roles: new Map([[target.id, undefined]]) });
    }
    return { subject: toSubject(target), changes: [deleteChange(target, false)] };
  },
});

export const roleActions = [
  roleCreate,
  roleGet,
  roleList,
  ...roleUpdateActions,
  ...rolePermissionActions,
  roleDelete,
] as const satisfies readonly Action[];
