import { closeSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { MovedModels } from "../../shared/search/file-index.ts";
import { ACCOUNTS_LEDGER, logPartition, TAGS } from "../../shared/store/table/keys.ts";
import { BadSetting } from "./data-folder.ts";
import { SCHEMA } from "./statements.ts";

/** Identifies a database file of the service, in the header of the file. */
const APPLICATION_ID = 0x4d_65_74_61;
const SCHEMA_VERSION = 1;

/** Milliseconds that a write waits for the write of another thread. */
const WAIT_MS = 5_000;

/** Opens a database file. Throws `BadSetting` if it has other contents or is in use. */
export function openDatabase(file?: string): DatabaseSync {
  // SQLite would make the file readable for others. Its log file gets the same permissions.
  if (file !== undefined) closeSync(openSync(file, "a", 0o600));
  const database = new DatabaseSync(file ?? ":memory:");
  try {
    refuseForeign(database, file);
    database.exec(`PRAGMA busy_timeout = ${WAIT_MS}`);
    // A commit is on disk before it is answered. fullfsync is needed on macOS and has no effect elsewhere.
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON");
    database.exec(`BEGIN IMMEDIATE; ${SCHEMA}; ${MOVED_SCHEMA}; PRAGMA application_id = ${APPLICATION_ID}; COMMIT`);
    database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
    return database;
  } catch (error) {
    database.close();
    throw explainError(error, file);
  }
}

/**
 * Locks a database file for this process and its threads, by a transaction in a file beside it, until the function that it returns
 * is called or the process ends. Throws `BadSetting` if another process has the lock.
 */
export function lockFile(file: string): () => void {
  const path = `${file}-lock`;
  closeSync(openSync(path, "a", 0o600));
  const lock = new DatabaseSync(path);
  try {
    lock.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    throw explainError(error, file);
  }
  return () => lock.close();
}

function refuseForeign(database: DatabaseSync, file: string | undefined) {
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const { application_id: application } = database.prepare("PRAGMA application_id").get() ?? {};
  if (tables.length === 0 || application === APPLICATION_ID) return;
  const isFormer = ["_config", "_tables"].every((name) => tables.some((table) => table.name === name));
  throw new BadSetting(
    isFormer
      ? `${file} was written by a version before the first release, which is not supported: remove it, or set METACTION_DATA_DIR to another folder.`
      : `${file} is a database of another program: set METACTION_DATA_DIR to another folder.`,
  );
}

const SQLITE_BUSY = 5;
const SQLITE_NOTADB = 26;

function explainError(error: unknown, file: string | undefined): unknown {
  // The lower byte of an extended code is the basic code.
  const code = error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : undefined;
  if (code === SQLITE_BUSY) {
    return new BadSetting(`Another process uses ${file}: stop it, or set METACTION_DATA_DIR to another folder.`);
  }
  if (code === SQLITE_NOTADB) {
    return new BadSetting(`${file} is not a SQLite database: remove it, or set METACTION_DATA_DIR to another folder.`);
  }
  return error;
}

const LOG = logPartition("");
/** SQL list of the logs of ledgers that are not models. */
const OTHERS = [TAGS.model, ACCOUNTS_LEDGER.model].map((ledger) => `'${logPartition(ledger)}'`).join(", ");
const selectLedger = (pk: string) => `substr(${pk}, ${LOG.length + 1})`;

/** Notes the models whose search index is outdated, by a trigger in the transaction of each commit. */
const MOVED_SCHEMA = `
  CREATE TABLE IF NOT EXISTS search_moved (
    ledger TEXT PRIMARY KEY, revision INTEGER NOT NULL
  ) WITHOUT ROWID, STRICT;
  CREATE TRIGGER IF NOT EXISTS search_moved_by_commit AFTER INSERT ON item
    WHEN substr(new.pk, 1, ${LOG.length}) = '${LOG}' AND new.pk NOT IN (${OTHERS})
    BEGIN INSERT OR REPLACE INTO search_moved VALUES (${selectLedger("new.pk")}, CAST(new.sk AS INTEGER)); END;
`;

/** Notes every model that has a log, at its newest revision. */
const ALL = `
  INSERT OR REPLACE INTO search_moved
  SELECT ${selectLedger("pk")}, max(CAST(sk AS INTEGER)) FROM item
  WHERE pk > '${LOG}' AND pk < '${LOG}' || char(0x10ffff) AND pk NOT IN (${OTHERS}) GROUP BY pk
`;

/** Creates access to the noted models in a database with `MOVED_SCHEMA`. */
export function createMovedModels(database: DatabaseSync): MovedModels {
  const all = database.prepare("SELECT ledger AS ledgerId, revision FROM search_moved");
  const remove = database.prepare("DELETE FROM search_moved WHERE ledger = ? AND revision <= ?");
  // A noted commit takes precedence.
  const note = database.prepare("INSERT OR IGNORE INTO search_moved VALUES (?, 0)");
  return {
    // The members are the columns of the statement.
    list: () => all.all() as unknown as ReturnType<MovedModels["list"]>,
    remove: ({ ledgerId, revision }) => {
      remove.run(ledgerId, revision);
    },
    note: (ledgerId) => {
      note.run(ledgerId);
    },
    noteAll: () => database.exec(ALL),
  };
}
