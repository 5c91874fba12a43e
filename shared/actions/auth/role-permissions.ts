import { permissionKey } from "../../domain/account-types.ts";
import { role } from "../../domain/kinds.ts";
import { Problem } from "../../domain/problems.ts";
import { flag } from "../../domain/value-types.ts";
import { subjectOf } from "../building/field-actions.ts";
import { written } from "../building/written.ts";
import type { Action } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { required } from "../contract/params.ts";
import { checkAdministratorRemains, checkGrant } from "./administrators.ts";
import { changed, checkUnmanaged } from "./role-update.ts";

const roleAddPermission = defineAction({
  group: "auth",
  name: "role_add_permission",
  title: "Add permission to role",
  description:
    "Gives a permission, and all it implies, to everyone who has the role. Not the permission `admin`, where it is the role that new actors get.",
  intent: "update",
  rule: "admin",
  apiTokens: "refused",
  target: role,
  input: { permissionKey: required(permissionKey, "The permission.") },
  output: written,
  errors: ["managed_role"],
  example: { roleRef: "key:auditor", permissionKey: "model_release" },
  run: async ({ target, input, call, caller }) => {
    checkUnmanaged(target);
    checkGrant(caller, [input.permissionKey]);
    if (input.permissionKey === "admin" && target.autoAssign) throw nobodyNew("/permissionKey");
    const permissions = [...new Set([...target.permissions, input.permissionKey])].sort();
    return { subject: subjectOf(target), changes: changed(target, { permissions }, call.time) };
  },
});

const roleDeletePermission = defineAction({
  group: "auth",
  name: "role_delete_permission",
  title: "Delete permission from role",
  description: "Takes a permission from everyone who has the role, unless another role gives it to them.",
  intent: "update",
  rule: "admin",
  apiTokens: "refused",
  target: role,
  input: { permissionKey: required(permissionKey, "The permission.") },
  output: written,
  errors: ["managed_role", "last_administrator"],
  example: { roleRef: "key:auditor", permissionKey: "model_read" },
  run: async ({ target, input, view, call }) => {
    checkUnmanaged(target);
    const permissions = target.permissions.filter((permission) => permission !== input.permissionKey);
    const changes = changed(target, { permissions }, call.time);
    if (input.permissionKey === "admin" && changes.length > 0) {
      await checkAdministratorRemains(view, { roles: new Map([[target.id, { ...target, permissions }]]) });
    }
    return { subject: subjectOf(target), changes };
  },
});

const roleUpdateAutoassign = defineAction({
  group: "auth",
  name: "role_update_autoassign",
  title: "Choose the role of new actors",
  description:
    "Makes this the one role that new actors get, in the place of any other; or, with `false`, has them get none if it was this one. It can be set of roles that the service keeps too, and never of one with the permission `admin`.",
  intent: "update",
  rule: "admin",
  apiTokens: "refused",
  target: role,
  input: { value: required(flag, "Whether new actors get the role.") },
  output: written,
  errors: [],
  example: { roleRef: "key:auditor", value: true },
  run: async ({ target, input, call, caller }) => {
    if (input.value && target.permissions.includes("admin")) throw nobodyNew("/value");
    if (input.value) checkGrant(caller, target.permissions);
    const others = input.value ? caller.roles.filter(({ id, autoAssign }) => autoAssign && id !== target.id) : [];
    return {
      subject: subjectOf(target),
      changes: [
        ...changed(target, { autoAssign: input.value }, call.time),
        ...others.flatMap((other) => changed(other, { autoAssign: false }, call.time)),
      ],
    };
  },
});

function nobodyNew(pointer: string): Problem {
  const detail = "A role that new actors get by themselves cannot have the permission admin";
  return new Problem("bad_parameters", detail, { errors: [{ pointer, detail }] });
}

export const rolePermissionActions = [
  roleAddPermission,
  roleDeletePermission,
  roleUpdateAutoassign,
] as const satisfies readonly Action[];
