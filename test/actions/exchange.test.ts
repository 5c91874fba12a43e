import { describe, expect, test } from "vitest";
import type { Body } from "../support/world.ts";
import { expectFaults, expectProblem, expectWritten, newKey, useWorld } from "./support/checked-world.ts";
import { aModel, anAttribute, anEntity, aType, exampleModel, type Made } from "./support/models.ts";

const world = useWorld();

const exported = (modelRef: string): Promise<Body> => world.read("model/model_export", { modelRef });

let example: Promise<Made> | undefined;

/** One model that is made once, for tests that change nothing in it. */
function shared(): Promise<Made> {
  example ??= exampleModel(world, newKey("shared")).then(async ({ model }) => {
    await world.ok("model/model_update_authority", { modelRef: model.ref, value: "canonical" });
    return model;
  });
  return example;
}

/** The document without ids, and all ids it had. */
function withoutIds(document: Body): { document: Body; ids: string[] } {
  const ids: string[] = [];
  const text = JSON.stringify(document, (member, value) => {
    if (member !== "id") return value;
    ids.push(value);
    return undefined;
  });
  return { document: JSON.parse(text), ids };
}

describe("model_export", () => {
  test("is the same to the byte when nothing changed, and when a change was reverted", async () => {
    const { model } = await exampleModel(world, newKey("crm"));
    const text = async () => JSON.stringify(await exported(model.byId));
    const before = await text();
    expect(await text()).toBe(before);
    const place = { modelRef: model.byId, entityRef: "key:order" };
    for (const [was, key] of [
      ["number", "0"],
      ["0", "number"],
    ]) {
      await world.ok("model/entity_attribute_update_key", { ...place, attributeRef: `key:${was}`, value: key });
    }
    for (const value of ["New", ""]) await world.ok("model/entity_update_name", { ...place, value });
    const extra = await aType(world, model);
    await world.ok("model/type_delete", { modelRef: model.ref, typeRef: extra.ref });
    expect(await text()).toBe(before);
  });
});

describe("inspect_models_json", () => {
  test("answers the documents of all models as JSON, sorted by key, without deleted models", async () => {
    await shared();
    const gone = await aModel(world);
    await world.ok("model/model_delete", { modelRef: gone.ref });
    const answer = await world.ok("model/inspect_models_json");
    expect(answer.mediaType).toBe("application/json");
    const listed: { id: string }[] = await world.read("model/model_list");
    expect(answer.body.models).toHaveLength(listed.length);
    const [first] = answer.body.models;
    expect(first).toEqual(await exported(`id:${first.id}`));
    expect(answer.body.models.map((m: Body) => m.id)).toEqual(listed.map((m) => m.id));
  });
});

describe("model_copy", () => {
  test("copies everything under a new key, with new ids and the authority system", async () => {
    const model = await shared();
    const key = newKey("copy");
    const answer = await world.ok("model/model_copy", { modelRef: model.ref, modelNewKey: key });
    expectWritten(answer, { key, revision: 1 });
    const source = withoutIds(await exported(model.byId));
    const copy = withoutIds(await exported(`key:${key}`));
    expect(JSON.stringify(copy.document)).toBe(JSON.stringify({ ...source.document, key, authority: "system" }));
    expect(copy.ids).toHaveLength(source.ids.length);
    expect(copy.ids.filter((id) => source.ids.includes(id))).toEqual([]);
    expect(new Set(copy.ids).size).toBe(copy.ids.length);
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

  test("given a taken key, its own included, refuses it, names it and writes nothing", async () => {
    const [model, other] = [await aModel(world), await aModel(world)];
    for (const { key } of [model, other]) {
      const problem = await world.refused("model/model_copy", { modelRef: model.ref, modelNewKey: key });
      expectProblem(problem, "key_taken", key);
    }
    const rows: { key: string }[] = await world.read("model/model_list");
    expect(rows.filter(({ key }) => key === model.key || key === other.key)).toHaveLength(2);
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

/** Counts of an import that made none of these. */
const NOTHING = { types: 0, entities: 0, attributes: 0, relationships: 0, businessKeys: 0, tags: 0, globalTags: 0 };

describe("import", () => {
  const TABLE = {
    name: "offices",
    title: "Offices",
    fields: [
      { name: "code", type: "string", constraints: { required: true } },
      { name: "city" },
      { name: "opened", type: "date", title: "Opening day" },
    ],
    primaryKey: "code",
  };

  test("given a Table Schema as content, creates a model and counts its objects", async () => {
    const modelKey = newKey("offices");
    const answer = await world.ok("model/import", { content: TABLE, modelKey });
    expectWritten(answer, { key: modelKey, revision: 1 });
    expect(answer.body.counts).toEqual({ ...NOTHING, types: STANDARD_TYPES, entities: 1, attributes: 3 });
    const { entities } = await exported(`key:${modelKey}`);
    expect(entities).toMatchObject([
      {
        attributes: [
          { key: "code", type: "key:string", optional: false },
          { key: "city", type: "key:string", optional: true },
          { key: "opened", type: "key:date", optional: true, name: "Opening day" },
        ],
        primaryKey: ["key:code"],
      },
    ]);
  });

  test("prefers the caller's key and name for the model over those of the source", async () => {
    const modelKey = newKey("named");
    await world.ok("model/import", { content: TABLE, modelKey, modelName: "My offices" });
    const model = await world.read("model/model_get", { modelRef: `key:${modelKey}` });
    expect(model).toMatchObject({ key: modelKey, name: "My offices" });
  });

  test("uses the key of the source by default, which is taken then", async () => {
    const { body } = await world.ok("model/import", { content: TABLE });
    expect(body.key).toBe("offices");
    const problem = await world.refused("model/import", { content: TABLE });
    expectProblem(problem, "key_taken", "offices");
  });

  test("reads back an export of an empty model, and one with names of JavaScript as keys", async () => {
    const empty = await aModel(world);
    const odd = await aModel(world);
    const type = await aType(world, odd, "__proto__");
    const entity = await anEntity(world, odd, "constructor");
    await anAttribute(world, { model: odd, entity, type }, "__proto__");
    for (const model of [empty, odd]) {
      const modelKey = newKey("again");
      const source = await exported(model.ref);
      await world.ok("model/import", { content: JSON.parse(JSON.stringify(source)), modelKey });
      const { document } = withoutIds(await exported(`key:${modelKey}`));
      expect(document).toEqual({ ...withoutIds(source).document, key: modelKey });
    }
  });

  test("reports members that their object cannot have, each with its pointer", async () => {
    const content = { ...TABLE, fields: [{ name: "code", constraints: { minLength: "x" } }], primaryKey: "code" };
    const { body } = await world.ok("model/import", { content, modelKey: newKey() });
    expect(body.warnings.length).toBeGreaterThan(0);
    expect(body.warnings.some((w: Body) => w.pointers.some((p: string) => p.startsWith("/fields/0")))).toBe(true);
  });

  test("derives valid and unique keys from invalid names, keeps the names and reports it", async () => {
    const content = { name: "n", fields: [{ name: "it's" }, { name: "Ströme" }, { name: "same" }, { name: "same" }] };
    const modelKey = newKey("odd names");
    const { body } = await world.ok("model/import", { content, modelKey });
    const { entities } = await exported(`key:${modelKey}`);
    const attributes: Body[] = entities[0].attributes;
    expect(attributes.map((a) => a.name ?? a.key)).toEqual(["it's", "Ströme", "same", "same"]);
    expect(new Set(attributes.map((a) => a.key)).size).toBe(4);
    expect(attributes[1].key).toBe("Strome");
    const places = body.warnings.flatMap((w: Body) => w.pointers.map((p: string) => p.slice(0, "/fields/0".length)));
    expect(new Set(places)).toEqual(new Set(["/fields/0", "/fields/1", "/fields/3"]));
  });

  test("given content with faults, reports each with its pointer and stores nothing", async () => {
    const content = { name: "bad", fields: [{ name: "a" }, { title: "nameless" }, { name: "b", type: 7 }, "c"] };
    const problem = await world.writesNothing(() => world.refused("model/import", { content, modelKey: "bad one" }));
    expect(problem.code).toBe("invalid_content");
    const pointers = (problem.members.errors ?? []).map((e) => e.pointer);
    for (const place of ["/fields/1", "/fields/2", "/fields/3"]) {
      expect(
        pointers.some((p) => p.startsWith(place)),
        `${place} in ${pointers}`,
      ).toBe(true);
    }
    expect((await world.refused("model/model_get", { modelRef: "key:bad one" })).code).toBe("not_found");
  });

  test("refuses content of an unknown format and stores nothing", async () => {
    for (const content of [{}, { hello: "world" }, { $schema: "urn:metaction:model:99" }]) {
      const problem = await world.writesNothing(() => world.refused("model/import", { content, modelKey: newKey() }));
      expect(problem.code).toBe("source_not_recognised");
    }
  });

  test("given both from and content, or neither, points at both", async () => {
    const both = { from: "https://example.com/datapackage.json", content: TABLE };
    for (const payload of [both, {}, { from: "", content: null }]) {
      expectFaults(await world.refused("model/import", payload), "/from", "/content");
    }
  });

  test.each([
    "file:///etc/passwd",
    "example.com/x.json",
    "ftp://example.com/x",
    `https://e.com/${"x".repeat(2_048)}`,
    7,
  ])("given %j as from, points at it", async (from) => {
    expectFaults(await world.refused("model/import", { from }), "/from");
  });

  test.each([[[]], [[1]], [7], [true]])("given %j as content, points at it", async (content) => {
    expectFaults(await world.refused("model/import", { content }), "/content");
  });
});
