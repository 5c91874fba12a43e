import { expect, test } from "vitest";
import type { SourceFormat } from "../../shared/domain/values/source-formats.ts";
import { getDetails, listParts, readContent } from "./reading.ts";

const KEYED = "CREATE TABLE a (id int PRIMARY KEY);\nCREATE TABLE b (c int);\n";

test.each<[SourceFormat, text: string, parts: readonly string[], details: object]>([
  [
    "tsql",
    "CREATE TABLE a (b datetime2 GENERATED ALWAYS AS ROW START NOT NULL, c int IDENTITY(5,2))",
    ["a (b datetime2, c int?) "],
    { "a/b": { properties: { "sql:generated": "row start" } }, "a/c": { properties: { "sql:identity": "5,2" } } },
  ],
  [
    "tsql",
    "CREATE TABLE a (index varchar(9), key int, INDEX i (key))",
    ["a (index varchar?, key int?) "],
    {
      a: { properties: { "sql:indexes": [{ name: "i", columns: ["key"] }] } },
      "a/index": { constraints: { maxLength: 9 } },
    },
  ],
  [
    "tsql",
    `${KEYED}ALTER TABLE b ADD FOREIGN KEY (c) REFERENCES a (id) ON DELETE CASCADE`,
    ["a (id int) id", "b (c int?) ", "b_c: a zeroOrOne - b many (id = c)"],
    { b_c: { properties: { "sql:onDelete": "cascade" } } },
  ],
  ["tsql", "CREATE TABLE $(db)..person (id int)", ["person (id int?) "], {}],
  ["oracle", "CREATE TABLE &hr.a (b DATE); CREATE TABLE &hr..c (d DATE);", ["A (B DATE?) ", "C (D DATE?) "], {}],
  ["sql", "DELIMITER $$\nDELIMITER ;\nCREATE TABLE a (b int);", ["a (b int?) "], {}],
  [
    "mysql",
    "CREATE TABLE a (\n  b int, #count\n  c int --sum\n);",
    ["a (b int?, c int?) "],
    { "a/b": { description: "count" }, "a/c": { description: "sum" } },
  ],
  [
    "postgresql",
    "CREATE TABLE a (b time DEFAULT time '10:00', c text CHECK (c BETWEEN '1' AND 'z'), d int CHECK (d BETWEEN 1 AND b))",
    ["a (b time?, c text?, d integer?) "],
    {
      a: { properties: { "sql:checks": [{ check: "c BETWEEN '1' AND 'z'" }, { check: "d BETWEEN 1 AND b" }] } },
      "a/b": { constraints: { default: "10:00" } },
    },
  ],
  [
    "postgresql",
    "CREATE TABLE a (b int DEFAULT 4\n/\n2, c int);",
    ["a (b integer?, c integer?) "],
    { "a/b": { properties: { "sql:default": "4\n/\n2" } } },
  ],
  [
    "postgresql",
    `CREATE TABLE a ("B" int, b int); COMMENT ON COLUMN a.b IS 'low'; COMMENT ON COLUMN a."B" IS 'high';`,
    ["a (B integer?, b integer?) "],
    { "a/B": { description: "high" }, "a/b": { description: "low" } },
  ],
  [
    "postgresql",
    `${KEYED}ALTER TABLE b ADD FOREIGN KEY (c) REFERENCES a (z), ADD FOREIGN KEY (x) REFERENCES a;`,
    ["a (id integer) id", "b (c integer?) "],
    {
      b: {
        properties: {
          "sql:references": [
            { columns: ["c"], to: "public.a", referred: ["z"] },
            { columns: ["x"], to: "public.a", referred: [] },
          ],
        },
      },
    },
  ],
])("clauses of %s are read: %s", async (format, text, parts, details) => {
  const { document } = await readContent(text, { format, modelKey: "m" });
  expect([listParts(document), getDetails(document)]).toEqual([parts, details]);
});

test("a column of a view has the type of a column that is selected by its name, and not of a text or a sum", async () => {
  const text = `CREATE TABLE a (b varchar(9), c int);
CREATE VIEW v AS SELECT DISTINCT x.b loud, c AS d, c + b total, 'b' AS e, 'b' FROM a x;`;
  const { document } = await readContent(text, { format: "sqlite", modelKey: "m" });
  expect(listParts(document)[1]).toBe("v (loud varchar?, d int?, total any?, e any?) ");
});

test("the comment of a database is the description of the model", async () => {
  const text = "EXEC sp_addextendedproperty N'MS_Description', N'All shops'\nCREATE TABLE a (b int)";
  const { document, warnings } = await readContent(text, { format: "tsql", modelKey: "m" });
  expect([document.description, warnings]).toEqual(["All shops", []]);
});

test("a comment after a column is its description if it has at most 10,000 characters", async () => {
  const text = `CREATE TABLE a (\nb int, --${"x".repeat(10_000)}\nc int --${"x".repeat(10_001)}\n)`;
  const { document } = await readContent(text, { format: "sql", modelKey: "m" });
  expect(getDetails(document)).toEqual({ "a/b": { description: "x".repeat(10_000) } });
});
