import { createHash } from "node:crypto";

/** The key of an actor: issuer and subject both come from outside and may hold anything, so their digest stands for the pair. */
export function keyOfActor(issuer: string, subject: string): string {
  return createHash("sha256")
    .update(JSON.stringify([issuer, subject]))
    .digest("base64url");
}
