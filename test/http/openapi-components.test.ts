import { describe, expect, test } from "vitest";
import { createSchemaRegistry } from "../../shared/http/openapi-components.ts";

describe("the collection of schemas", () => {
  test("sorts the schemas by name and moves every object with a name there, also from lists and alternatives", () => {
    const schemas = createSchemaRegistry();
    const named = (title: string) => ({ title, type: "object", properties: {} });
    const outer = {
      type: "object",
      properties: {
        list: { type: "array", items: named("C") },
        map: { type: "object", additionalProperties: named("B") },
        closed: { type: "object", additionalProperties: false },
        either: { anyOf: [named("A"), { type: "null" }] },
        one: { oneOf: [named("D")] },
      },
    };
    expect(schemas.refer(outer, "Outer")).toEqual({ $ref: "#/components/schemas/Outer" });
    const collected = schemas.components();
    expect(Object.keys(collected)).toEqual(["A", "B", "C", "D", "Outer"]);
    expect(collected.A).toEqual({ type: "object", properties: {} });
    expect(collected.Outer).toEqual({
      type: "object",
      properties: {
        list: { type: "array", items: { $ref: "#/components/schemas/C" } },
        map: { type: "object", additionalProperties: { $ref: "#/components/schemas/B" } },
        closed: { type: "object", additionalProperties: false },
        either: { anyOf: [{ $ref: "#/components/schemas/A" }, { type: "null" }] },
        one: { oneOf: [{ $ref: "#/components/schemas/D" }] },
      },
    });
  });

  test("keeps the text of a use next to its reference, and leaves a schema without members where it is", () => {
    const schemas = createSchemaRegistry();
    const row = { title: "Row", type: "object", properties: {} };
    const ref = { $ref: "#/components/schemas/Row" };
    const texts = { description: "One.", "x-type": "A" };
    expect(schemas.refer({ ...row, ...texts })).toEqual({ ...ref, ...texts });
    expect(schemas.refer({ ...row, description: "Another." })).toEqual({ ...ref, description: "Another." });
    expect(schemas.refer({ type: "string" }, "Text")).toEqual({ type: "string" });
    expect(schemas.components()).toEqual({ Row: { type: "object", properties: {} } });
  });

  test("two schemas with one name are refused", () => {
    const named = createSchemaRegistry();
    named.refer({ title: "Row", type: "object", properties: { id: { type: "string" } } });
    const other = { title: "Row", type: "object", properties: {} };
    expect(() => named.refer(other)).toThrow("Two schemas have the name Row");
  });
});
