import { createHash } from "node:crypto";

/**
 * The digest of a role's key by which callers are judged: 8 bytes of SHA-256, base64url. Only administrators make roles,
 * so nobody looks for a collision.
 */
export function roleKeyDigest(key: string): string {
  return createHash("sha256").update(key).digest().subarray(0, 8).toString("base64url");
}
