import type { SourceFormat } from "../../../shared/domain/values/source-formats.ts";

/** A table of a source, of one column; its description is the text. */
export interface SmallTable {
  readonly name: string;
  readonly column?: string;
  readonly text?: string;
}

/** Makes a source of some tables. */
export type MakeSource = (tables: readonly SmallTable[]) => object;

const toSchemas = (tables: readonly SmallTable[]) =>
  Object.fromEntries(
    tables.map(({ name, column = "a", text: description }) => [
      name,
      { description, properties: { [column]: { type: "string" } } },
    ]),
  );

export const TABLE_SOURCES = {
  jsonschema: (tables) => ({ $defs: toSchemas(tables) }),
  openapi: (tables) => ({
    ...{ openapi: "3.1.0", info: { title: "x", version: "1.0.0" } },
    components: { schemas: toSchemas(tables) },
  }),
  odcs: (tables) => ({
    ...{ kind: "DataContract", apiVersion: "v3.1.0", name: "x" },
    schema: tables.map(({ name, column = "a", text: description }) => ({
      ...{ name, description, properties: [{ name: column, logicalType: "string" }] },
    })),
  }),
  dbt: (tables) => ({
    version: 2,
    models: tables.map(({ name, column = "a", text: description }) => ({
      ...{ name, description, columns: [{ name: column }] },
    })),
  }),
  avro: (tables) =>
    tables.map(({ name, column = "a", text: doc }) => ({
      ...{ type: "record", name, doc, fields: [{ name: column, type: "string" }] },
    })),
  frictionless: (tables) => ({
    name: "x",
    resources: tables.map(({ name, column = "a", text: description }) => ({
      ...{ name, description, path: "a.csv", schema: { fields: [{ name: column, type: "string" }] } },
    })),
  }),
  metaction: (tables) => ({
    ...{ $schema: "urn:metaction:model:2", key: "m", name: "m", version: "1.0.0", authority: "system" },
    types: [{ key: "t" }],
    entities: tables.map(({ name, column = "a", text: description }, i) => ({
      ...{ key: `e${i}`, name, description, primaryKey: [] },
      attributes: [{ key: "a", name: column, type: "key:t", optional: true }],
    })),
    ...{ relationships: [], businessKeys: [], localTags: [], tagGroups: [] },
  }),
} as const satisfies Readonly<Partial<Record<SourceFormat, MakeSource>>>;
