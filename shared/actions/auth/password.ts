import { update } from "../../domain/change.ts";
import { user } from "../../domain/kinds.ts";
import { newPassword } from "../../domain/new-password.ts";
import type { User } from "../../domain/objects.ts";
import { Problem } from "../../domain/problems.ts";
import { password } from "../../domain/value-types.ts";
import { subjectOf } from "../building/field-actions.ts";
import { written } from "../building/written.ts";
import type { Action } from "../contract/action.ts";
import type { Call } from "../contract/call.ts";
import type { Decision } from "../contract/decision.ts";
import { defineAction } from "../contract/define-action.ts";
import { required } from "../contract/params.ts";
import type { View } from "../contract/view.ts";
import { actorOf, withoutTokens } from "./account-changes.ts";

/** Gives a user another password; every token of theirs ends with it. */
async function passwordChange(view: View, target: User, hash: string, call: Call): Promise<Decision> {
  const actor = await actorOf(view, target);
  const { tokenEpoch, validAfter } = withoutTokens(actor, call);
  return {
    subject: subjectOf(target),
    changes: [...update(target, { passwordChangedAt: call.time }), ...update(actor, { tokenEpoch, validAfter })],
    passwords: [{ username: target.key, hash }],
  };
}

const userChangePassword = defineAction({
  group: "auth",
  name: "user_change_password",
  title: "Change user's password",
  description: "Gives a user another password, and ends all tokens of theirs at once.",
  intent: "update",
  rule: "admin",
  apiTokens: "refused",
  target: user,
  input: { password: required(newPassword, "The new password.") },
  output: written,
  errors: [],
  example: { username: "grace", password: "Compiler and moth 1947" },
  // The name is compared where it is given; of a user named by id no password can be told to be the name.
  prepare: async ({ input, ports }) => ports.identity.newPassword(input.password, "", "/password"),
  run: async ({ target, input, prepared: hash, view, call }) => {
    if (input.password.toLowerCase() === target.key) {
      const detail = "must not be the username";
      throw new Problem("bad_parameters", "The password is too weak", { errors: [{ pointer: "/password", detail }] });
    }
    return passwordChange(view, target, hash, call);
  },
});

const changeMyPassword = defineAction({
  group: "auth",
  name: "change_my_password",
  title: "Change my password",
  description:
    "Gives the caller another password, and ends all tokens of theirs at once: sign in again with the new one.",
  intent: "update",
  rule: "signed_in",
  apiTokens: "refused",
  ledger: "identity",
  input: {
    oldPassword: required(password, "The password as it is now."),
    newPassword: required(newPassword, "The new password."),
  },
  output: written,
  errors: ["not_allowed", "not_found", "wrong_password"],
  example: { oldPassword: "correct horse 1 battery", newPassword: "Another horse 2 battery" },
  prepare: async ({ input, ports, call }) => {
    const { principal } = call;
    // The rule lets nobody through without one.
    if (!principal) throw new Error("a password of nobody");
    const epoch = await ports.identity.provePassword(principal, input.oldPassword, call);
    return {
      principal,
      epoch,
      hash: await ports.identity.newPassword(input.newPassword, principal.subject, "/newPassword"),
    };
  },
  run: async ({ prepared: { principal, epoch, hash }, view, call }) => {
    const target = await view.find("user", { scheme: "key", value: principal.subject });
    const actor = target && (await actorOf(view, target));
    // Changed since it was looked at, or the user is another one by now.
    if (!target || actor?.tokenEpoch !== epoch) throw new Problem("wrong_password", "The old password is not right");
    return passwordChange(view, target, hash, call);
  },
});

/** The actions that change passwords. */
export const passwordActions = [userChangePassword, changeMyPassword] as const satisfies readonly Action[];
