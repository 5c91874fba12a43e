import type { Token } from "./scanner.ts";

/** Statements that are applied. All others are counted. */
export type StatementKind =
  | "create table"
  | "create view"
  | "create index"
  | "create type"
  | "create domain"
  | "create schema"
  | "create database"
  | "alter table"
  | "alter type"
  | "alter session"
  | "rename table"
  | "drop"
  | "comment"
  | "execute"
  | "use"
  | "set";

/** Kind of a counted statement. */
export type SkippedKind = keyof typeof SKIPPED;

/** Reasons why statements are not imported. */
export const SKIPPED = {
  data: "rows of data (INSERT, COPY, UPDATE, DELETE, MERGE) are not carried over",
  query: "queries (SELECT, WITH, VALUES) are not carried over",
  routine: "functions, procedures, triggers and blocks of code are not carried over",
  grant: "users, roles and grants are not carried over",
  sequence: "sequences are not carried over",
  setting: "settings, transactions and commands of the program that runs the text say nothing about tables",
  database: "databases, extensions, storage and replication are not carried over",
  other: "a statement that tells of no table is not carried over",
  long: "a statement is too long to be read",
} as const;

/** Class of a statement: applied or counted. */
export interface StatementClass {
  readonly kind?: StatementKind;
  readonly skipped?: SkippedKind;
  /** True for code with nested statements. */
  readonly isRoutine?: boolean;
}

/** Number of tokens that classify a statement. */
export const HEAD_TOKENS = 16;

const OBJECTS: Readonly<Record<string, StatementClass>> = {
  TABLE: { kind: "create table" },
  VIEW: { kind: "create view" },
  INDEX: { kind: "create index" },
  TYPE: { kind: "create type" },
  DOMAIN: { kind: "create domain" },
  SCHEMA: { kind: "create schema" },
  DATABASE: { kind: "create database" },
  FUNCTION: { skipped: "routine", isRoutine: true },
  PROCEDURE: { skipped: "routine", isRoutine: true },
  PROC: { skipped: "routine", isRoutine: true },
  TRIGGER: { skipped: "routine", isRoutine: true },
  PACKAGE: { skipped: "routine", isRoutine: true },
  EVENT: { skipped: "routine", isRoutine: true },
  AGGREGATE: { skipped: "routine" },
  OPERATOR: { skipped: "routine" },
  CAST: { skipped: "routine" },
  RULE: { skipped: "routine" },
  MACRO: { skipped: "routine" },
  TASK: { skipped: "routine" },
  LANGUAGE: { skipped: "routine" },
  SEQUENCE: { skipped: "sequence" },
  ROLE: { skipped: "grant" },
  USER: { skipped: "grant" },
  LOGIN: { skipped: "grant" },
  GROUP: { skipped: "grant" },
  POLICY: { skipped: "grant" },
};

const FIRST: Readonly<Record<string, StatementClass>> = {
  INSERT: { skipped: "data" },
  COPY: { skipped: "data" },
  UPDATE: { skipped: "data" },
  DELETE: { skipped: "data" },
  MERGE: { skipped: "data" },
  REPLACE: { skipped: "data" },
  TRUNCATE: { skipped: "data" },
  LOAD: { skipped: "data" },
  BULK: { skipped: "data" },
  PUT: { skipped: "data" },
  SELECT: { skipped: "query" },
  WITH: { skipped: "query" },
  VALUES: { skipped: "query" },
  EXPLAIN: { skipped: "query" },
  CALL: { skipped: "routine" },
  DO: { skipped: "routine" },
  IF: { skipped: "routine" },
  END: { skipped: "routine" },
  WHILE: { skipped: "routine" },
  RAISERROR: { skipped: "routine" },
  THROW: { skipped: "routine" },
  GRANT: { skipped: "grant" },
  REVOKE: { skipped: "grant" },
  DENY: { skipped: "grant" },
  COMMENT: { kind: "comment" },
  EXEC: { kind: "execute" },
  EXECUTE: { kind: "execute" },
  USE: { kind: "use" },
  SET: { kind: "set" },
};

const SETTINGS = new Set([
  ...[
    "START",
    "COMMIT",
    "ROLLBACK",
    "SAVEPOINT",
    "RELEASE",
    "LOCK",
    "UNLOCK",
    "PRAGMA",
    "ANALYZE",
    "VACUUM",
    "REINDEX",
  ],
  ...["PRINT", "SHOW", "FLUSH", "CHECKPOINT", "RESET", "DISCARD", "CLUSTER", "REFRESH", "DEALLOCATE", "CONNECT"],
  ...["EXIT", "QUIT", "OPTIMIZE", "CHECK", "DESCRIBE", "DESC", "LISTEN", "NOTIFY", "PURGE", "UNSET", "ABORT"],
]);

const OTHER: StatementClass = { skipped: "other" };
const SETTING: StatementClass = { skipped: "setting" };
const BLOCK: StatementClass = { skipped: "routine", isRoutine: true };

/** Classifies a statement by its first tokens. */
export function classifyStatement(head: readonly Token[]): StatementClass {
  const [first, second] = head;
  const verb = first?.key ?? "";
  if (verb === "CREATE" || verb === "DECLARE" || verb === "BEGIN") return classifyCreate(head, verb);
  if (verb === "ALTER") return classifyAlter(head);
  if (verb === "DROP") return classifyDrop(head);
  if (verb === "RENAME" && second?.key === "TABLE") return { kind: "rename table" };
  if (SETTINGS.has(verb)) return SETTING;
  return (Object.hasOwn(FIRST, verb) && FIRST[verb]) || OTHER;
}

function classifyCreate(head: readonly Token[], verb: string): StatementClass {
  const second = head[1]?.key ?? "";
  if (verb === "DECLARE") return BLOCK;
  if (verb === "BEGIN")
    return second === "" || /^(TRAN|WORK|IMMEDIATE|EXCLUSIVE|DEFERRED|ISOLATION|READ)/.test(second) ? SETTING : BLOCK;
  const object = findObjectWord(head);
  if (object === undefined) return { skipped: "database" };
  const sort = OBJECTS[object.key] as StatementClass;
  // The body of a type is code.
  if (object.key === "TYPE" && head.some(({ key }) => key === "BODY")) return BLOCK;
  return sort;
}

function findObjectWord(head: readonly Token[]): Token | undefined {
  const from = head.slice(1);
  const stop = from.findIndex(({ key, kind }) => key === "(" || (kind === "text" && key === ""));
  const words = stop < 0 ? from : from.slice(0, stop);
  return words.find(({ kind, key }) => kind === "word" && Object.hasOwn(OBJECTS, key));
}

function classifyAlter(head: readonly Token[]): StatementClass {
  const object = head.slice(1, 6).find(({ key }) => /^(TABLE|TYPE|SESSION|SEQUENCE|INDEX|VIEW)$/.test(key))?.key;
  if (object === "TABLE") return { kind: "alter table" };
  if (object === "TYPE") return { kind: "alter type" };
  if (object === "SESSION") return { kind: "alter session" };
  if (object === "SEQUENCE") return { skipped: "sequence" };
  const found = findObjectWord(head);
  const sort = found && OBJECTS[found.key];
  if (sort?.isRoutine) return sort;
  return sort?.skipped ? { skipped: sort.skipped } : { skipped: "database" };
}

function classifyDrop(head: readonly Token[]): StatementClass {
  const object = findObjectWord(head)?.key;
  if (object === "TABLE" || object === "VIEW") return { kind: "drop" };
  const sort = object === undefined ? undefined : OBJECTS[object];
  if (sort?.skipped) return { skipped: sort.skipped };
  return { skipped: "database" };
}
