import { createHmac } from "node:crypto";
import type { Runtime } from "../../actions/contract/call.ts";
import type { AccessToken } from "../../actions/contract/ports.ts";
import { LIMITS } from "../../domain/limits.ts";
import { Problem } from "../../domain/problems.ts";
import type { SigningKeys } from "./signing-keys.ts";
import { ALGORITHM, TOKEN_TYPE } from "./verify-token.ts";

/** The user that a token is for. */
export interface Bearer {
  readonly username: string;
  readonly fullname: string;
  readonly tokenEpoch: number;
}

/** The keys, names and lifetime that every token of this service has in common. */
export interface TokenTerms {
  readonly keys: SigningKeys;
  /** The service's own URL, `iss` of its tokens. */
  readonly issuer: string;
  readonly audience: string;
  /** How long they last; `LIMITS.tokenSeconds` unless given. */
  readonly tokenSeconds?: number | undefined;
  readonly ambient: Runtime;
}

/** A signed access token (RFC 9068) of the service. It names the bearer, and none of the bearer's rights. */
export async function mintToken(bearer: Bearer, terms: TokenTerms): Promise<AccessToken> {
  const key = await terms.keys.current();
  const issuedAt = Math.floor(terms.ambient.now() / 1000);
  const { tokenSeconds = LIMITS.tokenSeconds } = terms;
  const header = { alg: ALGORITHM, typ: TOKEN_TYPE, kid: key.kid };
  const claims = {
    iss: terms.issuer,
    sub: bearer.username,
    aud: terms.audience,
    iat: issuedAt,
    exp: issuedAt + tokenSeconds,
    jti: terms.ambient.newId(),
    name: bearer.fullname,
    ver: bearer.tokenEpoch,
  };
  const signed = `${encode(header)}.${encode(claims)}`;
  const signature = await key.sign(Buffer.from(signed, "ascii"));
  return {
    access_token: `${signed}.${Buffer.from(signature).toString("base64url")}`,
    token_type: "Bearer",
    expires_in: tokenSeconds,
  };
}

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");

/** Keeps the digests apart from any other use of the secret. */
const PURPOSE = "metaction payload digests 1";

/** HMAC-SHA-256 under a key derived from a secret of the deployment, so that short texts cannot be guessed from their digest. */
export function createKeyedDigest(secret: () => Promise<string | undefined>): (text: string) => Promise<string> {
  let key: Buffer | undefined;
  return async (text) => {
    if (!key) {
      const kept = await secret();
      if (kept === undefined) throw new Problem("unavailable", "the service has no secret to key its digests with");
      key = createHmac("sha256", kept).update(PURPOSE).digest();
    }
    return createHmac("sha256", key).update(text).digest("base64url");
  };
}
