import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";

/** Number of the row at a position of a model, in SQL; JavaScript hands over numbers that may have fractions. */
const at = (model: string, position: string): string =>
  `((CAST(${model} AS INTEGER) << 31) + CAST(${position} AS INTEGER))`;
/** The rows of a model, in SQL. */
const ofModel = (model: string): string => `n BETWEEN ${at(model, "0")} AND ${at(model, "0x7fffffff")}`;
/** What is read of a row. */
const COLUMNS = "r.n >> 31, r.n & 0x7fffffff, r.place, r.text, r.path, r.facts";
/** The row at a position of a model, both given. */
const FROM = at("?1", "?2");

/** A row of the index: the number of its model, its position in it, its place, its text, its path and its facts. */
export type StoredRow = readonly [
  model: number,
  position: number,
  place: string,
  text: string,
  path: string,
  facts: string,
];

/** A model of the index: its number, id, key and name, and its revision. */
export type StoredModel = readonly [n: number, id: string, key: string, name: string | null, revision: number];

/** The statements of the index, prepared when they are first needed. */
export type IndexStatements = ReturnType<typeof createStatements>;

export function createStatements(database: DatabaseSync) {
  const prepared = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    const known = prepared.get(sql) ?? database.prepare(sql);
    // Reading arrays takes half the time of objects with names.
    known.setReturnArrays(true);
    prepared.set(sql, known);
    return known;
  };
  const run = (sql: string, ...values: SQLInputValue[]): void => {
    prepare(sql).run(...values);
  };
  // The columns of each are those of its statement, which stands beside it.
  const all = <T>(sql: string, ...values: SQLInputValue[]): readonly T[] =>
    prepare(sql).all(...values) as unknown as T[];
  const get = <T>(sql: string, ...values: SQLInputValue[]): T | undefined =>
    prepare(sql).get(...values) as unknown as T | undefined;
  const iterate = <T>(sql: string, ...values: SQLInputValue[]): Iterable<T> =>
    // A statement of its own: one that is under way would begin anew.
    withArrays(database.prepare(sql)).iterate(...values) as unknown as Iterable<T>;
  return {
    models: () => all<StoredModel>("SELECT n, id, key, name, revision FROM search_model ORDER BY n"),
    putModel: (...[n, id, key, name, revision]: StoredModel) =>
      run("INSERT OR REPLACE INTO search_model VALUES (?, ?, ?, ?, ?)", n, id, key, name, revision),
    deleteModel: (n: number) => run("DELETE FROM search_model WHERE n = ?", n),
    rowsOf: (model: number) =>
      all<StoredRow>(`SELECT ${COLUMNS} FROM search_row r WHERE ${ofModel("?1")} ORDER BY n`, model),
    putRow: (model: number, position: number, place: string, text: string, path: string, facts: string) =>
      run(
        `INSERT OR REPLACE INTO search_row VALUES (${FROM}, ?3, ?4, ?5, ?6)`,
        model,
        position,
        place,
        text,
        path,
        facts,
      ),
    deleteRow: (model: number, position: number) => run(`DELETE FROM search_row WHERE n = ${FROM}`, model, position),
    putText: (model: number, position: number, text: string, marks: string) =>
      run(`INSERT INTO search_text (rowid, text, marks) VALUES (${FROM}, ?3, ?4)`, model, position, text, marks),
    deleteText: (model: number, position: number) =>
      run(`DELETE FROM search_text WHERE rowid = ${FROM}`, model, position),
    /** The first row of a model at or after a position. */
    rowFrom: (model: number, position: number) =>
      get<readonly [position: number, place: string]>(
        `SELECT n & 0x7fffffff, place FROM search_row WHERE n BETWEEN ${FROM} AND ${at("?1", "0x7fffffff")} ORDER BY n LIMIT 1`,
        model,
        position,
      ),
    mark: (name: string) => get<readonly [number]>("SELECT n FROM search_mark WHERE name = ?", name)?.[0],
    addMark: (name: string) => Number(prepare("INSERT INTO search_mark (name) VALUES (?)").run(name).lastInsertRowid),
    /** Terms that begin with a text, and the number of rows that hold each. */
    grams: (from: string, before: string) =>
      iterate<readonly [term: string, rows: number]>(
        "SELECT term, doc FROM search_gram WHERE term >= ? AND term < ?",
        from,
        before,
      ),
    /** How far an expression of FTS5 has to go for so many matches, in numbers of rows; undefined where it has fewer. */
    reach: (expression: string, matches: number) =>
      get<readonly [number]>(
        "SELECT CAST(rowid AS REAL) FROM search_text WHERE search_text MATCH ? ORDER BY rowid LIMIT 1 OFFSET ?",
        expression,
        matches - 1,
      )?.[0],
    /** The rows from a position on whose text holds another one, in order. */
    rowsFrom: (model: number, position: number, within: string) =>
      iterate<StoredRow>(
        `SELECT ${COLUMNS} FROM search_row r WHERE r.n >= ${FROM} AND instr(r.text, ?3) > 0 ORDER BY r.n`,
        model,
        position,
        within,
      ),
    /** The rows from a position on that an expression of FTS5 matches and whose text holds another one, in order. */
    matchesFrom: (model: number, position: number, expression: string, within: string) =>
      iterate<StoredRow>(
        `SELECT ${COLUMNS} FROM search_text t CROSS JOIN search_row r ON r.n = t.rowid
         WHERE t.search_text MATCH ?3 AND t.rowid >= ${FROM} AND instr(r.text, ?4) > 0 ORDER BY t.rowid`,
        model,
        position,
        expression,
        within,
      ),
  };
}

function withArrays(statement: StatementSync): StatementSync {
  statement.setReturnArrays(true);
  return statement;
}
