import type { SqlDialect } from "../common/source-text.ts";

export type NameCase = "lower" | "upper" | "kept";

/** Facts about a dialect. */
export interface DialectFacts {
  readonly dialect: SqlDialect;
  readonly name: string;
  /** Case of unquoted names as reported by the database. */
  readonly names: NameCase;
  /** Case of types as reported by the database. */
  readonly types: NameCase;
  readonly quotes: string;
  readonly doubleIsText: boolean;
  /** True when a backslash escapes a character in every text. */
  readonly backslash: boolean;
  /** Starts of line comments besides two dashes. */
  readonly comments: readonly string[];
  readonly nested: boolean;
  /** True when `$tag$` encloses a text. */
  readonly dollars: boolean;
  readonly schema?: string;
}

const STANDARD: DialectFacts = {
  ...{ dialect: "sql", name: "standard SQL", names: "kept", types: "lower", quotes: '"`[' },
  ...{ doubleIsText: false, backslash: false, comments: [], nested: false, dollars: true },
};

const POSTGRESQL = { names: "lower", quotes: '"', nested: true, schema: "public" } as const;
const UPPER = { names: "upper", types: "upper", quotes: '"' } as const;
const QUOTED_TEXTS = { quotes: "`", doubleIsText: true, backslash: true, comments: ["#"], dollars: false } as const;

export const DIALECTS: Readonly<Record<SqlDialect, DialectFacts>> = {
  sql: STANDARD,
  postgresql: { ...STANDARD, ...POSTGRESQL, dialect: "postgresql", name: "PostgreSQL" },
  redshift: { ...STANDARD, ...POSTGRESQL, dialect: "redshift", name: "Amazon Redshift" },
  mysql: { ...STANDARD, ...QUOTED_TEXTS, dialect: "mysql", name: "MySQL or MariaDB" },
  sqlite: { ...STANDARD, dialect: "sqlite", name: "SQLite", types: "kept", dollars: false },
  tsql: {
    ...{ ...STANDARD, dialect: "tsql", name: "SQL Server", quotes: '"[' },
    ...{ nested: true, dollars: false, schema: "dbo" },
  },
  oracle: { ...STANDARD, ...UPPER, dialect: "oracle", name: "Oracle", dollars: false },
  snowflake: { ...STANDARD, ...UPPER, dialect: "snowflake", name: "Snowflake", backslash: true, comments: ["//"] },
  bigquery: { ...STANDARD, ...QUOTED_TEXTS, dialect: "bigquery", name: "BigQuery", types: "upper" },
};

export function toCase(text: string, nameCase: NameCase): string {
  if (nameCase === "kept") return text;
  return nameCase === "lower" ? text.toLowerCase() : text.toUpperCase();
}
