import { LIMITS } from "../../../shared/domain/limits.ts";
import type { Genuine } from "./hostile-tokens.ts";
import { issuersFrom, startIssuerServer } from "./issuer-server.ts";
import { createSigner } from "./token-signer.ts";

/** The issuer of the tokens that look as those of Amazon Cognito do. */
export const POOL = "https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Abc123def";
export const APP_CLIENT = "4q8f0gk2m7e5r1t9y3u6i8o0pa";

/**
 * Starts two issuers: an OIDC provider and one in the form of Cognito. Both publish a new key under the same `kid`.
 * `now` is in seconds.
 */
export async function startOtherIssuers(now: number) {
  const [ec, rsa] = [createSigner("Key-1", "ES256"), createSigner("Key-2", "RS256")];
  const pool = createSigner("Key-1", "RS256");
  const [provider, keysOfPool] = [await startIssuerServer([ec.jwk, rsa.jwk]), await startIssuerServer([pool.jwk])];
  const configuration = issuersFrom([
    { issuer: provider.issuer, audiences: ["metaction"] },
    { issuer: POOL, preset: "cognito", clientIds: [APP_CLIENT], jwks: keysOfPool.keySetUrl },
  ]);
  const common = { own: false, longest: LIMITS.externalTokenSeconds } as const;
  const times = { iat: now, exp: now + 3600 };
  const generic: Genuine = {
    ...common,
    ...ec,
    header: { alg: "ES256", typ: "at+jwt", kid: ec.kid },
    claims: { iss: provider.issuer, sub: "ada", aud: ["api://else", "metaction"], name: "Ada", ...times },
    audience: "aud",
  };
  const cognito: Genuine = {
    ...common,
    ...pool,
    header: { alg: "RS256", typ: "JWT", kid: pool.kid },
    claims: {
      iss: POOL,
      sub: "5f3c4a52-10d1-7056-9b1c-0f2a6f1f6a11",
      client_id: APP_CLIENT,
      token_use: "access",
      scope: "aws.cognito.signin.user.admin",
      username: "ada",
      "cognito:groups": ["stewards"],
      ...times,
    },
    audience: "client_id",
  };
  const servers = [provider, keysOfPool];
  return { configuration, generic, cognito, servers, stop: () => Promise.all(servers.map((s) => s.stop())) };
}
