import type { SourceFormat } from "../domain/source-formats.ts";
import type { ReadFormat } from "./reading.ts";

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
};
