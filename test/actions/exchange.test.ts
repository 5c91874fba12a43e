import { describe, expect, test } from "vitest";
import { withoutIds } from "../formats/documents.ts";
import type { Body } from "../support/world.ts";
import { expectFaults, expectWritten, newKey, useWorld } from "./support/checked-world.ts";
import { aModel, anAttribute, anEntity, aType, exampleModel, type Made } from "./support/models.ts";

const world = useWorld();

const exported = (modelRef: string): Promise<Body> => world.read("model/model_export", { modelRef });

let example: Promise<Made> | undefined;

function shared(): Promise<Made> {
  example ??= exampleModel(world, newKey("shared")).then(async ({ model }) => {
    await world.ok("model/model_update_authority", { modelRef: model.ref, value: "canonical" });
    return model;
  });
  return example;
}

const idsIn = (document: Body): readonly string[] =>
  [...JSON.stringify(document).matchAll(/"id":"([^"]+)"/g)].map(([, id = ""]) => id);

test("model_export is the same to the byte when nothing changed, and when a change was reverted", async () => {
  const { model } = await exampleModel(world, newKey("crm"));
  const text = async () => JSON.stringify(await exported(model.byId));
  const before = await text();
  expect(await text()).toBe(before);
  const place = { modelRef: model.byId, entityRef: "key:order" };
  const rename = (was: string, value: string) =>
    world.ok("model/entity_attribute_update_key", { ...place, attributeRef: `key:${was}`, value });
  await rename("number", "0");
  await rename("0", "number");
  for (const value of ["New", ""]) await world.ok("model/entity_update_name", { ...place, value });
  await world.ok("model/type_delete", { modelRef: model.ref, typeRef: (await aType(world, model)).ref });
  expect(await text()).toBe(before);
});

test("inspect_models_json answers the documents of all models as JSON, sorted by key, without deleted models", async () => {
  await shared();
  await world.ok("model/model_delete", { modelRef: (await aModel(world)).ref });
  const answer = await world.ok("model/inspect_models_json");
  expect(answer.mediaType).toBe("application/json");
  const listed: { id: string }[] = await world.read("model/model_list");
  expect(answer.body.models).toHaveLength(listed.length);
  const [first] = answer.body.models;
  expect(first).toEqual(await exported(`id:${first.id}`));
  expect(answer.body.models.map((m: Body) => m.id)).toEqual(listed.map((m) => m.id));
});

describe("model_copy", () => {
  test("copies everything under a new key, with new ids and the authority system", async () => {
    const model = await shared();
    const key = newKey("copy");
    expectWritten(await world.ok("model/model_copy", { modelRef: model.ref, modelNewKey: key }), { key, revision: 1 });
    const [source, copy] = [await exported(model.byId), await exported(`key:${key}`)];
    expect(JSON.stringify(withoutIds(copy))).toBe(JSON.stringify(withoutIds({ ...source, key, authority: "system" })));
    const [given, made] = [idsIn(source), idsIn(copy)];
    expect(made).toHaveLength(given.length);
    expect(new Set([...given, ...made]).size).toBe(2 * given.length);
  });

  test("leaves the source unchanged, and the two models are independent afterwards", async () => {
    const model = await aModel(world);
    const type = await aType(world, model, "string");
    const key = newKey("copy");
    const before = await world.ok("model/model_export", { modelRef: model.ref });
    await world.ok("model/model_copy", { modelRef: model.ref, modelNewKey: key });
    await world.ok("model/type_update_key", { modelRef: `key:${key}`, typeRef: "key:string", value: "text" });
    expect(await world.ok("model/model_export", { modelRef: model.ref })).toEqual(before);
    await world.ok("model/model_delete", { modelRef: model.ref });
    expect((await exported(`key:${key}`)).types).toMatchObject([{ key: "text" }]);
    const problem = await world.refused("model/type_get", { modelRef: `key:${key}`, typeRef: type.byId });
    expect(problem.code).toBe("not_found");
  });

  test("does not copy attributes of a deleted entity", async () => {
    const model = await aModel(world);
    const type = await aType(world, model);
    const entity = await anEntity(world, model);
    await anAttribute(world, { model, entity, type });
    await world.ok("model/entity_delete", { modelRef: model.ref, entityRef: entity.ref });
    const key = newKey("copy");
    await world.ok("model/model_copy", { modelRef: model.ref, modelNewKey: key });
    expect(await exported(`key:${key}`)).toMatchObject({ entities: [] });
    await world.ok("model/type_delete", { modelRef: `key:${key}`, typeRef: type.ref });
  });
});

/** The types of Table Schema version 1, all of which an imported model has. */
const STANDARD_TYPES = 15;

const NOTHING = { types: 0, entities: 0, attributes: 0, relationships: 0, businessKeys: 0, tags: 0, globalTags: 0 };

describe("import", () => {
  const FIELDS = [
    { name: "code", type: "string", constraints: { required: true } },
    { name: "city" },
    { name: "opened", type: "date", title: "Opening day" },
  ];
  const TABLE = { name: "offices", title: "Offices", fields: FIELDS, primaryKey: "code" };

  test("given a Table Schema as content, creates a model and counts its objects", async () => {
    const modelKey = newKey("offices");
    const answer = await world.ok("model/import", { content: TABLE, modelKey });
    expectWritten(answer, { key: modelKey, revision: 1 });
    expect(answer.body.counts).toEqual({ ...NOTHING, types: STANDARD_TYPES, entities: 1, attributes: 3 });
    const { entities } = await exported(`key:${modelKey}`);
    const attributes = [
      { key: "code", type: "key:string", optional: false },
      { key: "city", type: "key:string", optional: true },
      { key: "opened", type: "key:date", optional: true, name: "Opening day" },
    ];
    expect(entities).toMatchObject([{ attributes, primaryKey: ["key:code"] }]);
  });

  test("reads back an export of an empty model, and one with names of JavaScript as keys", async () => {
    const empty = await aModel(world);
    const odd = await aModel(world);
    const type = await aType(world, odd, "__proto__");
    await anAttribute(world, { model: odd, entity: await anEntity(world, odd, "constructor"), type }, "__proto__");
    for (const model of [empty, odd]) {
      const modelKey = newKey("again");
      const source = await exported(model.ref);
      await world.ok("model/import", { content: JSON.parse(JSON.stringify(source)), modelKey });
      expect(withoutIds(await exported(`key:${modelKey}`))).toEqual(withoutIds({ ...source, key: modelKey }));
    }
  });

  test("refuses content of an unknown format and stores nothing", async () => {
    for (const content of [{}, { hello: "world" }, { $schema: "urn:metaction:model:99" }]) {
      const problem = await world.writesNothing(() => world.refused("model/import", { content, modelKey: newKey() }));
      expect(problem.code).toBe("source_not_recognised");
    }
  });

  test("given both from and content, or neither, points at both", async () => {
    const both = { from: "https://example.com/datapackage.json", content: TABLE };
    for (const payload of [both, {}, { from: "", content: null }])
      expectFaults(await world.refused("model/import", payload), "/from", "/content");
  });

  test.each([
    ...["file:///etc/passwd", "example.com/x.json", "ftp://example.com/x"],
    `https://e.com/${"x".repeat(2_048)}`,
    7,
  ])("given %j as from, points at it", async (from) => {
    expectFaults(await world.refused("model/import", { from }), "/from");
  });

  test.each([[[]], [[1]], [7], [true]])("given %j as content, points at it", async (content) => {
    expectFaults(await world.refused("model/import", { content }), "/content");
  });
});
