import { expect, test } from "vitest";
import type { ModelDocument } from "../../../shared/domain/document/document.ts";
import { findAttributeType, findLogicalType } from "../../../shared/domain/types/find-logical-type.ts";
import { formatLogicalType } from "../../../shared/domain/types/logical/format-logical-type.ts";
import { createTypeResolver } from "../../../shared/domain/types/stored-types.ts";
import { createImporter } from "../../../shared/formats/importer.ts";

const importer = createImporter({ allowPrivate: false });

async function read(content: string | object): Promise<ModelDocument> {
  return (await importer.read({ content: content as Record<string, unknown> }, { modelKey: "m" })).document;
}

/** Returns the logical types of all attributes of the first entity, by key. */
function describeTypes(model: ModelDocument, entity = model.entities[0]) {
  return Object.fromEntries(
    (entity?.attributes ?? []).map((one) => {
      const type = findLogicalType(one, model);
      return [one.key, type && formatLogicalType(type)];
    }),
  );
}

const sql = (columns: string, before = "") => read(`${before}CREATE TABLE t (${columns});`);

test("SQL", async () => {
  const postgresql = await sql(
    `a varchar(20), b numeric(10,2), c timestamptz(3), d mood, e email, f text[], g unheard, h serial`,
    `CREATE TYPE mood AS ENUM ('sad', 'ok'); CREATE DOMAIN email AS varchar(100) CHECK (value <> '');`,
  );
  expect(describeTypes(postgresql)).toEqual({
    a: "string(20)",
    b: "decimal(10, 2)",
    c: "timestamp(3) with time zone",
    d: "enum('sad', 'ok')",
    e: "string(100)",
    f: "array of string",
    g: undefined,
    h: "integer(32)",
  });
  const mysql = await sql(
    "a tinyint(1), b tinyint(4), c boolean, d int(10) unsigned, e enum('x','y'), f set('x','y'), g text",
    "-- MySQL dump\n",
  );
  expect(describeTypes(mysql)).toEqual({
    a: "boolean",
    b: "integer(8)",
    c: "boolean",
    d: "unsigned integer(32)",
    e: "enum('x', 'y')",
    f: "array of enum('x', 'y')",
    g: "string(65535 bytes)",
  });
  const oracle = await sql("a VARCHAR2(20), b VARCHAR2(20 CHAR), c NUMBER(*,2), d INTERVAL DAY(2) TO SECOND(6)");
  expect(describeTypes(oracle)).toEqual({
    A: "string(20 bytes)",
    B: "string(20)",
    C: "decimal(38, 2)",
    D: "interval(seconds)",
  });
  const bigquery = await sql("a ARRAY<INT64>, b STRING(9), c FLOAT64");
  expect(describeTypes(bigquery)).toEqual({ a: "array of integer(64)", b: "string(9)", c: "float(64)" });
});

test("schema languages", async () => {
  const jsonSchema = await read({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "t",
    type: "object",
    properties: {
      a: { type: "string", format: "date-time" },
      b: { type: "string", maxLength: 9 },
      c: { type: "array", items: { type: "string", format: "uuid" } },
      d: { type: ["string", "integer"] },
      e: { $ref: "#/$defs/Code" },
      f: { type: "integer", format: "int64" },
    },
    $defs: { Code: { type: "string", maxLength: 3 } },
  });
  expect(describeTypes(jsonSchema)).toEqual({
    a: "timestamp with time zone",
    b: "string(9)",
    c: "array of uuid",
    d: undefined,
    e: "string(3)",
    f: "integer(64)",
  });
  const avro = await read({
    ...{ type: "record", name: "t", namespace: "n" },
    fields: [
      { name: "a", type: { type: "bytes", logicalType: "decimal", precision: 9, scale: 2 } },
      { name: "b", type: ["null", { type: "enum", name: "E", symbols: ["X"] }] },
      { name: "c", type: { type: "array", items: "long" } },
      { name: "d", type: { type: "fixed", name: "F", size: 4 } },
      { name: "e", type: { type: "long", logicalType: "local-timestamp-millis" } },
    ],
  });
  expect(describeTypes(avro)).toEqual({
    a: "decimal(9, 2)",
    b: "enum('X')",
    c: "array of integer(64)",
    d: "binary(fixed)",
    e: "timestamp(3) without time zone",
  });
  const tableSchema = await read({
    fields: [
      { name: "a", type: "datetime", format: "%Y" },
      { name: "b", type: "string", format: "uuid" },
      { name: "c", type: "yearmonth" },
    ],
  });
  expect(describeTypes(tableSchema)).toEqual({ a: "timestamp", b: "uuid", c: "string(7)" });
});

test("data contracts: the physical type in the dialect of the server, else the logical type", async () => {
  const contract = (servers: readonly object[]) =>
    read({
      ...{ kind: "DataContract", apiVersion: "v3.1.0", id: "c", version: "1.0.0", status: "draft", servers },
      schema: [
        {
          name: "t",
          properties: [
            { name: "a", logicalType: "integer", physicalType: "INTEGER" },
            { name: "b", logicalType: "string", physicalType: "varchar[50]" },
            { name: "c", logicalType: "timestamp", logicalTypeOptions: { timezone: true } },
            { name: "d", logicalType: "integer", logicalTypeOptions: { format: "u16" } },
            { name: "e", logicalType: "date", physicalType: "OddType" },
            { name: "f", physicalType: "number(10,2)" },
            { name: "g", logicalType: "array", items: { logicalType: "integer" } },
          ],
        },
      ],
    });
  const expected = {
    a: "integer",
    b: "string(50)",
    c: "timestamp with time zone",
    d: "unsigned integer(16)",
    e: "date",
    f: "decimal(10, 2)",
    g: "array of integer",
  };
  expect(describeTypes(await contract([]))).toEqual(expected);
  const snowflake = await contract([{ server: "s", type: "snowflake" }]);
  expect(describeTypes(snowflake)).toEqual({ ...expected, a: "decimal(38, 0)" });
});

test("models by hand and parts of other formats", async () => {
  const model = await read({
    ...{ $schema: "urn:metaction:model:2", key: "m", name: "M", version: "1.0.0" },
    types: [
      { key: "string" },
      { key: "colour" },
      { key: "_char_", name: '"char"' },
      { key: "varchar(9)" },
      { key: "enum" },
    ],
    entities: [
      {
        key: "e",
        primaryKey: [],
        attributes: [
          { key: "a", type: "key:string", optional: true, constraints: { format: "date" } },
          { key: "b", type: "key:colour", optional: true },
          { key: "c", type: "key:varchar(9)", optional: true },
          { key: "d", type: "key:enum", optional: true, constraints: { enum: ["x"] } },
          { key: "f", type: "key:_char_", optional: true, properties: { "sql:dialect": "postgresql" } },
        ],
      },
    ],
  });
  expect(describeTypes(model)).toEqual({
    a: "date",
    b: undefined,
    c: "string(9)",
    d: "enum('x')",
    f: "string(1 bytes)",
  });
});

test("the type of an attribute names what it read, and the page of its type", async () => {
  const model = await sql("a tinyint(1), b decimal(9,2), c geometry(point, 4326)", "-- MySQL dump\n");
  const [a, b] = (model.entities[0]?.attributes ?? []).map((one) => findAttributeType(one, model));
  expect(a).toMatchObject({ dialect: "mysql", name: "tinyint(1)", hasWidthOnly: true });
  expect([...(a?.readProperties ?? [])]).toEqual(["sql:arguments"]);
  expect([...(b?.readProperties ?? [])].toSorted()).toEqual(["sql:precision", "sql:scale"]);
  expect(b?.source).toBe("https://dev.mysql.com/doc/refman/8.4/en/fixed-point-types.html");
});

test("attributes of a stored model have the same logical types, by the ids of their types", () => {
  const types = [
    { kind: "type", id: "1", revision: 1, key: "varchar" },
    { kind: "type", id: "2", revision: 1, key: "mood", properties: '{"sql:values":["x"]}' },
  ] as const;
  const resolve = createTypeResolver(types, '{"sql:dialect":"tsql"}');
  const varchar = { type: "string", maxLength: 1, unit: "codepage" };
  expect([resolve({ type: "1" }), resolve({ type: "id:1" })]).toEqual([varchar, varchar]);
  expect(resolve({ type: "1", constraints: '{"maxLength":9}' })).toEqual({ ...varchar, maxLength: 9 });
  expect(resolve({ type: "1", properties: '{"sql:arguments":"max"}' })).toEqual({ type: "string", unit: "codepage" });
  expect(resolve({ type: "2", constraints: { enum: ["x"] } })).toEqual({ type: "enum", values: ["x"] });
  expect(resolve({ type: "3" })).toBeUndefined();
});
