import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonSchema, Schemas } from "../../ui/api/description.ts";
import { createForm, type Field } from "../../ui/screens/runner/form/field.ts";
import { canShow, findVariant, isComplete, listPointers } from "../../ui/screens/runner/form/fit.ts";
import { getValueAt, setValueAt } from "../../ui/screens/runner/form/form-state.ts";
import { parseControlText } from "../../ui/screens/runner/form/inputs.tsx";
import { describedService } from "./support/described-service.ts";
import { after, stepsTo } from "./support/filling.ts";

const { actions, schemas } = await describedService();

const filledIn = (form: Field, payload: unknown): unknown => stepsTo(form, payload).reduce(after, {} as unknown);

describe("the form of an action", () => {
  test.for(
    [...actions.values()].map((action) => [`${action.group}/${action.name}`, action] as const),
  )("builds the example of %s", ([, { input, example }]) => {
    const form = createForm(input, schemas);
    expect(filledIn(form, example)).toEqual(example);
    // Every value of an example has a control that shows it as it is.
    for (const pointer of listPointers(form, example)) expect(pointer).toMatch(/^(?:\/|$)/);
    expect(isComplete(form, example)).toBe(true);
  });

  test("has the control that fits the description of a value", () => {
    const kinds = (action: string): object => {
      const { control } = createForm(actions.get(action)?.input, schemas);
      if (control.kind !== "object") throw new Error("no form");
      return Object.fromEntries(control.members.map((member) => [member.name, member.control.kind]));
    };
    expect(kinds("model/entity_attribute_create")).toMatchObject({
      modelRef: "ref",
      type: "ref",
      attributeKey: "text",
      optional: "flag",
      constraints: "object",
    });
    expect(kinds("auth/audit_list")).toMatchObject({
      from: "time",
      limit: "number",
      outcome: "choice",
      actorId: "text",
    });
    expect(kinds("auth/login")).toEqual({ username: "text", password: "secret" });
    expect(kinds("auth/token_create")).toMatchObject({ permissions: "choices" });
    expect(kinds("model/entity_update_property")).toMatchObject({ value: "json" });
    expect(kinds("model/entity_primary_key_update")).toMatchObject({ attributeRef: "list" });
  });

  test("shows other values as JSON", () => {
    expect(canShow({ kind: "number", whole: true }, "12")).toBe(false);
    expect(canShow({ kind: "text", lines: "one" }, "a\nb")).toBe(false);
    expect(canShow({ kind: "choice", values: ["a"] }, "b")).toBe(false);
    expect(canShow({ kind: "choices", values: ["a"] }, ["a", "a"])).toBe(false);
    expect(canShow({ kind: "flag" }, null)).toBe(false);
  });

  test("resolves a recursive schema, and shows it as JSON", () => {
    const tree: Schemas = {
      Tree: { type: "object", properties: { of: { $ref: "#/components/schemas/Tree" } }, additionalProperties: false },
    };
    const { control } = createForm({ $ref: "#/components/schemas/Tree" }, tree);
    expect(control.kind === "object" && control.members[0]?.control.kind).toBe("json");
  });
});

describe("a text of a field", () => {
  test.for([
    ["12", { value: 12 }],
    ["-0.5e3", { value: -500 }],
    ["  7 ", { value: 7 }],
    ["", { value: undefined }],
    ["0x10", { fault: "number" }],
    ["1,5", { fault: "number" }],
    ["1e999", { fault: "number" }],
    ["one", { fault: "number" }],
  ] as const)("%j as a number", ([text, meant]) => {
    expect(parseControlText({ kind: "number", whole: false }, text)).toEqual(meant);
  });

  test("is an integer, JSON, an object or a list where required", () => {
    expect(parseControlText({ kind: "number", whole: true }, "1.5")).toEqual({ fault: "whole" });
    expect(parseControlText({ kind: "json", shape: "any" }, "null")).toEqual({ value: null });
    expect(parseControlText({ kind: "json", shape: "any" }, "Sales")).toEqual({ fault: "json" });
    expect(parseControlText({ kind: "json", shape: "object" }, "[]")).toEqual({ fault: "object" });
    expect(parseControlText({ kind: "json", shape: "list" }, "{}")).toEqual({ fault: "list" });
  });

  test("omits empty fields, but keeps the position of an item", () => {
    expect(parseControlText({ kind: "text", lines: "one" }, "")).toEqual({ value: undefined });
    expect(parseControlText({ kind: "text", lines: "one" }, "", true)).toEqual({ value: "" });
  });
});

type Made = { readonly schema: JsonSchema; readonly value: fc.Arbitrary<unknown> };

const line = fc.string({ minLength: 1, unit: "grapheme" }).filter((text) => !/[\r\n]/.test(text));
const name = fc.constantFrom("a", "b", "c", "name", "value", "items", "x/y", "~", "__proto__", "constructor");
const words = fc.uniqueArray(fc.constantFrom("red", "green", "blue", "none"), { minLength: 1 });

const leaf: fc.Arbitrary<Made> = fc.oneof(
  fc.constant<Made>({ schema: { type: "string" }, value: line }),
  fc.constant<Made>({ schema: { type: "string", "x-type": "EntityRef" }, value: line }),
  fc.constant<Made>({ schema: { type: "string", "x-type": "Moment" }, value: line }),
  fc.constant<Made>({ schema: { type: "string", "x-type": "TextMarkdown" }, value: fc.string({ minLength: 1 }) }),
  fc.constant<Made>({ schema: { type: "integer", minimum: -5 }, value: fc.integer() }),
  fc.constant<Made>({
    schema: { type: "number" },
    value: fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
  }),
  fc.constant<Made>({ schema: { type: "boolean" }, value: fc.boolean() }),
  fc.constant<Made>({ schema: {}, value: fc.jsonValue() }),
  fc.constant<Made>({
    schema: { type: "object", additionalProperties: true },
    value: fc.dictionary(line, fc.jsonValue()),
  }),
  words.map((all): Made => ({ schema: { type: "string", enum: all }, value: fc.constantFrom(...all) })),
  words.map(
    (all): Made => ({
      schema: { type: "array", items: { type: "string", enum: all } },
      value: fc.uniqueArray(fc.constantFrom(...all), { minLength: 1 }),
    }),
  ),
);

const { object } = fc.letrec<{ made: Made; object: Made }>((tie) => ({
  made: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc
      .tuple(tie("made"), fc.integer({ min: 0, max: 2 }))
      .filter(([{ schema }]) => schema.enum === undefined)
      .map(
        ([{ schema, value }, least]): Made => ({
          schema: { type: "array", items: schema, ...(least > 0 && { minItems: least }) },
          value: fc.array(value, { minLength: least, maxLength: least + 2 }),
        }),
      ),
    tie("object"),
    // Shapes that a word tells apart, as those of filters are.
    fc.uniqueArray(fc.constantFrom("red", "green", "blue"), { minLength: 2 }).chain((all) =>
      fc.array(tie("made"), { minLength: all.length, maxLength: all.length }).map((inner): Made => {
        const shapes = all.map((word, at): JsonSchema => {
          const properties = { type: { type: "string", enum: [word] }, value: inner[at]?.schema ?? {} };
          return { type: "object", properties, required: ["type", "value"], additionalProperties: false };
        });
        const values = all.map((word, at) => fc.record({ type: fc.constant(word), value: inner[at]?.value ?? line }));
        return { schema: { oneOf: shapes }, value: fc.oneof(...values) };
      }),
    ),
  ),
  object: fc
    .dictionary(name, fc.tuple(tie("made"), fc.boolean()), { maxKeys: 4, noNullPrototype: true })
    .map((members): Made => {
      const all = Object.entries(members);
      const required = all.filter(([, [, isRequired]]) => isRequired).map(([member]) => member);
      return {
        schema: {
          type: "object",
          properties: Object.fromEntries(all.map(([member, [{ schema }]]) => [member, schema])),
          required,
          additionalProperties: false,
        },
        value: fc.record(Object.fromEntries(all.map(([member, [{ value }]]) => [member, value])), {
          requiredKeys: required,
          noNullPrototype: true,
        }),
      };
    }),
}));

const payloads = object.chain(({ schema, value }) => value.map((payload) => ({ schema, payload })));

test("can build every payload of every schema from nothing, and returns it unchanged", () => {
  fc.assert(
    fc.property(payloads, ({ schema, payload }) => {
      const form = createForm(schema, {});
      // What JSON can say: it has no -0.
      expect(filledIn(form, payload)).toEqual(JSON.parse(JSON.stringify(payload)));
    }),
    { numRuns: 2_000 },
  );
});

test("a value is inserted and removed, and nothing else changes", () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.array(fc.oneof(name, fc.integer({ min: 0, max: 2 })), { minLength: 1, maxLength: 3 }),
      fc.jsonValue(),
      (whole, path, value) => {
        const before = JSON.stringify(whole);
        expect(getValueAt(setValueAt(whole, path, value), path)).toEqual(value);
        expect(JSON.stringify(whole)).toBe(before);
      },
    ),
  );
  expect(setValueAt({ a: 1, b: 2, c: 3 }, ["b"], 4)).toEqual({ a: 1, b: 4, c: 3 });
  expect(Object.keys(setValueAt({ a: 1, b: 2 }, ["a"], 4) as object)).toEqual(["a", "b"]);
  expect(setValueAt({ a: [1, 2, 3] }, ["a", 1], undefined)).toEqual({ a: [1, 3] });
});

test("the variant of a value is found by its members, and none if they contradict all", () => {
  const filters = createForm(actions.get("model/search")?.input, schemas).control;
  const items = filters.kind === "object" ? filters.members.find((one) => one.name === "filters")?.control : undefined;
  const list = items?.kind === "object" ? items.members.find((one) => one.name === "items")?.control : undefined;
  const variants = list?.kind === "list" && list.item.control.kind === "variants" ? list.item.control.variants : [];
  const nameOf = (value: unknown): string | undefined => variants[findVariant(variants, value) ?? -1]?.name;
  expect(nameOf({ type: "tags", condition: "anyOf", value: [] })).toBe("TagsFilter");
  expect(nameOf({ type: "tags", condition: "empty" })).toBe("AnyTagsFilter");
  expect([nameOf({ type: "text" }), nameOf({ type: "nothing" })]).toEqual(["TextFilter", undefined]);
});
