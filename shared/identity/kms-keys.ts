import { createHash, createPublicKey } from "node:crypto";
import { joseSignature } from "./ecdsa-signature.ts";
import { type PublicJwk, publicJwk, type SigningKey, type SigningKeys } from "./signing-keys.ts";

/** What is asked of AWS KMS; keys are named by id or ARN. `unavailable` while it is away. */
export interface Kms {
  /** The public key as a DER-encoded SubjectPublicKeyInfo. */
  publicKey(keyId: string): Promise<Uint8Array>;
  /** The ECDSA signature of a SHA-256 digest, in DER. */
  sign(keyId: string, digest: Uint8Array): Promise<Uint8Array>;
}

/**
 * Signing keys that never leave KMS: asymmetric keys of the spec ECC_NIST_P256. The first id signs; tokens of the others
 * stay valid. An error for an alias, because it can be pointed at another key while tokens of the first are in use.
 */
export function createKmsKeys(keyIds: readonly [string, ...string[]], kms: Kms): SigningKeys {
  const alias = keyIds.find((id) => /(^|:)alias\//.test(id));
  if (alias !== undefined) throw new Error(`${alias} is an alias: name the signing key by its id or ARN`);
  const [currentId] = keyIds;
  let published: Promise<readonly PublicJwk[]> | undefined;
  let current: Promise<SigningKey> | undefined;

  const fetchJwk = async (keyId: string): Promise<PublicJwk> => {
    const key = Buffer.from(await kms.publicKey(keyId));
    return publicJwk(createPublicKey({ key, format: "der", type: "spki" }));
  };
  const fetchPublished = () => Promise.all(keyIds.map(fetchJwk));
  const fetchCurrent = async (): Promise<SigningKey> => ({
    kid: (await fetchJwk(currentId)).kid,
    // A digest, because KMS takes whole messages only up to 4,096 bytes.
    sign: async (input) => joseSignature(await kms.sign(currentId, createHash("sha256").update(input).digest())),
  });

  return {
    published: () => {
      // The material behind a key id never changes; a failure is not kept.
      published ??= fetchPublished().catch((error: unknown) => {
        published = undefined;
        throw error;
      });
      return published;
    },
    current: () => {
      current ??= fetchCurrent().catch((error: unknown) => {
        current = undefined;
        throw error;
      });
      return current;
    },
  };
}
