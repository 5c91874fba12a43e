import { describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import type { SourceFormat } from "../../shared/domain/values/source-formats.ts";
import { DIALECTS } from "../../shared/formats/sql/dialects.ts";
import { problemOf, readContent } from "./reading.ts";

const DIALECT_NAMES = Object.keys(DIALECTS) as readonly SourceFormat[];
const many = (count: number, make: (i: number) => string) => Array.from({ length: count }, (_, i) => make(i)).join("");
// Many of these texts are broken on purpose.
const read = (content: string, format: SourceFormat = "postgresql") =>
  readContent(content, { format, modelKey: "m", lenient: true });

describe.each(DIALECT_NAMES)("SQL of %s", (format) => {
  test.each<[string, (levels: number) => string]>([
    ["a default", (n) => `DEFAULT ${"(".repeat(n)}1${")".repeat(n)}`],
    ["a check", (n) => `CHECK (${"(".repeat(n)}b > 1${")".repeat(n)})`],
    ["a default that is never closed", (n) => `DEFAULT ${"(".repeat(n)}`],
    ["a list", (n) => `DEFAULT ${"[".repeat(n)}1${"]".repeat(n)}`],
    ["a structure", (n) => `, c ${"STRUCT<a ARRAY<".repeat(n)}INT64${">>".repeat(n)}`],
    ["a chain", (n) => `CHECK (b > 1${" and not (b > 1 or b)".repeat(n)})`],
    ["a comment", (n) => `/*${"/*".repeat(n)}${"*/".repeat(n)}*/`],
    ["a case", (n) => `DEFAULT ${"case when 1 then ".repeat(n)}1${" end".repeat(n)}`],
  ])("may have 10,000 nested levels in %s", async (_, nested) => {
    const { document } = await read(`CREATE TABLE a (b int ${nested(10_000)});\nCREATE TABLE z (y int);`, format);
    expect(document.entities.map(({ key }) => key.toLowerCase())).toContain("a");
  });

  test("may have any names", async () => {
    const quote = format === "mysql" || format === "bigquery" ? "`" : '"';
    const names = [
      ...["a\nb", "it's", "日本語", "é", "x".repeat(128), "x".repeat(300)],
      ...["__proto__", "constructor", "a--b", "/*", "a;b", "[x]"],
    ];
    const text = names.map((name) => `CREATE TABLE ${quote}${name}${quote} (${quote}${name}${quote} int);`).join("\n");
    const { document } = await read(text, format);
    expect(document.entities).toHaveLength(names.length);
    expect(new Set(document.entities.map(({ key }) => key)).size).toBe(names.length);
    expect(document.entities.map(({ key, name }) => name ?? key)).toEqual(
      expect.arrayContaining(["日本語", "a;b", "[x]", "__proto__"]),
    );
    expect(document.entities.every(({ attributes }) => attributes.length === 1)).toBe(true);
  });

  test("may have unclosed quotes and comments", async () => {
    for (const end of ["'", '"', "`", "[", "/*", "$$", "$x$", "--", "(", "q'[", "E'\\", "\\", "@", "N'", "`'\"["]) {
      const { document } = await read(`CREATE TABLE a (b int);\nCREATE TABLE c (d text DEFAULT ${end}`, format);
      expect(document.entities.length, end).toBeGreaterThanOrEqual(1);
    }
  });
});

describe("SQL", () => {
  test("may have 10,000 tables that refer to each other", async () => {
    const text = many(
      10_000,
      (i) => `CREATE TABLE t${i} (id int PRIMARY KEY, b int REFERENCES t${(i + 1) % 10_000});\n`,
    );
    const { document } = await read(text);
    expect([document.entities.length, document.relationships.length]).toEqual([10_000, 10_000]);
  });

  test("may have 10,000 changes and comments of one table of 1,000 columns", async () => {
    const columns = many(1_000, (i) => `, c${i} int`);
    const changes = many(
      5_000,
      (i) => `ALTER TABLE a ADD COLUMN d${i} int;\nCOMMENT ON COLUMN a.c${i % 1_000} IS 'x';\n`,
    );
    const { document } = await read(`CREATE TABLE a (id int${columns});\n${changes}`);
    expect(document.entities[0]?.attributes).toHaveLength(6_001);
  });

  test("whose tables copy the columns of others is read up to the size of a model", async () => {
    const doubled = many(14, (i) => `CREATE TABLE t${i + 1} (LIKE t${i}, LIKE t${i});\n`);
    const { warnings } = await read(`CREATE TABLE t0 (a int, b int);\n${doubled}`);
    expect(warnings.map(({ detail }) => detail)).toContain("more columns than a table may have");
    const copies = many(3_000, (i) => `CREATE TABLE u${i} (LIKE t0);\n`);
    const problem = await problemOf(read(`CREATE TABLE t0 (${many(200, (i) => `c${i} int,`)} z int);\n${copies}`));
    expect(problem.code).toBe("invalid_content");
    expect(JSON.stringify(problem.members.errors)).toContain(`more than ${LIMITS.objectsPerJob} columns`);
  });

  test(`whose views copy all columns of others is read up to ${LIMITS.sqlColumns} columns`, async () => {
    const table = (count: number) => `CREATE TABLE t (${many(count - 1, (i) => `c${i} int,`)} z int);\n`;
    const view = "CREATE VIEW v AS SELECT t.*, t.* FROM t;";
    const { document, warnings } = await read(table(LIMITS.sqlColumns / 2) + view);
    expect(document.entities[1]?.attributes).toHaveLength(LIMITS.sqlColumns);
    expect(warnings.map(({ code }) => code)).not.toContain("not_carried_over");
    const more = await read(table(LIMITS.sqlColumns / 2 + 1) + view);
    expect(more.document.entities[1]?.attributes).toEqual([]);
    expect(more.warnings.map(({ detail }) => detail)).toEqual(["more columns than a table may have"]);
    const most = await read(`${table(5_000)}CREATE VIEW v AS SELECT ${"t.*, ".repeat(20_000)}t.* FROM t;`);
    expect(most.document.entities[1]?.attributes).toEqual([]);
  });

  test(`whose ALTER statements scan ${LIMITS.sqlWalked} columns and keys is read, and not with one more`, async () => {
    const table = `CREATE TABLE a (${many(9_999, (i) => `c${i} int,`)} z int);\n`;
    const most = LIMITS.sqlWalked / 10_000;
    const drops = "ALTER TABLE a DROP CONSTRAINT x;\n";
    expect((await read(table + drops.repeat(most))).document.entities).toHaveLength(1);
    const problem = await problemOf(read(table + drops.repeat(most + 1)));
    expect(problem.code).toBe("invalid_content");
    expect(JSON.stringify(problem.members.errors)).toContain(`more than ${LIMITS.sqlWalked} columns and keys`);
  });

  test("may change each of 10,000 columns", async () => {
    const table = `CREATE TABLE a (${many(9_999, (i) => `c${i} int,`)} z int);\n`;
    const anew = many(9_999, (i) => `ALTER TABLE a MODIFY c${i} varchar(9) NOT NULL;\n`);
    const { document } = await read(table + anew, "mysql");
    const [entity] = document.entities;
    expect(entity?.attributes.filter(({ type, optional }) => type === "key:varchar" && !optional)).toHaveLength(9_999);
    expect(entity?.attributes.map(({ key }) => key).slice(0, 3)).toEqual(["c0", "c1", "c2"]);
  });

  test("skips a statement that is too long and reads the rest", async () => {
    const text = `CREATE TABLE a (${many(LIMITS.sqlTokens, (i) => `c${i} int,`)} z int);\nCREATE TABLE b (c int);`;
    const { document, warnings } = await read(text);
    expect(document.entities.map(({ key }) => key)).toEqual(["b"]);
    expect(warnings.map(({ detail }) => detail)).toEqual(["the statement is too long"]);
  });
});
