import { Problem } from "../domain/problems.ts";
import { Busy } from "./seam.ts";
import type { Waiting } from "./waiting.ts";

/** How often something is tried again before the caller is told. */
export const MOST_REPEATS = 8;

/** Asks again after a growing random pause while the table is busy; a problem when that goes on too long. */
export async function patiently<T>(waiting: Waiting, ask: () => Promise<T>): Promise<T> {
  for (let repeats = 0; ; repeats++) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Busy)) throw error;
      if (repeats >= MOST_REPEATS) throw tooBusy(error);
      await waiting.pause(repeats);
    }
  }
}

/** What a caller is told of a table that stays busy. */
export function tooBusy({ throttled }: Busy): Problem {
  return throttled
    ? new Problem("throttled", "the store takes no more requests now; try again", { retryAfter: 1 })
    : new Problem("unavailable", "the store is busy; try again", { retryAfter: 1 });
}
