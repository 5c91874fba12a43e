import type { Table } from "../../shared/store/table/table.ts";

/** Counts the write requests that are sent to a table, with any outcome. */
export function countedTable(table: Table) {
  let count = 0;
  const counted =
    <A, R>(send: (asked: A) => Promise<R>) =>
    (asked: A): Promise<R> => {
      count += 1;
      return send(asked);
    };
  return {
    writes: () => count,
    table: {
      ...table,
      transactWrite: counted(table.transactWrite),
      write: counted(table.write),
      batchPut: counted(table.batchPut),
      batchDelete: counted(table.batchDelete),
    },
  };
}
