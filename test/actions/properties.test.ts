import { expect, test } from "vitest";
import { createHttpCalls } from "../support/http-call.ts";
import { ISSUER } from "../support/issuer.ts";
import type { Body } from "../support/world.ts";
import { useWorld } from "./support/checked-world.ts";
import { exampleModel } from "./support/models.ts";

const world = useWorld();

const sources = [{ title: "Register", path: "https://example.com/register", "x:note": null }];
const customer = { modelRef: "key:crm", entityRef: "key:customer" };
const code = { ...customer, attributeRef: "key:code" };

/** The model of the examples, with properties at several places. */
async function scene(): Promise<void> {
  await exampleModel(world, "crm");
  await world.ok("model/entity_update_property", { ...customer, property: "sources", value: sources });
  await world.ok("model/entity_attribute_update_property", { ...code, property: "note", value: "" });
}

test("properties are exported, imported, copied, recorded in the history, restored and compared", async () => {
  await scene();
  const { body: before, etag } = await world.ok("model/model_export", { modelRef: "key:crm" });
  const revision = Number(etag?.split("-").at(-1)?.split(".")[0]);
  expect(before.entities.find((one: Body) => one.key === "customer").properties).toEqual({
    reviewed: "2026-07-01",
    sources,
  });
  await world.ok("model/import", { content: before, modelKey: "imported" });
  await world.ok("model/model_copy", { modelRef: "key:crm", modelNewKey: "copied" });
  for (const key of ["imported", "copied"]) {
    const compared = { leftModelRef: "key:crm", rightModelRef: `key:${key}` };
    expect((await world.read("model/model_compare", compared)).entries, key).toEqual([]);
  }

  const changed = [{ title: "Register" }];
  await world.ok("model/entity_update_property", { ...customer, property: "sources", value: changed });
  await world.ok("model/entity_delete_property", { ...customer, property: "reviewed" });
  await world.ok("model/entity_update_property", { ...customer, property: "a.b", value: null });
  const [first] = (await world.read("model/history_version_changes", { modelRef: "key:crm" })).items.slice(-3);
  expect([first.before, first.after]).toEqual([
    { properties: { reviewed: "2026-07-01", sources } },
    { properties: { reviewed: "2026-07-01", sources: changed } },
  ]);

  const { entries } = await world.read("model/model_compare", { leftContent: before, rightModelRef: "key:crm" });
  expect(entries).toMatchObject([
    {
      status: "MODIFIED",
      objectType: "entity",
      entityKey: "customer",
      impact: "cosmetic",
      members: ["properties.a.b", "properties.reviewed", "properties.sources"],
    },
  ]);
  expect(entries[0].reasons).toHaveLength(3);
  for (const reason of entries[0].reasons) expect(reason).toMatch(/^properties\.\S+: documentation only/);
  const structural = { leftContent: before, rightModelRef: "key:crm", scope: "structural" };
  expect((await world.read("model/model_compare", structural)).entries).toEqual([]);

  await world.ok("model/model_restore", { modelRef: "key:crm", revision });
  const { body: restored } = await world.ok("model/model_export", { modelRef: "key:crm" });
  expect(restored).toEqual(before);
});

test("invalid properties of a document are reported with their pointers, and nothing is created", async () => {
  const { body: document } = await world.ok("model/model_export", { modelRef: "key:crm" });
  const [entity, ...others] = document.entities;
  const [attribute, ...rest] = entity.attributes;
  const faulty = {
    ...document,
    key: "faulty",
    properties: { "it's": 1 },
    entities: [
      { ...entity, properties: [], attributes: [{ ...attribute, properties: { a: "x".repeat(64_000) } }, ...rest] },
      ...others,
    ],
  };
  const problem = await world.refused("model/import", { content: faulty });
  expect(problem.members.errors?.map(({ pointer }) => pointer)).toEqual([
    "/properties/it's",
    "/entities/0/properties",
    "/entities/0/attributes/0/properties",
  ]);
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
  const group = await world.read("tag/tag_group_get", { tagGroupRef: "key:retention" });
  expect(group.properties).toEqual({ sources });
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
    const query = [
      ["modelRef", "key:queried"],
      ["property", "p"],
      ["value", written],
    ] as const;
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
