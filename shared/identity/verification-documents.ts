import type { PublicJwk, SigningKeys } from "./signing-keys.ts";

/** Where an issuer publishes its keys. */
export function keySetUrl(issuer: string): string {
  return `${issuer.replace(/\/$/, "")}/.well-known/jwks.json`;
}

/** The body of `GET /.well-known/jwks.json` (RFC 7517 section 5). */
export async function publicKeySet(keys: SigningKeys): Promise<{ readonly keys: readonly PublicJwk[] }> {
  return { keys: await keys.published() };
}

/**
 * The body of `GET /.well-known/openid-configuration`: what others need to verify our tokens (OpenID Connect Discovery
 * section 3). There is no authorization endpoint, so no response type is offered.
 */
export function openIdConfiguration(issuer: string) {
  return {
    issuer,
    jwks_uri: keySetUrl(issuer),
    response_types_supported: [] as readonly string[],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["ES256"],
    claims_supported: ["iss", "sub", "aud", "iat", "exp", "jti", "name", "ver"],
  };
}
