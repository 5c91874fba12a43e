import { createHash, createPublicKey } from "node:crypto";
import { type PublicJwk, type SigningKey, type SigningKeys, toPublicJwk } from "./mint-token.ts";

/** Requests to AWS KMS; keys are named by id or ARN. Throws `unavailable`. */
export interface Kms {
  /** The public key as a DER-encoded SubjectPublicKeyInfo. */
  publicKey(keyId: string): Promise<Uint8Array>;
  sign(keyId: string, digest: Uint8Array): Promise<Uint8Array>;
}

/** Public keys by key id, stored where reading is faster than from KMS. */
export interface PublicKeyStore {
  get(keyId: string): Promise<PublicJwk | undefined>;
  put(keyId: string, jwk: PublicJwk): Promise<void>;
}

/** Signing keys in KMS (ECC_NIST_P256); the first id signs. Throws for an alias, which could change its key. */
export function createKmsKeys(
  keyIds: readonly [string, ...string[]],
  kms: Kms,
  store: PublicKeyStore | undefined,
): SigningKeys {
  const alias = keyIds.find((id) => /(^|:)alias\//.test(id));
  if (alias !== undefined) throw new Error(`${alias} is an alias: name the signing key by its id or ARN`);
  const [currentId] = keyIds;
  const jwks = new Map<string, Promise<PublicJwk>>();
  let keySet: Promise<readonly PublicJwk[]> | undefined;

  const fetchJwk = async (keyId: string): Promise<PublicJwk> => {
    const entry = await store?.get(keyId).catch(() => undefined);
    if (entry) return entry;
    const key = Buffer.from(await kms.publicKey(keyId));
    const jwk = toPublicJwk(createPublicKey({ key, format: "der", type: "spki" }));
    // After a failure the next process stores the key.
    await store?.put(keyId, jwk).catch(() => undefined);
    return jwk;
  };
  // The key of an id never changes, so it is requested once. A failure is not cached.
  const getJwk = (keyId: string) => {
    const entry = jwks.get(keyId);
    if (entry) return entry;
    const request = fetchJwk(keyId).catch((error: unknown) => {
      jwks.delete(keyId);
      throw error;
    });
    jwks.set(keyId, request);
    return request;
  };
  // A digest, because KMS takes whole messages only up to 4,096 bytes.
  const sign = async (input: Uint8Array) =>
    toJoseSignature(await kms.sign(currentId, createHash("sha256").update(input).digest()));

  return {
    getCurrent: async (): Promise<SigningKey> => ({ kid: (await getJwk(currentId)).kid, sign }),
    listKeys: () => {
      keySet ??= Promise.all(keyIds.map(getJwk)).catch((error: unknown) => {
        keySet = undefined;
        throw error;
      });
      return keySet;
    },
  };
}

const HALF = 32;

/** Converts an ES256 signature from DER (RFC 3279 section 2.2.3) to the form of a JWS (RFC 7518 section 3.4). */
export function toJoseSignature(der: Uint8Array): Uint8Array {
  const [tag, length] = der;
  // r and s of P-256 take at most 33 bytes each, so the length always fits one byte.
  if (tag !== 0x30 || length !== der.length - 2) throw createMalformedKeyError();
  const r = readInteger(der, 2);
  const s = readInteger(der, r.end);
  if (s.end !== der.length) throw createMalformedKeyError();
  const signature = new Uint8Array(2 * HALF);
  signature.set(r.magnitude, HALF - r.magnitude.length);
  signature.set(s.magnitude, 2 * HALF - s.magnitude.length);
  return signature;
}

function readInteger(der: Uint8Array, start: number): { readonly magnitude: Uint8Array; readonly end: number } {
  const length = der[start + 1] ?? 0;
  const end = start + 2 + length;
  if (der[start] !== 0x02 || length === 0) throw createMalformedKeyError();
  const content = der.subarray(start + 2, end);
  // A leading zero byte only says that the number is positive.
  const magnitude = content[0] === 0 ? content.subarray(1) : content;
  if (magnitude.length > HALF) throw createMalformedKeyError();
  return { magnitude, end };
}

const createMalformedKeyError = (): Error => new Error("The signature is not in DER form for P-256");
