import { seenKey } from "../../../shared/store/table/keys.ts";
import type { Item } from "../../../shared/store/table/table.ts";
import type { TestTable } from "../../support/table.ts";

/** Every item of a table by a line of text that tells all of it: two images of the same lines are the same bytes. */
export type TableImage = ReadonlyMap<string, Item>;

const BATCH = 25;

/** Reads a whole table, and puts it back. */
export function imagesOf({ items, table }: Pick<TestTable, "items" | "table">) {
  return {
    /** Reads the whole table, but for the notes that tell when actors called. */
    take: async (): Promise<TableImage> => {
      const all = (await items()).filter((item) => !isSeen(item));
      return new Map(all.map((item) => [JSON.stringify(item, inOrder), item]));
    },
    /** Writes and deletes the items in which the table, as it is `now`, differs from the earlier image `was`. */
    putBack: async (was: TableImage, now: TableImage) => {
      const back = [...was].filter(([line]) => !now.has(line)).map(([, item]) => item);
      const kept = new Set([...was.values()].map(placeOf));
      const gone = [...now.values()].filter((item) => !kept.has(placeOf(item)));
      for (let i = 0; i < back.length; i += BATCH) await all(table.batchPut(back.slice(i, i + BATCH)));
      for (let i = 0; i < gone.length; i += BATCH) await all(table.batchDelete(gone.slice(i, i + BATCH)));
    },
  };
}

async function all(left: Promise<readonly unknown[]>) {
  if ((await left).length > 0) throw new Error("the table was not put back");
}

/** True for the note that an actor called, which any call may leave, whatever it is told. */
function isSeen({ sk }: Item) {
  return sk.startsWith(seenKey("").sk);
}

function placeOf({ pk, sk }: Item): string {
  return JSON.stringify([pk, sk]);
}

/** Bytes as base64, and the members of a map in order, which DynamoDB does not keep. */
function inOrder(_: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
