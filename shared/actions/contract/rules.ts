import { hasPermissionAnywhere, type Principal, type Rights } from "../../domain/accounts/principal.ts";
import type { Permission } from "../../domain/permissions.ts";
import { Problem } from "../../domain/problems.ts";
import type { Ref } from "../../domain/refs.ts";

/** Who may run an action: anyone, anyone signed in, or whoever holds the permission of that name. */
export type Rule = "public" | "signed_in" | Permission;

/**
 * Whether a call that came with an API token may run an action; `itself`: on the object that this very token is, and no
 * other.
 */
export type ForApiTokens = "allowed" | "refused" | "itself";

/** The members of an action that say who may run it. */
export interface AccessRule {
  readonly rule: Rule;
  readonly apiTokens?: ForApiTokens;
}

/** Who asks: rights, and the API token they come with. */
type RuleCaller = Rights & Pick<Principal, "apiToken">;

/** Tests a rule for a caller without raising anything: true where it lets them through for some model at least. */
export function mayRun({ rule, apiTokens }: AccessRule, principal: RuleCaller | undefined): boolean {
  if (rule === "public") return true;
  if (!principal || (principal.apiToken !== undefined && apiTokens === "refused")) return false;
  return rule === "signed_in" || hasPermissionAnywhere(principal, rule);
}

/**
 * Refuses a caller whom the rule lets through for no model: `not_signed_in` when anonymous, else `not_allowed`. Which
 * models it is for is judged where they are opened; see `scopes.ts`.
 */
export function authorize(action: AccessRule, principal: RuleCaller | undefined): void {
  if (mayRun(action, principal)) return;
  if (!principal) {
    throw new Problem("not_signed_in", "This action needs an access token: send Authorization: Bearer <token>");
  }
  if (principal.apiToken !== undefined && action.apiTokens === "refused") throw createTokenRefusal("run this action");
  throw new Problem("not_allowed", `This action needs the permission ${action.rule}`);
}

/**
 * Refuses a call that came with an API token and concerns another one, where the action is for itself alone:
 * `not_allowed`.
 */
export function checkOwnToken(
  { apiTokens }: AccessRule,
  { path }: { readonly path: readonly { readonly ref: Ref }[] },
  principal: Principal | undefined,
): void {
  if (apiTokens !== "itself" || principal?.apiToken === undefined) return;
  if (path.at(-1)?.ref.value !== principal.apiToken) throw createTokenRefusal("do that to another one");
}

function createTokenRefusal(what: string): Problem {
  return new Problem("not_allowed", `An API token cannot ${what}; sign in and do it with the access token you get`);
}
