import type { SqlDialect } from "../common/source-text.ts";

export type NameCase = "lower" | "upper" | "kept";

/** Facts about a dialect. */
export interface DialectFacts {
  readonly dialect: SqlDialect;
  /** Name of the database for messages. */
  readonly name: string;
  /** Case of unquoted names as reported by the database. */
  readonly names: NameCase;
  /** Case of types as reported by the database. */
  readonly types: NameCase;
  /** Characters that open a quoted name. */
  readonly quotes: string;
  /** True when double quotes enclose a text. */
  readonly doubleIsText: boolean;
  /** True when a backslash escapes a character in every text. */
  readonly backslash: boolean;
  /** Starts of line comments besides two dashes. */
  readonly comments: readonly string[];
  /** True when comments can be nested. */
  readonly nested: boolean;
  /** True when `$tag$` encloses a text. */
  readonly dollars: boolean;
  /** Default schema. */
  readonly schema?: string;
}

const STANDARD: DialectFacts = {
  ...{ dialect: "sql", name: "standard SQL", names: "kept", types: "lower", quotes: '"`[' },
  ...{ doubleIsText: false, backslash: false, comments: [], nested: false, dollars: true },
};

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

export function toCase(text: string, wanted: NameCase): string {
  if (wanted === "kept") return text;
  return wanted === "lower" ? text.toLowerCase() : text.toUpperCase();
}
