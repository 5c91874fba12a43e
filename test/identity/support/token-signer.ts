import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";

/** A key pair of a provider, with functions that sign with it. */
export type TokenSigner = ReturnType<typeof createSigner>;

export const rs256 = (input: string, key: KeyObject): string =>
  sign("sha256", Buffer.from(input), key).toString("base64url");

/** Creates a key pair. `jwk` is the public key in a key set, `sign` signs a text, and `token` signs claims. */
export function createSigner(kid: string, alg: "ES256" | "RS256", modulusLength = 2048) {
  const { publicKey, privateKey } =
    alg === "ES256"
      ? generateKeyPairSync("ec", { namedCurve: "P-256" })
      : generateKeyPairSync("rsa", { modulusLength });
  const signature = (input: string) => (alg === "ES256" ? es256(input, privateKey) : rs256(input, privateKey));
  return {
    kid,
    alg,
    publicKey,
    privateKey,
    jwk: { ...publicKey.export({ format: "jwk" }), kid, alg, use: "sig" },
    sign: signature,
    token: (claims: object, header: object = {}) =>
      forge({ alg, typ: "JWT", kid, ...header }, { ...claims }, signature),
  };
}

type Part = Readonly<Record<string, unknown>> | string;

const text = (part: Part) => (typeof part === "string" ? part : JSON.stringify(part));

export const encode = (part: Part): string => Buffer.from(text(part)).toString("base64url");

/** Signs with ES256 as RFC 7518 section 3.4 says, whatever the header claims. */
export const es256 = (input: string, key: KeyObject): string =>
  sign("sha256", Buffer.from(input), { key, dsaEncoding: "ieee-p1363" }).toString("base64url");

/** A compact JWT of these parts; objects are written as JSON, texts as they are. */
export function forge(header: Part, payload: Part, signature: (input: string) => string): string {
  const input = `${encode(header)}.${encode(payload)}`;
  return `${input}.${signature(input)}`;
}
