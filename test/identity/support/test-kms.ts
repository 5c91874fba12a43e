import { createECDH, generateKeyPairSync } from "node:crypto";
import type { Kms } from "../../../shared/identity/tokens/kms-keys.ts";

/** The order of P-256 (FIPS 186-5, SP 800-186 section 3.2.1.3). */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** A KMS that signs and gives out public keys as `Sign` and `GetPublicKey` do, with keys of this process. */
export function createTestKms(...keyIds: readonly string[]) {
  const secrets = new Map<string, { readonly d: bigint; readonly spki: Uint8Array }>();
  const calls: string[] = [];
  const find = (keyId: string) => {
    const key = secrets.get(keyId);
    if (!key) throw new Error(`no key ${keyId}`);
    return key;
  };
  const addKey = (keyId: string) => {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const d = toBigInt(Buffer.from(privateKey.export({ format: "jwk" }).d ?? "", "base64url"));
    secrets.set(keyId, { d, spki: publicKey.export({ format: "der", type: "spki" }) });
  };
  for (const keyId of keyIds) addKey(keyId);
  const kms: Kms = {
    publicKey: async (keyId) => {
      calls.push(`publicKey ${keyId}`);
      return find(keyId).spki;
    },
    sign: async (keyId, digest) => {
      calls.push(`sign ${keyId}`);
      return signDigest(digest, find(keyId).d);
    },
  };
  return { ...kms, calls, addKey };
}

/** ECDSA over a digest (FIPS 186-5 section 6.4.1) in DER; Node's own `sign` would hash the digest once more. */
function signDigest(digest: Uint8Array, d: bigint): Uint8Array {
  const ecdh = createECDH("prime256v1");
  const point = ecdh.generateKeys();
  const k = toBigInt(ecdh.getPrivateKey());
  const r = toBigInt(point.subarray(1, 33)) % ORDER;
  const s = (power(k, ORDER - 2n) * (toBigInt(digest) + r * d)) % ORDER;
  return toDer(toBytes(r), toBytes(s));
}

/** An ECDSA signature in DER from two unsigned numbers, big-endian. */
export function toDer(r: Uint8Array, s: Uint8Array): Uint8Array {
  const integer = (bytes: Uint8Array): number[] => {
    const first = bytes.findIndex((byte) => byte !== 0);
    const magnitude = first < 0 ? [0] : [...bytes.subarray(first)];
    const content = (magnitude[0] ?? 0) > 127 ? [0, ...magnitude] : magnitude;
    return [2, content.length, ...content];
  };
  const content = [...integer(r), ...integer(s)];
  return Uint8Array.from([0x30, content.length, ...content]);
}

const toBigInt = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString("hex")}`);

const toBytes = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, "0"), "hex");

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let b = base % ORDER, e = exponent; e > 0n; e >>= 1n, b = (b * b) % ORDER) {
    if (e & 1n) result = (result * b) % ORDER;
  }
  return result;
}
