import { Problem } from "../domain/problems.ts";
import { patiently } from "./patience.ts";
import { Busy, Lost, type Seam } from "./seam.ts";
import type { Waiting } from "./waiting.ts";

/**
 * A seam whose reads are repeated while the table is throttled, and end in a problem for the caller when there is no
 * answer. Writes, and the questions that wait for a transaction, keep their own errors: only who sent them can tell
 * what those mean.
 */
export function answeringSeam(seam: Seam, waiting: Waiting): Seam {
  const read = async <T>(ask: () => Promise<T>): Promise<T> => {
    try {
      return await patiently(waiting, ask);
    } catch (error) {
      throw error instanceof Lost ? noAnswer() : error;
    }
  };
  return {
    ...seam,
    get: (key) => read(() => seam.get(key)),
    batchGet: (keys) => read(() => seam.batchGet(keys)),
    query: (range) => read(() => seam.query(range)),
    transactGet: (keys) => read(() => seam.transactGet(keys)),
  };
}

/** What a caller is told when a read, or a write that can simply be sent again, got no answer. */
export function noAnswer(): Problem {
  return new Problem("unavailable", "the store did not answer; try again", { retryAfter: 1 });
}

/** True for what may pass: throttled, in conflict, no answer. */
export function mayPass(error: unknown): boolean {
  return error instanceof Lost || error instanceof Busy || (error instanceof Problem && error.code === "unavailable");
}
