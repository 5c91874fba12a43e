import type { ItemKey } from "../../../../shared/store/table/keys.ts";
import { ConditionFailed, Contended, type Table } from "../../../../shared/store/table/table.ts";

/** A table that counts what the commits cost. */
export interface CountingTable extends Table {
  /** Transactions that made a revision of a model, and those that did not because another was faster or under way. */
  readonly counts: { commits: number; conflicts: number; calls: number };
  /** Log items in the order in which it was told of them. */
  readonly committed: ItemKey[];
}

export function createCountingTable(inner: Table): CountingTable {
  const counts = { commits: 0, conflicts: 0, calls: 0 };
  const committed: ItemKey[] = [];
  const counted = <A extends unknown[], T>(ask: (...args: A) => Promise<T>) => {
    return (...args: A): Promise<T> => {
      counts.calls += 1;
      return ask(...args);
    };
  };
  return {
    counts,
    committed,
    get: counted(inner.get),
    batchGet: counted(inner.batchGet),
    query: counted(inner.query),
    transactGet: counted(inner.transactGet),
    write: counted(inner.write),
    batchPut: counted(inner.batchPut),
    batchDelete: counted(inner.batchDelete),
    transactWrite: async (writes) => {
      const log = writes.findIndex((w) => "put" in w && w.put.pk.startsWith("log#"));
      counts.calls += 1;
      try {
        await inner.transactWrite(writes);
      } catch (error) {
        if (error instanceof Contended || (error instanceof ConditionFailed && error.failed[log]))
          counts.conflicts += 1;
        throw error;
      }
      if (log >= 0) counts.commits += 1;
      for (const w of writes) if ("put" in w && w.put.pk.startsWith("log#")) committed.push(w.put);
    },
  };
}
