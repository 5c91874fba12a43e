import { Problem } from "../../shared/domain/problems.ts";
import {
  checkBatchDelete,
  checkBatchGet,
  checkBatchPut,
  checkKey,
  checkRange,
  checkTransactGet,
  checkTransactGetBytes,
  checkTransactWrite,
  checkWrite,
} from "../../shared/store/table/dynamo-checks.ts";
import {
  countAnsweredKeys,
  countReadUnits,
  countWriteUnits,
  meetsExpectation,
  TRANSACTION_FACTOR,
  takePage,
} from "../../shared/store/table/dynamo-rules.ts";
import type { ItemKey } from "../../shared/store/table/keys.ts";
import {
  ConditionFailed,
  type Expectation,
  type Item,
  type Table,
  Unread,
  type Write,
} from "../../shared/store/table/table.ts";
import { TABLE } from "../../shared/store/table/table-schema.ts";
import type { GroupCommit } from "./group-commit.ts";
import { decodeItem, encodeBody, type Row, type Statements, type StoredItem } from "./statements.ts";

/** Creates a table on SQLite that behaves like DynamoDB, and counts the units that DynamoDB would charge. */
export function createTable(context: WriteContext): Table {
  const { statements, count } = context;
  const pause = createReadPauses();
  const itemAt = ({ pk, sk }: ItemKey, row: Row | undefined): Item | undefined => row && decodeItem(pk, sk, row.body);
  return {
    ...createWrites(context),
    get: async (key) => {
      checkKey(key);
      const row = statements.getRow(key);
      count("get", countReadUnits(row?.bytes ?? 0));
      await pause(row?.bytes ?? 0);
      return itemAt(key, row);
    },
    batchGet: async (keys) => {
      checkBatchGet(keys);
      const rows = keys.map((key) => statements.getRow(key));
      const bytes = rows.map((row) => row?.bytes ?? 0);
      const answered = countAnsweredKeys(bytes);
      count("batchGet", sum(bytes.slice(0, answered).map(countReadUnits)));
      await pause(sum(bytes));
      const items = keys.slice(0, answered).flatMap((key, i) => itemAt(key, rows[i]) ?? []);
      if (answered < keys.length) throw new Unread(items, keys.slice(answered));
      return items;
    },
    query: async (range) => {
      checkRange(range);
      const { rows, bytes, more } = takePage(statements.iterateRows(range), (row) => row.bytes, range.limit);
      count("query", countReadUnits(bytes));
      const items = rows.map(({ sk, body }) => decodeItem(range.pk, sk, body));
      await pause(bytes);
      const last = more ? rows.at(-1)?.sk : undefined;
      return { items, ...(last !== undefined && { more: last }) };
    },
    transactGet: async (keys) => {
      checkTransactGet(keys);
      const rows = keys.map((key) => statements.getRow(key));
      const bytes = rows.map((row) => row?.bytes ?? 0);
      checkTransactGetBytes(sum(bytes));
      count("transactGet", TRANSACTION_FACTOR * sum(bytes.map(countReadUnits)));
      await pause(sum(bytes));
      return keys.map((key, i) => itemAt(key, rows[i]));
    },
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

/** Creates a table whose calls fail as out of time once `isOver` returns true. */
export function createBoundedTable(table: Table, isOver: () => boolean): Table {
  const run = async <T>(call: () => Promise<T>): Promise<T> => {
    if (isOver()) throw new Problem("out_of_time", "the call ran out of time; try again", { retryAfter: 1 });
    return call();
  };
  return {
    get: (key) => run(() => table.get(key)),
    batchGet: (keys) => run(() => table.batchGet(keys)),
    query: (range) => run(() => table.query(range)),
    transactGet: (keys) => run(() => table.transactGet(keys)),
    transactWrite: (writes) => run(() => table.transactWrite(writes)),
    write: (write) => run(() => table.write(write)),
    batchPut: (items) => run(() => table.batchPut(items)),
    batchDelete: (keys) => run(() => table.batchDelete(keys)),
  };
}

/** Consecutive reads before other work of the process runs. */
const READS = 100;
/** Bytes that count as another read. */
const BYTES_OF_ONE = 10_000;

/**
 * Creates the function that every read calls and awaits. It mostly returns at once, and sometimes waits for the next
 * turn of the event loop. Reads are answered without disk or network, so a call with thousands of reads would block all
 * others.
 */
function createReadPauses(): (bytes: number) => Promise<void> | undefined {
  let since = 0;
  return (bytes) => {
    since += 1 + bytes / BYTES_OF_ONE;
    if (since < READS) return undefined;
    since = 0;
    return new Promise((resolve) => setImmediate(resolve));
  };
}

/** The writing half of a table. */
type TableWrites = Pick<Table, "transactWrite" | "write" | "batchPut" | "batchDelete">;

/** Dependencies of the table. `count` gets the units of each call. */
interface WriteContext {
  readonly statements: Statements;
  readonly commits: GroupCommit;
  readonly count: (operation: string, units: number) => void;
}

/** Creates the writes of a table. They are checked like in DynamoDB before anything is queued. */
function createWrites({ statements, commits, count }: WriteContext): TableWrites {
  /** Writes all steps, or none if an expectation fails. Returns the write units. */
  const run = (steps: readonly Step[]): Promise<number> =>
    commits.run(() => {
      const before = steps.map((step) => inspectStep(statements, step));
      const failed = before.map(({ isMet }) => !isMet);
      if (failed.includes(true))
        throw new ConditionFailed(
          failed,
          before.map(({ inTheWay }) => inTheWay),
        );
      for (const step of steps) applyStep(statements, step);
      return steps.reduce((sum, { put }, i) => sum + countWriteUnits(before[i]?.bytes ?? 0, put?.bytes ?? 0), 0);
    });
  return {
    transactWrite: async (writes) => {
      const sizes = checkTransactWrite(writes);
      const units = await run(writes.map((write, i) => toStep(write, sizes[i] ?? 0)));
      count("transactWrite", units * TRANSACTION_FACTOR);
    },
    write: async (write) => {
      const step = toStep(write, checkWrite(write));
      const units = await run([step]).catch((error: unknown) => {
        // For a single write DynamoDB does not return the existing item.
        throw error instanceof ConditionFailed ? new ConditionFailed([true], [undefined]) : error;
      });
      count("write", units);
    },
    batchPut: async (items) => {
      const sizes = checkBatchPut(items);
      count("batchWrite", await run(items.map((item, i) => toStep({ put: item, expect: ANYTHING }, sizes[i] ?? 0))));
      return [];
    },
    batchDelete: async (keys) => {
      checkBatchDelete(keys);
      count("batchWrite", await run(keys.map((key) => toStep({ delete: key, expect: ANYTHING }, 0))));
      return [];
    },
  };
}

const ANYTHING = { anything: true } as const;

/** One encoded write. */
interface Step {
  readonly key: ItemKey;
  readonly expect: Expectation;
  readonly put?: StoredItem;
  readonly delete?: true;
}

function toStep(write: Write, bytes: number): Step {
  const { expect } = write;
  if ("check" in write) return { key: write.check, expect };
  if ("delete" in write) return { key: write.delete, expect, delete: true };
  const { pk, sk, [TABLE.timeToLive]: expires } = write.put;
  const put = {
    pk,
    sk,
    body: encodeBody(write.put),
    bytes,
    expires: typeof expires === "number" ? expires : undefined,
  };
  return { key: put, expect, put };
}

/**
 * Compares the stored item with the expectation of a write. Returns its bytes, 0 if there is none, and the item itself
 * if the expectation fails.
 */
function inspectStep(statements: Statements, { key, expect }: Step) {
  if ("anything" in expect) return { isMet: true, bytes: statements.getBytes(key) ?? 0, inTheWay: undefined };
  const row = statements.getRow(key);
  const found: Item | undefined = row && decodeItem(key.pk, key.sk, row.body);
  const isMet = meetsExpectation(expect, found);
  return { isMet, bytes: row?.bytes ?? 0, inTheWay: isMet ? undefined : found };
}

function applyStep(statements: Statements, step: Step): void {
  if (step.put) statements.put(step.put);
  else if (step.delete) statements.delete(step.key);
}
