import { describe, expect, test } from "vitest";
import { createExporter } from "../../shared/formats/exporter.ts";
import { getDetails, listParts, readContent } from "./reading.ts";

const SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "https://example.com/schemas/order.schema.json",
  title: "Order",
  description: "One sale.",
  type: "object",
  required: ["id", "customer", "lines", "address"],
  properties: {
    id: { type: "string", format: "uuid", title: "Number", description: "Its number." },
    placed: { type: ["string", "null"], format: "date-time", default: null },
    status: { $ref: "#/$defs/status", description: "Where it is." },
    price: { type: "number", exclusiveMinimum: 0, multipleOf: 0.01, readOnly: true },
    customer: { allOf: [true, { $ref: "https://example.com/schemas/order.schema.json#/$defs/customer" }] },
    payer: { anyOf: [{ $ref: "#customer" }, { type: "null" }], description: "Who pays.", deprecated: true },
    address: {
      type: "object",
      description: "Where to.",
      required: ["street"],
      properties: { street: { type: "string" }, geo: { type: "object", properties: { lat: { type: "number" } } } },
    },
    lines: {
      type: "array",
      minItems: 1,
      items: { type: "object", properties: { sku: { type: "string" } }, required: ["sku"] },
    },
    labels: { type: "array", items: { type: "string", maxLength: 20 }, uniqueItems: true },
    related: { type: "array", items: { $ref: "#" } },
    by: { oneOf: [{ $ref: "#/$defs/customer" }, { $ref: "#/$defs/robot" }] },
    mixed: { oneOf: [{ type: "string" }, { $ref: "#/$defs/robot" }] },
    none: { oneOf: [] },
    extra: { type: "object", additionalProperties: { type: "string" } },
    far: { $ref: "https://example.com/other.json#/$defs/x" },
    all: { allOf: [{ $ref: "other.json" }] },
  },
  additionalProperties: false,
  $defs: {
    status: { type: "string", enum: ["new", "done"], description: "A state." },
    customer: { $anchor: "customer", type: "object", properties: { name: { type: "string" } }, required: ["name"] },
    robot: {
      allOf: [{ $ref: "#/$defs/customer" }, { properties: { model: { type: "integer" } }, required: ["model"] }],
    },
  },
};

describe("a JSON Schema", () => {
  test("becomes a model: named and repeated objects are entities, everything else attributes with paths", async () => {
    const { document, recognised, warnings } = await readContent(SCHEMA);
    expect(recognised).toMatchObject({ format: "jsonschema", sure: "certain" });
    expect(listParts(document)).toEqual([
      "Order (id string, placed string?, status status?, price number?, address.street string, address.geo.lat number?, labels array?, mixed any?, none any?, extra object?, far any?, all any?) ",
      "Order_lines (sku string) ",
      "customer (name string) ",
      "robot (name string, model integer) ",
      "Order_by_customer: Order zeroOrOne - customer zeroOrOne",
      "Order_by_robot: Order zeroOrOne - robot zeroOrOne",
      "Order_customer: Order zeroOrOne - customer one",
      "Order_lines: Order one - Order_lines many",
      "Order_payer: Order zeroOrOne - customer zeroOrOne",
      "Order_related: Order zeroOrOne - Order as Order_related many",
    ]);
    const details = getDetails(document);
    expect(details).toMatchObject({
      Order: {
        description: "One sale.",
        properties: {
          "jsonschema:additionalProperties": false,
          "jsonschema:parts": { address: { description: "Where to." } },
        },
      },
      "Order/id": { name: "Number", description: "Its number.", constraints: { format: "uuid" } },
      "Order/placed": { constraints: { format: "date-time", default: null } },
      "Order/status": { constraints: { enum: ["new", "done"] } },
      "Order/price": { constraints: { exclusiveMinimum: 0, multipleOf: 0.01 } },
      "Order/labels": {
        constraints: { uniqueItems: true },
        properties: { "jsonschema:items": { type: "string", maxLength: 20 } },
      },
      "Order/far": { properties: { "jsonschema:$ref": "https://example.com/other.json#/$defs/x" } },
      Order_payer: {
        description: "Who pays.",
        properties: { "jsonschema:deprecated": true, "jsonschema:property": "payer" },
      },
      "type status": { description: "A state." },
    });
    const constrained = Object.entries(details).filter(([, one]) => "constraints" in one);
    expect(constrained.map(([path]) => path)).toEqual(
      ["id", "placed", "status", "price", "labels"].map((one) => `Order/${one}`),
    );
    const unresolved = ["/properties/far/$ref", "/properties/all/$ref"];
    expect(warnings.map(({ detail, pointers }) => [detail, pointers])).toEqual([
      ["refs to other documents are not resolved, so its type is unknown", unresolved],
    ]);
  });

  test("of draft-07 is read with its definitions, under both names", async () => {
    const source = {
      $schema: "http://json-schema.org/draft-07/schema#",
      definitions: {
        'a "b"\n/~c': { type: "object", properties: { x: { $ref: "#/definitions/d" } } },
        d: { type: "integer", minimum: 1 },
      },
    };
    const { document } = await readContent(source, { source: "s", modelKey: "m" });
    const [entity] = document.entities;
    expect(entity).toMatchObject({ key: "a _b_/~c", name: 'a "b" /~c' });
    expect(entity?.attributes).toMatchObject([{ key: "x", type: "key:d", constraints: { minimum: 1 } }]);
    expect(entity?.attributes[0]?.origin).toBe("s#/a%20%22b%22%0A~1~0c/x");
  });

  test("whose refs form a cycle is read, each cycle once", async () => {
    const source = {
      $defs: {
        a: { $ref: "#/$defs/b" },
        b: { $ref: "#/$defs/a" },
        c: {
          type: "object",
          properties: {
            self: { $ref: "#/$defs/c" },
            a: { $ref: "#/$defs/a" },
            all: { allOf: [{ $ref: "#/$defs/e" }] },
          },
        },
        e: { allOf: [{ $ref: "#/$defs/e" }], properties: { x: { type: "string" } } },
      },
    };
    const { document, warnings } = await readContent(source, { modelKey: "m" });
    expect(listParts(document)).toEqual([
      "c (a a?) ",
      "e (x string?) ",
      "c_all: c zeroOrOne - e zeroOrOne",
      "c_self: c zeroOrOne - c as c_self zeroOrOne",
    ]);
    expect(warnings.some(({ detail }) => detail.includes("forms a cycle"))).toBe(true);
  });

  test("whose definitions repeat one another is read in linear time", async () => {
    const $defs: Record<string, unknown> = { d0: { properties: { x: { type: "string" } } } };
    for (let i = 1; i < 200; i++)
      $defs[`d${i}`] = { allOf: [{ $ref: `#/$defs/d${i - 1}` }, { $ref: `#/$defs/d${i - 1}` }] };
    const { document } = await readContent({ $defs }, { modelKey: "m" });
    expect(document.entities).toHaveLength(200);
  });
});

test("a JSON Schema is written again with the objects that it requires, at each depth", async () => {
  const inner = { type: "object", properties: { c: { type: "string" } }, required: ["c"] };
  const middle = { type: "object", properties: { b: inner }, required: ["b"] };
  const outer = { title: "Order", type: "object", properties: { a: middle }, required: ["a"] };
  const { document } = await readContent({ $schema: "https://json-schema.org/draft/2020-12/schema", ...outer });
  const { content } = await createExporter().write(document, "jsonschema");
  expect(JSON.parse(content).$defs.Order).toEqual(outer);
});

test("an OpenAPI document becomes a model of its schemas", async () => {
  const { document, recognised, warnings } = await readContent(`
openapi: 3.0.3
info: {title: Pets, version: 1.2.0, description: All pets.}
paths: {/pets: {get: {responses: {}}}}
components:
  schemas:
    Pet:
      type: object
      required: [id]
      properties:
        id: {type: integer, minimum: 0, exclusiveMinimum: true}
        owner: {allOf: [{$ref: '#/components/schemas/Owner'}], nullable: true, description: Whose it is.}
        tags: {type: object, additionalProperties: {$ref: '#/components/schemas/Tag'}}
    Owner: {type: object, properties: {name: {type: string, nullable: true, example: Ada}}}
    Tag: {type: object, properties: {text: {type: string}}}
`);
  expect(recognised).toMatchObject({ format: "openapi", sure: "certain", others: [] });
  expect(document).toMatchObject({
    key: "Pets",
    version: "1.2.0",
    description: "All pets.",
    properties: { "openapi:openapi": "3.0.3" },
  });
  expect(listParts(document)).toEqual([
    "Owner (name string?) ",
    "Pet (id integer) ",
    "Tag (text string?) ",
    "Pet_owner: Owner zeroOrOne - Pet zeroOrOne",
    "Pet_tags: Pet zeroOrOne - Tag many",
  ]);
  expect(getDetails(document)).toMatchObject({
    "Owner/name": { properties: { "openapi:example": "Ada" } },
    "Pet/id": { constraints: { exclusiveMinimum: 0 } },
  });
  expect(warnings.map(({ detail }) => detail)).toEqual(["calls (1 paths) are not imported"]);
});
