import { setTimeout as pause } from "node:timers/promises";
import type { Table } from "../../../shared/store/table/table.ts";

/** How long a request and its answer are on their way, in milliseconds each. */
const WAY_MS = 1;

/** Table whose calls take time, so that callers that play processes of their own take turns. */
export function distantTable(table: Table): Table {
  const send = (operation: keyof Table) => async (asked: never) => {
    await pause(WAY_MS);
    const answer = await table[operation](asked);
    await pause(WAY_MS);
    return answer;
  };
  return new Proxy(table, { get: (_, operation: keyof Table) => send(operation) });
}
