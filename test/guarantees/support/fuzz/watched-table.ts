import { type ItemKey, seenKey } from "../../../../shared/store/table/keys.ts";
import type { Table, Write } from "../../../../shared/store/table/table.ts";

const SEEN = seenKey("").sk;

/** A table that remembers what was written through it. */
export interface WatchedTable {
  readonly table: Table;
  /** Partition keys of all items written or deleted since it was last asked. */
  takeWritten(): readonly string[];
}

/** Passes every call on, and notes the items of those writes that succeeded. */
export function watchTable(inner: Table): WatchedTable {
  let written: string[] = [];
  const note = (keys: readonly ItemKey[]): void => {
    // When an actor called last is noted beside every call, whatever becomes of it.
    written.push(...keys.filter(({ sk }) => !sk.startsWith(SEEN)).map((key) => key.pk));
  };
  return {
    takeWritten: () => {
      const taken = written;
      written = [];
      return taken;
    },
    table: {
      ...inner,
      transactWrite: async (writes) => {
        await inner.transactWrite(writes);
        note(writes.flatMap(changed));
      },
      write: async (write) => {
        await inner.write(write);
        note(changed(write));
      },
      batchPut: async (items) => {
        const left = await inner.batchPut(items);
        note(items);
        return left;
      },
      batchDelete: async (keys) => {
        const left = await inner.batchDelete(keys);
        note(keys);
        return left;
      },
    },
  };
}

function changed(write: Write): readonly ItemKey[] {
  return "put" in write ? [write.put] : "delete" in write ? [write.delete] : [];
}
