import { createHash } from "node:crypto";

/** What stands for a role's key where callers are judged: 8 bytes of its SHA-256, base64url. Whoever makes roles administers. */
export function roleKeyDigest(key: string): string {
  return createHash("sha256").update(key).digest().subarray(0, 8).toString("base64url");
}
