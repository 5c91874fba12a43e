import type { Origin } from "../actions/contract/call.ts";
import type { Claims } from "../actions/contract/ports.ts";
import { tellsNews } from "../domain/external-profile.ts";
import type { Actor } from "../domain/objects.ts";
import { BUILT_IN, type Principal } from "../domain/principal.ts";
import { Problem } from "../domain/problems.ts";
import { roleKeyDigest } from "../domain/role-key.ts";
import type { AccountStore, JudgedRole } from "./accounts.ts";
import { checkEnabled, principalOf } from "./principal.ts";
import { notValid } from "./verify-token.ts";

/**
 * The principal of a verified token of another issuer. The first token makes an actor, and later ones with other claims change
 * it; the roles that count are those of the token at hand. `not_signed_in`, `actor_disabled`.
 */
export async function findExternal(claims: Claims, origin: Origin, accounts: AccountStore): Promise<Principal> {
  // Whatever a configuration says, nobody else signs for the built-in users.
  if (claims.issuer === BUILT_IN) throw notValid();
  const { actor, roles } = await accounts.caller(claims.issuer, claims.subject);
  if (!actor) return bornBy(await accounts.provisionActor(claims, origin));
  checkEnabled(actor);
  if (claims.issuedAt < (actor.validAfter ?? 0)) throw notValid();
  return bornBy(tellsNews(claims, actor) ? await toldAnew(actor) : actor);

  function bornBy(seen: Actor): Principal {
    const claimedRoles = claims.claimedRoles ?? [];
    const digests = claimedRoles.map(roleKeyDigest);
    const isClaimed = ({ keyDigest }: JudgedRole): boolean => digests.includes(keyDigest);
    return { ...principalOf(seen, roles, { claims: isClaimed }), claimedRoles };
  }

  async function toldAnew(known: Actor): Promise<Actor> {
    try {
      return await accounts.provisionActor(claims, origin);
    } catch (error) {
      // The profile is for show, and the next call tries again.
      if (error instanceof Problem) return known;
      throw error;
    }
  }
}
