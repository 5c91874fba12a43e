import { hash } from "node:crypto";
import { JwtVerifier } from "aws-jwt-verify/jwt-verifier";
import type { Claims } from "../../actions/contract/ports.ts";
import { toSessionId } from "../../domain/accounts/sessions.ts";
import { LIMITS } from "../../domain/limits.ts";
import { Problem } from "../../domain/problems.ts";
import { ALGORITHM, type PublicJwk, type SigningKeys, TOKEN_TYPE, type TokenTerms } from "./mint-token.ts";

// The signature of ES256 is 64 bytes: 86 characters.
const COMPACT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{86}$/;
/** A kid of ours is a SHA-256 thumbprint: 32 bytes, 43 characters. */
const KID = /^[A-Za-z0-9_-]{43}$/;
const HEADER_MEMBERS = ["alg", "kid", "typ"];

/** Tests for the form of our tokens: canonical, with exactly our header members. */
export function hasOurForm(token: string): boolean {
  // First, so that a huge token costs nothing.
  if (token.length > LIMITS.tokenBytes || !COMPACT.test(token)) return false;
  const parts = token.split(".");
  if (!parts.every(isCanonical)) return false;
  const header = readPart(parts[0] ?? "");
  if (!header) return false;
  if (Object.keys(header).sort().join() !== HEADER_MEMBERS.join()) return false;
  const { alg, typ, kid } = header;
  return alg === ALGORITHM && typ === TOKEN_TYPE && typeof kid === "string" && KID.test(kid);
}

/** Returns the issuer that an unverified token names, only to choose who verifies it. */
export function readIssuer(token: string): string | undefined {
  if (token.length > LIMITS.tokenBytes) return undefined;
  const issuer = readPart(token.split(".", 2)[1] ?? "")?.iss;
  return typeof issuer === "string" ? issuer : undefined;
}

/** Returns the object in a part of a token; undefined for another value. */
export function readPart(part: string): { readonly [name: string]: unknown } | undefined {
  try {
    const object: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    return typeof object === "object" && object !== null ? { ...object } : undefined;
  } catch {
    return undefined;
  }
}

/** Returns true for a part in canonical base64url. */
export const isCanonical = (part: string): boolean => Buffer.from(part, "base64url").toString("base64url") === part;

/** The unchecked claims of a token. */
export type Payload = { readonly [name: string]: unknown };

/** Creates the answer to every invalid token, so that attempts reveal nothing. */
export const createInvalidTokenProblem = (): Problem =>
  new Problem("not_signed_in", "The access token is not valid; sign in again");

const REMEMBERED = 1_000;

type OtherVerifier = (token: string, issuer: string) => Promise<Claims>;

/** Returns the token verifier. It caches valid tokens without their times. `loadOther` is for other issuers. */
export function createTokenVerifier(
  terms: TokenTerms,
  loadOther?: () => Promise<OtherVerifier>,
): (token: string) => Promise<Claims> {
  const { issuer, audience, keys, runtime, tokenSeconds = LIMITS.tokenSeconds } = terms;
  const verifier = JwtVerifier.create({
    issuer,
    audience,
    // Names the cached key set; nothing is fetched from it, because only `verifySync` is used.
    jwksUri: getKeySetUrl(issuer),
    // The library reads the clock of the machine, so `isIssuedWithin` decides on time.
    graceSeconds: Number.POSITIVE_INFINITY,
  });
  let lastJwks: readonly PublicJwk[] | undefined;
  /** Valid tokens by their digests, so that no token stays in memory. */
  const verifiedTokens = new Map<string, { readonly payload: Payload; readonly claims: Claims }>();

  return async (token) => {
    const digest = hash("sha256", token, "base64");
    let entry = verifiedTokens.get(digest);
    if (!entry) {
      const issuerUrl = loadOther && readIssuer(token);
      if (loadOther && issuerUrl !== undefined && issuerUrl !== issuer) return (await loadOther())(token, issuerUrl);
      // Before the keys are requested, so that a token of another form costs nothing.
      if (!hasOurForm(token)) throw createInvalidTokenProblem();
    }
    const jwks = await keys.listKeys();
    if (jwks !== lastJwks) {
      verifier.cacheJwks({ keys: [...jwks] });
      lastJwks = jwks;
      verifiedTokens.clear();
      entry = undefined;
    }
    if (!entry) {
      const payload = checkSignature(token);
      entry = { payload, claims: readClaims(payload) };
      if (verifiedTokens.size >= REMEMBERED) verifiedTokens.delete(verifiedTokens.keys().next().value ?? "");
      verifiedTokens.set(digest, entry);
    }
    isIssuedWithin(entry.payload, runtime.now() / 1000, tokenSeconds);
    return entry.claims;
  };

  function checkSignature(token: string): Payload {
    try {
      return verifier.verifySync(token);
    } catch {
      // Other errors count too, such as a RangeError for a date far in the future.
      throw createInvalidTokenProblem();
    }
  }
}

/** Returns the claims of a token with a valid signature. Its times are still to be checked. */
function readClaims(payload: Payload): Claims {
  const { iss, jti, name, ver, iat, exp } = payload;
  const subject = readSubject(payload);
  if (typeof iss !== "string" || typeof jti !== "string" || jti === "") throw createInvalidTokenProblem();
  if (!isInteger(ver) || (name !== undefined && typeof name !== "string")) throw createInvalidTokenProblem();
  const session = { id: toSessionId(jti), expiresAt: Number(exp) };
  return { issuer: iss, subject, issuedAt: Number(iat), tokenEpoch: ver, session };
}

/** Checks the times of a token, in seconds. Only the last answer shows that it expired. Throws `not_signed_in`. */
export function isIssuedWithin({ iat, exp, nbf }: Payload, now: number, longest: number): number {
  const latestStart = now + LIMITS.tokenSkewSeconds;
  if (!isInteger(iat) || !isInteger(exp)) throw createInvalidTokenProblem();
  if (iat > latestStart || exp <= iat || exp - iat > longest) throw createInvalidTokenProblem();
  if (nbf !== undefined && !(isInteger(nbf) && nbf <= latestStart)) throw createInvalidTokenProblem();
  // RFC 7519 section 4.1.4: not valid on or after that moment.
  if (now >= exp) throw new Problem("not_signed_in", "The access token has expired; sign in again");
  return iat;
}

/** Not negative, like all times and epochs of ours. */
const isInteger = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/**
 * Returns the subject of a bearer token. Throws `not_signed_in` for a value that cannot be one, and for a token that is bound
 * to a key or certificate of its sender (`cnf`, RFC 7800), because the service does not ask for the proof of possession.
 */
export function readSubject({ sub, cnf }: Payload): string {
  if (cnf !== undefined || typeof sub !== "string" || sub.length === 0 || sub.length > LIMITS.subjectCharacters) {
    throw createInvalidTokenProblem();
  }
  if (!sub.isWellFormed() || /\p{Cc}/u.test(sub)) throw createInvalidTokenProblem();
  return sub;
}

function getKeySetUrl(issuer: string) {
  return `${issuer.replace(/\/$/, "")}/.well-known/jwks.json`;
}

/** Creates the body of `GET /.well-known/jwks.json` (RFC 7517 section 5). */
export async function createPublicKeySet(keys: SigningKeys): Promise<{ readonly keys: readonly PublicJwk[] }> {
  return { keys: await keys.listKeys() };
}

/** Creates the body of `GET /.well-known/openid-configuration` (OpenID Connect Discovery section 3). */
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
