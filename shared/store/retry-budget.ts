import { LIMITS } from "../domain/limits.ts";

/**
 * What one process may spend on repeating what the table throttled, as the AWS SDK has it for the requests below the
 * seam: a table that takes nothing is not asked ever more often because ever more calls repeat what they asked.
 */
export interface RetryBudget {
  /** Takes a token for one repeat; false when none is left. */
  take(): boolean;
  /** Something succeeded: the token of its repeat comes back, or a part of one where it took none. */
  earn(repeated: boolean): void;
}

/** A full budget. */
export function createRetryBudget(): RetryBudget {
  const token = LIMITS.successesPerRetryToken;
  const full = LIMITS.retryTokens * token;
  let left = full;
  return {
    take: () => {
      if (left < token) return false;
      left -= token;
      return true;
    },
    earn: (repeated) => {
      left = Math.min(full, left + (repeated ? token : 1));
    },
  };
}
