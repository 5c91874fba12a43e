import fc from "fast-check";
import type { ExportFormat } from "../../../shared/domain/values/export-formats.ts";
import type { JsonObject } from "../../../shared/formats/common/json-object.ts";
import { anyName, anyText, type RandomType, type SayableTables } from "./source-models.ts";

const VALUES = ["a", "b b", "it's", 'q"', "é", "x\\y", "[z]"];
const enums = fc.uniqueArray(fc.nat({ max: VALUES.length - 1 }), { minLength: 1, maxLength: 4 }).map((list) => ({
  type: `kind ${list.join("-")}`,
  constraints: { enum: list.map((i) => VALUES[i] ?? "") },
}));
const named = (name: fc.Arbitrary<string>) => fc.record({ name, description: fc.option(anyText, { nil: undefined }) });

const sqlTypes: fc.Arbitrary<RandomType> = fc.oneof(
  fc.constantFrom<RandomType>(
    { type: "int" },
    { type: "timestamp with time zone" },
    { type: "varchar", constraints: { maxLength: 160 } },
    { type: "decimal", kept: { precision: 10, scale: 2 } },
    { type: "numeric", kept: { precision: 5 } },
    { type: "bit", kept: { arguments: "3" } },
    { type: "Geo Point" },
    { type: "bool", constraints: { default: true } },
    { type: "int", constraints: { default: -2.5 } },
    { type: "text", constraints: { default: "it's\n\\n" } },
    { type: "date", constraints: { default: null } },
    { type: "date", kept: { default: "now()" } },
  ),
);

const jsonTypes: fc.Arbitrary<RandomType> = fc.constantFrom<RandomType>(
  { type: "string", constraints: { minLength: 1, maxLength: 9, pattern: "^a+$" } },
  { type: "string", constraints: { enum: ["a", "b"], default: "a" } },
  { type: "integer", constraints: { minimum: 1, exclusiveMaximum: 9, multipleOf: 2 } },
  { type: "number|string", constraints: { examples: [1, "a"] } },
  { type: "any", constraints: { const: { a: [null] } } },
  { type: "array", constraints: { uniqueItems: true, maxItems: 3 }, kept: { items: { type: "string" } } },
  { type: "boolean", kept: { deprecated: true, "x-own": { deep: [1] } } },
  { type: "Amount", constraints: { minimum: 0 } },
  { type: "ISO date", constraints: { format: "date", maxLength: 10 } },
);

const DEFINED: JsonObject = { Amount: { type: "number", minimum: 0 }, "ISO date": { type: "string", format: "date" } };

const AVRO_TYPES: Readonly<Record<string, JsonObject>> = {
  Suit: { kind: "enum", symbols: ["SPADES", "HEARTS"], namespace: "org.example" },
  Md5: { kind: "fixed", size: 16, namespace: "org.example" },
};

const KEYED = { title: false, header: fc.constant({}), primaryKey: true, unique: "sets", references: "sets" } as const;
const HELD = { primaryKey: false, unique: "none", references: "held" } as const;

/** Names that a database without regard to case and accents can tell apart. */
const foldedName = anyName.filter((name) => /^[a-z][a-z0-9_ -]{0,29}$/.test(name) && !name.endsWith(" "));
const DATABASE = { ...KEYED, namespace: "sql", isDatabase: true } as const;
const READ_AGAIN = ["sql:checks", "sql:schema", "sql:options", "sql:physical"];

/** What each format that is read again can say of a model. */
export const SAYABLE: Readonly<Partial<Record<ExportFormat, SayableTables>>> = {
  dbml: {
    namespace: "dbml",
    name: anyName,
    type: fc.oneof(sqlTypes, enums),
    keptOfType: ({ constraints }) => {
      const list = constraints?.enum;
      return Array.isArray(list) ? { values: list.map((name: unknown) => ({ name })) } : undefined;
    },
    ...KEYED,
    header: named(anyName),
    keptOfTable: { headerColor: "#aabbcc", checks: [{ expression: "a > 1", name: "it's" }] },
  },
  postgresql: {
    namespace: "sql",
    name: anyName.filter((name) => !name.includes(".") && Buffer.byteLength(name) <= 30),
    type: fc.constantFrom<RandomType>(
      { type: "integer", constraints: { minimum: 1, exclusiveMaximum: 9 } },
      { type: "timestamptz" },
      { type: "varchar", constraints: { maxLength: 160, default: "it's\n\\n" } },
      { type: "numeric", kept: { precision: 10, scale: 2 } },
      { type: "boolean", constraints: { default: true } },
      { type: "text", constraints: { enum: ["a", "it's"] } },
      { type: "date", constraints: { default: "2024-01-28" } },
    ),
    ...KEYED,
    isDatabase: true,
    added: ["sql:checks", "sql:dialect", "sql:physical", "sql:schema"],
  },
  mysql: {
    ...DATABASE,
    name: foldedName,
    type: fc.constantFrom<RandomType>(
      { type: "int", constraints: { minimum: 1, exclusiveMaximum: 9, default: 2 } },
      { type: "bigint unsigned" },
      { type: "varchar", constraints: { maxLength: 160, default: "it's\n\\n" } },
      { type: "decimal", kept: { precision: 10, scale: 2 } },
      { type: "datetime", kept: { arguments: "3", default: "current_timestamp(3)" } },
      { type: "enum", constraints: { enum: ["a", "it's", "x\\y"], default: "a" } },
      { type: "tinyint", kept: { arguments: "1" } },
    ),
    kept: { dialect: "mysql" },
    added: READ_AGAIN,
  },
  tsql: {
    ...DATABASE,
    // A unique key allows one row without values only, which is a warning.
    unique: "none",
    name: foldedName,
    type: fc.constantFrom<RandomType>(
      { type: "int", constraints: { minimum: -5, default: -2 } },
      { type: "nvarchar", constraints: { maxLength: 160, default: "it's\n\\n" } },
      { type: "decimal", kept: { precision: 10, scale: 2 } },
      { type: "datetime2", kept: { arguments: "3", default: "sysdatetime()" } },
      { type: "date", constraints: { default: "2024-01-31" } },
      { type: "uniqueidentifier", kept: { default: "newid()" } },
    ),
    kept: { dialect: "tsql" },
    added: READ_AGAIN,
  },
  snowflake: {
    ...DATABASE,
    name: anyName.filter((name) => !name.includes(".")),
    type: fc.constantFrom<RandomType>(
      { type: "NUMBER", kept: { precision: 10, scale: 2 } },
      { type: "VARCHAR", constraints: { maxLength: 160, default: "it's\n\\n" } },
      { type: "BOOLEAN", constraints: { default: true } },
      { type: "TIMESTAMP_NTZ", kept: { arguments: "3" } },
      { type: "DATE", constraints: { default: "2024-01-31" } },
    ),
    kept: { dialect: "snowflake" },
    added: READ_AGAIN,
  },
  bigquery: {
    ...DATABASE,
    unique: "none",
    name: foldedName,
    type: fc.constantFrom<RandomType>(
      { type: "INT64", constraints: { default: 5 } },
      { type: "STRING", constraints: { maxLength: 160, default: "it's\n\\n" } },
      { type: "NUMERIC", kept: { precision: 10, scale: 2 } },
      { type: "BOOL", constraints: { default: false } },
      { type: "DATE", kept: { default: "CURRENT_DATE" } },
    ),
    kept: { dialect: "bigquery" },
    added: [...READ_AGAIN, "sql:enforced"],
  },
  jsonschema: {
    namespace: "jsonschema",
    name: anyName.filter((name) => !/^\d+$/.test(name) && !name.includes(".")),
    type: jsonTypes,
    title: true,
    header: named(anyName).map(({ name, description }) => ({ name, title: name, description })),
    ...HELD,
    kept: { $schema: "https://json-schema.org/draft/2020-12/schema", $id: "urn:x:y" },
    keptOfTable: { additionalProperties: false },
    keptOfHolding: (property) => ({ property }),
    keptOfType: ({ type }) => (Object.hasOwn(DEFINED, type) ? { schema: DEFINED[type] } : undefined),
  },
  odcs: {
    namespace: "odcs",
    name: anyName.filter((name) => !name.includes(".")),
    type: fc.constantFrom<RandomType>(
      { type: "string", constraints: { minLength: 1, pattern: "^a" } },
      { type: "integer", constraints: { minimum: 0, examples: [1, 2] }, kept: { physicalType: "int8" } },
      { type: "varchar", constraints: { maxLength: 9 }, kept: { physicalType: "varchar(9)" } },
      { type: "any" },
      { type: "array", kept: { items: { logicalType: "string" } } },
      {
        type: "timestamp",
        kept: {
          ...{ logicalTypeOptions: { timezone: false, minimum: "2020-01-01" }, classification: "public" },
          quality: [{ type: "text", description: "x" }],
        },
      },
    ),
    title: true,
    header: fc.record({
      name: anyName,
      description: fc.option(anyText, { nil: undefined }),
      version: fc.constant("1.2.3"),
    }),
    primaryKey: true,
    unique: "columns",
    references: "sets",
    kept: { id: "53581432", status: "draft", servers: [{ server: "a", type: "local", path: "a", format: "csv" }] },
    keptOfTable: { physicalType: "table" },
  },
  dbt: {
    namespace: "dbt",
    name: anyName.filter((name) => !/[().]/.test(name) && !(name.includes("'") && name.includes('"'))),
    type: fc.constantFrom<RandomType>(
      { type: "any" },
      { type: "varchar", constraints: { maxLength: 9 } },
      { type: "numeric", kept: { precision: 9, scale: 2 } },
      { type: "timestamp with time zone" },
      {
        type: "text",
        constraints: { enum: ["a", 1, null] },
        kept: { meta: { owner: "it's" }, tests: ["positive", { x: { y: 1 } }] },
      },
    ),
    ...KEYED,
    keptOfTable: { resource_type: "model", config: { materialized: "view" }, tests: ["dbt_utils.x"] },
  },
  avro: {
    namespace: "avro",
    name: fc.stringMatching(/^[A-Z][A-Za-z0-9_]{0,9}$/),
    type: fc.constantFrom<RandomType>(
      { type: "string", constraints: { default: "it's" } },
      { type: "long", kept: { aliases: ["a"] } },
      { type: "double", constraints: { default: 1.5 } },
      { type: "decimal", kept: { type: "bytes", precision: 9, scale: 2 } },
      { type: "timestamp-millis", kept: { type: "long" } },
      { type: "array", kept: { items: "int" } },
      { type: "map", kept: { values: ["null", "string"] } },
      { type: "Suit", constraints: { enum: ["SPADES", "HEARTS"], default: "HEARTS" } },
      { type: "Md5" },
    ),
    title: false,
    header: fc.constant({}),
    ...HELD,
    keptOfTable: { namespace: "org.example" },
    keptOfHolding: (field, repeats) => ({ field, ...(repeats && { repeats: "array" }) }),
    keptOfType: ({ type }) => AVRO_TYPES[type],
  },
};
