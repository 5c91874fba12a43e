import { closeSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { MovedModels } from "../../shared/search/file-index.ts";
import { ACCOUNTS_LEDGER, logPartition, TAGS } from "../../shared/store/table/keys.ts";
import { BadSetting } from "../data-folder.ts";
import { SCHEMA } from "./statements.ts";

/** Marks a database file as ours; SQLite keeps it in the header of the file. */
const APPLICATION_ID = 0x4d_65_74_61;
/** The version of the schema. */
const SCHEMA_VERSION = 1;
/** Larger than SQLite's own default: more items beside each other in a table whose rows lie in its index. */
const PAGE_BYTES = 8_192;

/**
 * Opens a database file, which is made where there is none, or a database in memory. This process alone works on the
 * file until it is closed, and every commit is on the disk. `BadSetting` where the file is another's or in use.
 */
export function openDatabase(file?: string): DatabaseSync {
  // SQLite would let others read a file it makes, and gives the log beside it the same rights.
  if (file !== undefined) closeSync(openSync(file, "a", 0o600));
  const database = new DatabaseSync(file ?? ":memory:");
  try {
    // The lock is taken with the first look, and given back when the database is closed or the process ends.
    database.exec(`PRAGMA locking_mode = EXCLUSIVE; PRAGMA page_size = ${PAGE_BYTES}`);
    refuseForeign(database, file);
    // A commit is on the disk before it is answered; fullfsync makes it so on macOS, and is nothing elsewhere.
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON");
    database.exec(`BEGIN IMMEDIATE; ${SCHEMA}; ${MOVED_SCHEMA}; PRAGMA application_id = ${APPLICATION_ID}; COMMIT`);
    database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
    return database;
  } catch (error) {
    database.close();
    throw explainError(error, file);
  }
}

/** `BadSetting` for a file that holds something else than a database of ours. */
function refuseForeign(database: DatabaseSync, file: string | undefined): void {
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const { application_id: application } = database.prepare("PRAGMA application_id").get() ?? {};
  if (tables.length === 0 || application === APPLICATION_ID) return;
  const isFormer = ["_config", "_tables"].every((name) => tables.some((table) => table.name === name));
  throw new BadSetting(
    isFormer
      ? `${file} was written by the engine of a version before the first release, which is no longer used: remove it, or set METACTION_DATA_DIR to another folder.`
      : `${file} is a database of another program: set METACTION_DATA_DIR to another folder.`,
  );
}

const SQLITE_BUSY = 5;
const SQLITE_NOTADB = 26;

/** The error with a way out for a person, for errors of SQLite at the start; any other error unchanged. */
function explainError(error: unknown, file: string | undefined): unknown {
  // The lower byte of an extended code is the code.
  const code = error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : undefined;
  if (code === SQLITE_BUSY) {
    return new BadSetting(`Another process works on ${file}: stop it, or set METACTION_DATA_DIR to another folder.`);
  }
  if (code === SQLITE_NOTADB) {
    return new BadSetting(`${file} is no SQLite database: remove it, or set METACTION_DATA_DIR to another folder.`);
  }
  return error;
}

/** Begins the partition of every log. */
const LOG = logPartition("");
/** The logs of ledgers that are no models, in SQL. */
const OTHERS = [TAGS.model, ACCOUNTS_LEDGER.model].map((ledger) => `'${logPartition(ledger)}'`).join(", ");
const selectLedger = (pk: string): string => `substr(${pk}, ${LOG.length + 1})`;

/**
 * Notes the models that moved since the search index knew them. The transaction of a commit itself does so, whoever made
 * it, so that nothing is lost with a process that ends.
 */
const MOVED_SCHEMA = `
  CREATE TABLE IF NOT EXISTS search_moved (
    ledger TEXT PRIMARY KEY, revision INTEGER NOT NULL
  ) WITHOUT ROWID, STRICT;
  CREATE TRIGGER IF NOT EXISTS search_moved_by_commit AFTER INSERT ON item
    WHEN substr(new.pk, 1, ${LOG.length}) = '${LOG}' AND new.pk NOT IN (${OTHERS})
    BEGIN INSERT OR REPLACE INTO search_moved VALUES (${selectLedger("new.pk")}, CAST(new.sk AS INTEGER)); END;
`;

/** Every model that has a log, at its newest revision. */
const ALL = `
  INSERT OR REPLACE INTO search_moved
  SELECT ${selectLedger("pk")}, max(CAST(sk AS INTEGER)) FROM item
  WHERE pk > '${LOG}' AND pk < '${LOG}' || char(0x10ffff) AND pk NOT IN (${OTHERS}) GROUP BY pk
`;

/** The models that moved, as a database with `MOVED_SCHEMA` notes them. */
export function createMovedModels(database: DatabaseSync): MovedModels {
  const all = database.prepare("SELECT ledger AS ledgerId, revision FROM search_moved");
  const settle = database.prepare("DELETE FROM search_moved WHERE ledger = ? AND revision <= ?");
  // A commit that moved it counts for more.
  const note = database.prepare("INSERT OR IGNORE INTO search_moved VALUES (?, 0)");
  return {
    // The columns of the statement.
    list: () => all.all() as unknown as ReturnType<MovedModels["list"]>,
    settle: ({ ledgerId, revision }) => {
      settle.run(ledgerId, revision);
    },
    note: (ledgerId) => {
      note.run(ledgerId);
    },
    noteAll: () => database.exec(ALL),
  };
}
