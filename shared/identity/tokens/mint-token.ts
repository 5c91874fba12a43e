import { createHash, createHmac, type JsonWebKey, type KeyObject } from "node:crypto";
import type { Runtime } from "../../actions/contract/call.ts";
import type { AccessToken } from "../../actions/contract/ports.ts";
import { LIMITS } from "../../domain/limits.ts";
import { Problem } from "../../domain/problems.ts";

/** A key that signs tokens with ES256 (RFC 7518 section 3.4). */
export interface SigningKey {
  readonly kid: string;
  /** The signature of the input, 64 bytes: r and s of 32 bytes each. */
  sign(input: Uint8Array): Promise<Uint8Array>;
}

/** The public half of a signing key as it is published (RFC 7517, RFC 7518 section 6.2). */
export type PublicJwk = {
  readonly kty: "EC";
  readonly crv: "P-256";
  readonly x: string;
  readonly y: string;
  readonly kid: string;
  readonly alg: "ES256";
  readonly use: "sig";
};

/** Keys of the service. Both methods throw `unavailable` while their store is away. */
export interface SigningKeys {
  getCurrent(): Promise<SigningKey>;
  /** Keys whose tokens are valid, the current one first; the same array until one changes. */
  listKeys(): Promise<readonly PublicJwk[]>;
}

/** Returns the published form of an ES256 key; `kid` is the RFC 7638 thumbprint. Throws for another kind of key. */
export function toPublicJwk(key: KeyObject): PublicJwk {
  const { kty, crv, x = "", y = "" }: JsonWebKey = key.export({ format: "jwk" });
  if (kty !== "EC" || crv !== "P-256") throw new Error("A signing key has to be an elliptic-curve key on P-256");
  // RFC 7638 section 3.2: these members only, in this order, without white space.
  const kid = createHash("sha256").update(JSON.stringify({ crv, kty, x, y })).digest("base64url");
  return { kty, crv, x, y, kid, alg: "ES256", use: "sig" };
}

export const ALGORITHM = "ES256";

/** Type of access tokens (RFC 9068 section 2.1), which separates them from other JWTs. */
export const TOKEN_TYPE = "at+jwt";

/** User that a token is for. */
export interface Bearer {
  readonly username: string;
  readonly fullname: string;
  readonly tokenEpoch: number;
}

/** Keys, issuer and lifetime of all tokens of this service. */
export interface TokenTerms {
  readonly keys: SigningKeys;
  readonly issuer: string;
  readonly audience: string;
  /** Lifetime; `LIMITS.tokenSeconds` unless given. */
  readonly tokenSeconds?: number | undefined;
  readonly runtime: Runtime;
}

/** Creates a signed access token (RFC 9068) with a `jti`. It names the user, but none of the user's rights. */
export async function mintToken(
  bearer: Bearer,
  terms: TokenTerms,
  tokenId: string = terms.runtime.newId(),
): Promise<AccessToken> {
  const key = await terms.keys.getCurrent();
  const issuedAt = Math.floor(terms.runtime.now() / 1000);
  const { tokenSeconds = LIMITS.tokenSeconds } = terms;
  const header = { alg: ALGORITHM, typ: TOKEN_TYPE, kid: key.kid };
  const claims = {
    iss: terms.issuer,
    sub: bearer.username,
    aud: terms.audience,
    iat: issuedAt,
    exp: issuedAt + tokenSeconds,
    jti: tokenId,
    name: bearer.fullname,
    ver: bearer.tokenEpoch,
  };
  const input = `${encode(header)}.${encode(claims)}`;
  const signature = await key.sign(Buffer.from(input, "ascii"));
  return {
    access_token: `${input}.${Buffer.from(signature).toString("base64url")}`,
    token_type: "Bearer",
    expires_in: tokenSeconds,
  };
}

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");

/** Keeps the digests apart from any other use of the secret. */
const PURPOSE = "metaction payload digests 1";

/** Creates an HMAC-SHA-256 with a key from a secret, against guesses of short texts. */
export function createKeyedDigest(secret: () => Promise<string | undefined>): (text: string) => Promise<string> {
  let key: Buffer | undefined;
  return async (text) => {
    if (!key) {
      const value = await secret();
      if (value === undefined) throw new Problem("unavailable", "the service has no secret to key its digests with");
      key = createHmac("sha256", value).update(PURPOSE).digest();
    }
    return createHmac("sha256", key).update(text).digest("base64url");
  };
}
