import { describe, expect, test } from "vitest";
import { createExporter } from "../../shared/formats/exporter.ts";
import { getDetails, listParts, pointers, problemOf, readContent } from "./reading.ts";

const ORDER = {
  type: "record",
  name: "Order",
  namespace: "com.shop",
  doc: "One sale.",
  fields: [
    { name: "id", type: { type: "string", logicalType: "uuid" }, aliases: ["number"] },
    { name: "price", type: { type: "bytes", logicalType: "decimal", precision: 10, scale: 2 }, doc: "In euros." },
    { name: "placed", type: ["null", { type: "long", logicalType: "timestamp-millis" }], default: null },
    {
      name: "status",
      type: { type: "enum", name: "Status", symbols: ["NEW", "DONE"], doc: "A state." },
      default: "NEW",
    },
    { name: "before", type: ["null", "com.shop.Status"] },
    { name: "address", type: { type: "record", name: "Address", fields: [{ name: "street", type: "string" }] } },
    {
      name: "lines",
      type: { type: "array", items: { type: "record", name: "Line", fields: [{ name: "sku", type: "string" }] } },
    },
    { name: "rates", type: { type: "map", values: "Line" } },
    { name: "labels", type: { type: "array", items: "string" } },
    { name: "parent", type: ["null", "Order"] },
    { name: "payment", type: ["Address", "Line"] },
    { name: "hash", type: { type: "fixed", name: "MD5", size: 16 } },
    { name: "any", type: ["null", "int", "string"] },
  ],
};

describe("an Avro schema", () => {
  test("becomes a model: its records, nested ones included, are entities", async () => {
    const { document, recognised, warnings } = await readContent(ORDER, { source: "s" });
    expect(recognised).toMatchObject({ format: "avro", sure: "certain" });
    expect(recognised.others.map(({ format }) => format)).toEqual(["frictionless"]);
    expect(document.key).toBe("Order");
    expect(document.entities[2]?.origin).toBe("s#/com.shop.Order");
    expect(listParts(document)).toEqual([
      "Address (street string) ",
      "Line (sku string) ",
      "Order (id uuid, price decimal, placed timestamp-millis?, status Status, before Status?, labels array, hash MD5, any union?) ",
      "Order_address: Address one - Order zeroOrOne",
      "Order_lines: Line many - Order zeroOrOne",
      "Order_parent: Order zeroOrOne - Order as Order_parent zeroOrOne",
      "Order_payment_Address: Address zeroOrOne - Order zeroOrOne",
      "Order_payment_Line: Line zeroOrOne - Order zeroOrOne",
      "Order_rates: Line many - Order zeroOrOne",
    ]);
    const { Order: order, "Order/price": price, "type MD5": hash, ...details } = getDetails(document);
    expect(order).toEqual({ description: "One sale.", properties: { "avro:namespace": "com.shop" } });
    expect(price).toEqual({
      description: "In euros.",
      properties: { "avro:type": "bytes", "avro:precision": 10, "avro:scale": 2 },
    });
    expect(hash).toMatchObject({ properties: { "avro:size": 16 } });
    expect(Object.fromEntries(Object.entries(details).filter(([, one]) => "constraints" in one))).toMatchObject({
      "Order/placed": { constraints: { default: null } },
      "Order/status": { constraints: { enum: ["NEW", "DONE"], default: "NEW" } },
      "Order/before": { constraints: { enum: ["NEW", "DONE"] } },
    });
    expect(warnings).toEqual([]);
  });

  test("may be a list of schemas, also as text", async () => {
    const status = { name: "is", type: { type: "enum", name: "old.Status", symbols: ["A"] } };
    const list = [ORDER, { type: "record", name: "Other", fields: [{ name: "of", type: "com.shop.Order" }, status] }];
    const { document } = await readContent(JSON.stringify(list), { modelKey: "shop" });
    expect(document.entities).toHaveLength(4);
    expect(document.relationships.map(({ key }) => key)).toContain("Other_of");
    expect(document.types.map(({ key }) => key)).toEqual(expect.arrayContaining(["com.shop.Status", "old.Status"]));
  });

  test.each([
    ["a type that nothing defines", { name: "a", type: "Nowhere" }, "/fields/0/type"],
    ["a name that is taken", { name: "a", type: { type: "fixed", name: "A", size: 1 } }, "/fields/0/type/name"],
    ["no type", { name: "a" }, "/fields/0/type"],
  ])("with %s is refused with its pointer", async (_, field, pointer) => {
    const problem = await problemOf(readContent({ type: "record", name: "A", fields: [field] }));
    expect(problem).toMatchObject({ code: "invalid_content", members: { errors: [{ pointer }] } });
  });
});

const OWN = { $schema: "urn:metaction:model:2", key: "m" };
const UNION = [{ type: "enum", name: "E", symbols: ["A"] }, "int"];
const IN_UNION = { properties: { "avro:type": UNION } };
const ENUM = { type: "enum", name: "a_b", symbols: ["A"] };

describe("a model as an Avro schema", () => {
  test.each<[type: string, members: object, field: object, warned?: string]>([
    ["decimal", {}, { type: { type: "bytes", logicalType: "decimal", precision: 38 } }, "/type"],
    ["money", { properties: { "avro:type": "long" } }, { type: { type: "long", logicalType: "money" } }],
    ["integer", {}, { type: "long" }, "/type"],
    ["union", { ...IN_UNION, constraints: { default: "A" } }, { type: UNION, default: "A" }],
    ["union", { ...IN_UNION, constraints: { default: "B" } }, { type: UNION }, "/constraints/default"],
    ["a b", { constraints: { enum: ["A"] } }, { type: ENUM }, "/types/0/key"],
  ])("has a field of the type %s with %j", async (type, members, field, warned = "") => {
    const attributes = [{ key: "x", type: `key:${type}`, ...members }];
    const { document } = await readContent({ ...OWN, types: [{ key: type }], entities: [{ key: "m", attributes }] });
    const { content, warnings } = await createExporter().write(document, "avro");
    expect(JSON.parse(content).fields).toEqual([{ name: "x", ...field }]);
    expect(String(pointers(warnings)).replace("/entities/0/attributes/0", "")).toBe(warned);
  });

  test.each([
    ["B_x", { key: "2", entity: "key:B" }, { B: [{ name: "x", type: "A" }] }],
    ["A_B_x", { key: "A_B", entity: "key:A_B" }, { A_B: [{ name: "x", type: "A" }] }],
  ])("has the relationship %s of A and %j as a field of the record that its key names", async (key, role, fields) => {
    const roles = [{ key: "1", entity: "key:A" }, role].map((one) => ({ ...one, cardinality: "one" }));
    const entities = ["A", "A_B", "B"].map((name) => ({ key: name }));
    const { document } = await readContent({ ...OWN, entities, relationships: [{ key, roles }] });
    const records = JSON.parse((await createExporter().write(document, "avro")).content) as (typeof ORDER)[];
    const filled = records.filter((record) => record.fields.length > 0);
    expect(Object.fromEntries(filled.map((record) => [record.name, record.fields]))).toEqual(fields);
  });
});
