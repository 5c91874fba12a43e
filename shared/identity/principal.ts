import type { Claims } from "../actions/ports.ts";
import { isPermission, withImplied } from "../domain/permissions.ts";
import type { Principal } from "../domain/principal.ts";
import { BUILT_IN } from "../domain/principal.ts";
import { Problem } from "../domain/problems.ts";
import type { AccountStore } from "./accounts.ts";
import { notValid } from "./verify-token.ts";

/**
 * Who bears a verified token of the built-in provider, as of now. `not_signed_in` when there is no such actor or its
 * tokens were ended since, `actor_disabled`.
 */
export async function findPrincipal(claims: Claims, accounts: AccountStore): Promise<Principal> {
  const { actor, roles } = await accounts.caller(BUILT_IN, claims.subject);
  if (!actor) throw notValid();
  if (actor.disabledAt !== undefined) {
    throw new Problem("actor_disabled", `${actor.fullname} was disabled; an administrator can enable the actor again`);
  }
  if (claims.tokenEpoch !== (actor.tokenEpoch ?? 0) || claims.issuedAt < (actor.validAfter ?? 0)) throw notValid();
  const held = roles.filter((role) => actor.roles.includes(role.id)).flatMap((role) => role.permissions);
  return {
    actorId: actor.id,
    issuer: claims.issuer,
    subject: actor.subject,
    fullname: actor.fullname,
    // A stored name may be one that this version does not know.
    permissions: withImplied(held.filter(isPermission)),
  };
}
