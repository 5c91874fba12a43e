import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { createExporter } from "../../shared/formats/exporter.ts";
import { getDetails, listParts, problemOf, readContent } from "./reading.ts";

const CONTRACT = `
apiVersion: v3.1.0
kind: DataContract
id: 53581432
name: Orders
version: 2.1.0
status: active
description: {purpose: What was sold., usage: Reports.}
tags: [sales]
schema:
  - name: order
    id: order_obj
    physicalName: t_order
    businessName: Order
    description: One sale.
    tags: [sales, core]
    relationships:
      - {type: foreignKey, from: [order.country, order.customer], to: [customer.country, customer.id]}
    properties:
      - {name: number, logicalType: integer, physicalType: bigint, primaryKey: true, primaryKeyPosition: 2}
      - {name: shop, logicalType: string, primaryKey: true, primaryKeyPosition: 1, required: false}
      - {name: country, logicalType: string, required: true}
      - name: customer
        physicalType: varchar(18)
        required: true
        businessName: "Customer's \\"number\\""
        classification: restricted
        relationships: [{to: schema/cust_obj/properties/cust_id}, {to: elsewhere.id}]
      - name: address
        logicalType: object
        description: Where to.
        required: true
        properties:
          - {name: street, logicalType: string, required: true}
          - {name: geo, logicalType: object, properties: [{name: lat, logicalType: number, required: true}]}
      - name: lines
        logicalType: array
        description: What was bought.
        items: {logicalType: object, properties: [{name: sku, logicalType: string, required: true}]}
      - {name: labels, logicalType: array, logicalTypeOptions: {maxItems: 3, uniqueItems: true}, items: {logicalType: string}}
      - {name: placed, logicalType: date, logicalTypeOptions: {minimum: "2020-01-01", format: yyyy-MM-dd, timezone: true}}
  - name: customer
    id: cust_obj
    properties:
      - {name: country, logicalType: string, primaryKey: true}
      - {name: id, id: cust_id, logicalType: string, primaryKey: true, primaryKeyPosition: 2, unique: true}
servers: [{server: db, type: postgres, host: localhost}]
`;

const HEAD = { kind: "DataContract", apiVersion: "v3.1.0" };

describe("an Open Data Contract", () => {
  test("becomes a model with its keys, relationships and nested objects", async () => {
    const { document, recognised, warnings } = await readContent(CONTRACT);
    expect(recognised).toMatchObject({ format: "odcs", sure: "certain" });
    expect(document).toMatchObject({ key: "Orders", name: "Orders", version: "2.1.0", description: "What was sold." });
    expect(document.properties).toEqual({
      "odcs:description": { usage: "Reports." },
      "odcs:id": 53581432,
      "odcs:servers": [{ server: "db", type: "postgres", host: "localhost" }],
      "odcs:status": "active",
    });
    expect(document.localTags.map((tag) => tag.key)).toEqual(["core", "sales"]);
    expect(listParts(document)).toEqual([
      "customer (country string, id string) country+id",
      "order (number integer, shop string?, country string, customer varchar, address.street string, address.geo.lat number?, labels array?, placed date?) shop+number",
      "order_lines (sku string) ",
      "order_country_customer: customer one - order many (country = country, id = customer)",
      "order_customer: customer one - order many (id = customer)",
      "order_lines: order one - order_lines many",
      "unique customer_id: id",
    ]);
    expect(getDetails(document)).toEqual({
      customer: { properties: { "odcs:id": "cust_obj" } },
      "customer/id": { constraints: { unique: true }, properties: { "odcs:id": "cust_id" } },
      order: {
        name: "Order",
        description: "One sale.",
        properties: {
          "odcs:id": "order_obj",
          "odcs:physicalName": "t_order",
          "odcs:parts": { address: { description: "Where to." } },
          "odcs:references": [{ columns: ["customer"], to: "elsewhere", referred: ["id"] }],
        },
        tags: ["key:core", "key:sales"],
      },
      "order/number": { properties: { "odcs:physicalType": "bigint" } },
      "order/customer": {
        name: `Customer's "number"`,
        constraints: { maxLength: 18 },
        properties: { "odcs:physicalType": "varchar(18)", "odcs:classification": "restricted" },
      },
      "order/labels": {
        constraints: { maxItems: 3, uniqueItems: true },
        properties: { "odcs:items": { logicalType: "string" } },
      },
      "order/placed": {
        constraints: { format: "yyyy-MM-dd" },
        properties: { "odcs:logicalTypeOptions": { timezone: true, minimum: "2020-01-01" } },
      },
      order_lines: { description: "What was bought." },
    });
    expect(warnings.map(({ code, count, pointers }) => [code, count, pointers])).toEqual([
      ["kept_as_property", 1, ["/schema/0/properties/3/relationships/1"]],
    ]);
  });

  test("gives its objects origins with its own names", async () => {
    const { document } = await readContent(CONTRACT, { source: "contract" });
    const order = document.entities[1];
    expect(order?.origin).toBe("contract#/order");
    expect(order?.attributes[5]?.origin).toBe("contract#/order/address/geo/lat");
    expect(document.relationships[0]?.origin).toBe("contract#/order/relationships/country/customer");
  });

  test("is written with a valid property named parts of an entity", async () => {
    const { document } = await readContent(CONTRACT);
    const entities = document.entities.map((one) => ({ ...one, properties: { ...one.properties, parts: one.key } }));
    const { content } = await createExporter().write({ ...document, entities }, "odcs");
    expect(content.match(/property: parts\n +value: \w+/g)?.map((text) => text.replace(/\n +/, " "))).toEqual([
      "property: parts value: customer",
      "property: parts value: order",
      "property: parts value: order_lines",
    ]);
  });

  test("is written with references to nested properties, by the ids of the objects around them", async () => {
    const code = { name: "code", logicalType: "string", relationships: [{ to: "country.code" }] };
    const { document } = await readContent({
      ...HEAD,
      schema: [
        { name: "country", properties: [{ name: "code", logicalType: "string" }] },
        { name: "sale", properties: [{ name: "ship", id: "to", logicalType: "object", properties: [code] }] },
      ],
    });
    expect(listParts(document)).toContain("sale_ship.code: country zeroOrOne - sale many (code = ship.code)");
    const { content } = await createExporter().write(document, "odcs");
    const from = "schema/sale/properties/to/properties/code";
    expect(parse(content).schema[1].relationships).toEqual([{ type: "foreignKey", from, to: "country.code" }]);
  });

  test("has a list of objects as its own schema object if a column has its name, and no empty examples", async () => {
    const attributes = ["lines", "number"].map((key) => ({ key, type: "key:string", constraints: { examples: [] } }));
    const ends = Object.entries({ sale: "one", sale_lines: "many" });
    const roles = ends.map(([key, cardinality]) => ({ key, entity: `key:${key}`, cardinality }));
    const { document } = await readContent({
      ...{ $schema: "urn:metaction:model:2", key: "m", types: [{ key: "string" }] },
      entities: ends.map(([key], i) => ({ key, attributes: attributes.slice(i) })),
      relationships: [{ key: "sale_lines", roles }],
    });
    const { content } = await createExporter().write(document, "odcs");
    const [lines, number] = ["lines", "number"].map((name) => ({ name, logicalType: "string", required: true }));
    expect(parse(content).schema).toEqual([
      { name: "sale", logicalType: "object", properties: [lines, number] },
      { name: "sale_lines", logicalType: "object", properties: [number] },
    ]);
  });

  test("is written with the widths of its numbers where they were", async () => {
    const widths = Object.entries({ integer: "i32", number: "f32" });
    const properties = widths.map(([logicalType, format]) => {
      return { name: `of_${logicalType}`, logicalType, logicalTypeOptions: { format } };
    });
    const { document } = await readContent({ ...HEAD, schema: [{ name: "a", properties }] }, { modelKey: "m" });
    const { content, warnings } = await createExporter().write(document, "odcs");
    expect([parse(content).schema[0].properties, warnings]).toEqual([properties, []]);
  });

  test("is written with the positions of its primary keys, which count from 1", async () => {
    const { document } = await readContent(CONTRACT);
    const { content } = await createExporter().write(document, "odcs");
    const positions = (parse(content).schema as readonly { readonly properties: readonly object[] }[]).map(
      ({ properties }) => properties.flatMap((one) => Reflect.get(one, "primaryKeyPosition") ?? []),
    );
    expect(positions).toEqual([
      [1, 2],
      [2, 1],
    ]);
  });

  test("is written with ids that are texts and not made of names, and without parts from an empty list", async () => {
    const first = { name: "b c", id: "own", logicalType: "string", properties: [] };
    const properties = [first, { name: "d e", id: "d_20_e", logicalType: "date" }];
    const { document } = await readContent({ ...HEAD, schema: [{ name: "a", id: 5, properties }] });
    const ids = { a: 5, "a/b c": "own" };
    const wanted = Object.entries(ids).map(([path, id]) => [path, { properties: { "odcs:id": id } }]);
    expect(Object.entries(getDetails(document))).toEqual(wanted);
    const [object] = parse((await createExporter().write(document, "odcs")).content).schema;
    expect([object.id, object.customProperties]).toEqual([undefined, [{ property: "id", value: 5 }]]);
    expect(object.properties[0]).toEqual({ name: "b c", id: "own", logicalType: "string" });
  });

  test.each([
    ["a property without a name", { properties: [{ logicalType: "string" }] }, "/schema/0/properties/0/name"],
    ["properties that are no list", { properties: {} }, "/schema/0/properties"],
  ])("with %s is refused with its pointer", async (_, object, pointer) => {
    const problem = await problemOf(readContent({ ...HEAD, apiVersion: "v3.0.0", schema: [{ name: "a", ...object }] }));
    expect(problem).toMatchObject({ code: "invalid_content", members: { errors: [{ pointer }] } });
  });
});
