import { setTimeout as pause } from "node:timers/promises";
import type { Seam } from "../../../shared/store/table/table.ts";

/** How long a request and its answer are on their way, in milliseconds each. */
const WAY_MS = 1;

/**
 * A seam whose calls take their time, as those to a table elsewhere do. Callers that play processes of their own need it: over
 * a table in this process, one that is awake goes on until it writes, and would be faster than any other each time.
 */
export function distantSeam(seam: Seam): Seam {
  const far =
    <A, R>(call: (asked: A) => Promise<R>) =>
    async (asked: A): Promise<R> => {
      await pause(WAY_MS);
      const answer = await call(asked);
      await pause(WAY_MS);
      return answer;
    };
  return {
    get: far(seam.get),
    batchGet: far(seam.batchGet),
    query: far(seam.query),
    transactGet: far(seam.transactGet),
    transactWrite: far(seam.transactWrite),
    write: far(seam.write),
    batchPut: far(seam.batchPut),
    batchDelete: far(seam.batchDelete),
  };
}
