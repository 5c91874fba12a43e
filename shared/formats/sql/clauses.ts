/** Words of SQL that decide how statements and clauses are read. */

/** Statements that are applied. All others are counted. */
export type StatementKind =
  | `create ${"table" | "view" | "index" | "type" | "domain" | "schema" | "database"}`
  | `alter ${"table" | "type" | "session"}`
  | "rename table"
  | "drop"
  | "comment"
  | "execute"
  | "use"
  | "set";

/** Kind of a counted statement. */
export type SkippedKind = keyof typeof SKIPPED;

export const SKIPPED = {
  data: "rows of data (INSERT, COPY, UPDATE, DELETE, MERGE) are not imported",
  query: "queries (SELECT, WITH, VALUES) are not imported",
  routine: "functions, procedures, triggers and blocks of code are not imported",
  grant: "users, roles and grants are not imported",
  sequence: "sequences are not imported",
  setting: "settings, transactions and client commands are ignored",
  database: "databases, extensions, storage and replication are not imported",
  other: "ignored: not a table definition",
  long: "the statement is too long",
} as const;

/** Class of a statement: applied or counted. */
export interface StatementClass {
  readonly kind?: StatementKind;
  readonly skipped?: SkippedKind;
  readonly isRoutine?: boolean;
}

/** Maps each word of some lists to a value. */
export function mapWords<T>(rows: readonly (readonly [words: string, value: T])[]): ReadonlyMap<string, T> {
  return new Map(rows.flatMap(([words, value]) => words.split(" ").map((word) => [word, value] as const)));
}

function toWords(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(" ")));
}

export const OBJECTS = mapWords<StatementClass>([
  ["TABLE", { kind: "create table" }],
  ["VIEW", { kind: "create view" }],
  ["INDEX", { kind: "create index" }],
  ["TYPE", { kind: "create type" }],
  ["DOMAIN", { kind: "create domain" }],
  ["SCHEMA", { kind: "create schema" }],
  ["DATABASE", { kind: "create database" }],
  ["FUNCTION PROCEDURE PROC TRIGGER PACKAGE EVENT", { skipped: "routine", isRoutine: true }],
  ["AGGREGATE OPERATOR CAST RULE MACRO TASK LANGUAGE", { skipped: "routine" }],
  ["SEQUENCE", { skipped: "sequence" }],
  ["ROLE USER LOGIN GROUP POLICY", { skipped: "grant" }],
]);

export const FIRST_WORDS = mapWords<StatementClass>([
  ["INSERT COPY UPDATE DELETE MERGE REPLACE TRUNCATE LOAD BULK PUT", { skipped: "data" }],
  ["SELECT WITH VALUES EXPLAIN", { skipped: "query" }],
  ["CALL DO IF END WHILE RAISERROR THROW", { skipped: "routine" }],
  ["GRANT REVOKE DENY", { skipped: "grant" }],
  ["START COMMIT ROLLBACK SAVEPOINT RELEASE LOCK UNLOCK PRAGMA ANALYZE VACUUM REINDEX PRINT", { skipped: "setting" }],
  ["SHOW FLUSH CHECKPOINT RESET DISCARD CLUSTER REFRESH DEALLOCATE CONNECT EXIT QUIT OPTIMIZE", { skipped: "setting" }],
  ["CHECK DESCRIBE DESC LISTEN NOTIFY PURGE UNSET ABORT", { skipped: "setting" }],
  ["COMMENT", { kind: "comment" }],
  ["EXEC EXECUTE", { kind: "execute" }],
  ["USE", { kind: "use" }],
  ["SET", { kind: "set" }],
]);

/** Words that begin a statement in SQL Server, which needs no terminator. */
export const TSQL_STARTS = toWords(
  "CREATE ALTER DROP INSERT EXEC EXECUTE PRINT USE GRANT DENY REVOKE DECLARE IF TRUNCATE RAISERROR BEGIN END UPDATE",
  "DELETE MERGE SET",
);

/** Words after ALTER, DROP and SET that continue ALTER TABLE. */
export const ALTER_PARTS = toWords("COLUMN CONSTRAINT ( NULL DEFAULT");

/** Words before TABLE in statements that create a temporary table. */
export const TEMPORARY = toWords("TEMP TEMPORARY VOLATILE");

/** Words before TABLE that are kept as the kind of the table. */
export const TABLE_KINDS = toWords("UNLOGGED TRANSIENT EXTERNAL FOREIGN DYNAMIC HYBRID ICEBERG VIRTUAL");

/** Words that continue the name of a type after one of `TYPE_LEADS`. */
export const TYPE_CONTINUATIONS = toWords(
  "PRECISION VARYING UNSIGNED SIGNED ZEROFILL RAW LARGE OBJECT BYTE VARCHAR TO IDENTIFIER YEAR MONTH DAY HOUR MINUTE",
  "SECOND ARRAY VARCHARACTER CHARACTER CHAR INT TEXT",
);
export const TYPE_LEADS = toWords(
  "DOUBLE CHARACTER CHAR NCHAR BIT BINARY NATIONAL LONG INTERVAL CLOB BLOB TIME TIMESTAMP YEAR MONTH DAY HOUR MINUTE",
  "SECOND TO ROW VARYING LARGE UNIQUE",
);

/** Words that continue the name of any type. */
export const TYPE_SUFFIXES = toWords("UNSIGNED SIGNED ZEROFILL PRECISION ARRAY");

/** Words that end a select list. */
export const SELECT_ENDS = toWords("FROM WHERE GROUP ORDER UNION LIMIT HAVING EXCEPT INTERSECT MINUS WINDOW");

/** Words after a table in FROM that are not an alias. */
export const AFTER_TABLE = toWords(
  "WHERE GROUP ORDER UNION LIMIT HAVING ON USING JOIN LEFT RIGHT INNER CROSS FULL NATURAL OUTER EXCEPT INTERSECT MINUS",
  "WINDOW LATERAL WITH FETCH OFFSET",
);
