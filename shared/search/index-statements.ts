import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { FoundKind, FoundObject, SearchRow } from "../domain/search/rows.ts";
import type { LogicalTypeName } from "../domain/types/logical/logical-type.ts";

/** SQL for the number of the row at a position of a model. JavaScript passes numbers as floating point. */
const toRowNumber = (model: string, position: string) =>
  `((CAST(${model} AS INTEGER) << 31) + CAST(${position} AS INTEGER))`;
const COLUMNS = "r.n >> 31, r.n & 0x7fffffff, r.place, r.text, r.path, r.facts";
const [FIRST, FROM, LAST] = ["0", "?2", "0x7fffffff"].map((position) => toRowNumber("?1", position));

/** A row of the index: model, position, place, text, path and facts. */
export type StoredRow = readonly [
  model: number,
  position: number,
  place: string,
  text: string,
  path: string,
  facts: string,
];

/** A model of the index: its number, id, key, name and revision. */
export type StoredModel = readonly [n: number, id: string, key: string, name: string | null, revision: number];

type Position = [model: number, position: number];

/** Creates functions that run SQL. Rows are arrays, which are read twice as fast as objects. */
function createRunner(database: DatabaseSync) {
  const prepare = (sql: string) => {
    const statement = database.prepare(sql);
    statement.setReturnArrays(true);
    return statement;
  };
  const cache = new Map<string, StatementSync>();
  const find = (sql: string) => {
    const statement = cache.get(sql) ?? prepare(sql);
    cache.set(sql, statement);
    return statement;
  };
  // The type of each result matches the columns of its statement.
  return {
    run: (sql: string, ...values: SQLInputValue[]) => find(sql).run(...values),
    all: <T>(sql: string, ...values: SQLInputValue[]) => find(sql).all(...values) as unknown as readonly T[],
    get: <T>(sql: string, ...values: SQLInputValue[]) => find(sql).get(...values) as unknown as T | undefined,
    // Not cached: a statement that is still iterated would start again.
    iterate: <T>(sql: string, ...values: SQLInputValue[]) => prepare(sql).iterate(...values) as unknown as Iterable<T>,
  };
}

/** Statements of the index. */
export type IndexStatements = ReturnType<typeof createStatements>;

/** Creates the statements of the index. */
export function createStatements(database: DatabaseSync) {
  const sql = createRunner(database);
  return {
    listModels: () => sql.all<StoredModel>("SELECT n, id, key, name, revision FROM search_model ORDER BY n"),
    putModel: (...model: StoredModel) =>
      sql.run("INSERT OR REPLACE INTO search_model VALUES (?, ?, ?, ?, ?)", ...model),
    deleteModel: (n: number) => sql.run("DELETE FROM search_model WHERE n = ?", n),
    listRows: (model: number) =>
      sql.all<StoredRow>(`SELECT ${COLUMNS} FROM search_row r WHERE n BETWEEN ${FIRST} AND ${LAST} ORDER BY n`, model),
    putRow: (...row: StoredRow) =>
      sql.run(`INSERT OR REPLACE INTO search_row VALUES (${FROM}, ?3, ?4, ?5, ?6)`, ...row),
    deleteRow: (...at: Position) => sql.run(`DELETE FROM search_row WHERE n = ${FROM}`, ...at),
    putText: (...row: [...Position, text: string, marks: string]) =>
      sql.run(`INSERT INTO search_text (rowid, text, marks) VALUES (${FROM}, ?3, ?4)`, ...row),
    deleteText: (...at: Position) => sql.run(`DELETE FROM search_text WHERE rowid = ${FROM}`, ...at),
    getRowFrom: (...from: Position) =>
      sql.get<readonly [position: number, place: string]>(
        `SELECT n & 0x7fffffff, place FROM search_row WHERE n BETWEEN ${FROM} AND ${LAST} ORDER BY n LIMIT 1`,
        ...from,
      ),
    findMark: (name: string) => sql.get<readonly [number]>("SELECT n FROM search_mark WHERE name = ?", name)?.[0],
    addMark: (name: string) => Number(sql.run("INSERT INTO search_mark (name) VALUES (?)", name).lastInsertRowid),
    iterateGrams: (...range: [from: string, before: string]) =>
      sql.iterate<readonly [term: string, rows: number]>(
        "SELECT term, doc FROM search_gram WHERE term >= ? AND term < ?",
        ...range,
      ),
    /** Returns the row number of the match number `matches` of an expression; undefined if there are fewer. */
    measureReach: (expression: string, matches: number) =>
      sql.get<readonly [number]>(
        "SELECT CAST(rowid AS REAL) FROM search_text WHERE search_text MATCH ? ORDER BY rowid LIMIT 1 OFFSET ?",
        expression,
        matches - 1,
      )?.[0],
    iterateRows: (...from: [...Position, within: string]) =>
      sql.iterate<StoredRow>(
        `SELECT ${COLUMNS} FROM search_row r WHERE r.n >= ${FROM} AND instr(r.text, ?3) > 0 ORDER BY r.n`,
        ...from,
      ),
    iterateMatches: (...from: [...Position, expression: string, within: string]) =>
      sql.iterate<StoredRow>(
        `SELECT ${COLUMNS} FROM search_text t CROSS JOIN search_row r ON r.n = t.rowid
         WHERE t.search_text MATCH ?3 AND t.rowid >= ${FROM} AND instr(r.text, ?4) > 0 ORDER BY t.rowid`,
        ...from,
      ),
  };
}

/** Version of the tables of the index and their contents. An index of another version is rebuilt. */
const VERSION = 2;

/*
 * A row of the index has the number `model << 31 | position`. Numbers of models are in the order of the models' keys,
 * and positions in the order of places. So the order of numbers is the order of every answer: FTS5 yields its matches
 * in it, and a search ends with the page. `search_text` contains trigrams of the texts and of marks (`marks.ts`).
 * `search_gram` lists its terms.
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

/** Creates the tables if missing or outdated. `alsoDo` runs in the same transaction. */
export function makeTables(database: DatabaseSync, alsoDo: () => void = () => undefined): void {
  if (readVersion(database) === VERSION) return;
  inTransaction(database, () => {
    for (const name of NAMES) database.exec(`DROP TABLE IF EXISTS ${name}`);
    database.exec(TABLES);
    alsoDo();
  });
}

/** Marks the tables of the index as outdated, so that the next search rebuilds them. */
export function expireTables(database: DatabaseSync): void {
  if (readVersion(database) !== undefined) database.exec("UPDATE search_version SET version = 0");
}

function readVersion(database: DatabaseSync): number | undefined {
  const row = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'search_version'").get();
  return row && Number(database.prepare("SELECT version FROM search_version").get()?.version);
}

/** Runs work in a transaction: all of it or nothing. */
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

type PathMember = readonly [kind: FoundKind, id: string, key: string, name: string | null];
type Facts = readonly [
  tags: readonly string[],
  globalTags: readonly string[],
  keywords: readonly string[],
  format: string | null,
  properties: string | null,
  logicalType: LogicalTypeName | null,
];

const NO_FACTS: Facts = [[], [], [], null, null, null];

/** Encodes an object and its owners, innermost first; "" for the model. */
export function encodePath(row: SearchRow): string {
  const members: PathMember[] = [];
  for (let one: FoundObject | undefined = row; one && one.kind !== "model"; one = one.above) {
    members.push([one.kind, one.id, one.key, one.name ?? null]);
  }
  return members.length === 0 ? "" : JSON.stringify(members);
}

/** Encodes the searchable facts of a row other than its text; "" if there are none. */
export function encodeFacts(row: SearchRow): string {
  const { tags, globalTags, keywords, format, properties, logicalType } = row;
  const hasNone = tags.length + globalTags.length + keywords.length === 0 && properties === undefined;
  if (hasNone && format === undefined && logicalType === undefined) return "";
  const facts: Facts = [tags, globalTags, keywords, format ?? null, properties ?? null, logicalType ?? null];
  return JSON.stringify(facts);
}

/** Decodes a stored row of a model. */
export function decodeRow(model: StoredModel, [, , place, text, path, json]: StoredRow): SearchRow {
  const [, id, key, name] = model;
  // Written by `encodePath` and `encodeFacts`.
  const members: readonly PathMember[] = path === "" ? [] : JSON.parse(path);
  const facts: Facts = json === "" ? NO_FACTS : JSON.parse(json);
  const [tags, globalTags, keywords, format, properties, logicalType] = facts;
  let row: FoundObject = { kind: "model", id, key, name: name ?? undefined, above: undefined };
  for (const [kind, ownId, ownKey, ownName] of members.toReversed()) {
    row = { kind, id: ownId, key: ownKey, name: ownName ?? undefined, above: row };
  }
  const optional = {
    format: format ?? undefined,
    properties: properties ?? undefined,
    logicalType: logicalType ?? undefined,
  };
  return { ...row, place, text, tags, globalTags, keywords, ...optional };
}
