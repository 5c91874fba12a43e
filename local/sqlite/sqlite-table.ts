import type { FileIndex, FileIndexOptions } from "../../shared/search/file-index.ts";
import { expireTables } from "../../shared/search/index-statements.ts";
import { watchAccounts } from "../../shared/store/accounts/account-store.ts";
import type { Connection, TableConnector } from "../../shared/store/table/dynamo.ts";
import type { ScanTable } from "../../shared/store/table/dynamo-admin.ts";
import { createGroupCommit } from "./group-commit.ts";
import { createMovedModels, openDatabase } from "./open-database.ts";
import { prepareStatements } from "./statements.ts";
import { createBoundedTable, createTable } from "./table.ts";

/** A table in SQLite, in this process. */
export interface SqliteTable extends TableConnector {
  /** For example "SQLite 3.53.4". */
  readonly name: string;
  /** Calls `onItem` once for each whole item. */
  readonly scan: ScanTable;
  /**
   * Deletes some expired items, as DynamoDB does eventually. `now` is in seconds since the epoch. Returns their number.
   */
  deleteExpired(now: number): Promise<number>;
  /** Returns searches in the table's own file. The index is created by the first search. */
  searches(reading: Pick<FileIndexOptions, "store" | "say">): () => Promise<FileIndex>;
  /** Marks the index of searches as outdated: models were changed without commits. */
  expireSearches(): void;
  /** Commits the waiting writes and closes the file. */
  close(): void;
}

/** Options of a table. */
export interface SqliteOptions {
  /** Database file, created if it does not exist. Without it the table is in memory. */
  readonly file?: string;
  /** Receives the capacity units of every call, as DynamoDB counts them. */
  readonly onCapacity?: Connection["onCapacity"];
  /** Called when accounts may have changed. */
  readonly onAccountsChanged?: () => void;
}

/** Expired items that are deleted at a time, so that nobody waits long for it. */
const EXPIRED_AT_ONCE = 1_000;

/**
 * Opens a table. `now` is in milliseconds since the epoch. Throws `BadSetting` if the file has other contents or is in
 * use.
 */
export function openSqliteTable(
  { file, onCapacity, onAccountsChanged }: SqliteOptions,
  now: () => number,
): SqliteTable {
  const database = openDatabase(file);
  const statements = prepareStatements(database);
  const commits = createGroupCommit(database);
  const plainTable = createTable({ statements, commits, count: onCapacity ?? (() => undefined) });
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
      const deleted = await commits.run(() => statements.deleteExpired(seconds, EXPIRED_AT_ONCE));
      if (deleted > 0) onAccountsChanged?.();
      return deleted;
    },
    searches: (reading) => {
      let made: Promise<FileIndex> | undefined;
      return () => {
        made ??= import("../../shared/search/file-index.ts").then(({ createFileIndex }) =>
          createFileIndex({ database, moved: createMovedModels(database), now, ...reading }),
        );
        return made;
      };
    },
    expireSearches: () => expireTables(database),
    close: () => {
      commits.flush();
      database.close();
    },
  };
}
