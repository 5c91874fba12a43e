import * as z from "zod/mini";
import { modelKeyPattern } from "../../domain/accounts/account-types.ts";
import { actorFields } from "../../domain/fields/account-fields.ts";
import { actor, role } from "../../domain/kinds.ts";
import { updateChanges } from "../../domain/model/changes.ts";
import type { Actor } from "../../domain/model/objects.ts";
import { roleRef } from "../../domain/values/ref-types.ts";
import {
  createNamedOutput,
  createNamedSchema,
  createWrittenOutput,
  describeList,
  describeText,
} from "../building/answers.ts";
import { createIdSchema, createIdsSchema, createPatternSchema } from "../building/ids.ts";
import { createListOutput, pagingParams, toPage, toReading } from "../building/reads.ts";
import type { Action } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { allowParam, requireParam } from "../contract/params.ts";
import { listAllRoles } from "../pipeline/caller-rights.ts";
import { requireRef } from "../pipeline/resolve.ts";
import {
  addRole,
  checkAdministratorRemains,
  checkGrant,
  checkNotSelf,
  checkOtherAdministratorRemains,
  checkPatternModel,
  deleteApiTokens,
  findUnlimitedGrants,
  removeRole,
  setEnabled,
} from "./account-changes.ts";
import { adminRead, adminWrite, createAccountShape, toAccountRow } from "./account-rows.ts";

const MODELS_TEXT = "The models that the role is for; everything unless given.";

const GRACE = "key:grace";
const RETIRED = "key:retired";

function toActorRow(actor: Actor, lastCalls: ReadonlyMap<string, string>) {
  return toAccountRow(actor, actorFields, { lastSeenAt: lastCalls.get(actor.id) });
}

/** Returns the subject of a decision on an actor. */
export function toActorSubject({ id, subject }: Actor): { readonly id: string; readonly key: string } {
  return { id, key: subject };
}

const actorList = defineAction({
  ...adminRead,
  name: "actor_list",
  title: "List actors",
  description:
    "Lists all actors: everyone who has called with a valid token, and all built-in users. The order is stable.",
  ledger: "identity",
  input: pagingParams,
  output: createListOutput("The actors.", () => createNamedSchema("Actor", createAccountShape(actorFields))),
  errors: [],
  example: {},
  run: async ({ view, input, ports, call }) => {
    const rows = await view.list("actor", undefined, toPage(input));
    const lastCalls = await ports.identity.listLastCalls(
      rows.items.map(({ id }) => id),
      call,
    );
    return toReading(rows, (actors) => ({ items: actors.map((actor) => toActorRow(actor, lastCalls)) }));
  },
});

const actorGet = defineAction({
  ...adminRead,
  name: "actor_get",
  title: "Get actor",
  description: "Reads one actor with its assigned roles and the permissions they give, without implied permissions.",
  target: actor,
  output: createNamedOutput("ActorWithRoles", "The actor.", () => ({
    ...createAccountShape(actorFields),
    roles: createIdsSchema("role", "Ids of the roles assigned for everything."),
    scopedRoles: describeList(
      createNamedSchema("ScopedRole", {
        role: createIdSchema("role", "Id of the role."),
        models: createPatternSchema("The pattern of the keys of the models, or the ref `id:<uuid>` of one model."),
      }),
      "Roles assigned for the models with keys that match a pattern.",
    ),
    permissions: describeList(z.string(), "The permissions of the roles that are assigned for everything."),
  })),
  errors: [],
  example: { actorRef: GRACE },
  run: async ({ target, view, ports, call }) => {
    const [all, lastCalls] = await Promise.all([listAllRoles(view), ports.identity.listLastCalls([target.id], call)]);
    const roles = all.filter(({ id }) => target.roles.includes(id));
    const permissions = [...new Set(roles.flatMap((one) => one.permissions))].sort();
    return {
      body: {
        ...toActorRow(target, lastCalls),
        roles: roles.map(({ id }) => id),
        scopedRoles: (target.scopedRoles ?? [])
          .filter(({ role: id }) => all.some((one) => one.id === id))
          .map(({ role, models }) => ({ role, models })),
        permissions,
      },
    };
  },
});

const actorDisable = defineAction({
  ...adminWrite,
  name: "actor_disable",
  title: "Disable actor",
  description:
    "Refuses all calls of an actor from now on and ends its tokens. A built-in user cannot sign in any more. Not for the caller's own account.",
  intent: "update",
  target: actor,
  errors: ["last_administrator"],
  example: { actorRef: GRACE },
  run: async ({ target, view, call }) => {
    checkNotSelf(target, call, "actorRef");
    const changes = await setEnabled(view, target, false, call);
    if (changes.length > 0) await checkOtherAdministratorRemains(view, target, call);
    return { subject: toActorSubject(target), changes: [...changes, ...(await deleteApiTokens(view, target))] };
  },
});

const actorEnable = defineAction({
  ...adminWrite,
  name: "actor_enable",
  title: "Enable actor",
  description: "Enables a disabled actor: it can call again, and a built-in user can sign in again.",
  intent: "update",
  target: actor,
  errors: [],
  example: { actorRef: RETIRED },
  run: async ({ target, view, call }) => ({
    subject: toActorSubject(target),
    changes: await setEnabled(view, target, true, call),
  }),
});

const actorAddRole = defineAction({
  ...adminWrite,
  name: "actor_add_role",
  title: "Give actor a role",
  description:
    "Gives an actor a role, for everything or for some models only. " +
    "It takes effect with the next call of the actor. A role for some models gives only its permissions on models. " +
    "The answer warns if another role of the actor gives the same permission for every model.",
  intent: "update",
  target: actor,
  input: { roleRef: requireParam(roleRef, "The role."), models: allowParam(modelKeyPattern, MODELS_TEXT) },
  output: createWrittenOutput(
    "The change, and warnings about permissions that the role for some models does not limit.",
    () => ({
      warnings: z.optional(
        z.array(
          createNamedSchema("GrantWarning", {
            pointer: describeText("The JSON pointer of the parameter."),
            detail: z.string(),
          }),
        ),
      ),
    }),
  ),
  errors: [],
  example: { actorRef: GRACE, roleRef: "key:auditor" },
  prepare: async ({ input: { models }, ports, call }) => {
    if (models !== undefined) await checkPatternModel(models, call, ports);
  },
  run: async ({ target, input, view, caller: { roles, ...rights } }) => {
    const newRole = await requireRef(view, role, input.roleRef);
    checkGrant(rights, newRole.permissions);
    const changes = updateChanges(target, addRole(target, { role: newRole.id, ...input }, roles));
    const warnings = input.models === undefined ? [] : findUnlimitedGrants(target, newRole, input.models, roles);
    return { subject: toActorSubject(target), changes, ...(warnings.length > 0 && { extra: { warnings } }) };
  },
});

const actorDeleteRole = defineAction({
  ...adminWrite,
  name: "actor_delete_role",
  title: "Take role from actor",
  description:
    "Removes a role from an actor: the role for everything, or the role for the models given. It takes effect with the next call of the actor.",
  intent: "update",
  target: actor,
  input: { roleRef: requireParam(roleRef, "The role."), models: allowParam(modelKeyPattern, MODELS_TEXT) },
  errors: ["last_administrator"],
  example: { actorRef: GRACE, roleRef: "key:reader" },
  run: async ({ target, input, view }) => {
    const { id, permissions } = await requireRef(view, role, input.roleRef);
    const after = removeRole(target, { role: id, ...input });
    const changes = updateChanges(target, after);
    if (changes.length > 0 && permissions.includes("admin")) {
      await checkAdministratorRemains(view, { actors: new Map([[target.id, { ...target, roles: after.roles }]]) });
    }
    return { subject: toActorSubject(target), changes };
  },
});

export const actorActions = [
  actorList,
  actorGet,
  actorEnable,
  actorDisable,
  actorAddRole,
  actorDeleteRole,
] as const satisfies readonly Action[];
