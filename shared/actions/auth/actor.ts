import * as z from "zod/mini";
import { modelKeyPattern } from "../../domain/accounts/account-types.ts";
import { actorFields } from "../../domain/fields/accounts.ts";
import { actor, role } from "../../domain/kinds.ts";
import { updateChanges } from "../../domain/model/changes.ts";
import type { Actor } from "../../domain/model/objects.ts";
import { roleRef } from "../../domain/values/ref-types.ts";
import { createWrittenOutput, namedObjectSchema, writtenOutput } from "../building/answers.ts";
import { idSchema, idsSchema } from "../building/ids.ts";
import { createListOutput, pagingParams, toPage, toReading } from "../building/reads.ts";
import type { Action } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { optionalParam, requiredParam } from "../contract/params.ts";
import { listAllRoles } from "../pipeline/caller-rights.ts";
import { need } from "../pipeline/resolve.ts";
import {
  checkAdministratorRemains,
  checkGrant,
  checkNotSelf,
  checkOtherAdministratorRemains,
  deleteApiTokens,
  setEnabled,
} from "./account-changes.ts";
import { accountShape, toAccountRow } from "./account-rows.ts";
import { addRole, checkPatternModel, findUnlimitedGrants, removeRole } from "./assignments.ts";

const MODELS_TEXT = "The models it is for; everything unless given.";

/** The actor of the examples. */
const GRACE = "0198c0de-0000-7000-8000-0000000000a1";
/** The disabled actor of the examples. */
const RETIRED = "0198c0de-0000-7000-8000-0000000000b1";

function toActorRow(actor: Actor, seen: ReadonlyMap<string, string>) {
  return toAccountRow(actor, actorFields, { lastSeenAt: seen.get(actor.id) });
}

/** An actor has no key; people know it by its subject. */
const toActorSubject = ({ id, subject }: Actor) => ({ id, key: subject });

const actorList = defineAction({
  group: "auth",
  name: "actor_list",
  title: "List actors",
  description:
    "Lists everyone who ever called with a valid token and all built-in users, in an order that stays the same.",
  intent: "read",
  rule: "admin",
  apiTokens: "allowed",
  ledger: "identity",
  input: pagingParams,
  output: createListOutput("The actors.", () => namedObjectSchema("Actor", accountShape(actorFields))),
  errors: [],
  example: {},
  run: async ({ view, input, ports, call }) => {
    const rows = await view.list("actor", undefined, toPage(input));
    const seen = await ports.identity.listLastCalls(
      rows.items.map(({ id }) => id),
      call,
    );
    return toReading(rows, (actors) => ({ items: actors.map((actor) => toActorRow(actor, seen)) }));
  },
});

const actorGet = defineAction({
  group: "auth",
  name: "actor_get",
  title: "Get actor",
  description: "Reads one actor with the roles assigned to it and the permissions they give, without those implied.",
  intent: "read",
  rule: "admin",
  apiTokens: "allowed",
  target: actor,
  input: {},
  output: {
    mediaType: "application/json",
    description: "The actor.",
    schema: () =>
      namedObjectSchema("ActorWithRoles", {
        ...accountShape(actorFields),
        roles: idsSchema("role", "Ids of the roles assigned for everything."),
        scopedRoles: z
          .array(
            namedObjectSchema("ScopedRole", {
              role: idSchema("role", "Id of the role."),
              models: idSchema("model", "The pattern of the keys of the models, or the id of one."),
            }),
          )
          .check(z.describe("Roles assigned for the models whose keys fit a pattern.")),
        permissions: z.array(z.string()).check(z.describe("What the roles assigned for everything give.")),
      }),
  },
  errors: [],
  example: { actorId: GRACE },
  run: async ({ target, view, ports, call }) => {
    const [all, seen] = await Promise.all([listAllRoles(view), ports.identity.listLastCalls([target.id], call)]);
    const roles = all.filter(({ id }) => target.roles.includes(id));
    const permissions = [...new Set(roles.flatMap((one) => one.permissions))].sort();
    return {
      body: {
        ...toActorRow(target, seen),
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
  group: "auth",
  name: "actor_disable",
  title: "Disable actor",
  description:
    "Refuses every call of an actor from now on and ends its tokens; of a built-in user, also its login. Not the caller's own account.",
  intent: "update",
  rule: "admin",
  apiTokens: "refused",
  target: actor,
  input: {},
  output: writtenOutput,
  errors: ["last_administrator"],
  example: { actorId: GRACE },
  run: async ({ target, view, call }) => {
    checkNotSelf(target, call, "/actorId");
    const changes = await setEnabled(view, target, false, call);
    if (changes.length > 0) await checkOtherAdministratorRemains(view, target, call);
    return { subject: toActorSubject(target), changes: [...changes, ...(await deleteApiTokens(view, target))] };
  },
});

const actorEnable = defineAction({
  group: "auth",
  name: "actor_enable",
  title: "Enable actor",
  description: "Lets an actor call again that was disabled, and a built-in user sign in again.",
  intent: "update",
  rule: "admin",
  apiTokens: "refused",
  target: actor,
  input: {},
  output: writtenOutput,
  errors: [],
  example: { actorId: RETIRED },
  run: async ({ target, view, call }) => ({
    subject: toActorSubject(target),
    changes: await setEnabled(view, target, true, call),
  }),
});

const actorAddRole = defineAction({
  group: "auth",
  name: "actor_add_role",
  title: "Give actor a role",
  description:
    "Gives an actor a role, from the actor's next call on: for everything, or for some models only. Of a role given for some models, what concerns no model counts for nothing; where the actor may do the same with every model anyway, the answer warns.",
  intent: "update",
  rule: "admin",
  apiTokens: "refused",
  target: actor,
  input: { roleRef: requiredParam(roleRef, "The role."), models: optionalParam(modelKeyPattern, MODELS_TEXT) },
  output: createWrittenOutput("What was written, and what the role for some models does not limit.", () => ({
    warnings: z.optional(
      z.array(
        namedObjectSchema("GrantWarning", {
          pointer: z.string().check(z.describe("The parameter it is about, as a JSON pointer.")),
          detail: z.string(),
        }),
      ),
    ),
  })),
  errors: [],
  example: { actorId: GRACE, roleRef: "key:auditor" },
  prepare: async ({ input: { models }, ports, call }) => {
    if (models !== undefined) await checkPatternModel(models, call, ports);
  },
  run: async ({ target, input, view, caller: { roles, ...held } }) => {
    const given = await need(view, role, input.roleRef);
    checkGrant(held, given.permissions);
    const changes = updateChanges(target, addRole(target, { role: given.id, ...input }, roles));
    const warnings = input.models === undefined ? [] : findUnlimitedGrants(target, given, input.models, roles);
    return { subject: toActorSubject(target), changes, ...(warnings.length > 0 && { extra: { warnings } }) };
  },
});

const actorDeleteRole = defineAction({
  group: "auth",
  name: "actor_delete_role",
  title: "Take role from actor",
  description:
    "Takes a role from an actor, from the actor's next call on: the one given for everything, or that for the models named.",
  intent: "update",
  rule: "admin",
  apiTokens: "refused",
  target: actor,
  input: { roleRef: requiredParam(roleRef, "The role."), models: optionalParam(modelKeyPattern, MODELS_TEXT) },
  output: writtenOutput,
  errors: ["last_administrator"],
  example: { actorId: GRACE, roleRef: "key:reader" },
  run: async ({ target, input, view }) => {
    const { id, permissions } = await need(view, role, input.roleRef);
    const after = removeRole(target, { role: id, ...input });
    const changes = updateChanges(target, after);
    if (changes.length > 0 && permissions.includes("admin")) {
      await checkAdministratorRemains(view, { actors: new Map([[target.id, { ...target, roles: after.roles }]]) });
    }
    return { subject: toActorSubject(target), changes };
  },
});

/** The `actor_*` actions. */
export const actorActions = [
  actorList,
  actorGet,
  actorEnable,
  actorDisable,
  actorAddRole,
  actorDeleteRole,
] as const satisfies readonly Action[];
