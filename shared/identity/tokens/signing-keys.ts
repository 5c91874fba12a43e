import { createHash, type JsonWebKey, type KeyObject } from "node:crypto";

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

/** The service's own keys. Both answer `unavailable` where the keys are kept elsewhere and that place is away. */
export interface SigningKeys {
  /** The key that new tokens are signed with. */
  current(): Promise<SigningKey>;
  /** Every key whose tokens are valid, the current one first; the same array as long as nothing changed. */
  published(): Promise<readonly PublicJwk[]>;
}

/** The published form of an ES256 key; its `kid` is the RFC 7638 thumbprint. An error when it is of another sort. */
export function toPublicJwk(key: KeyObject): PublicJwk {
  const { kty, crv, x, y }: JsonWebKey = key.export({ format: "jwk" });
  if (kty !== "EC" || crv !== "P-256" || x === undefined || y === undefined) {
    throw new Error("A signing key has to be an elliptic-curve key on P-256");
  }
  // RFC 7638 section 3.2: these members only, in this order, without white space.
  const kid = createHash("sha256").update(JSON.stringify({ crv, kty, x, y })).digest("base64url");
  return { kty, crv, x, y, kid, alg: "ES256", use: "sig" };
}
