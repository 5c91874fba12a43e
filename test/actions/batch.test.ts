import { describe, expect, test } from "vitest";
import { toLogEntry } from "../../shared/store/log/log.ts";
import { partition } from "../store/support/check-model.ts";
import type { Body } from "../support/world.ts";
import { newKey, useWorld } from "./support/checked-world.ts";
import { aModel, anAttribute, anEntity, aType, exampleModel, type Made, revisionOf } from "./support/models.ts";

const world = useWorld();

const entry = (action: string, payload: object, group = "model") => ({ group, action, payload });
const run = (actions: readonly object[], controls = {}) => world.ok("batch/batch_run", { actions }, controls);
const refused = (actions: readonly object[], controls = {}) => world.refused("batch/batch_run", { actions }, controls);

const newestEntry = async (model: Made) =>
  toLogEntry((await partition(world.table, `log#${model.id}`)).at(-1) ?? { pk: "", sk: "", v: 1 });

describe("batch_run", () => {
  test("runs its entries in order, as one revision with all their changes", async () => {
    const model = await aModel(world);
    const modelRef = model.ref;
    const code = { attributeKey: "code", type: "key:string", optional: false };
    const { body, etag } = await run([
      entry("type_create", { modelRef: model.ref, typeKey: "string" }),
      entry("entity_create", { modelRef: model.ref, entityKey: "customer" }),
      entry("entity_attribute_create", { ...code, modelRef: model.byId, entityRef: "id:$2.id" }),
      entry("entity_primary_key_update", { modelRef, entityRef: "key:$2.key", attributeRef: ["id:$3.id"] }),
      entry("entity_get", { modelRef: model.ref, entityRef: "key:customer" }, "models"),
    ]);
    expect(body).toMatchObject({ status: "ok", changed: true });
    expect(etag).toBe(`${model.id}-2`);
    expect(body.revisions).toEqual([{ id: model.id, key: model.key, revision: 2 }]);
    const [type, entity, attribute, primaryKey, read] = body.results;
    for (const written of [type, entity, attribute, primaryKey])
      expect(written).toMatchObject({ status: "ok", revision: 2, changed: true });
    expect(read).toMatchObject({ id: entity.id, key: "customer", primaryKey: [`id:${attribute.id}`] });
    expect(await world.read("model/entity_get", { modelRef: model.ref, entityRef: "key:customer" })).toEqual(read);
    const log = await newestEntry(model);
    expect(log.revision).toBe(2);
    const names = ["type_create", "entity_create", "entity_attribute_create", "entity_primary_key_update"];
    expect(log.actions).toEqual(names.map((name) => `model/${name}`));
    const created = ["type#string", "entity#customer", `attribute#${entity.id}#code`];
    expect(log.touched?.map(({ does, at }) => [does, at])).toEqual(created.map((at) => ["create", at]));
  });

  test("that creates a model fills it, in the model's first revision", async () => {
    const key = newKey("begun");
    const { body } = await run([
      entry("model_create", { key, name: "Begun", version: "1.2.3" }),
      entry("type_create", { modelRef: "id:$1.id", typeKey: "string" }),
      entry("model_update_key", { modelRef: `key:${key}`, value: `${key}-2` }),
      entry("entity_create", { modelRef: `key:${key}-2`, entityKey: "e" }),
    ]);
    const [{ id }] = body.results;
    expect(body.revisions).toEqual([{ id, key: `${key}-2`, revision: 1 }]);
    const model = await world.read("model/model_export", { modelRef: `key:${key}-2` });
    expect(model.entities.map((e: Body) => e.key)).toEqual(["e"]);
    const [release] = await partition(world.table, `release#${id}`);
    expect(release).toMatchObject({ sk: "1.2.3", revision: 1 });
    expect((await world.refused("model/model_get", { modelRef: `key:${key}` })).code).toBe("not_found");
  });

  test("writes to several models at once, each at its next revision", async () => {
    const [one, two] = [await aModel(world), await aModel(world)];
    const { body, etag } = await run([
      entry("entity_create", { modelRef: one.ref, entityKey: "a" }),
      entry("entity_create", { modelRef: two.ref, entityKey: "b" }),
      entry("model_update_name", { modelRef: two.byId, name: "Two" }),
    ]);
    expect(etag).toBeUndefined();
    expect(body.revisions.map((r: Body) => [r.id, r.revision])).toEqual([one, two].map(({ id }) => [id, 2]));
    expect((await newestEntry(one)).actions).toEqual(["model/entity_create"]);
    expect((await newestEntry(two)).actions).toEqual(["model/entity_create", "model/model_update_name"]);
    expect((await newestEntry(one)).operation).toBe((await newestEntry(two)).operation);
  });

  test("writes nothing if its last entry fails, and reports that entry", async () => {
    const model = await aModel(world);
    await anEntity(world, model, "taken");
    const create = (entityKey: string) => entry("entity_create", { modelRef: model.ref, entityKey });
    const problem = await world.writesNothing(() => refused([create("fresh"), create("taken")]));
    expect(problem).toMatchObject({ code: "key_taken", members: { entry: 2 } });
    expect(problem.message).toMatch(/^Entry 2 \(model\/entity_create\): key taken is already used/);
  });

  test("refuses a key that an earlier entry took, and accepts one that an earlier entry freed", async () => {
    const model = await aModel(world);
    const create = entry("entity_create", { modelRef: model.ref, entityKey: "e" });
    expect((await refused([create, create])).members.entry).toBe(2);
    const first = await anEntity(world, model, "e");
    const { body } = await run([entry("entity_delete", { modelRef: model.ref, entityRef: "key:e" }), create]);
    const read = await world.read("model/entity_get", { modelRef: model.ref, entityRef: "key:e" });
    expect(read.id).toBe(body.results[1].id);
    expect(read.id).not.toBe(first.id);
    const gone = { modelRef: model.ref, entityRef: first.byId };
    expect((await world.refused("model/entity_get", gone)).code).toBe("not_found");
  });

  test("swaps the keys of two models", async () => {
    const [one, two] = [await aModel(world), await aModel(world)];
    const rename = (from: string, value: string) => entry("model_update_key", { modelRef: `key:${from}`, value });
    await run([rename(one.key, "aside"), rename(two.key, one.key), rename("aside", two.key)]);
    expect((await world.read("model/model_get", { modelRef: one.ref })).id).toBe(two.id);
    expect((await world.read("model/model_get", { modelRef: two.ref })).id).toBe(one.id);
    expect((await world.read("model/model_list")).filter((m: Body) => [one.id, two.id].includes(m.id))).toHaveLength(2);
  });

  test("deletes a model and creates another with its key", async () => {
    const model = await aModel(world);
    const { body } = await run([
      entry("model_delete", { modelRef: model.ref }),
      entry("model_create", { key: model.key, name: "Again" }),
    ]);
    expect((await world.read("model/model_get", { modelRef: model.ref })).id).toBe(body.results[1].id);
    expect((await refused([entry("model_get", { modelRef: model.byId })])).code).toBe("not_found");
  });

  test("deletes several models at once", async () => {
    const models = [await aModel(world), await aModel(world), await aModel(world)];
    await run(models.map(({ ref }) => entry("model_delete", { modelRef: ref })));
    for (const { ref } of models)
      expect((await world.refused("model/model_get", { modelRef: ref })).code).toBe("not_found");
  });

  test("does not find an object that an earlier entry deleted, nor its children", async () => {
    const { model, customer, code } = await exampleModel(world, newKey("crm"));
    const gone = entry("entity_delete", { modelRef: model.ref, entityRef: customer.ref });
    const refs = { modelRef: model.ref, entityRef: customer.byId, attributeRef: code.byId };
    const places = entry("relationship_delete", { modelRef: model.ref, relationshipRef: "key:places" });
    expect((await refused([places, gone, entry("entity_attribute_get", refs)])).members.entry).toBe(3);
    const { body } = await run([places, gone, entry("business_key_list", { modelRef: model.ref })], { dryRun: true });
    expect(body.results[2].items).toEqual([]);
    expect((await refused([entry("model_delete", { modelRef: model.ref }), gone])).code).toBe("not_found");
  });

  test("that creates and deletes the same object changes nothing", async () => {
    const model = await aModel(world);
    const { body, etag } = await world.writesNothing(() =>
      run([
        entry("entity_create", { modelRef: model.ref, entityKey: "e" }),
        entry("entity_delete", { modelRef: model.ref, entityRef: "id:$1.id" }),
        entry("model_create", { key: "never", name: "Never" }),
        entry("model_delete", { modelRef: "key:never" }),
      ]),
    );
    expect(body.changed).toBe(false);
    expect(body.revisions).toEqual([{ id: model.id, key: model.key, revision: 1 }]);
    expect(body.results[0]).toMatchObject({ changed: true, revision: 1 });
    expect(etag).toBe(`${model.id}-1`);
  });

  test("that creates a model and deletes it leaves no trace of it", async () => {
    const source = { content: { name: newKey("offices"), fields: [{ name: "code", type: "string" }] } };
    const copied = await aModel(world);
    await aType(world, copied);
    for (const [action, payload] of [
      ["model_create", { key: newKey("passing"), name: "P" }],
      ["import", source],
      ["model_copy", { modelRef: copied.ref, modelNewKey: newKey("passing") }],
    ] as const) {
      const more = entry("type_create", { modelRef: "id:$1.id", typeKey: "more" });
      const gone = entry("model_delete", { modelRef: "id:$1.id" });
      const { body } = await world.writesNothing(() => run([entry(action, payload), more, gone]));
      expect(body, action).toMatchObject({ changed: false });
    }
  });

  test("reads page after page with the cursor of the page before", async () => {
    const model = await aModel(world);
    for (const key of ["a", "c", "e"]) await anEntity(world, model, key);
    const list = (payload: object) => entry("entity_list", { modelRef: model.ref, limit: 2, ...payload });
    const { body } = await run([
      entry("entity_create", { modelRef: model.ref, entityKey: "b" }),
      entry("entity_delete", { modelRef: model.ref, entityRef: "key:c" }),
      list({}),
      list({ cursor: "$3.cursor" }),
    ]);
    expect(body.results[2].items.map((e: Body) => e.key)).toEqual(["a", "b"]);
    expect(body.results[3].items.map((e: Body) => e.key)).toEqual(["e"]);
    expect(body.results[3].cursor).toBeUndefined();
  });

  test("refuses a key of another model, at the entry that needs it", async () => {
    const [one, two] = [await aModel(world), await aModel(world)];
    for (const taker of [
      entry("model_create", { key: one.key, name: "Twin" }),
      entry("model_copy", { modelRef: two.ref, modelNewKey: one.key }),
      entry("model_update_key", { modelRef: two.ref, value: one.key }),
    ]) {
      const problem = await refused([entry("model_get", { modelRef: two.ref }), taker]);
      expect([problem.code, problem.members.entry]).toEqual(["key_taken", 2]);
    }
  });

  test("imports content, and changes it in later entries", async () => {
    const content = { name: newKey("offices"), fields: [{ name: "code", type: "string" }] };
    const { body } = await run([
      entry("import", { content }),
      entry("entity_list", { modelRef: "id:$1.id" }),
      entry("entity_update_name", { modelRef: "id:$1.id", entityRef: "id:$2.items.0.id", value: "Office" }),
    ]);
    const { id } = body.results[0];
    expect(body.results[0].counts).toMatchObject({ entities: 1, attributes: 1 });
    expect(body.revisions).toEqual([{ id, key: content.name, revision: 1 }]);
    expect((await world.read("model/entity_list", { modelRef: `id:${id}` })).items[0].name).toBe("Office");
  });

  test("releases the model that it imports, and not the tags that the import creates", async () => {
    // The second import meets whatever the first left at the same version.
    for (let i = 0; i < 2; i++) {
      const group = newKey("group");
      const entities = [{ key: "e", tags: [`key:${group}/a`], attributes: [], primaryKey: [] }];
      const content = {
        ...{ $schema: "urn:metaction:model:1", key: newKey("marked"), version: "1.0.0", entities, types: [] },
        tagGroups: [{ key: group, tags: [{ key: "a" }] }],
      };
      const { body } = await run([
        entry("import", { content }),
        entry("model_update_name", { modelRef: "id:$1.id", value: "Marked" }),
      ]);
      const { items } = await world.read("model/history_versions", { modelRef: `id:${body.results[0].id}` });
      expect(items.map(({ version }: Body) => version)).toEqual(["1.0.0"]);
      expect(await world.read("tag/maintenance_rebuild_caches", {})).toMatchObject({ found: 0 });
    }
  });
});

describe("references", () => {
  const types = async (description: string, first = "one") => {
    const model = await aModel(world);
    const { body } = await run([
      entry("type_create", { modelRef: model.ref, typeKey: first }),
      entry("type_create", { modelRef: model.ref, typeKey: "two", description }),
      entry("type_get", { modelRef: model.ref, typeRef: "key:two" }),
    ]);
    return { shown: body.results[2].description, first: body.results[0] };
  };

  test("replace a member in any place of a text", async () => {
    expect((await types("$1.key")).shown).toBe("one");
    const { shown, first } = await types("$1.id");
    expect(shown).toBe(first.id);
  });

  test.each([
    ["$$1.key", "$1.key"],
    ["$$$1.key", "$$1.key"],
    ["key:$$1.key", "key:$1.key"],
    ["costs $1.50", "costs $1.50"],
    ["$1", "$1"],
    ["$.id", "$.id"],
  ])("%s is the text %s", async (written, meant) => expect((await types(written)).shown).toBe(meant));

  test.each([
    ...["$1.none", "$2.id", "$3.id", "$0.id", "id:$1.changed", "$1.id.length", "$1.constructor"],
  ])("%s points to nothing and is refused at its place", async (reference) => {
    const model = await aModel(world);
    const problem = await world.writesNothing(() =>
      refused([
        entry("type_create", { modelRef: model.ref, typeKey: "one" }),
        entry("type_create", { modelRef: model.ref, typeKey: "two", "a/b": [{ c: reference }] }),
      ]),
    );
    const errors = [expect.objectContaining({ pointer: "/actions/1/payload/a~1b/0/c" })];
    expect(problem).toMatchObject({ code: "bad_parameters", members: { entry: 2, errors } });
  });
});

test("renaming, retyping and describing an attribute is one change", async () => {
  const model = await aModel(world);
  const [entity, type, other] = [await anEntity(world, model), await aType(world, model), await aType(world, model)];
  const { id } = await anAttribute(world, { model, entity, type }, "a");
  const revision = await revisionOf(world, model);
  const place = { modelRef: model.ref, entityRef: entity.ref };
  const { body } = await run([
    entry("entity_attribute_update_key", { ...place, attributeRef: "key:a", value: "b" }),
    entry("entity_attribute_update_type", { ...place, attributeRef: "key:b", value: other.ref }),
    entry("entity_attribute_update_description", { ...place, attributeRef: `id:${id}`, value: "Text" }),
  ]);
  expect(body.revisions[0].revision).toBe(revision + 1);
  const { touched } = await newestEntry(model);
  expect(touched).toHaveLength(1);
  const read = await world.read("model/entity_attribute_get", { ...place, attributeRef: "key:b" });
  expect(read).toMatchObject({ id, type: other.byId, description: "Text" });
});
