import { expect, test } from "vitest";
import { parse } from "yaml";
import type { ExportFormat } from "../../../shared/domain/values/export-formats.ts";
import type { SourceFormat } from "../../../shared/domain/values/source-formats.ts";
import { createExporter } from "../../../shared/formats/exporter.ts";
import { createImporter } from "../../../shared/formats/importer.ts";

const importer = createImporter({ allowPrivate: false });

/** Writes a table with one column in a format. */
async function writeColumn(dialect: SourceFormat, type: string, format: ExportFormat): Promise<string> {
  const content = `CREATE TABLE t (x ${type});`;
  const { document } = await importer.read({ content }, { modelKey: "m", format: dialect });
  return (await createExporter().write(document, format)).content;
}

type JsonObject = Record<string, never>;

/** Returns the written type of the column, in short. */
const READERS: Readonly<Partial<Record<ExportFormat, (content: string) => unknown>>> = {
  postgresql: (content) => /"x" ([^\n]+)\n/i.exec(content)?.[1],
  frictionless: (content) => JSON.parse(content).resources[0].schema.fields[0].type,
  odcs: (content) => {
    const { logicalType, physicalType } = parse(content).schema[0].properties[0];
    return `${logicalType} ${physicalType}`;
  },
  avro: (content) => {
    const [, type] = JSON.parse(content)[0]?.fields[0].type ?? JSON.parse(content).fields[0].type;
    return typeof type === "string"
      ? type
      : [type.logicalType ?? type.type, type.precision, type.scale, type.items]
          .filter((one) => one !== undefined)
          .join(" ");
  },
  jsonschema: (content) => {
    const { $defs } = JSON.parse(content) as JsonObject & {
      $defs: Record<string, JsonObject & { properties: JsonObject }>;
    };
    const { $ref, ...own } = ($defs.t ?? $defs.T)?.properties[$defs.t ? "x" : "X"] ?? ({} as JsonObject);
    const definition = $ref === undefined ? {} : $defs[decodeURIComponent(String($ref).slice("#/$defs/".length))];
    const { title: _, ...schema } = { ...definition, ...(own as object) } as Record<string, unknown>;
    return Object.entries(schema)
      .map(([name, value]) => (name === "type" ? value : `${name}=${JSON.stringify(value)}`))
      .join(" ");
  },
};

const FORMATS = Object.keys(READERS) as ExportFormat[];

/** Written types by format: PostgreSQL, Table Schema, ODCS, Avro, JSON Schema. */
const TYPES: readonly (readonly [dialect: SourceFormat, type: string, ...written: readonly string[]])[] = [
  ["mysql", "int unsigned", "bigint", "integer", "integer int unsigned", "long", "integer"],
  ["mysql", "smallint(5) unsigned", "integer", "integer", "integer smallint unsigned", "int", "integer"],
  ["mysql", "bigint unsigned", "numeric(20)", "integer", "integer bigint unsigned", "decimal 20 0", "integer"],
  ["mysql", "tinyint(1)", "boolean", "boolean", "boolean tinyint(1)", "boolean", "boolean"],
  ["mysql", "tinyint", "smallint", "integer", "integer tinyint", "int", "integer"],
  [
    "mysql",
    "datetime(6)",
    "timestamp",
    "datetime",
    "timestamp datetime(6)",
    "local-timestamp-micros",
    'string format="date-time"',
  ],
  [
    "mysql",
    "timestamp",
    "timestamptz",
    "datetime",
    "timestamp timestamp",
    "timestamp-millis",
    'string format="date-time"',
  ],
  ["mysql", "double", "double precision", "number", "number double", "double", "number"],
  ["mysql", "mediumblob", "bytea", "string", "string mediumblob", "bytes", 'string contentEncoding="base64"'],
  ["oracle", "VARCHAR2(20)", "varchar(20)", "string", "string VARCHAR2(20)", "string", "string maxLength=20"],
  ["oracle", "DATE", "timestamp", "datetime", "timestamp DATE", "local-timestamp-millis", 'string format="date-time"'],
  ["oracle", "NUMBER(10)", "numeric(10)", "integer", "integer NUMBER(10)", "decimal 10 0", "number"],
  ["oracle", "NUMBER", "numeric", "number", "number NUMBER", "double", "number"],
  ["oracle", "CLOB", "text", "string", "string CLOB", "string", "string"],
  ["tsql", "uniqueidentifier", "uuid", "string", "string uniqueidentifier", "uuid", 'string format="uuid"'],
  ["tsql", "bit", "boolean", "boolean", "boolean bit", "boolean", "boolean"],
  [
    "tsql",
    "datetimeoffset",
    "timestamptz",
    "datetime",
    "timestamp datetimeoffset",
    "timestamp-micros",
    'string format="date-time"',
  ],
  ["tsql", "xml", "xml", "string", "string xml", "string", "string"],
  ["snowflake", "INTEGER", "integer", "integer", "integer INTEGER", "decimal 38 0", "number"],
  [
    "snowflake",
    "TIMESTAMP_NTZ",
    "timestamp",
    "datetime",
    "timestamp TIMESTAMP_NTZ",
    "local-timestamp-micros",
    'string format="date-time"',
  ],
  ["snowflake", "VARIANT", "jsonb", "any", "object VARIANT", "string", ""],
  ["bigquery", "ARRAY<INT64>", "jsonb", "array", "array ARRAY", "array long", 'array items={"type":"integer"}'],
  ["postgresql", "bit(24)", "bit(24)", "string", "string bit(24)", "string", "string"],
  ["postgresql", "varbit(5)", "varbit(5)", "string", "string varbit(5)", "string", "string"],
  ["postgresql", "char", "char(1)", "string", "string char(1)", "string", "string maxLength=1"],
  ["postgresql", "inet", "inet", "string", "string inet", "string", "string"],
  ["postgresql", "numeric(12,2)", "numeric(12,2)", "number", "number numeric(12,2)", "decimal 12 2", "number"],
  [
    "postgresql",
    "timestamptz",
    "timestamptz",
    "datetime",
    "timestamp timestamptz",
    "timestamp-micros",
    'string format="date-time"',
  ],
  ["postgresql", "tsvector", "text", "any", "undefined tsvector", "string", ""],
];

test.each(TYPES.map((row) => ({ row })))("of $row.0, $row.1 is written by its values", async ({ row }) => {
  const [dialect, type, ...written] = row;
  const found = await Promise.all(
    FORMATS.map(async (format) => READERS[format]?.(await writeColumn(dialect, type, format))),
  );
  expect(found).toEqual(written);
});

test("a key of a type that PostgreSQL orders is written, and no other", async () => {
  const write = (type: string) => writeColumn("postgresql", `${type} PRIMARY KEY`, "postgresql");
  expect(await write("inet")).toContain("PRIMARY KEY");
  expect(await write("bit(3)")).toContain("PRIMARY KEY");
  expect(await write("json")).not.toContain("PRIMARY KEY");
});
