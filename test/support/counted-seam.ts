import type { Seam } from "../../shared/store/table/table.ts";

/** A seam, and how many requests to write went through it, whatever became of them. */
export interface CountedSeam {
  readonly seam: Seam;
  readonly writes: () => number;
}

/** Counts what is sent to a table to be written. */
export function countedSeam(seam: Seam): CountedSeam {
  let count = 0;
  const counted =
    <A, R>(send: (asked: A) => Promise<R>) =>
    (asked: A): Promise<R> => {
      count += 1;
      return send(asked);
    };
  return {
    writes: () => count,
    seam: {
      ...seam,
      transactWrite: counted(seam.transactWrite),
      write: counted(seam.write),
      batchPut: counted(seam.batchPut),
      batchDelete: counted(seam.batchDelete),
    },
  };
}
