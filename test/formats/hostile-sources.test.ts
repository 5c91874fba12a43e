import { describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { problemOf, readContent } from "./reading.ts";

const many = <T>(count: number, make: (i: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const field = { name: "a", type: "string" };

/** A source of each format with a table for each of some names, each with a column of the same name. */
const SOURCES: Readonly<Record<string, (names: readonly string[]) => object>> = {
  jsonschema: (names) => ({
    $defs: Object.fromEntries(names.map((name) => [name, { properties: { [name]: { type: "string" } } }])),
  }),
  openapi: (names) => ({
    openapi: "3.1.0",
    info: { title: "x", version: "1.0.0" },
    components: {
      schemas: Object.fromEntries(names.map((name) => [name, { properties: { [name]: { type: "string" } } }])),
    },
  }),
  dbt: (names) => ({ version: 2, models: names.map((name) => ({ name, columns: [{ name }] })) }),
  odcs: (names) => ({
    ...{ kind: "DataContract", apiVersion: "v3.1.0", name: "x" },
    schema: names.map((name) => ({ name, properties: [{ name, logicalType: "string" }] })),
  }),
};

const NAMES = [
  "a\nb",
  `it's "x"`,
  "`c`",
  "\\",
  "é",
  "e",
  "日本語",
  "x".repeat(128),
  "x".repeat(129),
  "ü".repeat(300),
  " ",
  "__proto__",
  "constructor",
];

describe.each(Object.entries(SOURCES))("a source of the format %s", (format, source) => {
  test("may have 10,000 tables", async () => {
    const { document } = await readContent(source(many(10_000, (i) => `t${i}`)), {
      modelKey: "m",
      format: format as "dbt",
    });
    expect(document.entities).toHaveLength(10_000);
  });

  test("may have any names, which become valid and different keys", async () => {
    const names = NAMES.filter((name) => (format === "dbt" || format === "odcs" ? name.trim() !== "" : true));
    const content = source(names);
    const { document } = await readContent(content, { modelKey: "m", format: format as "dbt" });
    // A name that means something to JavaScript is no member that a literal of it makes.
    const made = document.entities.map(({ name, key }) => name ?? key);
    expect(document.entities.length).toBeGreaterThanOrEqual(names.length - 1);
    expect(made).toContain(`it's "x"`);
    expect(made).toContain("日本語");
    expect(new Set(document.entities.map(({ key }) => key)).size).toBe(document.entities.length);
  });
});

describe("a list of Avro schemas", () => {
  test("may have 10,000 records, each with a reference to the one before", async () => {
    const record = (i: number) => ({
      type: "record",
      name: `r${i}`,
      fields: [field, { name: "b", type: i > 0 ? `r${i - 1}` : "int" }],
    });
    const { document } = await readContent(JSON.stringify(many(10_000, record)), { modelKey: "m" });
    expect([document.entities.length, document.relationships.length]).toEqual([10_000, 9_999]);
  });
});

describe("a text", () => {
  test("of 50 MB of invalid JSON is refused before it is parsed", async () => {
    const problem = await problemOf(readContent(`a: ${"x".repeat(50_000_000)}`));
    expect(problem.message).toContain(`more than ${LIMITS.yamlBytes} bytes`);
  });

  test.each([
    ["JSON", `{"properties":${"[".repeat(10_000)}`],
    ["JSON in objects", `{"$defs":${'{"a":'.repeat(10_000)}`],
    ["YAML", many(10_000, (i) => `${" ".repeat(Math.min(i, 40))}a${i}:`).join("\n")],
    ["flow YAML", `a: ${"[".repeat(10_000)}`],
  ])("that nests 10,000 levels is refused: %s", async (_, text) => {
    expect((await problemOf(readContent(text))).code).toBe("source_not_recognised");
  });

  test("whose aliases expand to more than a source may contain is refused", async () => {
    const lines = many(9, (i) => `a${i}: &a${i} [${many(9, () => (i === 0 ? "x" : `*a${i - 1}`)).join(", ")}]`);
    const problem = await problemOf(readContent(`version: 2\n${lines.join("\n")}\nmodels: *a8`));
    expect(problem.message).toMatch(/aliases followed|more than 1000 times/);
  });
});
