import { expect, test } from "vitest";
import { parse } from "yaml";
import { createExporter } from "../../shared/formats/exporter.ts";
import { getDetails, listParts, pointers, readContent } from "./reading.ts";

const PROPERTIES = `
version: 2
models:
  - name: orders
    description: One order.
    config: {materialized: view, tags: [core]}
    constraints:
      - {type: primary_key, columns: [id]}
      - {type: foreign_key, columns: [shop_id], to: "source('erp', 'shops')", to_columns: [id]}
    tests:
      - dbt_utils.unique_combination_of_columns: {combination_of_columns: [customer_id, day]}
    columns:
      - {name: id, data_type: bigint, data_tests: [unique, not_null]}
      - name: customer_id
        data_tests:
          - not_null
          - relationships: {arguments: {to: ref('customers'), field: id}}
      - {name: shop_id, data_type: "varchar(12)"}
      - name: day
        description: '{{ doc("day") }}'
        data_tests: [{unique: {config: {where: "day > 1"}}}]
      - name: status
        tests:
          - accepted_values: {values: [new, done, new]}
          - dbt_utils.accepted_range: {min_value: 0}
  - name: customers
    columns: [{name: id, data_type: text( ), tests: [unique, not_null]}]
sources:
  - {name: erp, schema: raw, tables: [{name: shops, columns: [{name: id}]}]}
exposures: [{name: board}]
`;

const MANIFEST = {
  metadata: {
    dbt_schema_version: "https://schemas.getdbt.com/dbt/manifest/v12.json",
    project_name: "shop",
    adapter_type: "postgres",
  },
  nodes: {
    "model.shop.orders": {
      ...{ resource_type: "model", name: "orders", schema: "marts", description: "One order.", raw_code: "select 1" },
      tags: ["core"],
      config: { materialized: "table", enabled: true, full_refresh: false, meta: {} },
      constraints: [],
      columns: {
        ID: { name: "id", data_type: "integer", constraints: [{ type: "not_null" }] },
        customer_id: { name: "customer_id", description: "Who", meta: {}, tags: [] },
      },
    },
    "model.shop.customers": { resource_type: "model", name: "customers", columns: { id: {} } },
    "test.shop.unique_id": {
      ...{ resource_type: "test", name: "unique_id", attached_node: "model.shop.orders", column_name: "id" },
      test_metadata: {
        name: "unique",
        kwargs: { column_name: "id", model: "{{ get_where_subquery(ref('orders')) }}" },
      },
      config: { severity: "ERROR", where: null },
    },
    "test.shop.rel": {
      ...{ resource_type: "test", name: "rel", attached_node: "model.shop.orders", column_name: "customer_id" },
      test_metadata: {
        name: "relationships",
        kwargs: { to: "ref('customers')", field: "id", column_name: "customer_id" },
      },
    },
    "test.shop.back": {
      ...{ resource_type: "test", name: "back", attached_node: "model.shop.customers", column_name: "id" },
      test_metadata: { name: "relationships", kwargs: { arguments: { to: "ref('orders')", field: "id" } } },
    },
  },
  sources: {},
  exposures: { "exposure.shop.board": {} },
};

test("a dbt properties file becomes a model: tests and constraints are keys, relationships and constraints", async () => {
  const { document, recognised, warnings } = await readContent(PROPERTIES, { modelKey: "shop" });
  expect(recognised).toMatchObject({ format: "dbt", name: "a dbt properties file", sure: "certain" });
  expect(listParts(document)).toEqual([
    "customers (id text( )) ",
    "erp.shops (id any?) ",
    "orders (id bigint, customer_id any, shop_id varchar?, day any?, status any?) id",
    "orders_customer_id: customers one - orders many (id = customer_id)",
    "orders_shop_id: erp.shops zeroOrOne - orders many (id = shop_id)",
    "unique customers_id: id",
    "unique orders_customer_id_day: customer_id+day",
    "unique orders_id: id",
  ]);
  expect(getDetails(document)).toEqual({
    customers: { properties: { "dbt:resource_type": "model" } },
    "customers/id": { constraints: { unique: true } },
    "erp.shops": { properties: { "dbt:resource_type": "source", "dbt:schema": "raw" } },
    orders: {
      description: "One order.",
      properties: { "dbt:resource_type": "model", "dbt:config": { materialized: "view", tags: ["core"] } },
      tags: ["key:core"],
    },
    "orders/id": { constraints: { unique: true } },
    "orders/shop_id": { constraints: { maxLength: 12 } },
    "orders/day": {
      description: '{{ doc("day") }}',
      // A test of some rows says nothing of all of them.
      properties: { "dbt:tests": [{ unique: { config: { where: "day > 1" } } }] },
    },
    "orders/status": {
      constraints: { enum: ["new", "done"] },
      properties: { "dbt:tests": [{ "dbt_utils.accepted_range": { min_value: 0 } }] },
    },
  });
  expect(warnings.map(({ code, pointers }) => [code, pointers])).toEqual([
    ["not_carried_over", ["/exposures"]],
    ["not_carried_over", ["/models/0/columns/3/description"]],
  ]);
});

test("a dbt manifest becomes a model; a test belongs to the node that it tests", async () => {
  const { document, warnings } = await readContent(MANIFEST, { source: "m" });
  expect(document).toMatchObject({ key: "shop", properties: { "dbt:adapter_type": "postgres" } });
  expect(document.entities[1]?.origin).toBe("m#/model.shop.orders");
  expect(listParts(document)).toEqual([
    "customers (id any?) ",
    "orders (id integer, customer_id any?) ",
    "customers_id: customers many - orders zeroOrOne (id = id)",
    "orders_customer_id: customers zeroOrOne - orders many (id = customer_id)",
    "unique orders_id: id",
  ]);
  expect(getDetails(document)).toEqual({
    customers: { properties: { "dbt:resource_type": "model" } },
    orders: {
      description: "One order.",
      properties: { "dbt:resource_type": "model", "dbt:schema": "marts", "dbt:config": { materialized: "table" } },
      tags: ["key:core"],
    },
    "orders/id": { constraints: { unique: true } },
    "orders/customer_id": { description: "Who", properties: { "dbt:meta": {} } },
  });
  expect(warnings.map(({ detail, pointers }) => [detail, pointers])).toEqual([
    ["exposures are not imported", ["/exposures/exposure.shop.board"]],
    ["the query is not imported", ["/nodes/model.shop.orders/raw_code"]],
  ]);
});

test("a dbt test that only warns or is disabled is not a rule of the model", async () => {
  const tests = "[{unique: {config: {severity: warn}}}, {not_null: {config: {enabled: false}}}]";
  const content = `version: 2\nmodels: [{name: orders, columns: [{name: id, tests: ${tests}}]}]\n`;
  const { document } = await readContent(content, { modelKey: "shop" });
  const [id] = document.entities[0]?.attributes ?? [];
  expect(id).toMatchObject({ key: "id", optional: true });
  expect(id?.constraints?.unique).toBeUndefined();
});

test.each([
  { tags: "open data" },
  { tags: ["open data"] },
])("a dbt properties file with %j is written with its sources, and without references to names that cannot be quoted", async ({
  tags,
}) => {
  const source = PROPERTIES.replace("[core]", JSON.stringify(tags));
  const { document } = await readContent(source, { modelKey: "unknown", notes: true });
  const leftOut = ["authority", "types", "tagGroups", "version", "name"];
  expect(document).toMatchObject({ leftOut, relationships: Array(2).fill({ leftOut: ["attributes"] }) });
  const text = JSON.stringify(document).replace(
    '"dbt:resource_type":"model"',
    '"dbt:resource_type":"model","dbt:tests":[]',
  );
  const changed = JSON.parse(text.replaceAll('customers"', 'shop.(all)"'));
  const { content, warnings } = await createExporter().write(changed, "dbt");
  const { models, sources } = parse(content);
  expect(sources).toEqual([{ name: "erp", schema: "raw", tables: [{ name: "shops", columns: [{ name: "id" }] }] }]);
  expect([models[0].name, models[1].name]).toEqual(["shop.(all)", "orders"]);
  expect([models[0].data_tests, models[1].tags, models[1].config.tags]).toEqual([undefined, undefined, tags]);
  expect(models[1].constraints.map(({ type }: { readonly type?: string }) => type)).toEqual(["primary_key", "unique"]);
  expect(pointers(warnings)).toEqual(["/businessKeys/0/key", "/relationships/0/roles"]);
});
