import type { Item, Table } from "../../../shared/store/table/table.ts";
import { keyText } from "./hidden-items.ts";

/** A table that reads from a list of items, such as all of a table at one moment; it refuses to write. */
export function itemsTable(items: readonly Item[]): Table {
  const byKey = new Map(items.map((item) => [keyText(item), item]));
  const partitions = Map.groupBy(items, ({ pk }) => pk);
  const refuse = async (): Promise<never> => {
    throw new Error("these items can only be read");
  };
  return {
    get: async (key) => byKey.get(keyText(key)),
    batchGet: async (keys) => keys.flatMap((key) => byKey.get(keyText(key)) ?? []),
    query: async ({ pk, prefix = "" }) => {
      const rows = (partitions.get(pk) ?? []).filter(({ sk }) => sk.startsWith(prefix));
      return { items: rows.sort((a, b) => (a.sk < b.sk ? -1 : 1)) };
    },
    transactGet: async (keys) => keys.map((key) => byKey.get(keyText(key))),
    transactWrite: refuse,
    write: refuse,
    batchPut: refuse,
    batchDelete: refuse,
  };
}
