/** Words of SQL that decide how statements and clauses are read, as data. The readers hold the code of each clause. */

/** Statements that are applied. All others are counted. */
export type StatementKind =
  | `create ${"table" | "view" | "index" | "type" | "domain" | "schema" | "database"}`
  | `alter ${"table" | "type" | "session" | "index"}`
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
  readonly reason?: SkippedKind;
  readonly isRoutine?: boolean;
}

function mapWords<const T>(rows: readonly (readonly [words: string, value: T])[]): ReadonlyMap<string, T> {
  return new Map(rows.flatMap(([words, value]) => words.split(" ").map((word) => [word, value] as const)));
}

/** Creates rows of `mapWords` for words that one clause begins with. */
function mapToThemselves<const W extends string>(...words: readonly W[]): readonly (readonly [W, W])[] {
  return words.map((word) => [word, word] as const);
}

type MappedValue<M> = M extends ReadonlyMap<string, infer T> ? T : never;

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
  ["FUNCTION PROCEDURE PROC TRIGGER PACKAGE EVENT", { reason: "routine", isRoutine: true }],
  ["AGGREGATE OPERATOR CAST RULE MACRO TASK LANGUAGE", { reason: "routine" }],
  ["SEQUENCE", { reason: "sequence" }],
  ["ROLE USER LOGIN GROUP POLICY", { reason: "grant" }],
]);

export const FIRST_WORDS = mapWords<StatementClass>([
  ["INSERT COPY UPDATE DELETE MERGE REPLACE TRUNCATE LOAD BULK PUT", { reason: "data" }],
  ["SELECT WITH VALUES EXPLAIN", { reason: "query" }],
  ["CALL DO IF END WHILE RAISERROR THROW", { reason: "routine" }],
  ["DECLARE", { reason: "routine", isRoutine: true }],
  ["GRANT REVOKE DENY", { reason: "grant" }],
  ["START COMMIT ROLLBACK SAVEPOINT RELEASE LOCK UNLOCK PRAGMA ANALYZE VACUUM REINDEX PRINT", { reason: "setting" }],
  ["SHOW FLUSH CHECKPOINT RESET DISCARD CLUSTER REFRESH DEALLOCATE CONNECT EXIT QUIT OPTIMIZE", { reason: "setting" }],
  ["CHECK DESCRIBE DESC LISTEN NOTIFY PURGE UNSET ABORT", { reason: "setting" }],
  ["COMMENT", { kind: "comment" }],
  ["EXEC EXECUTE", { kind: "execute" }],
  ["USE", { kind: "use" }],
  ["SET", { kind: "set" }],
]);

/** Changes of `ALTER TABLE`. The ignored ones change neither columns nor keys. */
export const TABLE_CHANGES = mapWords([
  ["OWNER ENABLE DISABLE CHECK NOCHECK CLUSTER REPLICA VALIDATE RESET ENGINE FORCE AUTO_INCREMENT", "ignored"],
  ["DETACH INHERIT NO ORDER CONVERT DEFAULT COLLATE ROW_FORMAT SWITCH REBUILD", "ignored"],
  ...mapToThemselves("ADD", "DROP", "ALTER", "MODIFY", "CHANGE", "RENAME", "ATTACH", "SET"),
]);
export type TableChange = MappedValue<typeof TABLE_CHANGES>;

/** Options of a column. The ignored ones have no effect. */
export const COLUMN_OPTIONS = mapWords([
  ["NULL VISIBLE ENABLE VALIDATE DEFERRABLE", "ignored"],
  ["DISTKEY SORTKEY ROWGUIDCOL SPARSE INVISIBLE HIDDEN", "flag"],
  ["WITH MASKED MASKING ENCRYPTED STORAGE COMPRESSION SRID TAG PROJECTION USING", "unread"],
  ["AUTO_INCREMENT AUTOINCREMENT IDENTITY", "identity"],
  ["CHARACTER CHARSET", "charset"],
  ...mapToThemselves("AS", "CHECK", "COLLATE", "COMMENT", "CONSTRAINT", "DEFAULT", "ENCODE", "FOREIGN", "GENERATED"),
  ...mapToThemselves("INDEX", "INITIALLY", "KEY", "NOT", "ON", "OPTIONS", "PRIMARY", "REFERENCES", "UNIQUE"),
]);
export type ColumnOption = MappedValue<typeof COLUMN_OPTIONS>;

/** Constraints and indexes of a table. */
export const TABLE_CONSTRAINTS = mapWords([
  ["CONSTRAINT SUPPLEMENTAL", "unread"],
  ["FULLTEXT SPATIAL KEY INDEX", "index"],
  ...mapToThemselves("PRIMARY", "UNIQUE", "FOREIGN", "CHECK", "EXCLUDE", "PERIOD", "DEFAULT"),
]);
export type TableConstraint = MappedValue<typeof TABLE_CONSTRAINTS>;

/** Words that begin a constraint. Another word after the first of a pair makes it the name of a column. */
export const CONSTRAINT_STARTS: ReadonlySet<string> = new Set([
  ...["CONSTRAINT", "UNIQUE", "PRIMARY KEY", "FOREIGN KEY", "CHECK (", "EXCLUDE (", "EXCLUDE USING", "PERIOD FOR"],
  ...["FULLTEXT KEY", "FULLTEXT INDEX", "SPATIAL KEY", "SPATIAL INDEX", "SUPPLEMENTAL LOG"],
]);

type ReferenceFact = readonly [words: readonly string[], fact?: Readonly<Record<string, unknown>>];

/** Facts that words after `REFERENCES` state. Words without a fact repeat the default. */
export const REFERENCE_FACTS: readonly ReferenceFact[] = [
  [["NOT", "DEFERRABLE"]],
  [["INITIALLY", "IMMEDIATE"]],
  [["DEFERRABLE"], { deferrable: true }],
  [["INITIALLY", "DEFERRED"], { initially: "deferred" }],
  [["NOT", "ENFORCED"], { enforced: false }],
  [["DISABLE"], { enforced: false }],
  [["NOT", "VALID"], { validated: false }],
  [["NOVALIDATE"], { validated: false }],
  [["NOT", "FOR", "REPLICATION"], { forReplication: false }],
  ...["ENABLE", "ENFORCED", "VALIDATE", "RELY", "NORELY"].map((word): ReferenceFact => [[word]]),
];

/** Words with the same role in a clause. */
export const WORDS = {
  /** Begin a statement in SQL Server, which needs no terminator. */
  tsqlStarts: toWords(
    "CREATE ALTER DROP INSERT EXEC EXECUTE PRINT USE GRANT DENY REVOKE DECLARE IF TRUNCATE RAISERROR BEGIN END UPDATE",
    "DELETE MERGE SET",
  ),
  /** Continue ALTER TABLE after ALTER, DROP and SET. */
  alterParts: toWords("COLUMN CONSTRAINT ( NULL DEFAULT"),
  transactions: toWords("TRAN TRANSACTION WORK IMMEDIATE EXCLUSIVE DEFERRED ISOLATION READ"),
  blocksBeforeEnd: toWords("IF LOOP WHILE REPEAT FOR"),
  /** Objects whose ALTER statements differ from those of other objects. */
  alteredObjects: toWords("TABLE TYPE SESSION SEQUENCE INDEX VIEW"),
  usedObjects: toWords("DATABASE SCHEMA CATALOG ROLE WAREHOUSE"),
  commentedTables: toWords("TABLE VIEW MATERIALIZED FOREIGN"),
  /** Changes of an unknown table that cause no warning. */
  changesWithoutWarning: toWords("OWNER ENABLE DISABLE REPLICA ATTACH SET"),
  droppedParts: toWords("CONSTRAINT INDEX KEY FOREIGN COLUMN CHECK"),
  renamedKeys: toWords("CONSTRAINT INDEX KEY"),

  /** Before TABLE in statements that create a temporary table. */
  temporary: toWords("TEMP TEMPORARY VOLATILE"),
  /** Before TABLE, kept as the kind of the table. */
  tableKinds: toWords("UNLOGGED TRANSIENT EXTERNAL FOREIGN DYNAMIC HYBRID ICEBERG VIRTUAL"),
  copies: toWords("LIKE CLONE COPY"),
  tableClauses: toWords("CLUSTER OPTIONS AS COMMENT WITH"),
  namedConstraints: toWords("PRIMARY UNIQUE FOREIGN CHECK"),
  indexes: toWords("KEY INDEX"),
  indexKinds: toWords("FULLTEXT SPATIAL BITMAP SEARCH COLUMNSTORE XML"),
  clustering: toWords("CLUSTERED NONCLUSTERED"),
  /** Between UNIQUE or PRIMARY KEY and the name of the index. */
  keyOptions: toWords("CLUSTERED NONCLUSTERED NULLS NOT DISTINCT HASH"),
  referenceActions: toWords("CASCADE RESTRICT"),

  formulaStorage: toWords("STORED VIRTUAL PERSISTED PERSISTENT"),
  sequenceOptions: toWords("START INCREMENT ORDER NOORDER WITH BY"),
  /** After an expression, in addition to the options of a column. */
  expressionEnds: toWords("FOR FIRST AFTER"),
  typedLiterals: toWords("DATE TIME TIMESTAMP TIMESTAMPTZ INTERVAL DATETIME"),
  /** After CREATE TYPE … AS, the start of a definition that is kept as text. */
  typeDefinitions: toWords("( TABLE OBJECT RANGE VARRAY"),
  /** Continue the name of a type after one of `typeLeads`. */
  typeContinuations: toWords(
    "PRECISION VARYING UNSIGNED SIGNED ZEROFILL RAW LARGE OBJECT BYTE VARCHAR TO IDENTIFIER YEAR MONTH DAY HOUR MINUTE",
    "SECOND ARRAY VARCHARACTER CHARACTER CHAR INT TEXT",
  ),
  typeLeads: toWords(
    "DOUBLE CHARACTER CHAR NCHAR BIT BINARY NATIONAL LONG INTERVAL CLOB BLOB TIME TIMESTAMP YEAR MONTH DAY HOUR MINUTE",
    "SECOND TO ROW VARYING LARGE UNIQUE",
  ),
  /** Continue the name of any type. */
  typeSuffixes: toWords("UNSIGNED SIGNED ZEROFILL PRECISION ARRAY"),

  queryStarts: toWords("SELECT WITH VALUES"),
  selectEnds: toWords("FROM WHERE GROUP ORDER UNION LIMIT HAVING EXCEPT INTERSECT MINUS WINDOW"),
  /** After a table in FROM, not an alias. */
  afterTable: toWords(
    "WHERE GROUP ORDER UNION LIMIT HAVING ON USING JOIN LEFT RIGHT INNER CROSS FULL NATURAL OUTER EXCEPT INTERSECT MINUS",
    "WINDOW LATERAL WITH FETCH OFFSET",
  ),
};
