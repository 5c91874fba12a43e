import type { Permission } from "../domain/permissions.ts";
import type { Principal } from "../domain/principal.ts";
import { Problem } from "../domain/problems.ts";
import { holdsAnywhere } from "../domain/rights.ts";

/** Who may run an action: anyone, anyone signed in, or whoever holds the permission of that name. */
export type Rule = "public" | "signed_in" | Permission;

/** Tests a rule for a caller without raising anything: true where it lets them through for some model at least. */
export function passes(rule: Rule, principal: Principal | undefined): boolean {
  if (rule === "public") return true;
  if (!principal) return false;
  return rule === "signed_in" || holdsAnywhere(principal, rule);
}

/**
 * Refuses a caller whom the rule lets through for no model: `not_signed_in` when anonymous, else `not_allowed`. Which
 * models it is for is judged where they are opened; see `scopes.ts`.
 */
export function authorize(rule: Rule, principal: Principal | undefined): void {
  if (passes(rule, principal)) return;
  if (!principal) {
    throw new Problem("not_signed_in", "This action needs an access token: send Authorization: Bearer <token>");
  }
  throw new Problem("not_allowed", `This action needs the permission ${rule}`);
}
