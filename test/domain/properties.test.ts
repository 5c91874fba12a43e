import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { constraints } from "../../shared/domain/constraints/check.ts";
import { getBuiltIn } from "../../shared/domain/model/property-definitions.ts";
import { PatternBudget } from "../../shared/domain/text/pattern-budget.ts";
import { addProperty, properties, propertyValue, removeProperty } from "../../shared/domain/values/properties.ts";
import { findSchemaMismatch, type PropertySchema, propertySchema } from "../../shared/domain/values/property-schema.ts";

function faultIn(type: typeof propertyValue | typeof properties, json: string): PropertyKey[] | undefined {
  return z.safeParse<z.ZodMiniType<unknown>>(type.schema(), JSON.parse(json)).error?.issues[0]?.path;
}

test("the constraints of other formats are an object", () =>
  expect(getBuiltIn("frictionless:constraints")?.schema).toBe('{"type":"object"}'));

describe("the value of a property", () => {
  test.each([
    ...["null", '""', "[]", "{}", "-0.5", '{"prototype":1,"a":{"constructor":{"b":1}}}', '[[["\\u2028"]]]'],
  ])("may be %s", (json) => expect(faultIn(propertyValue, json)).toBeUndefined());

  test.each([
    ["a number beyond the largest", '{"a":[1e400]}', ["a", 0]],
    ["a member that would be a prototype", '{"a":{"__proto__":1}}', ["a", "__proto__"]],
    ["a prototype of a constructor", '{"constructor":{"prototype":1}}', ["constructor", "prototype"]],
    ["half a surrogate pair", '["\\ud800"]', [0]],
  ])("may not hold %s", (_, json, path) => expect(faultIn(propertyValue, json)).toEqual(path));
});

test.each([
  ["a name that is not a valid key", '{"a":1,"it\'s":2}', ["it's"]],
  ["a name that no body could hold", '{"constructor":1}', ["constructor"]],
  ["a value that is none", '{"a":["\\u0000"]}', ["a", 0]],
  ["a list in their place", "[1]", []],
])("the properties of a document are refused for %s", (_, json, path) =>
  expect(faultIn(properties, json)).toEqual(path));

test("properties are stored as one text, independent of the order of names and members", () => {
  const set = (kept: string | undefined, name: string, value: unknown) => {
    const made = addProperty(kept, name, value as never);
    if ("excess" in made) throw new Error(made.excess);
    return made.json;
  };
  const one = set(set(undefined, "a", { x: 1, y: [2] }), "toString", null);
  expect(one).toBe(set(set(undefined, "toString", null), "a", { y: [2], x: 1 }));
  expect(removeProperty(removeProperty(one, "a"), "toString")).toBeUndefined();
  expect(removeProperty(one, "valueOf")).toBe(one);
});

const OTHERS = [undefined, null, "x", 5, true, [], [1]];
const THEIR_TYPES = ["nothing", "null", "a string", "a number", "a boolean", "a list", "a list"];

test.each([
  constraints,
  properties,
  propertySchema,
])("a value of the type $id is an object, and anything else is refused", ({ schema }) => {
  const parse = (value: unknown) => z.safeParse(schema() as z.ZodMiniType, value);
  const messages = OTHERS.map((value) => parse(value).error?.issues.map((issue) => issue.message));
  expect(messages).toEqual(THEIR_TYPES.map((type) => [`expected an object, got ${type}`]));
});

const mismatch = (value: unknown, schema: PropertySchema) => findSchemaMismatch(value, schema, new PatternBudget());

test.each<[PropertySchema, readonly unknown[], readonly unknown[]]>([
  [{ type: ["integer", "null"] }, [1, null], [1.5, "1", false]],
  [{ minimum: 1 }, [1, 2, "0"], [0.9, -1]],
  [{ maximum: 2 }, [2, -1, "3"], [2.1, 3]],
  [{ pattern: "^a" }, ["ab", 1], ["ba", ""]],
  [{ items: { maximum: 1 } }, [[], [1, 0], 5], [[0, 2]]],
])("the schema %j accepts each of %j, and none of %j", (schema, fitting, others) => {
  expect(fitting.map((value) => mismatch(value, schema))).toEqual(fitting.map(() => undefined));
  for (const value of others) expect(mismatch(value, schema), JSON.stringify(value)).toBeDefined();
});

test("a message about a value shows 200 characters of it, and a mark if there are more", () => {
  const describeText = (text: string) => mismatch(text, { enum: [1] })?.detail;
  expect(describeText("x".repeat(198))).toMatch(/^"x{198}" is/);
  expect(describeText("x".repeat(199))).toMatch(/^"x{199}… is/);
});

test("a stored pattern that is not supported is an error that names the fault", () =>
  expect(() => mismatch("a", { pattern: "a**" })).toThrow(/ at character \d$/));
