import { hasPermissionAnywhere, type Principal, type Rights } from "../../domain/accounts/principal.ts";
import type { Permission } from "../../domain/permissions.ts";
import { Problem } from "../../domain/problems.ts";
import type { Ref } from "../../domain/refs.ts";

/** Access rule of an action: everybody, signed-in callers, or callers with the permission. */
export type Rule = "public" | "signed_in" | Permission;

/** Use of an action with an API token; `itself` means only on the token itself. */
export type ForApiTokens = "allowed" | "refused" | "itself";

/** Members of an action that define who may run it. */
export interface AccessRule {
  readonly rule: Rule;
  readonly apiTokens?: ForApiTokens;
}

/** Rights of a caller, and the API token of the call. */
type RuleCaller = Rights & Pick<Principal, "apiToken">;

/** Tests whether a caller may run an action on at least some models. */
export function mayRun({ rule, apiTokens }: AccessRule, principal: RuleCaller | undefined): boolean {
  if (rule === "public") return true;
  if (!principal || (principal.apiToken !== undefined && apiTokens === "refused")) return false;
  return rule === "signed_in" || hasPermissionAnywhere(principal, rule);
}

/**
 * Refuses a caller who may not run the action on any model. Throws `not_signed_in` for anonymous callers, else
 * `not_allowed`. The rights on each model are checked when it is opened; see `scopes.ts`.
 */
export function authorize(action: AccessRule, principal: RuleCaller | undefined): void {
  if (mayRun(action, principal)) return;
  if (!principal) {
    throw new Problem("not_signed_in", "This action requires an access token; send Authorization: Bearer <token>");
  }
  if (principal.apiToken !== undefined && action.apiTokens === "refused") throw createTokenRefusal("run this action");
  throw new Problem("not_allowed", `This action requires the permission ${action.rule}`);
}

/** Throws `not_allowed` for a call with an API token on another token. */
export function checkOwnToken(
  { path }: { readonly path: readonly { readonly ref: Ref }[] },
  principal: Principal | undefined,
): void {
  if (principal?.apiToken === undefined) return;
  if (path.at(-1)?.ref.value !== principal.apiToken) throw createTokenRefusal("run this action on another token");
}

function createTokenRefusal(what: string): Problem {
  return new Problem("not_allowed", `An API token cannot ${what}; sign in and use an access token instead`);
}
