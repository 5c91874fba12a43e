import { createHash, timingSafeEqual } from "node:crypto";
import { API_TOKEN_PREFIX } from "./principal.ts";

/** Parts of an API token: the ids to look up the token and its actor in one read, and the secret. */
export interface ApiTokenParts {
  readonly id: string;
  readonly actor: string;
  readonly actorKey: string;
  /** `API_SECRET_BYTES` random bytes. */
  readonly secret: Uint8Array;
}

export const API_SECRET_BYTES = 32;

// Two UUIDs, a SHA-256 digest, the secret and the checksum: 102 bytes, which have exactly one base64url form.
const [ID, KEY, CHECKSUM] = [16, 32, 6];
const BYTES = 2 * ID + KEY + API_SECRET_BYTES + CHECKSUM;
const TOKEN_PATTERN = new RegExp(`^[A-Za-z0-9_-]{${(BYTES * 4) / 3}}$`);

/** Formats an API token as callers send it. */
export function formatApiToken({ id, actor, actorKey, secret }: ApiTokenParts): string {
  const content = Buffer.concat([parseUuid(id), parseUuid(actor), Buffer.from(actorKey, "base64url"), secret]);
  return API_TOKEN_PREFIX + Buffer.concat([content, computeChecksum(content)]).toString("base64url");
}

/** Parses an API token. Returns undefined for a malformed text. */
export function parseApiToken(token: string): ApiTokenParts | undefined {
  if (!token.startsWith(API_TOKEN_PREFIX)) return undefined;
  const text = token.slice(API_TOKEN_PREFIX.length);
  if (!TOKEN_PATTERN.test(text)) return undefined;
  const bytes = Buffer.from(text, "base64url");
  const content = bytes.subarray(0, -CHECKSUM);
  if (!computeChecksum(content).equals(bytes.subarray(-CHECKSUM))) return undefined;
  return {
    id: formatUuid(content.subarray(0, ID)),
    actor: formatUuid(content.subarray(ID, 2 * ID)),
    actorKey: content.subarray(2 * ID, 2 * ID + KEY).toString("base64url"),
    secret: content.subarray(2 * ID + KEY),
  };
}

/** Returns the digest stored instead of a secret, which is long and random, so not guessable. */
export function hashSecret(secret: Uint8Array | string): string {
  return createHash("sha256").update(secret).digest("base64url");
}

/** Tests whether two digests are equal, in a time that does not depend on their content. */
export function isSameDigest(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function computeChecksum(content: Uint8Array): Buffer {
  return createHash("sha256").update(API_TOKEN_PREFIX).update(content).digest().subarray(0, CHECKSUM);
}

const parseUuid = (id: string): Buffer => Buffer.from(id.replaceAll("-", ""), "hex");

function formatUuid(bytes: Buffer) {
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
