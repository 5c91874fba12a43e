import { beforeAll, expect, test } from "vitest";
import { createHttpCalls } from "../support/http-call.ts";
import { ISSUER } from "../support/issuer.ts";
import type { Body } from "../support/world.ts";
import { useWorld } from "./support/checked-world.ts";
import { exampleModel } from "./support/models.ts";

const world = useWorld();

const sources = [{ title: "Register", path: "https://example.com/register", "x:note": null }];
beforeAll(() => exampleModel(world, "crm"));

test("invalid properties of a document are reported with their pointers, and nothing is created", async () => {
  const { body: document } = await world.ok("model/model_export", { modelRef: "key:crm" });
  const [entity, ...others] = document.entities;
  const [attribute, ...rest] = entity.attributes;
  const attributes = [{ ...attribute, properties: { a: "x".repeat(64_000) } }, ...rest];
  const entities = [{ ...entity, properties: [], attributes }, ...others];
  const faulty = { ...document, key: "faulty", properties: { "it's": 1 }, entities };
  const problem = await world.refused("model/import", { content: faulty });
  const pointers = ["/properties/it's", "/entities/0/properties", "/entities/0/attributes/0/properties"];
  expect(problem.members.errors?.map(({ pointer }) => pointer)).toEqual(pointers);
  const empty = { ...document, key: "empty", properties: {}, entities: [{ ...entity, properties: {} }, ...others] };
  await world.ok("model/import", { content: empty });
  expect(await world.read("model/model_get", { modelRef: "key:empty" })).not.toHaveProperty("properties");
});

test("tags and groups that an import creates have the properties of the document", async () => {
  const tags = [{ key: "secret", properties: { owner: "Legal" } }];
  const tagGroups = [{ key: "retention", properties: { sources }, tags }];
  const content = { $schema: "urn:metaction:model:2", key: "tagged", tags: ["key:retention/secret"], tagGroups };
  await world.ok("model/import", { content });
  const tag = await world.read("tag/tag_global_get", { tagRef: "key:retention/secret" });
  expect(tag.properties).toEqual({ owner: "Legal" });
  expect((await world.read("tag/tag_group_get", { tagGroupRef: "key:retention" })).properties).toEqual({ sources });
  const other = [{ ...tagGroups[0], properties: {} }];
  const { body } = await world.ok("model/import", { content: { ...content, key: "again", tagGroups: other } });
  expect(body.warnings).toMatchObject([{ pointers: ["/tagGroups/0"] }]);
});

test("a value in a query string is JSON, or else a plain text", async () => {
  const call = createHttpCalls(world.service, ISSUER);
  await world.ok("model/model_create", { key: "queried", name: "Q" });
  for (const [written, value] of [
    ["null", null],
    ['"null"', "null"],
    ["Sales team", "Sales team"],
    ['{"a":[1]}', { a: [1] }],
    ["{a}", "{a}"],
  ] as const) {
    const query = Object.entries({ modelRef: "key:queried", property: "p", value: written });
    await call({ action: "model/model_update_property", payload: {}, query, token: world.people.admin, controls: {} });
    expect((await world.read("model/model_get", { modelRef: "key:queried" })).properties).toEqual({ p: value });
  }
});

test("objects are found by the names and the values of their properties", async () => {
  await world.ok("model/model_create", { key: "found", name: "F" });
  const set = (property: string, value: unknown) =>
    world.ok("model/model_update_property", { modelRef: "key:found", property, value });
  await set("x:team", "Sales");
  await set("x:parts", [{ a: 1, b: null }]);
  const found = async (condition: string, value?: unknown) => {
    const filters = { items: [{ type: "properties", condition, ...(value !== undefined && { value }) }] };
    const { items } = await world.read("model/search", { filters });
    return items.some(({ location }: Body) => location.objectType === "model" && location.modelKey === "found");
  };
  expect(await found("notEmpty")).toBe(true);
  expect(await found("empty")).toBe(false);
  expect(await found("anyOf", ["toString", "x:team"])).toBe(true);
  expect(await found("allOf", ["x:parts", "x:team"])).toBe(true);
  expect(await found("allOf", ["toString", "x:team"])).toBe(false);
  expect(await found("noneOf", ["Sales", "toString"])).toBe(true);
  expect(await found("equals", { "x:team": "Sales", "x:parts": [{ b: null, a: 1 }] })).toBe(true);
  expect(await found("equals", { "x:team": "sales" })).toBe(false);
  expect(await found("equals", { "x:none": null })).toBe(false);
  const wrong = { items: [{ type: "properties", condition: "equals", value: { "it's": 1 } }] };
  const problem = await world.refused("model/search", { filters: wrong });
  expect(problem.members.errors).toMatchObject([{ pointer: "/filters/items/0/value/it's" }]);
});
