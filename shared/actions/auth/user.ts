import { createBuiltInActor } from "../../domain/accounts/actors.ts";
import { newPassword } from "../../domain/accounts/passwords.ts";
import { userFields } from "../../domain/fields/account-fields.ts";
import { user } from "../../domain/kinds.ts";
import { LIMITS } from "../../domain/limits.ts";
import { createChange, deleteChange, updateChanges } from "../../domain/model/changes.ts";
import type { Actor, AuthRole, User } from "../../domain/model/objects.ts";
import { Problem } from "../../domain/problems.ts";
import type { Ref } from "../../domain/refs.ts";
import { roleRef } from "../../domain/values/ref-types.ts";
import { createListType, flag, fullname, password, username } from "../../domain/values/value-types.ts";
import { createNamedSchema, createWrittenOutput, describeText, writtenOutput } from "../building/answers.ts";
import { toSubject } from "../building/field-actions.ts";
import { createListOutput, pagingParams, toPage, toReading } from "../building/reads.ts";
import type { Action, Decision } from "../contract/action.ts";
import type { Call } from "../contract/call.ts";
import { defineAction } from "../contract/define-action.ts";
import { allowParam, requireParam } from "../contract/params.ts";
import type { ReadView } from "../contract/view.ts";
import { listAllRoles } from "../pipeline/caller-rights.ts";
import {
  checkGrant,
  checkNotSelf,
  checkOtherAdministratorRemains,
  collectPermissions,
  deleteApiTokens,
  endTokens,
  findActorOfUser,
  findRoles,
  setEnabled,
} from "./account-changes.ts";
import { adminRead, adminWrite, createAccountShape, toAccountRow } from "./account-rows.ts";

interface NewPassword {
  readonly hash: string;
  readonly endsApiTokens: boolean | undefined;
}

async function changePassword(
  view: ReadView,
  target: User,
  { hash, endsApiTokens }: NewPassword,
  call: Call,
): Promise<Decision> {
  const actor = await findActorOfUser(view, target);
  const { tokenEpoch, validAfter } = endTokens(actor, call);
  return {
    subject: toSubject(target),
    changes: [
      ...updateChanges(target, { passwordChangedAt: call.time }),
      ...updateChanges(actor, { tokenEpoch, validAfter }),
      ...(endsApiTokens ? await deleteApiTokens(view, actor) : []),
    ],
    passwords: [{ username: target.key, hash }],
  };
}

const userChangePassword = defineAction({
  ...adminWrite,
  name: "user_change_password",
  title: "Change user's password",
  description:
    "Changes the password of a user and ends all sessions of the user; with `endApiTokens`, the API tokens as well.",
  intent: "update",
  target: user,
  input: {
    password: requireParam(newPassword, "The new password."),
    endApiTokens: allowParam(flag, "True to revoke all API tokens of the user."),
  },
  errors: [],
  example: { username: "grace", password: "<new password>" },
  // The username is compared in `run`, because the user may be addressed by id.
  prepare: async ({ input, ports }) => ports.identity.hashNewPassword(input.password, "", "/password"),
  run: async ({ target, input, prepared: hash, view, call }) => {
    if (input.password.toLowerCase() === target.key) {
      const detail = "must not be the username";
      throw new Problem("bad_parameters", "The password is too weak", { errors: [{ pointer: "/password", detail }] });
    }
    return changePassword(view, target, { hash, endsApiTokens: input.endApiTokens }, call);
  },
});

const changeMyPassword = defineAction({
  group: "auth",
  name: "change_my_password",
  title: "Change my password",
  description:
    "Changes the password of the caller and ends all sessions of the caller: sign in again with the new password. " +
    "With `endApiTokens`, it ends the API tokens as well.",
  intent: "update",
  rule: "signed_in",
  apiTokens: "refused",
  ledger: "identity",
  input: {
    oldPassword: requireParam(password, "The current password."),
    newPassword: requireParam(newPassword, "The new password."),
    endApiTokens: allowParam(flag, "True to revoke all API tokens of the caller."),
  },
  output: writtenOutput,
  errors: ["not_allowed", "not_found", "wrong_password"],
  example: { oldPassword: "<old password>", newPassword: "<new password>" },
  prepare: async ({ input, ports, call }) => {
    const { principal } = call;
    if (!principal) throw new Error("The call has no principal");
    const epoch = await ports.identity.checkPassword(principal, input.oldPassword, call);
    return {
      principal,
      epoch,
      hash: await ports.identity.hashNewPassword(input.newPassword, principal.subject, "/newPassword"),
    };
  },
  run: async ({ input, prepared: { principal, epoch, hash }, view, call }) => {
    const target = await view.find("user", { scheme: "key", value: principal.subject });
    const actor = target && (await findActorOfUser(view, target));
    // The password was changed since it was checked, or another user has the username now.
    if (!target || actor?.tokenEpoch !== epoch) throw new Problem("wrong_password", "The old password is wrong");
    return changePassword(view, target, { hash, endsApiTokens: input.endApiTokens }, call);
  },
});

const passwordActions = [userChangePassword, changeMyPassword] as const satisfies readonly Action[];

const userCreate = defineAction({
  ...adminWrite,
  name: "user_create",
  title: "Create user",
  description:
    "Creates a user of the built-in provider with its actor. " +
    "The user gets the role `admin`, the given roles, or both; " +
    "if neither is given, the role that new actors get, if there is one.",
  intent: "create",
  ledger: "identity",
  input: {
    username: requireParam(username, "The name to sign in with; it never changes."),
    fullname: requireParam(fullname, "The name to show."),
    password: requireParam(newPassword, "The password to sign in with."),
    admin: allowParam(flag, "True if the user is an administrator; false unless given."),
    roleRefs: allowParam(
      createListType(roleRef, LIMITS.roles),
      "The roles it gets for everything; with an empty list it does not get the role that new actors get.",
    ),
  },
  output: createWrittenOutput("The user, and its actor.", () => ({
    actorId: describeText("Id of its actor, which roles are given to."),
  })),
  errors: ["key_taken", "not_found"],
  example: { username: "alan", fullname: "Alan Turing", password: "<new password>", admin: false },
  prepare: async ({ input, ports }) => ports.identity.hashNewPassword(input.password, input.username, "/password"),
  run: async ({ input, prepared: hash, call, caller }) => {
    const roles = selectInitialRoles(input, caller.roles);
    checkGrant(
      caller,
      roles.flatMap(({ permissions }) => permissions),
    );
    const person: User = {
      kind: "user",
      id: call.nextId(),
      key: input.username,
      revision: 0,
      fullname: input.fullname,
      createdAt: call.time,
    };
    const actor: Actor = { ...createBuiltInActor(person.key, person.fullname, call), roles: roles.map(({ id }) => id) };
    return {
      subject: toSubject(person),
      changes: [createChange(person), createChange(actor)],
      passwords: [{ username: person.key, hash }],
      extra: { actorId: actor.id },
    };
  },
});

function selectInitialRoles(
  { admin, roleRefs }: { readonly admin: boolean | undefined; readonly roleRefs: readonly Ref[] | undefined },
  all: readonly AuthRole[],
): readonly AuthRole[] {
  const selection = new Set(roleRefs && findRoles(roleRefs, all));
  return all.filter(
    (one) =>
      selection.has(one) || (admin ? one.managed && one.key === "admin" : roleRefs === undefined && one.autoAssign),
  );
}

const userList = defineAction({
  ...adminRead,
  name: "user_list",
  title: "List users",
  description: "Lists the users of the built-in provider, sorted by username.",
  ledger: "identity",
  input: pagingParams,
  output: createListOutput("The users.", () => createNamedSchema("User", createAccountShape(userFields))),
  errors: [],
  example: {},
  run: async ({ view, input }) => {
    const rows = await view.list("user", undefined, toPage(input));
    const roles = await listAllRoles(view);
    const actors = await Promise.all(rows.items.map((one) => findActorOfUser(view, one)));
    return toReading(rows, (users) => ({
      items: users.flatMap((one, i) => {
        const actor = actors[i];
        if (!actor) return [];
        const admin = collectPermissions(actor, roles).has("admin");
        return [toAccountRow(one, userFields, { actorId: actor.id, admin })];
      }),
    }));
  },
});

const userChangeFullname = defineAction({
  ...adminWrite,
  name: "user_change_fullname",
  title: "Change user's name",
  description: "Changes the full name of a user.",
  intent: "update",
  target: user,
  input: { fullname: requireParam(fullname, "The name to show.", "value") },
  errors: [],
  example: { username: "grace", fullname: "Grace Brewster Hopper" },
  run: async ({ target, input, view }) => {
    const fields = { fullname: input.fullname };
    const changes = [...updateChanges(target, fields), ...updateChanges(await findActorOfUser(view, target), fields)];
    return { subject: toSubject(target), changes };
  },
});

const userDisable = defineAction({
  ...adminWrite,
  name: "user_disable",
  title: "Disable user",
  description:
    "Disables a user: the user cannot sign in, all calls are refused and all tokens end. Not for the caller's own account.",
  intent: "update",
  target: user,
  errors: ["last_administrator"],
  example: { username: "grace" },
  run: async ({ target, view, call }) => {
    const actor = await findActorOfUser(view, target);
    checkNotSelf(actor, call, "username");
    const changes = (await setEnabled(view, actor, false, call)).toReversed();
    if (changes.length > 0) await checkOtherAdministratorRemains(view, actor, call);
    return { subject: toSubject(target), changes: [...changes, ...(await deleteApiTokens(view, actor))] };
  },
});

const userEnable = defineAction({
  ...adminWrite,
  name: "user_enable",
  title: "Enable user",
  description: "Enables a disabled user, who can sign in again.",
  intent: "update",
  target: user,
  errors: [],
  example: { username: "retired" },
  run: async ({ target, view, call }) => {
    const changes = await setEnabled(view, await findActorOfUser(view, target), true, call);
    return { subject: toSubject(target), changes: changes.toReversed() };
  },
});

const userDelete = defineAction({
  ...adminWrite,
  name: "user_delete",
  title: "Delete user",
  description:
    "Deletes a user with its actor and ends all tokens. " +
    "The changes of the user stay in the history under the id of the actor. " +
    "The username becomes free. Not for the caller's own account.",
  intent: "delete",
  target: user,
  errors: ["last_administrator"],
  example: { username: "grace" },
  run: async ({ target, view, call }) => {
    const actor = await findActorOfUser(view, target);
    checkNotSelf(actor, call, "username");
    await checkOtherAdministratorRemains(view, actor, call);
    const tokens = await deleteApiTokens(view, actor);
    return {
      subject: toSubject(target),
      changes: [deleteChange(target, false), deleteChange(actor, false), ...tokens],
    };
  },
});

export const userActions = [
  userCreate,
  userList,
  userChangeFullname,
  ...passwordActions,
  userEnable,
  userDisable,
  userDelete,
] as const satisfies readonly Action[];
