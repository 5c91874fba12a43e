import { describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import type { SourceFormat } from "../../shared/domain/values/source-formats.ts";
import { SourceSize } from "../../shared/formats/common/document-size.ts";
import { problemOf, readContent } from "./reading.ts";

const many = <T>(count: number, make: (i: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const values = many(2_500, (i) => `VALUE_${i}`);
const text = "x".repeat(LIMITS.descriptionBytes);
const members = (count: number, value: unknown) => Object.fromEntries(many(count, (i) => [`p${i}`, value]));

/** Sources that say one large part in as many places as they are told. */
const SOURCES: Readonly<Record<string, readonly [SourceFormat, number, (places: number) => unknown]>> = {
  "a JSON Schema whose properties refer to one enum": [
    "jsonschema",
    3_000,
    (n) => ({ properties: members(n, { $ref: "#/$defs/e" }), $defs: { e: { enum: values } } }),
  ],
  "a JSON Schema whose properties refer to one description": [
    "jsonschema",
    1_000,
    (n) => ({ properties: members(n, { $ref: "#/$defs/e" }), $defs: { e: { type: "string", description: text } } }),
  ],
  "an OpenAPI document whose properties refer to one default": [
    "openapi",
    3_000,
    (n) => ({
      ...{ openapi: "3.1.0", info: { title: "x", version: "1.0.0" } },
      components: {
        schemas: {
          a: { properties: members(n, { $ref: "#/components/schemas/e" }) },
          e: { default: text.slice(0, 30_000) },
        },
      },
    }),
  ],
  "an Avro schema whose fields have one enum": [
    "avro",
    3_000,
    (n) =>
      JSON.stringify([
        { type: "enum", name: "E", symbols: values },
        { type: "record", name: "R", fields: many(n, (i) => ({ name: `f${i}`, type: "E" })) },
      ]),
  ],
  "SQL whose columns have one enum": [
    "postgresql",
    3_000,
    (n) =>
      `CREATE TYPE e AS ENUM (${values.map((one) => `'${one}'`).join(", ")});\nCREATE TABLE a (${many(n, (i) => `c${i} e`).join(", ")});`,
  ],
  "a DBML text whose columns have one enum": [
    "dbml",
    2_500,
    (n) => `Enum e {\n${values.slice(0, 2_400).join("\n")}\n}\nTable a {\n${many(n, (i) => `c${i} e`).join("\n")}\n}\n`,
  ],
};

test(`the parts of a model may have at most ${LIMITS.madeCharacters} characters`, () => {
  const size = new SourceSize();
  const check = (part: Parameters<SourceSize["addTexts"]>[0]) => size.addTexts(part);
  check({ description: "x".repeat(LIMITS.madeCharacters - 20), constraints: { maxLength: 1 }, properties: {} });
  check({ description: "xxx" });
  expect(() => check({ description: "x" })).toThrow(`more than ${LIMITS.madeCharacters} characters`);
});

/** Enums of DBML are counted before the parser copies them into columns, everything else when it has been read. */
const LIMIT_TEXT = new RegExp(`more than (${LIMITS.madeCharacters}|${LIMITS.dbmlEnumCharacters}) characters`);

describe.each(Object.entries(SOURCES))("%s", (_, [format, places, make]) => {
  test("used a few times is read, and used thousands of times is refused with the sum", async () => {
    const { document } = await readContent(make(10), { format, modelKey: "m" });
    expect(document.entities.flatMap(({ attributes }) => attributes)).toHaveLength(10);
    const problem = await problemOf(readContent(make(places), { format, modelKey: "m" }));
    expect([problem.code, problem.message]).toEqual(["too_large", expect.stringMatching(LIMIT_TEXT)]);
  });
});
