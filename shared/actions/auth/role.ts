import * as z from "zod/mini";
import { roleKey } from "../../domain/account-types.ts";
import { create, remove } from "../../domain/change.ts";
import { ifDefined } from "../../domain/content.ts";
import { role } from "../../domain/kinds.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { AuthRole } from "../../domain/objects.ts";
import { Problem } from "../../domain/problems.ts";
import { markdown, singleLine } from "../../domain/value-types.ts";
import { subjectOf } from "../building/field-actions.ts";
import { listOutput, pageOf, paging, readingOf } from "../building/lists.ts";
import { namedObject } from "../building/named-object.ts";
import { written } from "../building/written.ts";
import type { Action } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { optional, required } from "../contract/params.ts";
import { checkAdministratorRemains } from "./administrators.ts";
import { rolePermissionActions } from "./role-permissions.ts";
import { roleRow, shownRole } from "./role-row.ts";
import { checkUnmanaged, roleUpdateActions } from "./role-update.ts";

const roleCreate = defineAction({
  group: "auth",
  name: "role_create",
  title: "Create role",
  description: "Creates a role, which has no permissions until it is given some.",
  intent: "create",
  rule: "admin",
  apiTokens: "refused",
  ledger: "identity",
  input: {
    key: required(roleKey, "The key of the new role."),
    name: required(singleLine, "Its name."),
    description: optional(markdown, "What it is for."),
  },
  output: written,
  errors: ["key_taken"],
  example: { key: "importer", name: "Importer", description: "Imports models." },
  run: async ({ input, call, caller }) => {
    if (caller.roles.length >= LIMITS.roles) {
      throw new Problem("too_large", `there are ${LIMITS.roles} roles, which is the most; delete one first`);
    }
    const made: AuthRole = {
      kind: "role",
      id: call.nextId(),
      key: input.key,
      revision: 0,
      name: input.name,
      ...ifDefined("description", input.description),
      permissions: [],
      managed: false,
      autoAssign: false,
      createdAt: call.time,
      updatedAt: call.time,
    };
    return { subject: subjectOf(made), changes: [create(made)] };
  },
});

const roleGet = defineAction({
  group: "auth",
  name: "role_get",
  title: "Get role",
  description: "Reads one role with its permissions, without those they imply.",
  intent: "read",
  rule: "admin",
  apiTokens: "allowed",
  target: role,
  input: {},
  output: {
    mediaType: "application/json",
    description: "The role.",
    schema: () => namedObject("RoleWithPermissions", { role: roleRow(), permissions: z.array(z.string()) }),
  },
  errors: [],
  example: { roleRef: "key:auditor" },
  run: async ({ target }) => ({ body: { role: shownRole(target), permissions: target.permissions } }),
});

const roleList = defineAction({
  group: "auth",
  name: "role_list",
  title: "List roles",
  description: "Lists all roles, sorted by key.",
  intent: "read",
  rule: "admin",
  apiTokens: "allowed",
  ledger: "identity",
  input: paging,
  output: listOutput("The roles.", roleRow),
  errors: [],
  example: {},
  run: async ({ view, input }) =>
    readingOf(await view.list("role", undefined, pageOf(input)), (roles) => ({ items: roles.map(shownRole) })),
});

const roleDelete = defineAction({
  group: "auth",
  name: "role_delete",
  title: "Delete role",
  description: "Deletes a role; whoever had it loses what it gave.",
  intent: "delete",
  rule: "admin",
  apiTokens: "refused",
  target: role,
  input: {},
  output: written,
  errors: ["managed_role", "last_administrator"],
  example: { roleRef: "key:auditor" },
  run: async ({ target, view }) => {
    checkUnmanaged(target);
    if (target.permissions.includes("admin")) {
      await checkAdministratorRemains(view, { roles: new Map([[target.id, undefined]]) });
    }
    return { subject: subjectOf(target), changes: [remove(target, false)] };
  },
});

/** The `role_*` actions. */
export const roleActions = [
  roleCreate,
  roleGet,
  roleList,
  ...roleUpdateActions,
  ...rolePermissionActions,
  roleDelete,
] as const satisfies readonly Action[];
