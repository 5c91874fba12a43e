import { hash } from "node:crypto";
import { JwtVerifier } from "aws-jwt-verify/jwt-verifier";
import type { Claims } from "../../actions/contract/ports.ts";
import { LIMITS } from "../../domain/limits.ts";
import { Problem } from "../../domain/problems.ts";
import type { TokenTerms } from "./mint-token.ts";
import type { PublicJwk, SigningKeys } from "./signing-keys.ts";
import { hasOurForm } from "./token-form.ts";

/** The claims of a token as they stand in it. */
export type Payload = { readonly [name: string]: unknown };

/** The one answer to a token that does not hold, whatever is wrong with it: nothing is learnt from trying. */
export const createInvalidTokenProblem = (): Problem =>
  new Problem("not_signed_in", "The access token is not valid; sign in again");

/** Tokens whose signature is remembered; of more the oldest is forgotten. */
const REMEMBERED = 1_000;

/**
 * Checks the service's own tokens. `aws-jwt-verify` checks signature, key, issuer and audience; this function checks what
 * it leaves open: form and header, presence and range of the claims, lifetime, and errors that are not its own. A signature
 * that held is not computed again while the keys are the same; everything else is checked with every call.
 */
export function createTokenVerifier(terms: TokenTerms): (token: string) => Promise<Claims> {
  const verifier = JwtVerifier.create({
    issuer: terms.issuer,
    audience: terms.audience,
    // Names the cached key set; nothing is fetched from it, because only `verifySync` is used.
    jwksUri: getKeySetUrl(terms.issuer),
    // The library reads the machine's clock and takes no other. With this it never decides on time; `readClaims` does,
    // with the clock of the service.
    graceSeconds: Number.POSITIVE_INFINITY,
  });
  let known: readonly PublicJwk[] | undefined;
  /** By a digest, so that no token stays in memory. */
  const signed = new Map<string, Payload>();

  return async (token) => {
    // Before the keys are asked for, so that a token of another form costs nothing.
    if (!hasOurForm(token)) throw createInvalidTokenProblem();
    const published = await terms.keys.published();
    if (published !== known) {
      verifier.cacheJwks({ keys: [...published] });
      known = published;
      signed.clear();
    }
    return readClaims(checked(token), terms.ambient.now() / 1000, terms.tokenSeconds ?? LIMITS.tokenSeconds);
  };

  function checked(token: string): Payload {
    const digest = hash("sha256", token, "base64");
    const remembered = signed.get(digest);
    if (remembered) return remembered;
    const payload = verified(token);
    if (signed.size >= REMEMBERED) signed.delete(signed.keys().next().value ?? "");
    signed.set(digest, payload);
    return payload;
  }

  function verified(token: string): Payload {
    try {
      return verifier.verifySync(token);
    } catch {
      // Any error counts, also one that is not the library's own, such as a RangeError for a date far out.
      throw createInvalidTokenProblem();
    }
  }
}

/** The claims of a token whose signature holds, at `now` in seconds since the epoch; it lasts no longer than `longest`. */
function readClaims(payload: Payload, now: number, longest: number): Claims {
  const { iss, sub, jti, name, ver } = payload;
  if (typeof iss !== "string" || !isSubject(sub) || typeof jti !== "string" || jti === "")
    throw createInvalidTokenProblem();
  if (!isInteger(ver) || (name !== undefined && typeof name !== "string")) throw createInvalidTokenProblem();
  const issuedAt = isIssuedWithin(payload, now, longest);
  return { issuer: iss, subject: sub, ...(name !== undefined && { fullname: name }), issuedAt, tokenEpoch: ver };
}

/**
 * When a token was issued, all its times being in order and its lifetime at most `longest`, in seconds. Beyond the generic
 * answer it tells one thing, that a token which was good has expired; so it is asked last.
 */
export function isIssuedWithin({ iat, exp, nbf }: Payload, now: number, longest: number): number {
  const latestStart = now + LIMITS.tokenSkewSeconds;
  if (!isInteger(iat) || !isInteger(exp)) throw createInvalidTokenProblem();
  if (iat > latestStart || exp <= iat || exp - iat > longest) throw createInvalidTokenProblem();
  if (nbf !== undefined && !(isInteger(nbf) && nbf <= latestStart)) throw createInvalidTokenProblem();
  // RFC 7519 section 4.1.4: not valid on or after that moment.
  if (now >= exp) throw new Problem("not_signed_in", "The access token has expired; sign in again");
  return iat;
}

/** Non-negative, because no time and no epoch of ours lies before 0. */
const isInteger = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** Whether a value can be the subject of a token, and with it the name of an actor. */
export function isSubject(value: unknown): value is string {
  if (typeof value !== "string" || value.length === 0 || value.length > LIMITS.subjectCharacters) return false;
  return value.isWellFormed() && !/\p{Cc}/u.test(value);
}

/** Where an issuer publishes its keys. */
function getKeySetUrl(issuer: string): string {
  return `${issuer.replace(/\/$/, "")}/.well-known/jwks.json`;
}

/** The body of `GET /.well-known/jwks.json` (RFC 7517 section 5). */
export async function createPublicKeySet(keys: SigningKeys): Promise<{ readonly keys: readonly PublicJwk[] }> {
  return { keys: await keys.published() };
}

/**
 * The body of `GET /.well-known/openid-configuration`: what others need to verify our tokens (OpenID Connect Discovery
 * section 3). There is no authorization endpoint, so no response type is offered.
 */
export function createOpenIdConfiguration(issuer: string) {
  return {
    issuer,
    jwks_uri: getKeySetUrl(issuer),
    response_types_supported: [] as readonly string[],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["ES256"],
    claims_supported: ["iss", "sub", "aud", "iat", "exp", "jti", "name", "ver"],
  };
}
