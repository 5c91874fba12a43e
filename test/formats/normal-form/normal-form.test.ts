import { describe, expect, test } from "vitest";
import type { AttributeDocument, ModelDocument } from "../../../shared/domain/document/document.ts";
import { LIMITS } from "../../../shared/domain/limits.ts";
import { PHYSICAL } from "../../../shared/domain/normal-form/dialect-rules.ts";
import { parseExpression } from "../../../shared/domain/normal-form/expressions/parse-expression.ts";
import { scanExpression } from "../../../shared/domain/normal-form/expressions/scan-expression.ts";
import { normalizeDocument } from "../../../shared/domain/normal-form/normalize-document.ts";
import type { SourceFormat } from "../../../shared/domain/values/source-formats.ts";
import { createChance, seedOf } from "../../support/chance.ts";
import { drawnSql } from "../grammar/random-sql.ts";
import { readContent } from "../reading.ts";

const SEED = seedOf("normal form");

async function readColumn(
  format: SourceFormat,
  column: string,
): Promise<{
  readonly column: AttributeDocument;
  readonly document: ModelDocument;
  readonly warnings: readonly string[];
}> {
  const { document, warnings } = await readContent(`CREATE TABLE t (x ${column});`, { format, modelKey: "m" });
  const [attribute] = document.entities[0]?.attributes ?? [];
  if (!attribute) throw new Error("the table has no column");
  return {
    column: attribute,
    document,
    warnings: warnings.map(({ code, detail, pointers }) => `${code} ${detail} ${pointers}`),
  };
}

describe("values in the type of their column", () => {
  test.each<[SourceFormat, column: string, constraints: object | undefined]>([
    ["postgresql", "int DEFAULT '0'", { default: 0 }],
    ["postgresql", "numeric(8,2) DEFAULT '-1.50'", { default: -1.5 }],
    ["postgresql", "boolean DEFAULT 'false'", { default: false }],
    ["postgresql", "boolean DEFAULT '1'::boolean", { default: true }],
    ["postgresql", "text DEFAULT NULL", undefined],
    ["postgresql", "text DEFAULT 5", { default: "5" }],
    ["postgresql", "int CHECK (x IN ('1', '2'))", { enum: [1, 2] }],
    ["postgresql", "int CHECK (x >= '3')", { minimum: 3 }],
    ["postgresql", "timestamptz DEFAULT '2020-01-01 10:00+00:00'", { default: "2020-01-01 10:00:00+00" }],
    [
      "postgresql",
      "uuid DEFAULT 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'",
      { default: "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11" },
    ],
    ["mysql", "int DEFAULT '0'", { default: 0 }],
    ["mysql", "tinyint(1) DEFAULT '1'", { default: true }],
    ["mysql", "enum('a','1') DEFAULT 1", { enum: ["a", "1"], default: "1" }],
    ["sqlite", "integer DEFAULT '7'", { default: 7 }],
    ["oracle", "NUMBER(5) DEFAULT '7'", { default: 7 }],
  ])("of %s: %s", async (format, text, constraints) => {
    const { column, warnings } = await readColumn(format, text);
    expect(column.constraints).toEqual(constraints);
    expect(warnings).toEqual([]);
  });

  test("a value that the type does not allow is a warning with the value, and a property", async () => {
    const { column, warnings } = await readColumn("postgresql", "int DEFAULT 'it''s'");
    expect(column.constraints).toBeUndefined();
    expect(column.properties?.["sql:default"]).toBe("'it''s'");
    expect(warnings).toEqual(['kept_as_property "it\'s" is not a value of the type integer /t/x/default']);
  });

  test("a number that JSON cannot represent exactly is an expression", async () => {
    const float = await readColumn("snowflake", "FLOAT DEFAULT 1.7976931348623157e+308");
    expect(float.column.properties?.["sql:default"]).toBe("1.7976931348623157e+308");
    expect(float.warnings).toEqual([]);
    const { column, warnings } = await readColumn("mysql", "bigint unsigned DEFAULT '18446744073709551615'");
    expect([column.constraints, column.properties?.["sql:default"], warnings]).toEqual([
      undefined,
      "18446744073709551615",
      [],
    ]);
  });
});

describe("the normal form", () => {
  test("keeps what it replaced, by the names of the members", async () => {
    const { column, document } = await readColumn("mysql", "int2(5) unsigned DEFAULT '0' CHECK (x between 1 and 9)");
    expect(column.type).toBe("key:smallint unsigned");
    expect(column.properties).toEqual({
      [PHYSICAL]: { type: "int2 unsigned", arguments: "5", constraints: { default: "0" } },
    });
    expect(document.entities[0]?.properties).toEqual({
      "sql:checks": [{ check: "x >= 1 AND x <= 9" }],
      [PHYSICAL]: { checks: [{ check: "x between 1 and 9" }] },
    });
    expect(document.types).toEqual([{ key: "smallint unsigned" }]);
  });

  test("changes no model without a dialect of SQL", async () => {
    const { document } = await readContent({ name: "t", fields: [{ name: "a", type: "integer" }] });
    expect(normalizeDocument(document)).toBe(document);
  });

  test(`of a normal form is the same, for 300 random texts (seed ${SEED})`, async () => {
    let values = 0;
    for (let i = 0; i < 300; i++) {
      const text = drawnSql(createChance(SEED * 1_000_003 + i));
      const { document } = await readContent(text, { format: "postgresql", modelKey: "m" });
      // The copy is not known as a normal form.
      expect(normalizeDocument(structuredClone(document)), text).toEqual(document);
      values += JSON.stringify(document).split(PHYSICAL).length - 1;
    }
    expect(values).toBeGreaterThan(300);
  });

  test.each([
    "SELECT 1",
    "a IN (SELECT b FROM c)",
    "a +",
    "(",
    "count(*) OVER (PARTITION BY a)",
    "a LIKE 'b' ESCAPE '!'",
  ])("does not parse %s", (text) => {
    const notation = { quotes: '"', names: "lower", doubleIsText: false, backslash: false } as const;
    expect(parseExpression(scanExpression(text, notation) ?? [], notation)).toBeUndefined();
  });

  test.each([
    [
      "SELECT t.a x, (t.b) y FROM t WHERE ((a > 1)) ORDER BY t.a",
      "SELECT a AS x, (b) AS y FROM t WHERE a > 1 ORDER BY a",
    ],
    ['SELECT a COLLATE "C", a::double precision, a at time zone b FROM t', undefined],
    ["SELECT a AS a, CASE WHEN b THEN 1 END c FROM t", "SELECT a, CASE WHEN b THEN 1 END AS c FROM t"],
    ["SELECT t.a FROM t JOIN u ON (t.a = u.a)", undefined],
    ["SELECT t.a FROM t WHERE a IN (SELECT b FROM t)", undefined],
    ["WITH x AS (SELECT a FROM t) SELECT a FROM x", undefined],
  ])("of the query %s is %s", async (query, normal = query) => {
    const text = `CREATE TABLE t (a int, b int); CREATE TABLE u (a int); CREATE VIEW v AS ${query};`;
    const { document } = await readContent(text, { format: "postgresql" });
    const view = document.entities.find(({ key }) => key === "v");
    expect(view?.properties?.["sql:query"]).toBe(normal);
    expect(normalizeDocument(structuredClone(document))).toEqual(document);
  });

  test("keeps the brackets of an expression that is nested too deep", async () => {
    const nest = (levels: number) => `${"(".repeat(levels)}x${")".repeat(levels)} > 0`;
    const read = async (levels: number) => {
      const text = `CREATE TABLE t (x int, CHECK (${nest(levels)}))`;
      const { document } = await readContent(text, { format: "postgresql" });
      return document.entities[0]?.properties?.["sql:checks"];
    };
    expect(await read(LIMITS.sqlExpressionDepth - 2)).toEqual([{ check: "x > 0" }]);
    expect(await read(LIMITS.sqlExpressionDepth)).toEqual([{ check: nest(LIMITS.sqlExpressionDepth) }]);
  });

  test("of a deep or long expression takes linear time", async () => {
    const deep = `${"(".repeat(20_000)}x${")".repeat(20_000)} > 0`;
    const long = Array.from({ length: 10_000 }, (_, i) => `x <> ${i}`).join(" AND ");
    for (const check of [deep, long]) {
      const start = performance.now();
      const { document } = await readContent(`CREATE TABLE t (x int CHECK (${check}))`, { format: "postgresql" });
      expect(document.entities).toHaveLength(1);
      expect(performance.now() - start).toBeLessThan(3_000);
    }
  });
});
