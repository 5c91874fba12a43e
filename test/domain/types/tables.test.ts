import { describe, expect, test } from "vitest";
import { DIALECT_TABLES, findDialectByName, findDialects } from "../../../shared/domain/types/dialects/dialects.ts";
import { resolveType } from "../../../shared/domain/types/dialects/table.ts";
import { parseTypeText } from "../../../shared/domain/types/dialects/type-text.ts";
import { findLogicalTypeOfText } from "../../../shared/domain/types/find-logical-type.ts";
import { formatLogicalType } from "../../../shared/domain/types/logical/format-logical-type.ts";
import { isLogicalTypeName, LOGICAL_TYPE_NAMES } from "../../../shared/domain/types/logical/logical-type.ts";

const TABLES = Object.entries(DIALECT_TABLES);

describe.each(TABLES)("the types of %s", (_, { rows, pages, affinities = [] }) => {
  test("have distinct names, and a page with an address for each row", () => {
    const names = rows.flatMap(([list]) => list.split("|"));
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
    expect(names.filter((name) => name !== name.toLowerCase() || name !== name.trim())).toEqual([]);
    const used = new Set(rows.map(([, , page]) => page));
    expect([...used].filter((page) => !/^https:\/\/[\w.-]+\/\S*$/.test(pages[page] ?? ""))).toEqual([]);
    expect(Object.keys(pages).filter((page) => !used.has(page) && affinities.length === 0)).toEqual([]);
  });

  test("are logical types that can be formatted", () => {
    for (const [, type] of rows) {
      expect(LOGICAL_TYPE_NAMES).toContain(type.type);
      expect(formatLogicalType(type)).toContain(type.type);
    }
  });
});

/** Physical types with their logical type, by dialect. */
const TYPES: Readonly<Record<string, readonly (readonly [text: string, logical: string | undefined])[]>> = {
  postgresql: [
    ["int4", "integer(32)"],
    ["NUMERIC(12, 2)", "decimal(12, 2)"],
    ["numeric(5)", "decimal(5, 0)"],
    ["numeric", "decimal"],
    ["numeric(3,-2)", "decimal(3, -2)"],
    ["float(24)", "float(32)"],
    ["float(25)", "float(64)"],
    ["character varying(20)", "string(20)"],
    ["char", "string(1, fixed)"],
    ["char(4)", "string(4, fixed)"],
    ["public.citext", "string(ignoring case)"],
    ["pg_catalog.int8", "integer(64)"],
    ["timestamp(3) with time zone", "timestamp(3) with time zone"],
    ["timestamp", "timestamp(6) without time zone"],
    ["time (0) without time zone", "time(0) without time zone"],
    ["interval year to month", "interval(months)"],
    ["interval day to second(3)", "interval(seconds)"],
    ["bit varying(5)", "bits(5, varying)"],
    ["bit(24)", "bits(24)"],
    ["text[][]", "array of array of string"],
    ["numeric(10,2)[]", "array of decimal(10, 2)"],
    ["geometry(Point,4326)", "geometry(point)"],
    ["json", "json(verbatim)"],
    ["inet", "network"],
    ["tsvector", undefined],
    // Not of the dialect, but with the same meaning everywhere.
    ["datetime", "timestamp"],
  ],
  mysql: [
    ["int(11)", "integer(32)"],
    ["INT(10) UNSIGNED", "unsigned integer(32)"],
    ["int(10) unsigned zerofill", "unsigned integer(32)"],
    ["bigint signed", "integer(64)"],
    ["serial", "unsigned integer(64)"],
    ["tinyint(1)", "boolean"],
    ["tinyint(4)", "integer(8)"],
    ["bool", "boolean"],
    ["decimal", "decimal(10, 0)"],
    ["double(7,4)", "float(64)"],
    ["float(7,4)", "float(32)"],
    ["float(53)", "float(64)"],
    ["text", "string(65535 bytes)"],
    ["timestamp", "timestamp(0) with time zone"],
    ["datetime(6)", "timestamp(6) without time zone"],
    ["enum('it''s', 'b,c')", "enum('it's', 'b,c')"],
    ["varbinary(16)", "binary(16)"],
    ["multipoint", "geometry(points)"],
  ],
  sqlite: [
    ["INT", "integer(64)"],
    ["UNSIGNED BIG INT", "integer(64)"],
    ["FLOATING POINT", "integer(64)"],
    ["VARYING CHARACTER(255)", "string(255)"],
    ["LONGCHAR(9)", "string(9)"],
    ["DATETIME", "timestamp"],
    ["DECIMAL(10,5)", "decimal(10, 5)"],
    ["MONEY", "decimal"],
    ["STRANGE", undefined],
  ],
  tsql: [
    ["tinyint", "unsigned integer(8)"],
    ["nvarchar(max)", "string"],
    ["nvarchar(50)", "string(50 UTF-16 units)"],
    ["varchar", "string(1 bytes of a code page)"],
    ["datetime2", "timestamp(7) without time zone"],
    ["datetimeoffset(3)", "timestamp(3) with time zone"],
    ["rowversion", "binary(8, fixed)"],
    ["money", "decimal(19, 4)"],
    ["bit", "boolean"],
    ["sql_variant", "any"],
  ],
  oracle: [
    ["NUMBER", "decimal"],
    ["NUMBER(10)", "decimal(10, 0)"],
    ["NUMBER(*, 2)", "decimal(38, 2)"],
    ["VARCHAR2(20 CHAR)", "string(20)"],
    ["VARCHAR2(20)", "string(20 bytes)"],
    ["DATE", "timestamp(0) without time zone"],
    ["TIMESTAMP(9) WITH LOCAL TIME ZONE", "timestamp(9) with time zone"],
    ["INTERVAL DAY(2) TO SECOND(6)", "interval(seconds)"],
    ["LONG RAW", "binary"],
  ],
  snowflake: [
    ["INTEGER", "decimal(38, 0)"],
    ["NUMBER(10,2)", "decimal(10, 2)"],
    ["TIMESTAMP_TZ(3)", "timestamp(3) with time zone"],
    ["CHAR", "string(1)"],
    ["ARRAY(NUMBER(5,0))", "array of decimal(5, 0)"],
    ["MAP(VARCHAR, INT)", "map of string to decimal(38, 0)"],
    ["OBJECT(a NUMBER(3), b VARCHAR NOT NULL)", "record(a decimal(3, 0), b string)"],
  ],
  bigquery: [
    ["INT64", "integer(64)"],
    ["NUMERIC", "decimal(38, 9)"],
    ["NUMERIC(5)", "decimal(5, 0)"],
    ["ARRAY<STRUCT<a INT64, `b c` STRING OPTIONS (description='x')>>", "array of record(a integer(64), b c string)"],
    ["TIMESTAMP", "timestamp(6) with time zone"],
  ],
  redshift: [
    ["varchar", "string(256 bytes)"],
    ["super", "json"],
  ],
  databricks: [
    ["map<string,array<int>>", "map of string to array of integer(32)"],
    ["struct<a:int,b:struct<c:decimal(10,2)>>", "record(a integer(32), b record(c decimal(10, 2)))"],
    ["timestamp", "timestamp(6) with time zone"],
  ],
  duckdb: [
    ["UHUGEINT", "unsigned integer(128)"],
    ['STRUCT(a INTEGER, "b" VARCHAR[])', "record(a integer(32), b array of string)"],
    ["TIMESTAMP_NS", "timestamp(9) without time zone"],
    ["ENUM('a', 'b')", "enum('a', 'b')"],
  ],
  jsonschema: [
    ["string:date-time", "timestamp with time zone"],
    ["integer:int64", "integer(64)"],
    ["number", "decimal"],
  ],
  avro: [["local-timestamp-micros", "timestamp(6) without time zone"]],
  frictionless: [["geopoint", "geometry(point)"]],
  odcs: [["integer:u16", "unsigned integer(16)"]],
  unheard: [
    ["varchar(20)", "string(20)"],
    ["timestamp", "timestamp"],
    ["i32", "integer(32)"],
    ["fp64", "float(64)"],
    ["timestamptz(3)", "timestamp(3) with time zone"],
    ["bit(1)", "boolean"],
    ["bit(2)", "bits(2)"],
    ["money", "decimal"],
    ["colour", undefined],
  ],
};

test.each(
  Object.entries(TYPES).flatMap(([dialect, rows]) => rows.map(([text, logical]) => [dialect, text, logical] as const)),
)("in %s, %s is %s", (dialect, text, logical) => {
  const type = findLogicalTypeOfText(text, dialect);
  expect(type && formatLogicalType(type)).toBe(logical);
});

test("a table gives the name that the database reports, the page, and whether all arguments were read", () => {
  const find = (text: string, dialect: keyof typeof DIALECT_TABLES) =>
    resolveType(parseTypeText(text), DIALECT_TABLES[dialect]);
  const page = "https://dev.mysql.com/doc/refman/8.4/en/integer-types.html";
  const facts = { hasWidthOnly: true, hasUnreadArguments: false };
  expect(find("integer(10) unsigned", "mysql")).toMatchObject({ name: "int unsigned", source: page, ...facts });
  expect(find("geometry(point,4326)", "postgresql")).toMatchObject({ hasWidthOnly: false, hasUnreadArguments: true });
  expect(find("int[3]", "postgresql")).toMatchObject({ name: "integer[]" });
  expect(find("doubled", "sqlite")).toMatchObject({ name: "doubled", source: undefined });
});

test("type texts of any form end in a name", () => {
  for (const text of ["", "[]", "(((", "a<b<c", "array<", "'", "x('", "a(1))", ",", "[1][2]", "é[9]", "a[x]"])
    expect(typeof parseTypeText(text).name).toBe("string");
  expect(parseTypeText("array<".repeat(400)).parts).toHaveLength(0);
  expect(parseTypeText(`${"array<".repeat(20)}int${">".repeat(20)}`).name).toBe("array");
});

test("a model or a part of it says its dialects", () => {
  for (const [properties, types, physical] of [
    [{ "sql:dialect": "tsql" }, "tsql", "tsql"],
    [{ "sql:dialect": "sql" }, "common", "common"],
    [{ "dbt:adapter_type": "postgres" }, "postgresql", "postgresql"],
    [{ "dbt:adapter_type": "databricks" }, "spark", "spark"],
    [{ "odcs:servers": [null, { type: "kafka" }, { type: "sqlserver" }] }, "odcs", "tsql"],
    [{ "odcs:servers": "x" }, "odcs"],
    [{ "jsonschema:$schema": "https://json-schema.org/draft/2020-12/schema" }, "jsonschema"],
    [{ owner: "us", "openapi:version": "3.1.0" }, "jsonschema"],
    [{ "frictionless:descriptor": "table-schema" }, "frictionless"],
    [{ owner: "us", ":x": 1 }],
  ] as const)
    expect([properties, findDialects(properties)]).toEqual([properties, { types, physical }]);
  expect([findDialectByName("constructor"), findDialectByName(7)]).toEqual([undefined, undefined]);
  expect([isLogicalTypeName("decimal"), isLogicalTypeName("toString")]).toEqual([true, false]);
});
