import { roleKey } from "../../domain/account-types.ts";
import { type Change, update } from "../../domain/change.ts";
import { role } from "../../domain/kinds.ts";
import type { AuthRole } from "../../domain/objects.ts";
import { Problem, type ProblemCode } from "../../domain/problems.ts";
import { markdown, singleLine } from "../../domain/value-types.ts";
import { written } from "../building/written.ts";
import type { Action, ActionTexts } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { clearing, type Param, required } from "../contract/params.ts";

/** The fields that people choose. */
type Field = "key" | "name" | "description";

/** An action that sets one field of a role that the service does not keep. */
function updateRole<A extends string, F extends Field, T extends AuthRole[F]>(
  name: A,
  field: F,
  { value, errors, ...texts }: ActionTexts & { readonly value: Param<T>; readonly errors: readonly ProblemCode[] },
) {
  return defineAction({
    group: "auth",
    name,
    ...texts,
    intent: "update",
    rule: "admin",
    apiTokens: "refused",
    target: role,
    input: { value },
    output: written,
    errors: ["managed_role", ...errors],
    run: async ({ target, input, call }) => {
      checkUnmanaged(target);
      const changes = changed(target, { [field]: input.value }, call.time);
      return { subject: { id: target.id, key: field === "key" ? String(input.value) : target.key }, changes };
    },
  });
}

/** A change of a role, which then tells when it was; none where every value is there already. */
export function changed(target: AuthRole, fields: Partial<AuthRole>, time: string): readonly Change[] {
  return update(target, fields).length === 0 ? [] : update(target, { ...fields, updatedAt: time });
}

/** Refuses to change a role that the service keeps: `managed_role`. */
export function checkUnmanaged({ key, managed }: AuthRole): void {
  if (!managed) return;
  throw new Problem("managed_role", `The service keeps the role ${key} itself; make another role for what you need`);
}

export const roleUpdateActions = [
  updateRole("role_update_key", "key", {
    title: "Change role key",
    description: "Gives a role another key; whoever has the role keeps it.",
    value: required(roleKey, "The new key."),
    errors: ["key_taken"],
    example: { roleRef: "key:auditor", value: "inspector" },
  }),
  updateRole("role_update_name", "name", {
    title: "Rename role",
    description: "Changes the name of a role.",
    value: required(singleLine, "The new name."),
    errors: [],
    example: { roleRef: "key:auditor", value: "Inspector" },
  }),
  updateRole("role_update_description", "description", {
    title: "Describe role",
    description: "Changes or clears the description of a role.",
    value: clearing(markdown, "The new description; leave it out to clear it."),
    errors: [],
    example: { roleRef: "key:auditor", value: "Reads what others wrote." },
  }),
] as const satisfies readonly Action[];
