import * as z from "zod/mini";
import { update } from "../../domain/change.ts";
import { given } from "../../domain/content.ts";
import { actor, role } from "../../domain/kinds.ts";
import type { Actor } from "../../domain/objects.ts";
import { roleRef } from "../../domain/ref-types.ts";
import { type Action, defineAction } from "../define-action.ts";
import { listOutput, pageOf, paging, readingOf } from "../lists.ts";
import { required } from "../params.ts";
import { need } from "../resolve.ts";
import { written } from "../written.ts";
import { ableChanges, checkNotSelf } from "./account-changes.ts";
import { checkAdministratorRemains, checkCaller, checkGrant, everyRole } from "./administrators.ts";

/** The actor of the examples. */
const GRACE = "0198c0de-0000-7000-8000-0000000000a1";
/** One of them that is disabled. */
const RETIRED = "0198c0de-0000-7000-8000-0000000000b1";

const members = () => ({
  id: z.string(),
  issuer: z.string().check(z.describe("Who signs the actor in.")),
  subject: z.string().check(z.describe("What that issuer calls the actor; of a built-in user the username.")),
  fullname: z.string(),
  disabledAt: z.optional(z.string()),
  createdAt: z.string(),
});

function shown({ id, issuer, subject, fullname, disabledAt, createdAt }: Actor) {
  return { id, issuer, subject, fullname, ...given("disabledAt", disabledAt), createdAt };
}

/** An actor has no key; people know it by its subject. */
const subjectOf = ({ id, subject }: Actor) => ({ id, key: subject });

const actorList = defineAction({
  group: "auth",
  name: "actor_list",
  title: "List actors",
  description:
    "Lists everyone who ever called with a valid token and all built-in users, in an order that stays the same.",
  intent: "read",
  rule: "admin",
  ledger: "identity",
  input: paging,
  output: listOutput("The actors.", () => z.object(members())),
  errors: [],
  example: {},
  run: async ({ view, input }) =>
    readingOf(await view.list("actor", undefined, pageOf(input)), (actors) => ({ items: actors.map(shown) })),
});

const actorGet = defineAction({
  group: "auth",
  name: "actor_get",
  title: "Get actor",
  description: "Reads one actor with the roles assigned to it and the permissions they give, without those implied.",
  intent: "read",
  rule: "admin",
  target: actor,
  input: {},
  output: {
    mediaType: "application/json",
    description: "The actor.",
    schema: () => z.object({ ...members(), roles: z.array(z.string()), permissions: z.array(z.string()) }),
  },
  errors: [],
  example: { actorId: GRACE },
  run: async ({ target, view }) => {
    const roles = (await everyRole(view)).filter(({ id }) => target.roles.includes(id));
    const permissions = [...new Set(roles.flatMap((one) => one.permissions))].sort();
    return { body: { ...shown(target), roles: roles.map(({ id }) => id), permissions } };
  },
});

const actorDisable = defineAction({
  group: "auth",
  name: "actor_disable",
  title: "Disable actor",
  description: "Refuses every call of an actor from now on and ends its tokens; of a built-in user, also its login.",
  intent: "update",
  rule: "admin",
  target: actor,
  input: {},
  output: written,
  errors: [],
  example: { actorId: GRACE },
  run: async ({ target, view, call }) => {
    await checkCaller(view, call);
    checkNotSelf(target, call, "/actorId");
    return { subject: subjectOf(target), changes: await ableChanges(view, target, false, call) };
  },
});

const actorEnable = defineAction({
  group: "auth",
  name: "actor_enable",
  title: "Enable actor",
  description: "Lets an actor call again that was disabled, and a built-in user sign in again.",
  intent: "update",
  rule: "admin",
  target: actor,
  input: {},
  output: written,
  errors: [],
  example: { actorId: RETIRED },
  run: async ({ target, view, call }) => {
    await checkCaller(view, call);
    return { subject: subjectOf(target), changes: await ableChanges(view, target, true, call) };
  },
});

const actorAddRole = defineAction({
  group: "auth",
  name: "actor_add_role",
  title: "Give actor a role",
  description: "Gives an actor a role, from the actor's next call on.",
  intent: "update",
  rule: "admin",
  target: actor,
  input: { roleRef: required(roleRef, "The role.") },
  output: written,
  errors: [],
  example: { actorId: GRACE, roleRef: "key:auditor" },
  run: async ({ target, input, view, call }) => {
    const held = await checkCaller(view, call);
    const { id, permissions } = await need(view, role, input.roleRef);
    checkGrant(held, permissions);
    if (target.roles.includes(id)) return { subject: subjectOf(target), changes: [] };
    // A role that was deleted gives nothing, and its id never comes back.
    const living = new Set((await everyRole(view)).map((one) => one.id));
    const roles = [...target.roles.filter((one) => living.has(one)), id];
    return { subject: subjectOf(target), changes: update(target, { roles }) };
  },
});

const actorDeleteRole = defineAction({
  group: "auth",
  name: "actor_delete_role",
  title: "Take role from actor",
  description: "Takes a role from an actor, from the actor's next call on.",
  intent: "update",
  rule: "admin",
  target: actor,
  input: { roleRef: required(roleRef, "The role.") },
  output: written,
  errors: ["last_administrator"],
  example: { actorId: GRACE, roleRef: "key:reader" },
  run: async ({ target, input, view, call }) => {
    await checkCaller(view, call);
    const { id, permissions } = await need(view, role, input.roleRef);
    const roles = target.roles.filter((one) => one !== id);
    const changes = update(target, { roles });
    if (changes.length > 0 && permissions.includes("admin")) {
      await checkAdministratorRemains(view, { actors: new Map([[target.id, { ...target, roles }]]) });
    }
    return { subject: subjectOf(target), changes };
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
