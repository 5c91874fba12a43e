import type { Claims } from "../actions/contract/ports.ts";
import type { Actor } from "../domain/objects.ts";
import type { Principal } from "../domain/principal.ts";
import { BUILT_IN } from "../domain/principal.ts";
import { Problem } from "../domain/problems.ts";
import { type Bearing, type Rights, rightsOf } from "../domain/rights.ts";
import type { AccountStore, JudgedRole } from "./accounts.ts";
import { notValid } from "./verify-token.ts";

/**
 * The principal of a verified token of the built-in provider, as of now. `not_signed_in` when there is no such actor or its
 * tokens were ended since, `actor_disabled`.
 */
export async function findPrincipal(claims: Claims, accounts: AccountStore): Promise<Principal> {
  const { actor, roles } = await accounts.caller(BUILT_IN, claims.subject);
  if (!actor) throw notValid();
  checkEnabled(actor);
  if (claims.tokenEpoch !== (actor.tokenEpoch ?? 0) || claims.issuedAt < (actor.validAfter ?? 0)) throw notValid();
  return principalOf(actor, roles);
}

/** An actor with the rights it has among these roles. */
export function principalOf(actor: Actor, roles: readonly JudgedRole[], bearing: Bearing<JudgedRole> = {}): Principal {
  const { id, issuer, subject, fullname } = actor;
  const rights: Rights = rightsOf(actor, roles, bearing);
  return { actorId: id, issuer, subject, fullname, claimedRoles: [], ...rights };
}

/** Refuses an actor that was disabled: `actor_disabled`. */
export function checkEnabled({ fullname, disabledAt }: Actor): void {
  if (disabledAt === undefined) return;
  throw new Problem("actor_disabled", `${fullname} was disabled; an administrator can enable the actor again`);
}
