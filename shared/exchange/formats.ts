import type { SourceFormat } from "../domain/source-formats.ts";
import type { ReadFormat } from "./reading.ts";
import type { SqlDialect } from "./sql/dialects.ts";

/** The readers of all formats, each loaded when the first source of its format comes. */
export const READERS: Readonly<Record<SourceFormat, () => Promise<ReadFormat>>> = {
  metaction: async () => (await import("./own-format.ts")).readOwnFormat,
  medatarun: async () => (await import("./ancestor-json.ts")).readAncestorJson,
  frictionless: async () => (await import("./frictionless/read-frictionless.ts")).readFrictionless,
  jsonschema: async () => (await import("./json-schema/read-json-schema.ts")).readJsonSchema,
  openapi: async () => (await import("./json-schema/read-openapi.ts")).readOpenApi,
  avro: async () => (await import("./avro/read-avro.ts")).readAvro,
  dbml: async () => (await import("./dbml/read-dbml.ts")).readDbml,
  dbt: async () => (await import("./dbt/read-dbt.ts")).readDbt,
  odcs: async () => (await import("./odcs/read-odcs.ts")).readOdcs,
  postgresql: sqlOf("postgresql"),
  mysql: sqlOf("mysql"),
  sqlite: sqlOf("sqlite"),
  tsql: sqlOf("tsql"),
  oracle: sqlOf("oracle"),
  snowflake: sqlOf("snowflake"),
  bigquery: sqlOf("bigquery"),
  redshift: sqlOf("redshift"),
  sql: sqlOf("sql"),
};

function sqlOf(dialect: SqlDialect): () => Promise<ReadFormat> {
  return async () => (await import("./sql/read-sql.ts")).sqlReader(dialect);
}
