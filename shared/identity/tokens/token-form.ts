import { LIMITS } from "../../domain/limits.ts";

/** The one signature algorithm of the service's own tokens. */
export const ALGORITHM = "ES256";

/** RFC 9068 section 2.1: what sets an access token apart from every other kind of JWT. */
export const TOKEN_TYPE = "at+jwt";

// The signature of ES256 is 64 bytes: 86 characters.
const COMPACT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{86}$/;
/** A kid of ours is a SHA-256 thumbprint: 32 bytes, 43 characters. */
const KID = /^[A-Za-z0-9_-]{43}$/;
const HEADER_MEMBERS = ["alg", "kid", "typ"];

/**
 * True when the text has the form of one of our tokens, whoever signed it: short enough, compact, each part in the one
 * canonical base64url spelling, and a header of exactly the three members we write. Whatever else a header can hold
 * (`crit`, `b64`, `zip`, `jwk`, `jku`, `x5c`, …) is thereby refused unread.
 */
export function hasOurForm(token: string): boolean {
  // First, so that a huge token costs nothing.
  if (token.length > LIMITS.tokenBytes || !COMPACT.test(token)) return false;
  const parts = token.split(".");
  if (!parts.every(isCanonical)) return false;
  const header = readPart(parts[0] ?? "");
  if (!header) return false;
  if (Object.keys(header).sort().join() !== HEADER_MEMBERS.join()) return false;
  const { alg, typ, kid } = header;
  return alg === ALGORITHM && typ === TOKEN_TYPE && typeof kid === "string" && KID.test(kid);
}

/** The issuer a token names, before anything of it is verified: good for choosing who verifies it, and for nothing else. */
export function readIssuer(token: string): string | undefined {
  if (token.length > LIMITS.tokenBytes) return undefined;
  const issuer = readPart(token.split(".", 2)[1] ?? "")?.iss;
  return typeof issuer === "string" ? issuer : undefined;
}

/** The object that a part of a token holds; undefined where it holds none. */
export function readPart(part: string): { readonly [name: string]: unknown } | undefined {
  try {
    const object: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    return typeof object === "object" && object !== null ? { ...object } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a part is written in the one canonical spelling of base64url. */
export const isCanonical = (part: string): boolean => Buffer.from(part, "base64url").toString("base64url") === part;
