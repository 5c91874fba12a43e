import type { Table } from "../../../shared/store/table/table.ts";
import type { SimulatedTable } from "./simulated-table.ts";

/** The simulated table itself: every request is answered at once, and nothing goes wrong. */
export function directTable(table: SimulatedTable): Table {
  return {
    get: async (key) => table.get(key),
    batchGet: async (keys) => table.batchGet(keys),
    query: async (range) => table.query(range),
    transactGet: async (keys) => table.transactGet(keys),
    transactWrite: async (writes) => table.transactWrite(writes),
    write: async (write) => table.write(write),
    batchPut: async (items) => table.batchPut(items),
    batchDelete: async (keys) => table.batchDelete(keys),
  };
}
