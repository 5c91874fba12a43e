import { expect, test } from "vitest";
import { assessSchemas, findSchemaKeyword } from "../../shared/domain/compare/nested-schemas.ts";

const TEXT = { type: "string" };
const object = (properties: object, ...required: readonly string[]) => ({ type: "object", properties, required });

/** Changes of a schema, with the expected effects: the class, the pointer and the beginning of the reason. */
const CHANGES: readonly (readonly [before: unknown, after: unknown, ...expected: readonly string[]])[] = [
  [
    { oneOf: [TEXT, object({ staging_dir: TEXT }, "staging_dir")] },
    { oneOf: [TEXT, object({ stagingDir: TEXT }, "stagingDir")] },
    "breaking /oneOf/1/properties/stagingDir: added and required",
    "breaking /oneOf/1/properties/staging_dir: removed",
  ],
  [object({}), object({ a: TEXT }), "additive /properties/a: added"],
  [object({ a: TEXT }), object({ a: TEXT }, "a"), "breaking /required/a: writers that omit it"],
  [object({ a: TEXT }, "a"), object({ a: TEXT }), "breaking /required/a: readers may find"],
  [
    object({ a: { items: TEXT } }),
    object({ a: { items: { type: "integer" } } }),
    "breaking /properties/a/items/type: the type",
  ],
  [{ type: "integer" }, { type: "number" }, "additive /type: more values"],
  [{ type: ["string", "null"] }, TEXT, "breaking /type: fewer values"],
  [TEXT, {}, "additive /type: more values"],
  [
    { items: { enum: ["a"] } },
    { items: { enum: ["a", "b"] } },
    'additive /items: enum allows "b" as well: more values',
  ],
  [{ maxLength: 9 }, { maxLength: 5 }, "breaking maxLength 5 instead of 9: fewer values"],
  [{ oneOf: [TEXT] }, { oneOf: [TEXT, { type: "null" }] }, "additive /oneOf/1: more values"],
  [{ anyOf: [TEXT, { type: "null" }] }, { anyOf: [TEXT] }, "breaking /anyOf/1: fewer values"],
  [{ allOf: [TEXT] }, { allOf: [TEXT, { maxLength: 3 }] }, "breaking /allOf/1: fewer values"],
  [{ allOf: [TEXT, { maxLength: 3 }] }, { allOf: [TEXT] }, "additive /allOf/1: more values"],
  [{ additionalProperties: false }, {}, "additive /additionalProperties: more values"],
  [{}, { additionalProperties: false }, "breaking /additionalProperties: fewer values"],
  [{ additionalProperties: TEXT }, { additionalProperties: true }, "additive /additionalProperties: more values"],
  [{ default: "a" }, { default: "b" }, 'behavioural /default: "b" instead of "a": records written without it'],
  [{}, { not: TEXT }, "breaking /not: fewer values"],
  [{ not: TEXT }, {}, "additive /not: more values"],
  [{ not: TEXT }, { not: {} }, "breaking /not: it is unclear"],
  [{ if: TEXT }, { if: { type: "null" } }, "breaking /if: it is unclear"],
  [{ $ref: "#/a" }, { $ref: "#/b" }, "breaking /$ref: it is unclear"],
  [{ title: "A", "x-own": 1 }, { description: "B", "x-own": 2 }, "cosmetic documentation only"],
];

test.each(
  CHANGES.map(([before, after, ...expected]) => ({ before, after, expected })),
)("from $before to $after is judged at its place", ({ before, after, expected }) => {
  const found = assessSchemas(before, after).map(({ impact, reason }) => `${impact} ${reason}`);
  expect(found).toEqual(expected.map((one) => expect.stringContaining(one)));
  expect(found.every((one, i) => one.startsWith(expected[i] ?? "none"))).toBe(true);
});

test("a change of everything has at most 20 effects", () => {
  const all = (name: string) =>
    object(Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`${name}${i}`, TEXT])));
  expect(assessSchemas(all("a"), all("b"))).toHaveLength(20);
});

test.each([
  ["jsonschema:oneOf", "oneOf"],
  ["openapi:schema", "schema"],
  ["jsonschema:property", undefined],
  ["openapi:usedIn", undefined],
  ["sql:options", undefined],
])("the property %s keeps the keyword %s", (property, keyword) => expect(findSchemaKeyword(property)).toBe(keyword));
