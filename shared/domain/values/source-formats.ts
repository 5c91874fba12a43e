import { defineChoiceType } from "./value-type.ts";

export const SOURCE_FORMATS = {
  metaction: "a model document, as returned by `model_export`",
  frictionless: "a Table Schema or a Data Package of the Frictionless standard",
  medatarun: "a model exported by Medatarun as JSON, version 3",
  dbt: "a dbt manifest (`manifest.json`) or properties file (`schema.yml`)",
  jsonschema: "a JSON Schema, draft 2019-09, 2020-12, 06 or 07",
  openapi: "the schemas of an OpenAPI document, version 3",
  avro: "an Avro schema or a list of them",
  dbml: "a DBML text",
  odcs: "an Open Data Contract, version 3",
  postgresql: "SQL that creates tables in PostgreSQL",
  mysql: "SQL for MySQL or MariaDB",
  sqlite: "SQL for SQLite",
  tsql: "SQL for SQL Server",
  oracle: "SQL for Oracle",
  snowflake: "SQL for Snowflake",
  bigquery: "SQL for BigQuery",
  redshift: "SQL for Amazon Redshift",
  sql: "SQL in an unspecified dialect",
} as const satisfies Readonly<Record<string, string>>;

/** File extensions of text formats that are neither JSON nor YAML. */
export const TEXT_FILE_ENDINGS = ["dbml"] as const;

/** Name of an import format. */
export type SourceFormat = keyof typeof SOURCE_FORMATS;

/** Confidence in the format of a source: declared by the source, similar members, or only possible. */
export const SURENESS = ["certain", "likely", "possible"] as const;

export type Sureness = (typeof SURENESS)[number];

export const SOURCE_FORMAT_NAMES = Object.keys(SOURCE_FORMATS) as [SourceFormat, ...SourceFormat[]];

export const sourceFormat = defineChoiceType(
  "SourceFormat",
  `A format to read: ${SOURCE_FORMAT_NAMES.map((name) => `\`${name}\` is ${SOURCE_FORMATS[name]}`).join("; ")}.`,
  SOURCE_FORMAT_NAMES,
);
