import { closeSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { BadSetting } from "../bad-setting.ts";
import { MOVED_SCHEMA } from "./moved-models.ts";
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
    throw foreseen(error, file);
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
function foreseen(error: unknown, file: string | undefined): unknown {
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
