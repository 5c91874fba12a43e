import type { FileIndex, FileIndexOptions } from "../../shared/search/file-index.ts";
import { expireTables } from "../../shared/search/index-statements.ts";
import type { Connection, TableConnector } from "../../shared/store/table/dynamo.ts";
import type { ScanTable } from "../../shared/store/table/dynamo-admin.ts";
import { createGroupCommit } from "./group-commit.ts";
import { createMovedModels, openDatabase } from "./open-database.ts";
import { prepareStatements } from "./statements.ts";
import { createBoundedTable, createTable } from "./table.ts";

/** A table that is kept in SQLite, in this process. */
export interface SqliteTable extends TableConnector {
  /** For example "SQLite 3.53.4". */
  readonly name: string;
  /** Calls `onItem` once for each item, whole. */
  readonly scan: ScanTable;
  /** Deletes items whose time is over, as DynamoDB does sooner or later; `now` in seconds since the epoch. Answers how many. */
  deleteExpired(now: number): Promise<number>;
  /** Searches in the file itself, whose index is made at the first of them. */
  searches(reading: Pick<FileIndexOptions, "store" | "say">): () => Promise<FileIndex>;
  /** Has the index of searches built anew by the next of them: models were changed without commits. */
  expireSearches(): void;
  /** Commits what waits, and lets go of the file. */
  close(): void;
}

/** The place of a table, and the receiver of the units of its calls. */
export interface SqliteOptions {
  /** The database file, which is made where there is none; without it the table is in memory. */
  readonly file?: string;
  /** Called with the capacity units of every call, as DynamoDB counts them. */
  readonly onCapacity?: Connection["onCapacity"];
}

/** Items that one look for expired ones deletes, so that nobody waits long for it. */
const EXPIRED_AT_ONCE = 1_000;

/** Opens a table. `now` in milliseconds since the epoch. `BadSetting` where the file is another's or in use. */
export function openSqliteTable({ file, onCapacity }: SqliteOptions, now: () => number): SqliteTable {
  const database = openDatabase(file);
  const statements = prepareStatements(database);
  const commits = createGroupCommit(database);
  const table = createTable({ statements, commits, count: onCapacity ?? (() => undefined) });
  const version = database.prepare("SELECT sqlite_version() AS version").get()?.version;
  return {
    name: `SQLite ${version}`,
    connect: (deadline) =>
      deadline === Number.POSITIVE_INFINITY ? table : createBoundedTable(table, () => now() >= deadline),
    scan: async (onItem) => {
      for (const item of statements.iterateAll()) onItem(item);
    },
    deleteExpired: (seconds) => commits.run(() => statements.deleteExpired(seconds, EXPIRED_AT_ONCE)),
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
