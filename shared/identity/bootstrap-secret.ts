import { createHash, timingSafeEqual } from "node:crypto";
import { Problem } from "../domain/problems.ts";

/** The problem that everybody gets while the bootstrap is closed. */
export const used = (): Problem =>
  new Problem("bootstrap_used", "The first administrator was made already; sign in with auth/login");

export const wrongSecret = (): Problem => new Problem("not_signed_in", "The bootstrap secret is not right");

/** Compares digests, so that neither length nor content shows in the time it takes. */
export function equal(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

/** The digest stored of the secret of a reopened bootstrap, which is long and random: nothing can be guessed from it. */
export function reopeningDigest(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}
