import { describe, expect, test } from "vitest";
import type { SourceFormat } from "../../shared/domain/values/source-formats.ts";
import { TABLE_SOURCES } from "./large/table-sources.ts";
import { problemOf, readContent } from "./reading.ts";

const IN_JSON = Object.entries(TABLE_SOURCES).map(
  ([format, make]) => [format, (name: string) => JSON.stringify(make([{ name, column: name }])), make] as const,
);
/** A source of each format as a text, with one table of one column; both have the name. */
const TEXTS: readonly (readonly [format: string, (name: string) => string])[] = [
  ...IN_JSON.map(([format, text]) => [format, text] as const),
  ["dbml", (name) => `Table "${name}" {\n  "${name}" int\n}\n`],
  ["postgresql", (name) => `CREATE TABLE "${name.replaceAll('"', '""')}" ("${name.replaceAll('"', '""')}" int);\n`],
];

const read = (text: string, format: string) => readContent(text, { format: format as SourceFormat, modelKey: "m" });
/** The names of what was read: of the entity and of its attribute. */
async function namesIn(text: string, format: string): Promise<readonly string[]> {
  const { document } = await read(text, format);
  return document.entities.flatMap(({ key, name, attributes }) => [
    name ?? key,
    ...attributes.map((one) => one.name ?? one.key),
  ]);
}

describe.each(TEXTS)("a text of the format %s", (format, text) => {
  test("may begin with a byte order mark, and have Windows line ends", async () => {
    expect(await namesIn(`\ufeff${text("a")}`, format)).toEqual(await namesIn(text("a"), format));
    expect(await namesIn(text("a").replaceAll("\n", "\r\n"), format)).toEqual(await namesIn(text("a"), format));
  });

  test.each([
    ...["é", "日本語", "a b", "it's", "😀"],
    "x".repeat(200),
    ...["__proto__", "constructor", "a.b", "a/b", "~0"],
  ])("may have the name %s", async (name) => {
    expect(await namesIn(text(name), format)).toEqual(expect.arrayContaining([name]));
    expect(Object.hasOwn(Object.prototype, "type")).toBe(false);
  });

  test("with an unpaired surrogate is refused", async () => {
    const problem = await problemOf(read(text("a\ud800b"), format));
    expect([problem.code, problem.message]).toEqual(["invalid_content", expect.stringContaining("invalid Unicode")]);
  });

  test.each([
    ...["", " \n", "\ufeff", "null", "0"],
    '"x"',
    ...["[]", "{}", "- ", "--", "\0"],
  ])("that is %j is refused, or reported as empty", async (nothing) => {
    const found = await read(nothing, format).then(
      ({ document }) => document.entities.length,
      (error: unknown) => (error as { readonly code: string }).code,
    );
    expect([0, 1, "source_not_recognised", "invalid_content"]).toContain(found);
  });
});

describe.each(IN_JSON)("JSON of the format %s", (format, text, make) => {
  test("may have NUL in its names, which is replaced with a warning", async () => {
    const { warnings } = await read(text("a\0b"), format);
    expect(warnings.some(({ detail }) => detail.includes("NUL"))).toBe(true);
    expect((await namesIn(text("a\0b"), format)).every((name) => !name.includes("\0"))).toBe(true);
  });

  test("with duplicate member names is refused with the pointer", async () => {
    const problem = await problemOf(read(text("a").replace("{", '{"x":{"y":1,"y":2},'), format));
    expect([problem.code, problem.message]).toEqual(["source_not_recognised", expect.stringContaining("/x/y")]);
  });

  test("may have 10,000 tables", async () => {
    const names = Array.from({ length: 10_000 }, (_, i) => ({ name: `t${i}` }));
    expect((await read(JSON.stringify(make(names)), format)).document.entities).toHaveLength(10_000);
  });

  test("may have names of any characters and lengths, which become valid and different keys", async () => {
    const names = ["a\nb", `it's "x"`, "`c`", "\\", "é", "e", "日本語", "__proto__", "constructor"];
    const long = format === "metaction" ? [] : ["x".repeat(128), "x".repeat(129), "ü".repeat(300)];
    const legal = [...names, ...long].filter((name) => format !== "metaction" || !name.includes("\n"));
    const { document } = await read(JSON.stringify(make(legal.map((name) => ({ name, column: name })))), format);
    expect(document.entities.map(({ name, key }) => name ?? key)).toEqual(
      expect.arrayContaining([`it's "x"`, "日本語"]),
    );
    // A name that means something to JavaScript is not a member that a literal of it makes.
    expect(document.entities.length).toBeGreaterThanOrEqual(legal.length - 1);
    expect(new Set(document.entities.map(({ key }) => key)).size).toBe(document.entities.length);
  });
});

test("a list of Avro schemas may have 10,000 records, each with a reference to the one before", async () => {
  const records = Array.from({ length: 10_000 }, (_, i) => ({
    ...{ type: "record", name: `r${i}` },
    fields: [{ name: "b", type: i > 0 ? `r${i - 1}` : "int" }],
  }));
  const { document } = await read(JSON.stringify(records), "avro");
  expect([document.entities.length, document.relationships.length]).toEqual([10_000, 9_999]);
});
