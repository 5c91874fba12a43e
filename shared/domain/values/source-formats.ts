import * as z from "zod/mini";
import { defineValueType } from "./value-type.ts";

/** The formats that sources are read in, with what they are. */
export const SOURCE_FORMATS = {
  metaction: "a model document, as `model_export` answers one",
  frictionless: "a Table Schema or a Data Package of the Frictionless standard",
  medatarun: "a model that Medatarun exported as JSON version 3",
  dbt: "a dbt manifest (`manifest.json`) or properties file (`schema.yml`)",
  jsonschema: "a JSON Schema, draft 2019-09, 2020-12, 06 or 07",
  openapi: "an OpenAPI document of version 3, of which the schemas are read",
  avro: "an Avro schema or a list of them",
  dbml: "a DBML text",
  odcs: "an Open Data Contract, version 3",
  postgresql: "SQL that makes tables in PostgreSQL",
  mysql: "the same in MySQL or MariaDB",
  sqlite: "in SQLite",
  tsql: "in SQL Server",
  oracle: "in Oracle",
  snowflake: "in Snowflake",
  bigquery: "in BigQuery",
  redshift: "in Amazon Redshift",
  sql: "in no dialect that is told",
} as const satisfies Readonly<Record<string, string>>;

/** The ends of the names of files that hold a text in one of these formats, which is neither JSON nor YAML. */
export const TEXT_FILE_ENDINGS = ["dbml"] as const;

/** The name of a format of sources. */
export type SourceFormat = keyof typeof SOURCE_FORMATS;

/** How sure it is that a source is written in a format: it says so itself, its members are like it, or they may be. */
export const SURENESS = ["certain", "likely", "possible"] as const;

export type Sureness = (typeof SURENESS)[number];

/** The names of all formats of sources. */
export const SOURCE_FORMAT_NAMES = Object.keys(SOURCE_FORMATS) as [SourceFormat, ...SourceFormat[]];

/** A format of sources, as a parameter. */
export const sourceFormat = defineValueType<SourceFormat>({
  id: "SourceFormat",
  json: "string",
  description: `A format to read: ${SOURCE_FORMAT_NAMES.map((name) => `\`${name}\` is ${SOURCE_FORMATS[name]}`).join("; ")}.`,
  schema: () => z.enum(SOURCE_FORMAT_NAMES, { error: `must be one of ${SOURCE_FORMAT_NAMES.join(", ")}` }),
});
