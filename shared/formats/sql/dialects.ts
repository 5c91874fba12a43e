import type { SqlDialect } from "../common/source-text.ts";

/** A way to write the case of names. */
export type NameCase = "lower" | "upper" | "kept";

/** The facts of a dialect that its texts are read by. */
export interface DialectFacts {
  readonly dialect: SqlDialect;
  /** The name of its database, as sentences have it. */
  readonly name: string;
  /** The case in which the database reports names that are written without quotes. */
  readonly names: NameCase;
  /** The case in which it reports types. */
  readonly types: NameCase;
  /** The characters that open a quoted name. */
  readonly quotes: string;
  /** True where double quotes hold a text. */
  readonly doubleIsText: boolean;
  /** True where a backslash escapes a character in every text. */
  readonly backslash: boolean;
  /** How comments to the end of the line begin, besides two dashes. */
  readonly comments: readonly string[];
  /** True where comments nest. */
  readonly nested: boolean;
  /** True where `$tag$` holds a text. */
  readonly dollars: boolean;
  /** The schema of names without one. */
  readonly schema?: string;
}

const STANDARD: DialectFacts = {
  ...{ dialect: "sql", name: "standard SQL", names: "kept", types: "lower", quotes: '"`[' },
  ...{ doubleIsText: false, backslash: false, comments: [], nested: false, dollars: true },
};

/** The facts of each dialect. */
export const DIALECTS: Readonly<Record<SqlDialect, DialectFacts>> = {
  sql: STANDARD,
  postgresql: {
    ...{ ...STANDARD, dialect: "postgresql", name: "PostgreSQL", names: "lower", quotes: '"' },
    ...{ nested: true, schema: "public" },
  },
  redshift: {
    ...{ ...STANDARD, dialect: "redshift", name: "Amazon Redshift", names: "lower", quotes: '"' },
    ...{ nested: true, schema: "public" },
  },
  mysql: {
    ...{ ...STANDARD, dialect: "mysql", name: "MySQL or MariaDB", quotes: "`" },
    ...{ doubleIsText: true, backslash: true, comments: ["#"], dollars: false },
  },
  sqlite: { ...STANDARD, dialect: "sqlite", name: "SQLite", types: "kept", dollars: false },
  tsql: {
    ...{ ...STANDARD, dialect: "tsql", name: "SQL Server", quotes: '"[' },
    ...{ nested: true, dollars: false, schema: "dbo" },
  },
  oracle: {
    ...{ ...STANDARD, dialect: "oracle", name: "Oracle", names: "upper", types: "upper", quotes: '"' },
    ...{ dollars: false },
  },
  snowflake: {
    ...{ ...STANDARD, dialect: "snowflake", name: "Snowflake", names: "upper", types: "upper", quotes: '"' },
    ...{ backslash: true, comments: ["//"] },
  },
  bigquery: {
    ...{ ...STANDARD, dialect: "bigquery", name: "BigQuery", types: "upper", quotes: "`" },
    ...{ doubleIsText: true, backslash: true, comments: ["#"], dollars: false },
  },
};

/** A text in a case. */
export function toCase(text: string, wanted: NameCase): string {
  if (wanted === "kept") return text;
  return wanted === "lower" ? text.toLowerCase() : text.toUpperCase();
}
