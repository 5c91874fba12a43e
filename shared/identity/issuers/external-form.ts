import { isCanonical, readPart } from "../token-form.ts";
import type { TokenAlgorithm } from "./configuration.ts";
import { KID } from "./key-set.ts";

const COMPACT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;
const TYPES: readonly unknown[] = [undefined, "JWT", "at+jwt"];
/**
 * The header members that change the signed text or have to be understood (RFC 7515 section 4.1.11, RFC 7516 section
 * 4.1.3, RFC 7797).
 */
const REFUSED = ["crit", "b64", "zip"];

/** The key that a header names, all else in it being in order. */
export interface KeyChoice {
  readonly alg: TokenAlgorithm;
  readonly kid: string;
}

/**
 * The header of a token in compact form whose parts are each in the one canonical spelling; undefined where anything in it
 * is not as an access token has it. Keys and addresses of keys in the header are not read.
 */
export function readHeader(token: string, algorithms: readonly TokenAlgorithm[]): KeyChoice | undefined {
  const parts = token.split(".");
  if (!COMPACT.test(token) || !parts.every(isCanonical)) return undefined;
  const header = readPart(parts[0] ?? "");
  if (!header || REFUSED.some((name) => Object.hasOwn(header, name)) || !TYPES.includes(header.typ)) return undefined;
  const alg = algorithms.find((allowed) => allowed === header.alg);
  const { kid } = header;
  return alg && typeof kid === "string" && KID.test(kid) ? { alg, kid } : undefined;
}
