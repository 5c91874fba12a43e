import type { DatabaseSync } from "node:sqlite";
import { Problem } from "../../shared/domain/problems.ts";
import type { FileIndex, FileIndexOptions } from "../../shared/search/file-index.ts";
import { expireTables } from "../../shared/search/index-statements.ts";
import { watchAccounts } from "../../shared/store/accounts/account-store.ts";
import type { Connection, TableConnector } from "../../shared/store/table/dynamo.ts";
import type { ScanTable } from "../../shared/store/table/dynamo-admin.ts";
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
  getWriteKey,
  type Item,
  OutcomeUnknown,
  type Table,
  Unread,
  type Write,
} from "../../shared/store/table/table.ts";
import { createMovedModels, lockFile, openDatabase } from "./open-database.ts";
import { decodeItem, prepareStatements, type Row, type Statements } from "./statements.ts";

/** Creates a table on SQLite that behaves like DynamoDB and counts its units. */
export function createTable(context: WriteContext): Table {
  const { statements, count } = context;
  const pause = createReadPauses();
  const itemAt = ({ pk, sk }: ItemKey, row: Row | undefined) => row && decodeItem(pk, sk, row.body);
  return {
    ...createWrites(context),
    get: async (key) => {
      checkKey(key);
      const row = statements.getRow(key);
      count?.("get", countReadUnits(row?.bytes ?? 0));
      await pause(row?.bytes ?? 0);
      return itemAt(key, row);
    },
    batchGet: async (keys) => {
      checkBatchGet(keys);
      const rows = keys.map((key) => statements.getRow(key));
      const bytes = rows.map((row) => row?.bytes ?? 0);
      const keyCount = countAnsweredKeys(bytes);
      count?.("batchGet", sum(bytes.slice(0, keyCount).map(countReadUnits)));
      await pause(sum(bytes));
      const items = keys.slice(0, keyCount).flatMap((key, i) => itemAt(key, rows[i]) ?? []);
      if (keyCount < keys.length) throw new Unread(items, keys.slice(keyCount));
      return items;
    },
    query: async (range) => {
      checkRange(range);
      const { rows, bytes, more } = takePage(statements.iterateRows(range), (row) => row.bytes, range.limit);
      count?.("query", countReadUnits(bytes));
      const items = rows.map(({ sk, body }) => decodeItem(range.pk, sk, body));
      await pause(bytes);
      const last = more ? rows.at(-1)?.sk : undefined;
      return { items, ...(last !== undefined && { more: last }) };
    },
    transactGet: async (keys) => {
      checkTransactGet(keys);
      const rows = statements.getRows(keys);
      const bytes = rows.map((row) => row?.bytes ?? 0);
      checkTransactGetBytes(sum(bytes));
      count?.("transactGet", TRANSACTION_FACTOR * sum(bytes.map(countReadUnits)));
      await pause(sum(bytes));
      return keys.map((key, i) => itemAt(key, rows[i]));
    },
  };
}

function sum(numbers: readonly number[]) {
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

const READS = 100;
const BYTES_OF_ONE = 10_000;

/** Returns a pause for each read: mostly none; sometimes the next turn, so that many reads do not block other calls. */
function createReadPauses(): (bytes: number) => Promise<void> | undefined {
  let since = 0;
  return (bytes) => {
    since += 1 + bytes / BYTES_OF_ONE;
    if (since < READS) return undefined;
    since = 0;
    return new Promise((resolve) => setImmediate(resolve));
  };
}

type TableWrites = Pick<Table, "transactWrite" | "write" | "batchPut" | "batchDelete">;

interface WriteContext {
  readonly statements: Statements;
  readonly commits: GroupCommit;
  readonly count?: Connection["onCapacity"];
}

function createWrites({ statements, commits, count }: WriteContext): TableWrites {
  /** Writes everything, or nothing if an expectation fails. `sizes` are the bytes of the items. Returns the write units. */
  const run = (writes: readonly Write[], sizes: readonly number[]): Promise<number> =>
    commits.run(() => {
      const failures: boolean[] = [];
      const items: (Item | undefined)[] = [];
      let units = 0;
      for (const [i, write] of writes.entries()) {
        const before = inspectItem(statements, write);
        failures.push(!before.isMet);
        items.push(before.isMet ? undefined : before.item);
        units += countWriteUnits(before.bytes, sizes[i] ?? 0);
      }
      if (failures.includes(true)) throw new ConditionFailed(failures, items);
      for (const [i, write] of writes.entries()) {
        if ("put" in write) statements.put(write.put, sizes[i] ?? 0);
        else if ("delete" in write) statements.delete(write.delete);
      }
      return units;
    });
  return {
    transactWrite: async (writes) => {
      const units = await run(writes, checkTransactWrite(writes));
      count?.("transactWrite", units * TRANSACTION_FACTOR);
    },
    write: async (write) => {
      const units = await run([write], [checkWrite(write)]).catch((error: unknown) => {
        // For a single write DynamoDB does not return the existing item.
        throw error instanceof ConditionFailed ? new ConditionFailed([true], [undefined]) : error;
      });
      count?.("write", units);
    },
    batchPut: async (items) => {
      const sizes = checkBatchPut(items);
      const writes = items.map((put) => ({ put, expect: ANYTHING }));
      const units = await run(writes, sizes);
      count?.("batchWrite", units);
      return [];
    },
    batchDelete: async (keys) => {
      checkBatchDelete(keys);
      const writes = keys.map((key) => ({ delete: key, expect: ANYTHING }));
      const units = await run(writes, []);
      count?.("batchWrite", units);
      return [];
    },
  };
}

const ANYTHING = { anything: true } as const;

function inspectItem(statements: Statements, write: Write) {
  const { expect } = write;
  const key = getWriteKey(write);
  if ("anything" in expect) return { isMet: true, bytes: statements.getBytes(key) ?? 0, item: undefined };
  const row = statements.getRow(key);
  const item = row && decodeItem(key.pk, key.sk, row.body);
  return { isMet: meetsExpectation(expect, item), bytes: row?.bytes ?? 0, item };
}

/** Work that reads and writes the database. It may throw `ConditionFailed` before it writes anything. */
type Work<T> = () => T;

type GroupCommit = ReturnType<typeof createGroupCommit>;

interface Waiting {
  readonly work: Work<unknown>;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

/** Groups the work of two turns of the event loop into one commit; every answer, even a refusal, waits until its data is on disk. */
export function createGroupCommit(database: DatabaseSync) {
  let waiting: Waiting[] = [];
  const flush = () => {
    const group = waiting;
    waiting = [];
    if (group.length === 0) return;
    const answers: (() => void)[] = [];
    try {
      database.exec("BEGIN IMMEDIATE");
      for (const { work, resolve, reject } of group) answers.push(runWork(work, resolve, reject));
      database.exec("COMMIT");
    } catch (error) {
      // For example a full disk. The writes are lost, unless the disk failed after it took them.
      if (database.isTransaction) database.exec("ROLLBACK");
      for (const { reject } of group) reject(new OutcomeUnknown(error));
      return;
    }
    for (const answer of answers) answer();
  };
  return {
    flush,
    /** Resolves when the writes are on disk. Rejects with `ConditionFailed`, or `OutcomeUnknown` if the disk failed. */
    run: <T>(work: Work<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        // The next turn takes the requests that arrived meanwhile, so that more writes share a commit.
        if (waiting.length === 0) setImmediate(setImmediate, flush);
        waiting.push({ work, resolve, reject });
      }),
  };
}

/** Runs work. Returns the function that answers its caller once the transaction is on disk. */
function runWork(work: Work<unknown>, resolve: Waiting["resolve"], reject: Waiting["reject"]): () => void {
  try {
    const answer = work() as never;
    return () => resolve(answer);
  } catch (error) {
    // Another error may have come between two writes.
    if (!(error instanceof ConditionFailed)) throw error;
    return () => reject(error);
  }
}

/** A table in SQLite, in this process. */
export interface SqliteTable extends TableConnector {
  readonly name: string;
  /** Calls `onItem` once for each whole item. */
  readonly scan: ScanTable;
  /** Deletes some expired items and returns their number. `now` is in seconds since the epoch. */
  deleteExpired(now: number): Promise<number>;
  /** Returns searches in the table's own file. The index is created by the first search. */
  searches(reading: Pick<FileIndexOptions, "store" | "say">): () => Promise<FileIndex>;
  expireSearches(): void;
  close(): void;
}

interface SqliteOptions {
  /** Database file, created if it does not exist. Without it the table is in memory. */
  readonly file?: string;
  readonly onCapacity?: Connection["onCapacity"];
  readonly onAccountsChanged?: () => void;
  /** True if this process owns the file already: a thread of it opens the table too. */
  readonly isOwned?: boolean;
}

/** Expired items that are deleted at a time, so that nobody waits long for it. */
const EXPIRED_AT_ONCE = 1_000;

function openOrUnlock(file: string | undefined, unlock: () => void) {
  try {
    return openDatabase(file);
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Opens a table; `now` is in milliseconds. Throws `BadSetting` for a foreign file or one in use. */
export function openSqliteTable(
  { file, onCapacity, onAccountsChanged, isOwned = false }: SqliteOptions,
  now: () => number,
): SqliteTable {
  const unlock = file === undefined || isOwned ? () => undefined : lockFile(file);
  const database = openOrUnlock(file, unlock);
  const statements = prepareStatements(database);
  const commits = createGroupCommit(database);
  const plainTable = createTable({ statements, commits, count: onCapacity });
  const table = onAccountsChanged ? watchAccounts(plainTable, onAccountsChanged) : plainTable;
  const version = database.prepare("SELECT sqlite_version() AS version").get()?.version;
  return {
    name: `SQLite ${version}`,
    connect: (deadline) =>
      deadline === Number.POSITIVE_INFINITY ? table : createBoundedTable(table, () => now() >= deadline),
    scan: async (onItem) => {
      for (const item of statements.iterateAll()) onItem(item);
    },
    deleteExpired: async (seconds) => {
      const count = await commits.run(() => statements.deleteExpired(seconds, EXPIRED_AT_ONCE));
      if (count > 0) onAccountsChanged?.();
      return count;
    },
    searches: (reading) => {
      let fileIndex: Promise<FileIndex> | undefined;
      return () => {
        fileIndex ??= import("../../shared/search/file-index.ts").then(({ createFileIndex }) =>
          createFileIndex({ database, moves: createMovedModels(database), now, ...reading }),
        );
        return fileIndex;
      };
    },
    expireSearches: () => expireTables(database),
    close: () => {
      commits.flush();
      database.close();
      unlock();
    },
  };
}
