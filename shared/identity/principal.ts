import { randomBytes, timingSafeEqual } from "node:crypto";
import type { Origin, Runtime } from "../actions/contract/call.ts";
import type { Claims } from "../actions/contract/ports.ts";
import { hashRoleKey, hasNewerClaims } from "../domain/accounts/actors.ts";
import { API_SECRET_BYTES, hashSecret, parseApiToken } from "../domain/accounts/api-token.ts";
import {
  BUILT_IN,
  computeRights,
  type Principal,
  type Rights,
  type RightsOptions,
  toTokenBounds,
} from "../domain/accounts/principal.ts";
import type { Actor } from "../domain/model/objects.ts";
import { Problem } from "../domain/problems.ts";
import type { CallerStore, JudgedRole, TokenAddress } from "./accounts.ts";
import { createInvalidTokenProblem } from "./tokens/verify-token.ts";

/**
 * The principal of a verified token of the built-in provider, as of now. `not_signed_in` when there is no such actor or its
 * tokens were ended since, `actor_disabled`.
 */
export async function findPrincipal(claims: Claims, accounts: CallerStore): Promise<Principal> {
  const { actor, roles } = await accounts.caller(BUILT_IN, claims.subject);
  if (!actor) throw createInvalidTokenProblem();
  checkEnabled(actor);
  if (claims.tokenEpoch !== (actor.tokenEpoch ?? 0) || claims.issuedAt < (actor.validAfter ?? 0))
    throw createInvalidTokenProblem();
  return createPrincipal(actor, roles);
}

/** The principals of actors without special rights, by the very objects of actor and roles that they follow from. */
const principals = new WeakMap<Actor, { readonly roles: readonly JudgedRole[]; readonly principal: Principal }>();

/** Returns the principal of an actor that has no rights but those of its roles. Computes its rights once. */
function createPrincipal(actor: Actor, roles: readonly JudgedRole[]): Principal {
  const known = principals.get(actor);
  if (known?.roles === roles) return known.principal;
  const principal = toPrincipal(actor, roles);
  principals.set(actor, { roles, principal });
  return principal;
}

/** An actor with the rights it has among these roles. */
export function toPrincipal(
  actor: Actor,
  roles: readonly JudgedRole[],
  bearing: RightsOptions<JudgedRole> = {},
): Principal {
  const { id, issuer, subject, fullname } = actor;
  const rights: Rights = computeRights(actor, roles, bearing);
  return { actorId: id, issuer, subject, fullname, claimedRoles: [], ...rights };
}

/** Refuses an actor that was disabled: `actor_disabled`. */
export function checkEnabled({ fullname, disabledAt }: Actor): void {
  if (disabledAt === undefined) return;
  throw new Problem("actor_disabled", `${fullname} was disabled; an administrator can enable the actor again`);
}

/**
 * The principal of a verified token of another issuer. The first token makes an actor, and later ones with other claims change
 * it; the roles that count are those of the token at hand. `not_signed_in`, `actor_disabled`.
 */
export async function findExternal(claims: Claims, origin: Origin, accounts: CallerStore): Promise<Principal> {
  // Whatever a configuration says, nobody else signs for the built-in users.
  if (claims.issuer === BUILT_IN) throw createInvalidTokenProblem();
  const { actor, roles } = await accounts.caller(claims.issuer, claims.subject);
  if (!actor) return bornBy(await accounts.provisionActor(claims, origin));
  checkEnabled(actor);
  if (claims.issuedAt < (actor.validAfter ?? 0)) throw createInvalidTokenProblem();
  return bornBy(hasNewerClaims(claims, actor) ? await toldAnew(actor) : actor);

  function bornBy(seen: Actor): Principal {
    const claimedRoles = claims.claimedRoles ?? [];
    const digests = claimedRoles.map(hashRoleKey);
    const isClaimed = ({ keyDigest }: JudgedRole): boolean => digests.includes(keyDigest);
    return { ...toPrincipal(seen, roles, { claims: isClaimed }), claimedRoles };
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

/** The parts that API tokens are judged with. */
interface TokenTerms {
  readonly accounts: CallerStore;
  readonly ambient: Runtime;
}

/** The claims of an API token, before anything is read; `not_signed_in` for a text that no service can have answered. */
export function readApiTokenClaims(token: string): Claims {
  const parts = parseApiToken(token);
  if (!parts) throw createInvalidTokenProblem();
  const { secret, ...place } = parts;
  const apiToken = { ...place, hash: hashSecret(secret) };
  return { issuer: "urn:metaction:api-tokens", subject: place.id, issuedAt: 0, apiToken };
}

/**
 * The principal that an API token stands for, with the rights of both. `not_signed_in` with the same words for one that is not
 * known, revoked or expired, or has another secret; `actor_disabled`.
 */
export async function findTokenBearer(
  { hash, ...place }: TokenAddress & { readonly hash: string },
  { accounts, ambient }: TokenTerms,
): Promise<Principal> {
  const { token, actor, roles } = await accounts.tokenBearer(place);
  // Compared first, so that nobody without the secret learns anything else.
  if (!token || !isSame(token.hash, hash)) throw createInvalidTokenProblem();
  if (!actor || actor.id !== token.owner || Date.parse(token.expiresAt) <= ambient.now())
    throw createInvalidTokenProblem();
  checkEnabled(actor);
  return { ...toPrincipal(actor, roles, toTokenBounds(token)), apiToken: token.id };
}

/** The secret of a new API token; see `Identity.newSecret`. */
export function createSecret(): Uint8Array {
  return randomBytes(API_SECRET_BYTES);
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
