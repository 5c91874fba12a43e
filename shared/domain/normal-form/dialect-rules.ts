import type { TypeDialect } from "../types/dialects/dialects.ts";
import type { Properties } from "../values/properties.ts";
import type { Notation } from "./expressions/expression.ts";

/** What a dialect writes in more than one way, as data. */
export interface DialectRules {
  /** Table of the types of the dialect. */
  readonly dialect: TypeDialect;
  readonly notation: Notation;
  /** Schemas that may be omitted before the name of a type, function or sequence. */
  readonly schemas: readonly string[];
  /** True if the database reports types by the names of its table of types. */
  readonly renamesTypes: boolean;
  /** Arguments of types that the database adds, or omits. */
  readonly typeArguments: Readonly<Record<string, TypeArguments>>;
  /** Functions with the same meaning, in lower case; a constant is in upper case. */
  readonly synonyms: Readonly<Record<string, string>>;
  readonly operators: Readonly<Record<string, string>>;
  /** True if the database adds casts to expressions. */
  readonly addsCasts: boolean;
  /** Access methods of an index that is created without one. */
  readonly indexTypes: readonly string[];
  /** Actions of a foreign key that have the same effect as none. */
  readonly referenceActions: readonly string[];
  /** True if the database ignores the name of a primary key. */
  readonly omitsPrimaryKeyName: boolean;
  /** Names that the database makes, as far as a pattern recognises them. */
  readonly madeNames?: RegExp;
  /** Algorithm that makes names of the table and the columns. */
  readonly naming?: "postgresql" | "mysql";
  /** True if the database reports bytes by their hexadecimal digits, and instants with their time zone. */
  readonly hasPostgresLiterals?: true;
  /** True if the database creates an index for each foreign key. */
  readonly indexesReferences: boolean;
}

/** Default arguments of a type. */
export interface TypeArguments {
  readonly maxLength?: number;
  readonly precision?: number;
  readonly scale?: number;
  readonly arguments?: string;
}

const NOW = "CURRENT_TIMESTAMP";

const STANDARD: DialectRules = {
  dialect: "common",
  notation: { quotes: '"`[', names: "kept", doubleIsText: false, backslash: false },
  schemas: [],
  renamesTypes: false,
  typeArguments: {},
  synonyms: { current_timestamp: NOW, current_date: "CURRENT_DATE", current_time: "CURRENT_TIME" },
  operators: {},
  addsCasts: false,
  indexTypes: [],
  referenceActions: ["no action"],
  omitsPrimaryKeyName: false,
  indexesReferences: false,
};

const POSTGRESQL: DialectRules = {
  ...STANDARD,
  dialect: "postgresql",
  notation: { ...STANDARD.notation, quotes: '"', names: "lower" },
  schemas: ["public", "pg_catalog"],
  renamesTypes: true,
  typeArguments: {
    char: { maxLength: 1 },
    bit: { arguments: "1" },
    numeric: { scale: 0 },
  },
  synonyms: {
    ...STANDARD.synonyms,
    now: NOW,
    transaction_timestamp: NOW,
    current_user: "CURRENT_USER",
    session_user: "SESSION_USER",
    character_length: "char_length",
    btrim: "trim",
    date_part: "extract",
  },
  operators: {
    "~~": "LIKE",
    "!~~": "NOT LIKE",
    "~~*": "ILIKE",
    "!~~*": "NOT ILIKE",
  },
  addsCasts: true,
  naming: "postgresql",
  hasPostgresLiterals: true,
  indexTypes: ["btree"],
};

const MYSQL: DialectRules = {
  ...STANDARD,
  dialect: "mysql",
  notation: { quotes: "`", names: "kept", doubleIsText: true, backslash: true },
  renamesTypes: true,
  typeArguments: {
    char: { maxLength: 1 },
    binary: { maxLength: 1 },
    bit: { arguments: "1" },
    time: { arguments: "0" },
    datetime: { arguments: "0" },
    timestamp: { arguments: "0" },
    decimal: { precision: 10, scale: 0 },
  },
  synonyms: {
    ...STANDARD.synonyms,
    now: NOW,
    localtime: NOW,
    localtimestamp: NOW,
    curdate: "CURRENT_DATE",
    curtime: "CURRENT_TIME",
    char_length: "character_length",
    lcase: "lower",
    ucase: "upper",
  },
  indexTypes: ["btree"],
  referenceActions: ["no action", "restrict"],
  omitsPrimaryKeyName: true,
  madeNames: /_ibfk_\d+$|_chk_\d+$|^CONSTRAINT_\d+$/,
  naming: "mysql",
  indexesReferences: true,
};

/** Rules of the dialects that the reader of SQL names. */
const RULES: Readonly<Record<string, DialectRules>> = {
  sql: STANDARD,
  postgresql: POSTGRESQL,
  redshift: { ...POSTGRESQL, dialect: "redshift", typeArguments: { char: { maxLength: 1 }, numeric: { scale: 0 } } },
  mysql: MYSQL,
  sqlite: { ...STANDARD, dialect: "sqlite", synonyms: {} },
  tsql: {
    ...STANDARD,
    dialect: "tsql",
    notation: { ...STANDARD.notation, quotes: '[]"' },
    schemas: ["dbo", "sys"],
    synonyms: { ...STANDARD.synonyms, getdate: NOW },
    indexTypes: ["nonclustered"],
    madeNames: /^(PK|UQ|FK|CK|DF)__.*__[\dA-F]{8,16}$/,
  },
  oracle: {
    ...STANDARD,
    dialect: "oracle",
    notation: { ...STANDARD.notation, quotes: '"', names: "upper" },
    madeNames: /^SYS_C\d+$/,
  },
  snowflake: {
    ...STANDARD,
    dialect: "snowflake",
    notation: { quotes: '"', names: "upper", doubleIsText: false, backslash: true },
    schemas: ["PUBLIC"],
    madeNames: /^SYS_CONSTRAINT_[\da-f-]+$/i,
  },
  bigquery: {
    ...STANDARD,
    dialect: "bigquery",
    notation: { quotes: "`", names: "kept", doubleIsText: true, backslash: true },
  },
};

const DIALECT = "sql:dialect";

/** Returns the rules of the dialect that the properties of a model name; undefined without one. */
export function findDialectRules(properties: Properties = {}): DialectRules | undefined {
  const { [DIALECT]: name } = properties;
  if (typeof name !== "string" || !Object.hasOwn(RULES, name)) return undefined;
  const rules = RULES[name];
  const { "sql:schema": schema } = properties;
  if (!rules || typeof schema !== "string" || rules.schemas.includes(schema)) return rules;
  return { ...rules, schemas: [...rules.schemas, schema] };
}

/** Property with the values that the normal form replaced, by the names of their members. */
export const PHYSICAL = "sql:physical";
