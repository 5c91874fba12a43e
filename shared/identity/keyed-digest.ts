import { createHmac } from "node:crypto";
import { Problem } from "../domain/problems.ts";

/** Keeps the digests apart from any other use of the secret. */
const PURPOSE = "metaction payload digests 1";

/** HMAC-SHA-256 under a key derived from a secret of the deployment, so that short texts cannot be guessed from their digest. */
export function createKeyedDigest(secret: () => Promise<string | undefined>): (text: string) => Promise<string> {
  let key: Buffer | undefined;
  return async (text) => {
    if (!key) {
      const kept = await secret();
      if (kept === undefined) throw new Problem("unavailable", "the service has no secret to key its digests with");
      key = createHmac("sha256", kept).update(PURPOSE).digest();
    }
    return createHmac("sha256", key).update(text).digest("base64url");
  };
}
