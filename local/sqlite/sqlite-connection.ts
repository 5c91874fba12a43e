import { Problem } from "../../shared/domain/problems.ts";
import {
  checkBatchGet,
  checkRange,
  checkTransactGet,
  checkTransactGetBytes,
} from "../../shared/store/table/dynamo-rules/check-calls.ts";
import { checkKey } from "../../shared/store/table/dynamo-rules/check-item.ts";
import { takePage } from "../../shared/store/table/dynamo-rules/take-page.ts";
import { answeredAtOnce, readUnits, TRANSACTION_FACTOR } from "../../shared/store/table/dynamo-rules/units.ts";
import type { ItemKey } from "../../shared/store/table/keys.ts";
import { type Item, type Table, Unread } from "../../shared/store/table/table.ts";
import { itemOf } from "./item-body.ts";
import { createReadPauses } from "./read-pauses.ts";
import { createWrites, type WriteContext } from "./sqlite-writes.ts";
import type { Row } from "./statements.ts";

/** A table over a table in SQLite that answers as DynamoDB does, and counts what DynamoDB would charge. */
export function createSqliteTable(context: WriteContext): Table {
  const { statements, count } = context;
  const pause = createReadPauses();
  const itemAt = ({ pk, sk }: ItemKey, row: Row | undefined): Item | undefined => row && itemOf(pk, sk, row.body);
  return {
    ...createWrites(context),
    get: async (key) => {
      checkKey(key);
      const row = statements.row(key);
      count("get", readUnits(row?.bytes ?? 0));
      await pause(row?.bytes ?? 0);
      return itemAt(key, row);
    },
    batchGet: async (keys) => {
      checkBatchGet(keys);
      const rows = keys.map((key) => statements.row(key));
      const bytes = rows.map((row) => row?.bytes ?? 0);
      const answered = answeredAtOnce(bytes);
      count("batchGet", sum(bytes.slice(0, answered).map(readUnits)));
      await pause(sum(bytes));
      const items = keys.slice(0, answered).flatMap((key, i) => itemAt(key, rows[i]) ?? []);
      if (answered < keys.length) throw new Unread(items, keys.slice(answered));
      return items;
    },
    query: async (range) => {
      checkRange(range);
      const { rows, bytes, more } = takePage(statements.rows(range), (row) => row.bytes, range.limit);
      count("query", readUnits(bytes));
      const items = rows.map(({ sk, body }) => itemOf(range.pk, sk, body));
      await pause(bytes);
      const last = more ? rows.at(-1)?.sk : undefined;
      return { items, ...(last !== undefined && { more: last }) };
    },
    transactGet: async (keys) => {
      checkTransactGet(keys);
      const rows = keys.map((key) => statements.row(key));
      const bytes = rows.map((row) => row?.bytes ?? 0);
      checkTransactGetBytes(sum(bytes));
      count("transactGet", TRANSACTION_FACTOR * sum(bytes.map(readUnits)));
      await pause(sum(bytes));
      return keys.map((key, i) => itemAt(key, rows[i]));
    },
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

/** A table whose calls are refused as out of time once `isOver` says so. */
export function boundedTable(table: Table, isOver: () => boolean): Table {
  const bounded =
    <A, R>(call: (asked: A) => Promise<R>) =>
    async (asked: A): Promise<R> => {
      if (isOver()) throw new Problem("out_of_time", "the call ran out of time; try again", { retryAfter: 1 });
      return call(asked);
    };
  return {
    get: bounded(table.get),
    batchGet: bounded(table.batchGet),
    query: bounded(table.query),
    transactGet: bounded(table.transactGet),
    transactWrite: bounded(table.transactWrite),
    write: bounded(table.write),
    batchPut: bounded(table.batchPut),
    batchDelete: bounded(table.batchDelete),
  };
}
