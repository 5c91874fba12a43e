import type { Table } from "../shared/store/table/table.ts";

/** Measures how many store calls wait for each other. */
export interface CallChain {
  measure(table: Table): Table;
  length(): number;
  reset(): void;
}

/** Creates a chain. A call adds one link to the longest chain that ended before it. */
export function createChain(): CallChain {
  let longest = 0;
  const link =
    <A extends readonly unknown[], T>(send: (...input: A) => Promise<T>) =>
    async (...input: A): Promise<T> => {
      const mine = longest + 1;
      try {
        return await send(...input);
      } finally {
        longest = Math.max(longest, mine);
      }
    };
  return {
    measure: (table) => ({
      get: link(table.get),
      batchGet: link(table.batchGet),
      query: link(table.query),
      transactGet: link(table.transactGet),
      transactWrite: link(table.transactWrite),
      write: link(table.write),
      batchPut: link(table.batchPut),
      batchDelete: link(table.batchDelete),
    }),
    length: () => longest,
    reset: () => {
      longest = 0;
    },
  };
}
