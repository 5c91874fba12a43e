import { describe, expect, test } from "vitest";
import { pointers, readContent } from "./reading.ts";

const BAD = "a\u0000\u001b[31mb\u009b";
const LEGAL = "a\ufffd\ufffd[31mb\ufffd";

const heldIn = (value: unknown): readonly string[] =>
  ["\\u0000", "\\u001b", "\u009b"].filter((control) => JSON.stringify(value).includes(control));

/** A source of each format with a control in every text it may have. */
const SOURCES: Readonly<Record<string, object>> = {
  "Table Schema": {
    name: BAD,
    title: BAD,
    description: BAD,
    fields: [{ name: BAD, title: BAD, description: BAD, type: "string", format: BAD }],
    primaryKey: BAD,
  },
  "Data Package": {
    name: BAD,
    title: BAD,
    description: BAD,
    homepage: `https://example.com/${BAD}`,
    version: `1.0.0${BAD}`,
    keywords: [BAD],
    [BAD]: { [BAD]: BAD },
    resources: [{ name: BAD, title: BAD, schema: { fields: [{ name: BAD, title: BAD, description: BAD }] } }],
  },
  "our own model document": {
    $schema: "urn:metaction:model:1",
    key: "m",
    name: BAD,
    description: BAD,
    version: "1.0.0",
    authority: "system",
    types: [{ key: "t", name: BAD, description: BAD }],
    entities: [
      { key: "e", name: BAD, description: BAD, attributes: [{ key: "a", type: "key:t", optional: false, name: BAD }] },
    ],
  },
};

describe("NUL, ESC and C1 controls in a source", () => {
  test.each(Object.entries(SOURCES))("become U+FFFD, each text with a warning: %s", async (_, source) => {
    const { document, warnings } = await readContent(source);
    expect(heldIn([document, warnings])).toEqual([]);
    expect(document.description).toBe(LEGAL);
    const told = warnings.filter(({ detail }) => /contained control characters/.test(detail));
    expect(told.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThanOrEqual(5);
    expect(pointers(told)).toContain("/description");
  });

  test("do not make two members equal", async () => {
    const { document } = await readContent({
      fields: [],
      "x\u0000": 1,
      "x\u001b": 2,
      "x\ufffd": 3,
      "x\ufffd\ufffd": 4,
    });
    const kept = Object.entries(document.properties ?? {}).filter(([name]) => !name.startsWith("frictionless:"));
    expect(kept.map(([, value]) => value)).toEqual([1, 2, 3, 4]);
    expect(Object.keys(document.properties?.["frictionless:memberNames"] ?? {})).toHaveLength(4);
  });

  test("are the only characters that change", async () => {
    const { document, warnings } = await readContent({
      title: "a\u0007b\u202e",
      description: "a\tb\r\nc\u007f",
      fields: [],
    });
    expect([document.name, document.description]).toEqual(["a\u0007b\u202e", "a\tb\r\nc\u007f"]);
    expect(warnings.filter(({ detail }) => /controls/.test(detail))).toEqual([]);
  });
});
