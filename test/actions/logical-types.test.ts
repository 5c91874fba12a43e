import { beforeAll, describe, expect, test } from "vitest";
import type { Body } from "../support/world.ts";
import { expectFaults, useWorld } from "./support/checked-world.ts";

const world = useWorld();
const modelRef = "key:shop";
const entityRef = "key:customer";

beforeAll(async () => {
  const columns = "id int unsigned, name varchar(20), born date, seen timestamp(3) null, odd tsvector";
  const content = `-- MySQL dump\nCREATE TABLE customer (${columns});`;
  await world.ok("model/import", { content, modelKey: "shop" });
});

async function search(...items: object[]): Promise<readonly string[]> {
  const { items: rows } = await world.read("model/search", { filters: { items }, models: [modelRef] });
  return rows.map(({ path }: Body) => path);
}

describe("the logical type of an attribute", () => {
  test("is answered with expand=keys, and by no other read", async () => {
    const { items } = await world.read("model/entity_attribute_list", { modelRef, entityRef, expand: "keys" });
    expect(Object.fromEntries(items.map(({ key, logicalType }: Body) => [key, logicalType]))).toEqual({
      id: { type: "integer", bits: 32, signed: false },
      name: { type: "string", maxLength: 20 },
      born: { type: "date" },
      seen: { type: "timestamp", precision: 3, zone: true },
      odd: undefined,
    });
    const one = { modelRef, entityRef, attributeRef: "key:name" };
    expect(await world.read("model/entity_attribute_get", one)).not.toHaveProperty("logicalType");
    const { logicalType } = await world.read("model/entity_attribute_get", { ...one, expand: "keys" });
    expect(logicalType).toEqual({ type: "string", maxLength: 20 });
  });

  test("finds attributes in a search, and follows changes of the attribute, its type and the dialect", async () => {
    const isText = { type: "logicalType", condition: "anyOf", value: ["string", "uuid"] };
    expect(await search(isText)).toEqual(["shop/customer.name"]);
    const others = { type: "logicalType", condition: "noneOf", value: ["string", "date", "integer"] };
    expect((await search(others)).filter((path) => path.includes("."))).toEqual([
      "shop/customer.seen",
      "shop/customer.odd",
    ]);
    await world.ok("model/entity_attribute_update_type", {
      modelRef,
      entityRef,
      attributeRef: "key:born",
      value: "key:varchar",
    });
    expect(await search(isText)).toEqual(["shop/customer.name", "shop/customer.born"]);
    await world.ok("model/type_update_key", { modelRef, typeRef: "key:varchar", value: "inet6" });
    expect(await search(isText)).toEqual([]);
    expect(await search({ ...isText, value: ["network"] })).toEqual(["shop/customer.name", "shop/customer.born"]);
    await world.ok("model/model_update_property", { modelRef, property: "sql:dialect", value: "oracle" });
    expect(await search({ ...isText, value: ["network"] })).toEqual([]);
  });

  test("is refused in a search under an unknown name, with the likeliest one", async () => {
    const filters = { items: [{ type: "logicalType", condition: "anyOf", value: ["strnig"] }] };
    const problem = await world.refused("model/search", { filters });
    expectFaults(problem, "/filters/items/0/value/0");
    expect(problem.message).toContain('"strnig" is not a logical type; did you mean string?');
    const other = await world.refused("model/search", {
      filters: { items: [{ ...filters.items[0], value: ["number9"] }] },
    });
    expect(other.message).toContain("use one of string, integer, decimal");
  });
});
