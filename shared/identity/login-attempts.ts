import { LIMITS } from "../domain/limits.ts";
import { Problem } from "../domain/problems.ts";
import type { AccountStore, Attempts } from "./accounts.ts";

/** The attempts after one more, which counts as failed until it proves right: of many at once none gets through uncounted. */
export function afterAttempt(before: Attempts | undefined, now: number): Attempts {
  const failures = (before?.failures ?? 0) + 1;
  const doublings = failures - LIMITS.freeLoginFailures - 1;
  const wait = doublings < 0 ? 0 : Math.min(2 ** doublings, LIMITS.loginWaitSeconds);
  return {
    failures,
    notBefore: now + wait * 1000,
    expiresAt: Math.ceil(now / 1000) + LIMITS.loginFailureHours * 3_600,
  };
}

/**
 * Counts an attempt to sign in before its password is looked at. `throttled` while the name has to wait; names without a
 * user count as well, so that nothing is learnt from it. Nobody is locked out for ever, and nobody waits in here. Answers
 * how to take the attempt back, for when nobody could say whether the password was right.
 */
export async function countAttempt(
  name: string,
  accounts: AccountStore,
  now: () => number,
): Promise<() => Promise<void>> {
  for (;;) {
    const before = await accounts.attempts(name);
    const wait = (before?.notBefore ?? 0) - now();
    if (wait > 0) {
      throw new Problem("throttled", "There were too many wrong passwords for this name; wait, then try again", {
        retryAfter: Math.ceil(wait / 1000),
      });
    }
    // Of those who read the same count one goes on; after a few the others have to wait.
    const after = afterAttempt(before, now());
    if (await accounts.noteAttempt(name, before, after)) {
      return async () => {
        // Only where no other attempt was counted meanwhile: that one stands.
        await accounts.noteAttempt(name, after, before ?? { failures: 0, notBefore: 0, expiresAt: after.expiresAt });
      };
    }
  }
}
