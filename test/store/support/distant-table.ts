import { setTimeout as pause } from "node:timers/promises";
import type { Table } from "../../../shared/store/table/table.ts";

/** How long a request and its answer are on their way, in milliseconds each. */
const WAY_MS = 1;

/**
 * A table whose calls take their time, as those to a table elsewhere do. Callers that play processes of their own need it: over
 * a table in this process, one that is awake goes on until it writes, and would be faster than any other each time.
 */
export function distantTable(table: Table): Table {
  const send = (operation: keyof Table) => async (asked: never) => {
    await pause(WAY_MS);
    const answer = await table[operation](asked);
    await pause(WAY_MS);
    return answer;
  };
  return new Proxy(table, { get: (_, operation: keyof Table) => send(operation) });
}
