import { describe, expect, test } from "vitest";
import type { SourceFormat } from "../../shared/domain/values/source-formats.ts";
import { parseFile } from "../../shared/formats/common/source-text.ts";
import { problemOf, readContent } from "./reading.ts";

/** A source of each format as a text, with one table of one column; both have the name. */
const TEXTS: Readonly<Record<string, (name: string) => string>> = {
  metaction: (name) =>
    JSON.stringify({
      ...{ $schema: "urn:metaction:model:2", key: "m", name: "m", version: "1.0.0", authority: "system" },
      types: [{ key: "t" }],
      entities: [{ key: "e", name, attributes: [{ key: "a", name, type: "key:t", optional: true }], primaryKey: [] }],
      ...{ relationships: [], businessKeys: [], localTags: [], tagGroups: [] },
    }),
  frictionless: (name) => JSON.stringify({ name, fields: [{ name, type: "string" }] }),
  jsonschema: (name) => JSON.stringify({ $defs: { [name]: { properties: { [name]: { type: "string" } } } } }),
  openapi: (name) =>
    JSON.stringify({
      ...{ openapi: "3.1.0", info: { title: "x", version: "1.0.0" } },
      components: { schemas: { [name]: { properties: { [name]: { type: "string" } } } } },
    }),
  dbt: (name) => JSON.stringify({ version: 2, models: [{ name, columns: [{ name }] }] }),
  odcs: (name) =>
    JSON.stringify({
      ...{ kind: "DataContract", apiVersion: "v3.1.0", name: "x" },
      schema: [{ name, properties: [{ name, logicalType: "string" }] }],
    }),
  avro: (name) => JSON.stringify({ type: "record", name, fields: [{ name, type: "string" }] }),
  dbml: (name) => `Table "${name}" {\n  "${name}" int\n}\n`,
  postgresql: (name) => `CREATE TABLE "${name.replaceAll('"', '""')}" ("${name.replaceAll('"', '""')}" int);\n`,
};
const IN_JSON = Object.entries(TEXTS).filter(([format]) => format !== "dbml" && format !== "postgresql");

const read = (text: string, format: string) => readContent(text, { format: format as SourceFormat, modelKey: "m" });
/** The names of what was read: of the entity and of its attribute. */
async function namesIn(text: string, format: string): Promise<readonly string[]> {
  const { document } = await read(text, format);
  return document.entities.flatMap(({ key, name, attributes }) => [
    name ?? key,
    ...attributes.map((one) => one.name ?? one.key),
  ]);
}

describe.each(Object.entries(TEXTS))("a text of the format %s", (format, text) => {
  test("may begin with a byte order mark, and have Windows line ends", async () => {
    expect(await namesIn(`\ufeff${text("a")}`, format)).toEqual(await namesIn(text("a"), format));
    expect(await namesIn(text("a").replaceAll("\n", "\r\n"), format)).toEqual(await namesIn(text("a"), format));
  });

  test.each([
    "é",
    "日本語",
    "a b",
    "it's",
    "😀",
    "x".repeat(200),
    "__proto__",
    "constructor",
    "a.b",
    "a/b",
    "~0",
  ])("may have the name %s", async (name) => {
    expect(await namesIn(text(name), format)).toEqual(expect.arrayContaining([name]));
    expect(Object.hasOwn(Object.prototype, "type")).toBe(false);
  });

  test("with an unpaired surrogate is refused", async () => {
    const problem = await problemOf(read(text("a\ud800b"), format));
    expect([problem.code, problem.message]).toEqual(["invalid_content", expect.stringContaining("invalid Unicode")]);
  });

  test.each([
    "",
    " \n",
    "\ufeff",
    "null",
    "0",
    '"x"',
    "[]",
    "{}",
    "- ",
    "--",
    "\0",
  ])("that is %j is refused, or reported as empty", async (nothing) => {
    const found = await read(nothing, format).then(
      ({ document }) => document.entities.length,
      (error: unknown) => (error as { readonly code: string }).code,
    );
    expect([0, 1, "source_not_recognised", "invalid_content"]).toContain(found);
  });
});

describe.each(IN_JSON)("JSON of the format %s", (format, text) => {
  test("may have NUL in its names, which is replaced with a warning", async () => {
    const { warnings } = await read(text("a\0b"), format);
    expect(warnings.some(({ detail }) => detail.includes("NUL"))).toBe(true);
    expect((await namesIn(text("a\0b"), format)).every((name) => !name.includes("\0"))).toBe(true);
  });

  test("with duplicate member names is refused with the pointer", async () => {
    const problem = await problemOf(read(text("a").replace(/^\{/, '{"x":{"y":1,"y":2},'), format));
    expect([problem.code, problem.message]).toEqual(["source_not_recognised", expect.stringContaining("/x/y")]);
  });
});

describe("YAML", () => {
  test.each([
    ["two members of one name", "version: 2\nmodels: []\nmodels: []", "two members named"],
    ["an alias to nothing", "version: 2\nmodels: *a", "an undefined anchor"],
    ["a date", "version: 2\nmodels: [{name: a, x: !!timestamp 2020-01-01}]", "JSON does not have"],
    ["binary data", "version: 2\nmodels: [{name: a, x: !!binary aGk=}]", "JSON does not have"],
    ["a number without end", "version: 2\nmodels: [{name: a, x: .inf}]", "JSON does not have"],
    ["several documents", "version: 2\n---\nversion: 2", "not YAML"],
    ["a list of itself", "version: 2\nmodels: &a [*a]", ""],
  ])("with %s is refused", async (_, text, words) => {
    const problem = await problemOf(readContent(text, { format: "dbt" }));
    expect([problem.code, problem.message]).toEqual(["source_not_recognised", expect.stringContaining(words)]);
  });

  test("may merge objects, also with names that have a meaning in JavaScript", async () => {
    const text =
      "version: 2\nx: &x {name: a, description: d}\nmodels:\n  - <<: *x\n  - name: b\n    __proto__: {polluted: yes}";
    const { document } = await readContent(text, { format: "dbt", modelKey: "m" });
    expect(document.entities.map(({ key, description }) => [key, description])).toEqual([
      ["a", "d"],
      ["b", undefined],
    ]);
    expect(({} as { readonly polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe("the bytes of a file", () => {
  const bytes = (text: string, encoding: "utf16le" | "latin1") => new Uint8Array(Buffer.from(text, encoding));
  const url = new URL("https://example.com/a.sql");

  test("may be UTF-16, as SQL Server writes it", async () => {
    expect(await parseFile({ url, bytes: bytes("\ufeffCREATE TABLE é (a int)", "utf16le") })).toEqual({
      value: "CREATE TABLE é (a int)",
    });
  });

  test("are refused in other encodings", async () => {
    for (const one of [
      bytes("é", "latin1"),
      new Uint8Array([0xfe, 0xff, 0, 0x41]),
      new Uint8Array([0xff, 0xfe, 0x41]),
    ]) {
      expect(await parseFile({ url, bytes: one })).toBe("it is not UTF-8 text");
    }
  });
});

test("an Avro list of a million elements is refused before it is parsed", async () => {
  const problem = await problemOf(readContent(`[${"{},".repeat(999_999)}{}]`));
  expect(problem.code).toBe("source_not_recognised");
});
