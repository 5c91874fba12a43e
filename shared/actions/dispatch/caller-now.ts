import type { Actor, ApiToken, AuthRole } from "../../domain/objects.ts";
import type { Principal } from "../../domain/principal.ts";
import { Problem } from "../../domain/problems.ts";
import { boundsOf, rightsOf } from "../../domain/rights.ts";
import type { CallerNow } from "../contract/action.ts";
import type { Call } from "../contract/call.ts";
import { authorize, type Guarded } from "../contract/rules.ts";
import type { View } from "../contract/view.ts";

/**
 * Judges the caller of an action once more, at the revision of the ledger of accounts that its decision is made at: with the
 * roles assigned then, those the token claims, and within what an API token is for. So whoever was disabled or lost a role a
 * moment ago changes nothing more. `not_allowed`, `actor_disabled`.
 */
export async function judgeCaller(view: View, { principal }: Call, action: Guarded): Promise<CallerNow> {
  const { actor, token } = await callerThere(view, principal);
  const roles = await everyRole(view);
  const { claimedRoles = [] } = principal ?? {};
  const claims = ({ key }: AuthRole): boolean => claimedRoles.includes(key);
  const rights = rightsOf(actor, roles, { claims, ...(token && boundsOf(token)) });
  authorize(action, principal && { ...principal, ...rights });
  return { actor, roles, ...rights };
}

/** The caller as they stand in the ledger of accounts, with the API token they came with. `not_allowed`, `actor_disabled`. */
export async function callerThere(
  view: View,
  principal: Pick<Principal, "actorId" | "apiToken"> | undefined,
): Promise<{ readonly actor: Actor; readonly token: ApiToken | undefined }> {
  const actor = principal && (await view.find("actor", { scheme: "id", value: principal.actorId }));
  if (!actor) throw new Problem("not_allowed", "The actor was deleted meanwhile");
  if (actor.disabledAt !== undefined) throw new Problem("actor_disabled", `${actor.fullname} was disabled meanwhile`);
  const { apiToken: value } = principal;
  const token = value === undefined ? undefined : await view.find("api_token", { scheme: "id", value });
  if (value !== undefined && !token) throw new Problem("not_allowed", "The API token was revoked meanwhile");
  return { actor, token };
}

/** Every role there is, no more than `LIMITS.roles`; `lookBack` as in `Page`. */
export async function everyRole(view: View, lookBack = false): Promise<readonly AuthRole[]> {
  return (await view.list("role", undefined, { lookBack })).items;
}
