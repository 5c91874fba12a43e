import { PERMISSIONS, type Permission } from "../domain/permissions.ts";
import type { Principal } from "../domain/principal.ts";
import { Problem } from "../domain/problems.ts";

/** Who may run an action: anyone, anyone signed in, or whoever holds the permission of that name. */
export type Rule = "public" | "signed_in" | Permission;

/** A rule as `inspect_security_rules` lists it. */
export interface RuleDescription {
  readonly key: Rule;
  readonly name: string;
  readonly description: string;
  readonly associatedRequiredPermissions: readonly Permission[];
}

/** Every rule, sorted by key. */
export const RULES: readonly RuleDescription[] = [
  {
    key: "public" as const,
    name: "Public",
    description: "Anyone, without a token.",
    associatedRequiredPermissions: [],
  },
  {
    key: "signed_in" as const,
    name: "Signed in",
    description: "Anyone with a valid token.",
    associatedRequiredPermissions: [],
  },
  ...Object.entries(PERMISSIONS).map(([key, row]) => ({
    // The keys of the table are the permissions.
    key: key as Permission,
    name: row.name,
    description: `Whoever holds the permission ${key}: ${row.description}`,
    associatedRequiredPermissions: [key as Permission],
  })),
].sort((a, b) => (a.key < b.key ? -1 : 1));

/** Tests a rule for a caller without raising anything. */
export function passes(rule: Rule, principal: Principal | undefined): boolean {
  if (rule === "public") return true;
  if (!principal) return false;
  return rule === "signed_in" || principal.permissions.has(rule);
}

/** Refuses a caller whom the rule does not let through: `not_signed_in` when anonymous, else `not_allowed`. */
export function authorize(rule: Rule, principal: Principal | undefined): void {
  if (passes(rule, principal)) return;
  if (!principal) {
    throw new Problem("not_signed_in", "This action needs an access token: send Authorization: Bearer <token>");
  }
  throw new Problem("not_allowed", `This action needs the permission ${rule}`);
}
