import { createPublicKey, type KeyObject } from "node:crypto";
import { LIMITS } from "../../domain/limits.ts";
import { Problem } from "../../domain/problems.ts";
import { findMember } from "../../domain/text/json-values.ts";
import type { TokenAlgorithm } from "./configuration.ts";

/** Public key of another issuer, for one algorithm. */
export type ExternalKey = {
  readonly kid: string;
  readonly alg: TokenAlgorithm;
  readonly use: "sig";
} & (
  | { readonly kty: "RSA"; readonly n: string; readonly e: string }
  | { readonly kty: "EC"; readonly crv: "P-256"; readonly x: string; readonly y: string }
);

/** Usable keys of an issuer by `kid`. */
export type KeySet = ReadonlyMap<string, ExternalKey>;

export const KID = /^[A-Za-z0-9._~+/=-]{1,128}$/;

// The upper bound keeps one verification short.
const RSA_BITS = { least: 2048, most: 8192 };
const LEAST_EXPONENT = 65_537n;

/** Reads the usable keys of a set (RFC 7517 section 5): strong, named, unambiguous. Throws for another value. */
export function readKeySet(json: unknown, algorithms: readonly TokenAlgorithm[]): KeySet {
  const keys = findMember(json, ["keys"]);
  if (!Array.isArray(keys)) throw new Error("the answer is not a key set");
  const usable = keys.flatMap((entry: unknown) => {
    const key = readKey(entry);
    return key && algorithms.includes(key.alg) && isSound(key) ? [key] : [];
  });
  const times = new Map<string, number>();
  for (const { kid } of usable) times.set(kid, (times.get(kid) ?? 0) + 1);
  return new Map(usable.filter(({ kid }) => times.get(kid) === 1).map((key) => [key.kid, key]));
}

function readKey(entry: unknown): ExternalKey | undefined {
  const members: Readonly<Record<string, unknown>> = { ...(entry as object | null) };
  const { kty, kid, alg, use, crv, n, e, x, y, key_ops: operations } = members;
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

/** Tests for a coordinate of 32 bytes (RFC 7518 section 6.2.1.2). */
const isCoordinate = (value: unknown): value is string => isText(value) && /^[A-Za-z0-9_-]{43}$/.test(value);

const isText = (value: unknown): value is string => typeof value === "string";

function isSound(key: ExternalKey) {
  let details: KeyObject["asymmetricKeyDetails"];
  try {
    // `createPublicKey` also refuses a point that is not on the curve.
    details = createPublicKey({ key, format: "jwk" }).asymmetricKeyDetails;
  } catch {
    return false;
  }
  // Its curve was checked when it was read.
  if (key.kty === "EC") return true;
  const { modulusLength = 0, publicExponent = 0n } = details ?? {};
  const isLongEnough = modulusLength >= RSA_BITS.least && modulusLength <= RSA_BITS.most;
  return isLongEnough && publicExponent >= LEAST_EXPONENT && publicExponent % 2n === 1n;
}

/** Finds a key of an issuer by `kid`. Throws `unavailable` if the keys are not known. */
export type KeySource = (kid: string) => Promise<ExternalKey | undefined>;

/** Dependencies of a key source. */
export interface KeySourceTerms {
  /** Fetches the keys; any failure counts as the issuer being away. */
  readonly load: () => Promise<KeySet>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Caches the keys of an issuer. Many unknown `kid`s delay neither a due fetch nor a new key. */
export function createKeySource({ load, now }: KeySourceTerms): KeySource {
  let copy: { readonly keys: KeySet; readonly at: number } | undefined;
  let pending: Promise<void> | undefined;
  let isReached = false;
  let triedAt = Number.NEGATIVE_INFINITY;
  let triedForKidAt = Number.NEGATIVE_INFINITY;

  /** A time in the future counts as long ago, because the clock was set back. */
  const isWithin = (point: number, seconds: number) => {
    const age = now() - point;
    return age >= 0 && age < seconds * 1000;
  };
  const getUsable = () => (copy && isWithin(copy.at, LIMITS.keySetMaxSeconds) ? copy.keys : undefined);

  async function fetchOnce() {
    const at = now();
    try {
      copy = { keys: await load(), at };
      isReached = true;
    } catch {
      isReached = false;
    }
  }

  function refresh(): Promise<void> {
    pending ??= fetchOnce().finally(() => {
      pending = undefined;
    });
    return pending;
  }

  return async (kid) => {
    let hasLooked = false;
    if (!copy || !isWithin(copy.at, LIMITS.keySetSeconds)) {
      const isDue = !isWithin(triedAt, LIMITS.keySetRetrySeconds);
      if (isDue) triedAt = now();
      hasLooked = isDue;
      await (isDue ? refresh() : pending);
    }
    const match = getUsable()?.get(kid);
    if (match) return match;
    if (!hasLooked && getUsable()) {
      const isDue = !isWithin(triedForKidAt, LIMITS.keySetRetrySeconds);
      if (isDue) triedForKidAt = now();
      await (isDue ? refresh() : pending);
    }
    const key = getUsable()?.get(kid);
    if (key) return key;
    if (!isReached || !getUsable()) throw createUnreachableProblem();
    return undefined;
  };
}

function createUnreachableProblem(): Problem {
  return new Problem("unavailable", "The keys of the token's issuer cannot be had at the moment; try again", {
    retryAfter: LIMITS.keySetRetrySeconds,
  });
}
