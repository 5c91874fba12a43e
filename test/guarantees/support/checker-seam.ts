import type { Seam } from "../../../shared/store/seam.ts";

/** A seam that counts what the commits cost. */
export interface CountingSeam extends Seam {
  /** Transactions that were to make a revision of a model, and those of them that did. */
  readonly counts: { attempts: number; commits: number; calls: number };
}

export function createCountingSeam(inner: Seam): CountingSeam {
  const counts = { attempts: 0, commits: 0, calls: 0 };
  const counted = <A extends unknown[], T>(ask: (...args: A) => Promise<T>) => {
    return (...args: A): Promise<T> => {
      counts.calls += 1;
      return ask(...args);
    };
  };
  return {
    counts,
    get: counted(inner.get),
    batchGet: counted(inner.batchGet),
    query: counted(inner.query),
    transactGet: counted(inner.transactGet),
    write: counted(inner.write),
    batchPut: counted(inner.batchPut),
    batchDelete: counted(inner.batchDelete),
    transactWrite: async (writes) => {
      const isCommit = writes.some((w) => "put" in w && w.put.pk.startsWith("log#"));
      counts.calls += 1;
      if (isCommit) counts.attempts += 1;
      await inner.transactWrite(writes);
      if (isCommit) counts.commits += 1;
    },
  };
}
