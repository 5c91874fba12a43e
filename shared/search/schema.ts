import type { DatabaseSync } from "node:sqlite";

/** The version of the tables of the index and of what is in them: an index of another version is built anew. */
const VERSION = 1;

/*
 * A row of the index has the number `model << 31 | position`. Numbers of models are in the order of the models' keys and
 * positions in the order of places, so that the order of numbers is that of every answer: FTS5 tells its matches in it,
 * one after the other, and a page ends the search however much there is. `search_text` is trigrams: of what is looked for
 * in texts, and of marks (`marks.ts`). `search_gram` tells its terms.
 */
const TABLES = `
  CREATE TABLE search_model (
    n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, key TEXT NOT NULL, name TEXT, revision INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX search_model_key ON search_model (key);
  CREATE TABLE search_row (
    n INTEGER PRIMARY KEY, place TEXT NOT NULL, text TEXT NOT NULL, path TEXT NOT NULL, facts TEXT NOT NULL
  ) STRICT;
  CREATE TABLE search_mark (n INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
  CREATE VIRTUAL TABLE search_text USING fts5(
    text, marks, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
  );
  CREATE VIRTUAL TABLE search_gram USING fts5vocab(search_text, row);
  CREATE TABLE search_version (version INTEGER NOT NULL) STRICT;
  INSERT INTO search_version VALUES (${VERSION});
`;

const NAMES = ["search_gram", "search_text", "search_model", "search_row", "search_mark", "search_version"];

/** Makes the tables of the index where they are not there or of another version; true where it did. */
export function makeTables(database: DatabaseSync, alsoDo: () => void = () => undefined): boolean {
  if (versionOf(database) === VERSION) return false;
  inTransaction(database, () => {
    for (const name of NAMES) database.exec(`DROP TABLE IF EXISTS ${name}`);
    database.exec(TABLES);
    alsoDo();
  });
  return true;
}

/** Has the tables of the index, where they are there, built anew by the next search. */
export function expireTables(database: DatabaseSync): void {
  if (versionOf(database) !== undefined) database.exec("UPDATE search_version SET version = 0");
}

function versionOf(database: DatabaseSync): number | undefined {
  const there = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'search_version'").get();
  return there && Number(database.prepare("SELECT version FROM search_version").get()?.version);
}

/** Does work that writes, all of it or nothing. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}
