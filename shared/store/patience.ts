import { Problem } from "../domain/problems.ts";
import { Busy } from "./seam.ts";
import type { Waiting } from "./waiting.ts";

/** How often something is tried again before the caller is told. */
export const MOST_REPEATS = 8;

/**
 * Asks again after a growing random pause while the table is busy; a problem when that goes on too long, or the process
 * has nothing left to pay for it.
 */
export async function patiently<T>(waiting: Waiting, ask: () => Promise<T>): Promise<T> {
  let paid = false;
  for (let repeats = 0; ; repeats++) {
    try {
      const answer = await ask();
      waiting.budget.earn(paid);
      return answer;
    } catch (error) {
      if (!(error instanceof Busy)) throw error;
      if (repeats >= MOST_REPEATS) throw tooBusy(error);
      if (error.throttled) {
        payForRepeat(waiting);
        paid = true;
      }
      await waiting.pause(repeats);
    }
  }
}

/** Before what was throttled is tried again: the problem the caller is told when nothing is left to pay for it. */
export function payForRepeat({ budget }: Waiting): void {
  if (!budget.take()) throw tooBusy(new Busy(true));
}

/** What a caller is told of a table that stays busy. */
export function tooBusy({ throttled }: Busy): Problem {
  return throttled
    ? new Problem("throttled", "the store takes no more requests now; try again", { retryAfter: 1 })
    : new Problem("unavailable", "the store is busy; try again", { retryAfter: 1 });
}
