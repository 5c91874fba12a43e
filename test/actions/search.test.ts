import { beforeAll, describe, expect, test } from "vitest";
import { createRowTest } from "../../shared/domain/search/filters.ts";
import type { SearchRow } from "../../shared/domain/search/rows.ts";
import { expectFaults, NO_ID, readPages, useWorld } from "./support/checked-world.ts";
import {
  aBusinessKey,
  aGlobalTag,
  aLocalTag,
  aModel,
  anAttribute,
  anEntity,
  aRelationship,
  aTagGroup,
  aType,
  type Made,
} from "./support/models.ts";

const world = useWorld();

type Row = { readonly id: string; readonly location: Readonly<Record<string, string>> };

async function search(items: readonly object[], operator?: string, more: object = {}): Promise<readonly Row[]> {
  const filters = { items, ...(operator && { operator }) };
  return (await world.read("model/search", { filters, fields: ["location"], ...more })).items;
}

async function found(items: readonly object[], operator?: string): Promise<readonly string[]> {
  return (await search(items, operator)).map(shown);
}

const shown = ({ location }: Row) => `${location.objectType} ${location[`${location.objectType}Key`]}`;
const contains = (value: string) => ({ type: "text", condition: "contains", value });
const tags = (condition: string, ...value: string[]) => ({ type: "tags", condition, value });
const tagsAre = (condition: "empty" | "notEmpty") => ({ type: "tags", condition });

let model: Made;
let global: Made;

const ALL = [
  ...["model alpha", "type string", "entity customer", "entityAttribute zip", "entityAttribute code"],
  ...["entity person", "relationship places", "relationshipRole a", "relationshipRole b"],
  ...["relationshipAttribute channel", "businessKey customer_zip", "tag draft", "model beta", "entity customer"],
];

beforeAll(async () => {
  model = await aModel(world, "alpha");
  const type = await aType(world, model, "string");
  const entity = await anEntity(world, model, "customer");
  const person = await anEntity(world, model, "person");
  await anAttribute(world, { model, entity, type }, "zip");
  await anAttribute(world, { model, entity, type }, "code");
  const places = await aRelationship(world, { model, a: entity, b: person }, "places");
  await anAttribute(world, { model, relationship: places, type }, "channel");
  await aBusinessKey(world, { model, entity }, "customer_zip", ["key:zip"]);
  await aLocalTag(world, model, "draft");
  global = await aGlobalTag(world, await aTagGroup(world, "privacy"), "personal");
  await anEntity(world, await aModel(world, "beta"), "customer");
  const on = { modelRef: model.ref };
  await world.ok("model/model_add_tag", { ...on, tagRef: "key:draft" });
  await world.ok("model/entity_add_tag", { ...on, entityRef: "key:customer", tagRef: "key:draft" });
  await world.ok("model/entity_add_tag", { ...on, entityRef: "key:customer", tagRef: "key:privacy/personal" });
  const zip = { ...on, entityRef: "key:customer", attributeRef: "key:zip" };
  await world.ok("model/entity_attribute_add_tag", { ...zip, tagRef: "key:privacy/personal" });
  await world.ok("model/relationship_add_tag", { ...on, relationshipRef: "key:places", tagRef: "key:draft" });
  await world.ok("model/entity_update_name", { ...on, entityRef: "key:person", value: "Straße à Thèbes" });
  const value = "Ὀδυσσεύς, ΜΗΝΙΣ";
  await world.ok("model/relationship_update_description", { ...on, relationshipRef: "key:places", value });
  await world.ok("model/model_update_description", { ...on, value: "All of the trade." });
  const retention = { entityRef: "key:person", property: "retentionDays", value: 9 };
  await world.ok("model/entity_update_property", { ...on, ...retention });
});

describe("search", () => {
  test("without conditions finds everything for `and`, the default, and nothing for `or`", async () => {
    expect(await found([])).toEqual(ALL);
    expect(await found([], "and")).toEqual(ALL);
    expect(await found([], "or")).toEqual([]);
    expect((await world.read("model/search", { filters: {} })).items.map(shown)).toEqual(ALL);
    expect((await world.read("model/search", { filters: {}, fields: [] })).items.map(shown)).toEqual(ALL);
  });

  test("answers the path of each hit by id, key and label, and nothing else", async () => {
    const [zip] = (await search([contains("zip")])).filter(({ location }) => location.objectType === "entityAttribute");
    const { ref: modelRef, id } = model;
    const refs = { modelRef, entityRef: "key:customer" };
    const { id: entityId } = await world.read("model/entity_get", refs);
    const { id: attributeId } = await world.read("model/entity_attribute_get", { ...refs, attributeRef: "key:zip" });
    expect(zip).toEqual({
      ...{ id: attributeId, path: "alpha/customer.zip" },
      location: {
        objectType: "entityAttribute",
        ...{ modelId: id, modelKey: "alpha", modelLabel: "Model alpha" },
        ...{ entityId, entityKey: "customer", entityLabel: "customer" },
        ...{ entityAttributeId: attributeId, entityAttributeKey: "zip", entityAttributeLabel: "zip" },
      },
    });
    const [found] = await search([contains("alpha")]);
    const location = { objectType: "model", modelId: id, modelKey: "alpha", modelLabel: "Model alpha" };
    expect(found).toEqual({ id, location, path: "alpha" });
    const [businessKey] = await search([contains("customer_zip")]);
    expect(businessKey?.location).toMatchObject({ modelKey: "alpha", entityId, businessKeyKey: "customer_zip" });
    const [role] = (await search([])).filter((row) => row.location.objectType === "relationshipRole");
    expect(role?.location).toMatchObject({ modelKey: "alpha", relationshipKey: "places", relationshipRoleKey: "a" });
  });

  test.each([
    ["CUSTOMER", ["entity customer", "businessKey customer_zip", "entity customer"]],
    ["strasse", ["entity person"]],
    ["STRAẞE", ["entity person"]],
    ["a thebes", ["entity person"]],
    ["  À THÈBES\n", ["entity person"]],
    ["\u0061\u0300 the\u0300bes", ["entity person"]],
    ["thebe\u0301", ["entity person"]],
    ["οδυσσευς", ["relationship places"]],
    ["ΟΔΥΣΣΕΥΣ", ["relationship places"]],
    ["μῆνις", ["relationship places"]],
    ["Model beta", ["model beta"]],
    ["all of the trade", ["model alpha"]],
    // A value that only two texts of one object in a row would hold finds nothing.
    ["customercustomer", []],
    ["personstra", []],
    // Characters that mean something to a database mean themselves.
    ["customer%zip", []],
    ["customer_zip", ["businessKey customer_zip"]],
    ["\\", []],
    ["", ALL],
    [" \t", ALL],
    ["\u0301", ALL],
  ])("for the text %j finds %j", async (text, expected) => expect(await found([contains(text)])).toEqual(expected));

  test("finds the objects with and without tags", async () => {
    const tagged = ["model alpha", "entity customer", "entityAttribute zip", "relationship places"];
    expect(await found([tagsAre("notEmpty")])).toEqual(tagged);
    expect([...tagged, ...(await found([tagsAre("empty")]))].sort()).toEqual([...ALL].sort());
  });

  test.each([
    [9, ["entity person"]],
    [8, []],
  ])("finds the objects whose property has the value %j", async (retentionDays, expected) => {
    expect(await found([{ type: "properties", condition: "equals", value: { retentionDays } }])).toEqual(expected);
  });

  test("finds a tag by its id in upper case, and by the forms of its key", async () => {
    expect(await found([tags("anyOf", `id:${global.id.toUpperCase()}`)])).toHaveLength(2);
    for (const key of ["key:privacy/personal", "key:global/privacy/personal"])
      expect(await found([tags("anyOf", key)])).toEqual(["entity customer", "entityAttribute zip"]);
  });

  test.each([
    ["key:privacy/none", "no global tag key:privacy/none"],
    ["key:none/personal", "no global tag key:none/personal"],
    [`key:model/${NO_ID}/draft`, `no model id:${NO_ID}`],
  ])("reports that the tag %s does not exist", async (ref, message) => {
    const filters = { items: [tags("noneOf", "key:privacy/personal", ref)] };
    expect(await world.refused("model/search", { filters })).toMatchObject({ code: "not_found", message });
  });

  test("reports that a model has no such tag", async () => {
    const ref = `key:model/${model.id}/none`;
    const problem = await world.refused("model/search", { filters: { items: [tags("anyOf", ref)] } });
    expect(problem).toMatchObject({ code: "not_found", message: `no tag ${ref} in the model alpha` });
  });

  test.each<[object | string, string, string]>([
    ["customer", "/filters", "object"],
    [[], "/filters", "object"],
    [{ operator: "nor" }, "/filters/operator", "and or or"],
    [{ text: "customer" }, "/filters", "text"],
    [{ items: {} }, "/filters/items", "list"],
    [{ items: [3] }, "/filters/items/0", "object"],
    [{ items: [{ type: "kind", condition: "is" }] }, "/filters/items/0/type", "format, logicalType or text"],
    [{ items: [{ type: "text", condition: "is", value: "x" }] }, "/filters/items/0/condition", "contains"],
    [{ items: [{ type: "tags", condition: "contains", value: "x" }] }, "/filters/items/0/condition", "noneOf"],
    [{ items: [{ type: "text", condition: "contains" }] }, "/filters/items/0/value", "string"],
    [{ items: [{ type: "tags", condition: "anyOf" }] }, "/filters/items/0/value", "list"],
    [{ items: [{ type: "tags", condition: "empty", value: [] }] }, "/filters/items/0/value", "omit it"],
    [{ items: [{ ...tagsAre("empty"), not: true }] }, "/filters/items/0", "not"],
    [{ items: [tags("anyOf", "id:1")] }, "/filters/items/0/value/0", "UUID"],
    [{ items: [tags("anyOf", `id:${NO_ID}`, "draft")] }, "/filters/items/0/value/1", "key:<key>"],
    [{ items: [tags("anyOf", "key:draft")] }, "/filters/items/0/value/0", "key:model/<model uuid>/draft"],
  ])("refuses the filters %j with a pointer to the fault", async (filters, pointer, words) => {
    const problem = await world.refused("model/search", { filters });
    expectFaults(problem, pointer);
    expect(problem.members.errors?.[0]?.detail).toContain(words);
  });

  test("reports every fault of its filters, which are required", async () => {
    const items = [tags("anyOf", "key:draft", "key:x/y", "3"), contains("x"), { type: "text", condition: "is" }];
    const places = ["/filters/items/0/value/0", "/filters/items/0/value/2", "/filters/items/2/condition", "/fields/0"];
    expectFaults(await world.refused("model/search", { filters: { items }, fields: ["tags"] }), ...places);
    expectFaults(await world.refused("model/search"), "/filters");
    expectFaults(await world.refused("model/search", { filters: {}, fields: "location" }), "/fields");
  });

  test("reads everything in pages, each row once", async () => {
    for (const limit of [1, 2, 3, ALL.length - 1, ALL.length, ALL.length + 1]) {
      const pages = await readPages((after) => world.ok("model/search", { filters: {}, limit, ...after }));
      expect(pages.flatMap(({ body }) => body.items.map(shown))).toEqual(ALL);
      expect(pages.map(({ body }) => body.items.length <= limit)).toEqual(pages.map(() => true));
      expect(pages).toHaveLength(Math.ceil(ALL.length / limit));
    }
  });
});

test("a row passes if its property has exactly the value", () => {
  const items = [{ type: "properties", condition: "equals", value: { a: 1 } } as const];
  const passes = createRowTest({ operator: "and", items }, new Set());
  const row = { properties: '{"a":1,"b":2}' } as SearchRow;
  const rows = [row, { ...row, properties: '{"a":2}' }, { ...row, properties: '{"b":1}' }];
  expect(rows.map(passes)).toEqual([true, false, false]);
});

describe("search after a write", () => {
  const word = "flamingo";
  const modelKey = ({ location }: Row) => location.modelKey;
  const page = async (limit: number, cursor?: string) => {
    const { body, next } = await world.ok("model/search", { filters: { items: [contains(word)] }, limit, cursor });
    return { items: body.items as readonly Row[], next };
  };

  test("continues from a page whose models were created, deleted or renamed since", async () => {
    for (const key of ["p1", "p2", "p3", "p4"]) await anEntity(world, await aModel(world, key), word);
    const first = await page(2);
    expect(first.items.map(modelKey)).toEqual(["p1", "p2"]);
    await world.ok("model/model_delete", { modelRef: "key:p2" });
    await world.ok("model/model_update_key", { modelRef: "key:p3", value: "p5" });
    await anEntity(world, await aModel(world, "p11"), word);
    await anEntity(world, await aModel(world, "p21"), word);
    const second = await page(9, first.next);
    expect([second.items.map(modelKey), second.next]).toEqual([["p21", "p4", "p5"], undefined]);
  });

  test("continues from a deleted row", async () => {
    const model = await aModel(world, "rows");
    const type = await aType(world, model, word);
    const entity = await anEntity(world, model, `a ${word}`);
    for (const key of ["z", "y", "x"]) await anAttribute(world, { model, entity, type }, `${key} ${word}`);
    await anEntity(world, model, `a ${word} more`);
    const all = (await page(100)).items.map(shown);
    const own = [`type ${word}`, `entity a ${word}`, ...["z", "y", "x"].map((key) => `entityAttribute ${key} ${word}`)];
    expect(all.slice(-6)).toEqual([...own, `entity a ${word} more`]);
    const first = await page(all.length - 3);
    expect(first.items.map(shown).at(-1)).toBe(`entityAttribute z ${word}`);
    const refs = { modelRef: model.ref, entityRef: entity.ref };
    await world.ok("model/entity_attribute_delete", { ...refs, attributeRef: `key:z ${word}` });
    const second = await page(100, first.next);
    expect([second.items.map(shown), second.next]).toEqual([all.slice(-3), undefined]);
  });

  test("refuses a cursor that no list returned", async () => {
    for (const cursor of ["!", "Q Q", "x".repeat(401)])
      expectFaults(await world.refused("model/search", { filters: {}, cursor }), "/cursor");
  });

  test("has cursors for the longest keys", async () => {
    const key = (letter: string) => letter.repeat(128);
    const model = await aModel(world, key("M"));
    const entity = await anEntity(world, model, key("E"));
    await aRelationship(world, { model, a: entity, b: entity }, key("R"));
    const pages = await readPages((after) => world.ok("model/search", { filters: {}, limit: 1, ...after }));
    const own = pages.flatMap(({ body }) => body.items).filter(({ location }) => location.modelKey === model.key);
    const types = ["model", "entity", "relationship", "relationshipRole", "relationshipRole"];
    expect(own.map(({ location }) => location.objectType)).toEqual(types);
  });
});
