import { expect, test } from "vitest";
import { planSteps } from "../../shared/domain/apply/plan.ts";
import { compareModels } from "../../shared/domain/compare/compare.ts";
import type { Difference, Scope } from "../../shared/domain/differences.ts";
import type { ModelDocument } from "../../shared/domain/document/document.ts";
import type { SourceFormat } from "../../shared/domain/values/source-formats.ts";
import { createImporter } from "../../shared/formats/importer.ts";

const importer = createImporter({ allowPrivate: false });

async function readTable(format: SourceFormat, type: string): Promise<ModelDocument> {
  const content = `CREATE TABLE t (x ${type});`;
  return (await importer.read({ content }, { modelKey: "m", format })).document;
}

const inShort = (entries: readonly Difference[]) =>
  entries.map(({ objectType, members = [], impact, reasons }) => [objectType, members.join(), impact, ...reasons]);

async function compareTables(format: SourceFormat, before: string, after: string, scope: Scope = "complete") {
  const [left, right] = await Promise.all([readTable(format, before), readTable(format, after)]);
  return inShort(compareModels(left, right, { sameModel: false, scope }));
}

type Expected = readonly [members: string, impact: string, ...reasons: string[]];

/** Types of a column before and after, and the only difference; none without one. */
const CHANGES: readonly (readonly [SourceFormat, before: string, after: string, difference?: Expected])[] = [
  ["mysql", "int(11)", "int"],
  ["mysql", "int2", "smallint(6)"],
  ["mysql", "integer unsigned", "int(10) unsigned"],
  ["mysql", "tinyint(1)", "boolean"],
  ["mysql", "tinyint(1)", "tinyint(4)"],
  ["postgresql", "citext", "public.citext"],
  ["sqlite", "INT", "BIGINT"],
  ["snowflake", "BIGINT", "INTEGER"],
  ["snowflake", "STRING", "VARCHAR"],
  ["oracle", "NUMBER(10)", "NUMBER(10,0)"],
  ["postgresql", "text", "varchar", ["type", "cosmetic", "type: another name of a type with the same values"]],
  [
    ...(["postgresql", "integer", "bigint"] as const),
    ["type", "additive", "type: integer(64) instead of integer(32): larger numbers are possible"],
  ],
  [
    ...(["postgresql", "bigint", "integer"] as const),
    [
      ...(["type", "breaking"] as const),
      "type: integer(32) instead of integer(64): at most 2147483647 instead of 9223372036854775807",
    ],
  ],
  [
    ...(["postgresql", "numeric(12,2)", "numeric(4,0)"] as const),
    [
      ...(["properties.sql:precision,properties.sql:scale", "breaking"] as const),
      "type: decimal(4, 0) instead of decimal(12, 2): 4 digits before the point instead of 10; 0 digits after the point instead of 2",
    ],
  ],
  [
    ...(["postgresql", "timestamp(3)", "timestamp(6)"] as const),
    [
      ...(["properties.sql:arguments", "additive"] as const),
      "type: timestamp(6) without time zone instead of timestamp(3) without time zone: times are more precise",
    ],
  ],
  [
    ...(["postgresql", "varchar(20)", "text"] as const),
    [
      ...(["constraints,type", "additive"] as const),
      "type: string instead of string(20): longer values are possible",
      "constraints: maxLength 20 was removed: more values are allowed",
    ],
  ],
  [
    ...(["oracle", "VARCHAR2(20)", "VARCHAR2(20 CHAR)"] as const),
    [
      ...(["properties.sql:lengthUnit", "additive"] as const),
      "type: string(20) instead of string(20 bytes): longer values are possible",
    ],
  ],
  [
    ...(["bigquery", "ARRAY<INT64>", "ARRAY<STRING>"] as const),
    [
      ...(["properties.sql:items", "breaking"] as const),
      "type: array of string instead of array of integer(64): items: values of another kind; values of another kind",
    ],
  ],
  // Parts that the logical type does not contain are compared as before.
  [
    ...(["postgresql", "geometry(point,4326)", "geometry(point,3857)"] as const),
    ["properties.sql:arguments", "cosmetic", "properties.sql:arguments: documentation only"],
  ],
  [...(["postgresql", "tsvector", "text"] as const), ["type", "breaking", "type: the type of its values changed"]],
];

test.each(
  CHANGES.map(([format, before, after, difference]) => [format, before, after, difference] as const),
)("in %s, the change of %s to %s", async (format, before, after, difference) => {
  const entries = (await compareTables(format, before, after)).filter(([objectType]) => objectType !== "type");
  expect(entries).toEqual(difference ? [["entityAttribute", ...difference]] : []);
});

test("types that the dialect defines are no differences of two sources; others are", async () => {
  expect(await compareTables("mysql", "int(11)", "integer")).toEqual([]);
  const attribute = ["entityAttribute", "type", "breaking", "type: the type of its values changed"];
  expect(await compareTables("postgresql", "text", "colour")).toEqual([
    attribute,
    ["type", "", "additive", "added; no consumer uses it yet"],
  ]);
});

test("the structural scope contains changes of arguments, but no other names", async () => {
  const change = await compareTables("postgresql", "numeric(12,2)", "numeric(14,2)", "structural");
  expect(change.map(([, , impact]) => impact)).toEqual(["additive"]);
  expect(await compareTables("postgresql", "text", "varchar", "structural")).toEqual([]);
});

test("types of different dialects are the same if they hold the same values", async () => {
  const compare = async (left: ModelDocument, right: ModelDocument) =>
    inShort(compareModels(left, right, { sameModel: false, scope: "structural" }));
  expect(await compare(await readTable("postgresql", "numeric(9,2)"), await readTable("tsql", "decimal(9,2)"))).toEqual(
    [],
  );
  const entries = await compare(await readTable("postgresql", "bigint"), await readTable("mysql", "bigint unsigned"));
  expect(entries.map(([, members, impact]) => [members, impact])).toEqual([["type", "breaking"]]);
});

test("the physical types of data contracts are compared by their values", async () => {
  const read = async (physicalType: string) => {
    const property = { name: "x", logicalType: "number", physicalType };
    const contract = { kind: "DataContract", apiVersion: "v3.1.0", id: "m", version: "1.0.0", status: "active" };
    const servers = [{ server: "s", type: "postgres" }];
    const content = { ...contract, servers, schema: [{ name: "t", properties: [property] }] };
    return (await importer.read({ content }, { modelKey: "m" })).document;
  };
  const compare = async (before: string, after: string) =>
    inShort(compareModels(await read(before), await read(after), { sameModel: false, scope: "complete" }));
  expect(await compare("int4", "INTEGER")).toEqual([]);
  const [entry] = await compare("int4", "int2");
  expect(entry?.slice(0, 3)).toEqual(["entityAttribute", "properties.odcs:physicalType", "breaking"]);
});

test("a plan has no step for another name of a type", async () => {
  const withIds = (document: ModelDocument): ModelDocument => {
    const parts = document.entities.map((one) => ({
      ...{ ...one, id: one.key },
      attributes: one.attributes.map((attribute) => ({ ...attribute, id: attribute.key })),
    }));
    return { ...document, id: "m", entities: parts, types: document.types.map((one) => ({ ...one, id: one.key })) };
  };
  const steps = async (after: string) =>
    planSteps(withIds(await readTable("mysql", "int2")), withIds(await readTable("mysql", after)));
  expect(await steps("smallint")).toEqual([]);
  expect((await steps("int")).map(({ does, objectType }) => [does, objectType])).toEqual([
    ["create", "type"],
    ["update", "entityAttribute"],
    ["delete", "type"],
  ]);
});
