import { setTimeout as pause } from "node:timers/promises";
import type { Table } from "../../../shared/store/table/table.ts";

/** How long a request and its answer are on their way, in milliseconds each. */
const WAY_MS = 1;

/**
 * A table whose calls take their time, as those to a table elsewhere do. Callers that play processes of their own need it: over
 * a table in this process, one that is awake goes on until it writes, and would be faster than any other each time.
 */
export function distantTable(table: Table): Table {
  const far =
    <A, R>(call: (asked: A) => Promise<R>) =>
    async (asked: A): Promise<R> => {
      await pause(WAY_MS);
      const answer = await call(asked);
      await pause(WAY_MS);
      return answer;
    };
  return {
    get: far(table.get),
    batchGet: far(table.batchGet),
    query: far(table.query),
    transactGet: far(table.transactGet),
    transactWrite: far(table.transactWrite),
    write: far(table.write),
    batchPut: far(table.batchPut),
    batchDelete: far(table.batchDelete),
  };
}
