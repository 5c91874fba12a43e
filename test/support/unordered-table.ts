import type { Item, Table } from "../../shared/store/table/table.ts";

/** Returns the members of every item in reverse order, at every depth: DynamoDB keeps no order. */
export function unorderedTable(table: Table): Table {
  return {
    get: async (key) => turned(await table.get(key)),
    batchGet: async (keys) => turned(await table.batchGet(keys)),
    query: async (range) => {
      const { items, ...rest } = await table.query(range);
      return { items: turned(items), ...rest };
    },
    transactGet: async (keys) => turned(await table.transactGet(keys)),
    transactWrite: (writes) => table.transactWrite(writes),
    write: (write) => table.write(write),
    batchPut: (items) => table.batchPut(items),
    batchDelete: (keys) => table.batchDelete(keys),
  };
}

function turned<T extends Item | undefined | readonly (Item | undefined)[]>(value: T): T {
  // The turned value differs in its order only, so its type holds.
  return turnedValue(value) as T;
}

function turnedValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turnedValue);
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]) => [name, turnedValue(member)])
      .reverse(),
  );
}
