import { createPublicKey, type KeyObject } from "node:crypto";
import type { TokenAlgorithm } from "./configuration.ts";

/** A public key of another issuer, with the one algorithm it is used for. */
export type ExternalKey = {
  readonly kid: string;
  readonly alg: TokenAlgorithm;
  readonly use: "sig";
} & (
  | { readonly kty: "RSA"; readonly n: string; readonly e: string }
  | { readonly kty: "EC"; readonly crv: "P-256"; readonly x: string; readonly y: string }
);

/** The keys of an issuer that can be used, by `kid`. */
export type KeySet = ReadonlyMap<string, ExternalKey>;

/** The form of a `kid`, in a key and in the header of a token. */
export const KID = /^[A-Za-z0-9._~+/=-]{1,128}$/;

// The upper bound keeps one verification short.
const RSA_BITS = { least: 2048, most: 8192 };
const LEAST_EXPONENT = 65_537n;

/**
 * Reads a key set (RFC 7517 section 5). Keys that are of no use here are left out, as section 5 asks: of other types,
 * curves or uses, too weak, without a `kid`, or with one that several usable keys share. An error when it is no key set.
 */
export function readKeySet(json: unknown, algorithms: readonly TokenAlgorithm[]): KeySet {
  if (typeof json !== "object" || json === null || !("keys" in json) || !Array.isArray(json.keys)) {
    throw new Error("the answer is no key set");
  }
  const usable = json.keys.flatMap((entry: unknown) => {
    const key = readKey(entry);
    return key && algorithms.includes(key.alg) && isSound(key) ? [key] : [];
  });
  const times = new Map<string, number>();
  for (const { kid } of usable) times.set(kid, (times.get(kid) ?? 0) + 1);
  return new Map(usable.filter(({ kid }) => times.get(kid) === 1).map((key) => [key.kid, key]));
}

function readKey(entry: unknown): ExternalKey | undefined {
  if (typeof entry !== "object" || entry === null) return undefined;
  const { kty, kid, alg, use, crv, n, e, x, y, key_ops: operations }: Readonly<Record<string, unknown>> = { ...entry };
  if (typeof kid !== "string" || !KID.test(kid) || (use !== undefined && use !== "sig")) return undefined;
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes("verify"))) return undefined;
  // A key without `alg` is for the one algorithm its type has here, and never for the one a token names.
  if (kty === "RSA" && (alg ?? "RS256") === "RS256" && isText(n) && isText(e)) {
    return { kid, alg: "RS256", use: "sig", kty, n, e };
  }
  if (kty === "EC" && crv === "P-256" && (alg ?? "ES256") === "ES256" && isCoordinate(x) && isCoordinate(y)) {
    return { kid, alg: "ES256", use: "sig", kty, crv, x, y };
  }
  return undefined;
}

/** True for a coordinate of 32 bytes, neither fewer nor more (RFC 7518 section 6.2.1.2). */
const isCoordinate = (value: unknown): value is string => isText(value) && /^[A-Za-z0-9_-]{43}$/.test(value);

const isText = (value: unknown): value is string => typeof value === "string";

function isSound(key: ExternalKey): boolean {
  let details: KeyObject["asymmetricKeyDetails"];
  try {
    // `createPublicKey` also refuses a point that is not on the curve.
    details = createPublicKey({ key, format: "jwk" }).asymmetricKeyDetails;
  } catch {
    return false;
  }
  if (key.kty === "EC") return details?.namedCurve === "prime256v1";
  const { modulusLength = 0, publicExponent = 0n } = details ?? {};
  const isLongEnough = modulusLength >= RSA_BITS.least && modulusLength <= RSA_BITS.most;
  return isLongEnough && publicExponent >= LEAST_EXPONENT && publicExponent % 2n === 1n;
}
