import { randomBytes, timingSafeEqual } from "node:crypto";
import type { Ambient } from "../actions/contract/call.ts";
import type { Claims } from "../actions/contract/ports.ts";
import { API_SECRET_BYTES, hashOfSecret, readApiToken } from "../domain/api-token.ts";
import type { Principal } from "../domain/principal.ts";
import { boundsOf } from "../domain/rights.ts";
import type { AccountStore, TokenAddress } from "./accounts.ts";
import { checkEnabled, principalOf } from "./principal.ts";
import { notValid } from "./verify-token.ts";

/** The parts that API tokens are judged with. */
interface TokenTerms {
  readonly accounts: AccountStore;
  readonly ambient: Ambient;
}

/** The claims of an API token, before anything is read; `not_signed_in` for a text that no service can have answered. */
export function claimsOfApiToken(token: string): Claims {
  const parts = readApiToken(token);
  if (!parts) throw notValid();
  const { secret, ...place } = parts;
  const apiToken = { ...place, hash: hashOfSecret(secret) };
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
  if (!token || !isSame(token.hash, hash)) throw notValid();
  if (!actor || actor.id !== token.owner || Date.parse(token.expiresAt) <= ambient.now()) throw notValid();
  checkEnabled(actor);
  return { ...principalOf(actor, roles, boundsOf(token)), apiToken: token.id };
}

/** The secret of a new API token; see `Identity.newSecret`. */
export function newSecret(): Uint8Array {
  return randomBytes(API_SECRET_BYTES);
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
