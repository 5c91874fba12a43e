import type { Table } from "../../shared/store/table/table.ts";

/** A table, and how many requests to write went through it, whatever became of them. */
export interface CountedTable {
  readonly table: Table;
  readonly writes: () => number;
}

/** Counts what is sent to a table to be written. */
export function countedTable(table: Table): CountedTable {
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
