import type { Seam } from "../shared/store/table/table.ts";

/** Measures how many store calls wait for one another. */
export interface CallChain {
  measure(seam: Seam): Seam;
  length(): number;
  reset(): void;
}

/** A call starts one link after the longest chain that had ended by then. */
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
    measure: (seam) => ({
      get: link(seam.get),
      batchGet: link(seam.batchGet),
      query: link(seam.query),
      transactGet: link(seam.transactGet),
      transactWrite: link(seam.transactWrite),
      write: link(seam.write),
      batchPut: link(seam.batchPut),
      batchDelete: link(seam.batchDelete),
    }),
    length: () => longest,
    reset: () => {
      longest = 0;
    },
  };
}
