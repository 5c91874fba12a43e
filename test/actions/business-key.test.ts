import { describe, expect, test } from "vitest";
import { expectFaults, expectWritten, newKey, useWorld } from "./support/checked-world.ts";
import { aBusinessKey, aModel, anAttribute, anEntity, aType, type Made, revisionOf } from "./support/models.ts";

const world = useWorld();

interface Scene {
  readonly model: Made;
  readonly entity: Made;
  readonly a: Made;
  readonly b: Made;
  readonly c: Made;
}

/** A model with one entity that has the attributes `a`, `b` and `c`; its revision is 6. */
async function newScene(): Promise<Scene> {
  const model = await aModel(world);
  const type = await aType(world, model);
  const entity = await anEntity(world, model);
  const scene = { model, entity, type };
  const a = await anAttribute(world, scene, "a");
  const b = await anAttribute(world, scene, "b");
  return { model, entity, a, b, c: await anAttribute(world, scene, "c") };
}

const create = ({ model, entity }: Scene, more: object) => ({ modelRef: model.ref, entityRef: entity.ref, ...more });
const on = ({ model }: Scene, businessKey: Made) => ({ modelRef: model.ref, businessKeyRef: businessKey.ref });
const listed = async ({ model }: Scene) => (await world.read("model/business_key_list", { modelRef: model.ref })).items;

describe("business_key_create", () => {
  test("creates a business key with its participants in the given order, by key and by id", async () => {
    const scene = await newScene();
    const { model, entity, a, c } = scene;
    const texts = { name: "Number", description: "Printed on\nevery invoice." };
    const answer = await world.ok(
      "model/business_key_create",
      create(scene, { key: "number", participants: [c.byId, a.ref], ...texts }),
    );
    expectWritten(answer, { key: "number", modelId: model.id, revision: 7 });
    const found = await world.read("model/business_key_get", { modelRef: model.byId, businessKeyRef: "key:number" });
    const shown = { key: "number", ...texts, entity: entity.byId, participants: [c.byId, a.byId] };
    expect(found).toEqual({ id: answer.body.id, ...shown });
    const document = await world.read("model/model_export", { modelRef: model.ref });
    expect(document.businessKeys).toEqual([
      { id: answer.body.id, ...shown, entity: entity.ref, participants: ["key:c", "key:a"] },
    ]);
  });

  test("accepts an empty list of participants, and no texts", async () => {
    const scene = await newScene();
    const made = await aBusinessKey(world, scene, "later");
    expect(await listed(scene)).toEqual([{ id: made.id, key: "later", entity: scene.entity.byId, participants: [] }]);
  });

  test("creates any number for one entity, also of the same participants", async () => {
    const scene = await newScene();
    for (const key of ["one", "two", "three"]) await aBusinessKey(world, scene, key, [scene.a.ref]);
    expect((await listed(scene)).map((b: Made) => b.key)).toEqual(["one", "three", "two"]);
  });

  test("refuses a key of another entity's business key, and writes nothing", async () => {
    const scene = await newScene();
    const other = await anEntity(world, scene.model);
    await aBusinessKey(world, { model: scene.model, entity: other }, "taken");
    const payload = create(scene, { key: "taken", participants: [] });
    const problem = await world.writesNothing(() => world.refused("model/business_key_create", payload));
    expect(problem.code).toBe("key_taken");
    expect(problem.message).toContain("taken");
    expect((await world.refused("model/business_key_create", payload, { dryRun: true })).code).toBe("key_taken");
  });

  test("accepts a key of a type, an entity, an attribute or a business key of another model", async () => {
    const [scene, elsewhere] = [await newScene(), await newScene()];
    await aBusinessKey(world, elsewhere, scene.entity.key);
    await aType(world, scene.model, scene.entity.key);
    await aBusinessKey(world, scene, scene.entity.key);
    await aBusinessKey(world, scene, "a");
    expect(await revisionOf(world, scene.model)).toBe(9);
  });

  test("refuses a repeated attribute with a pointer to the second", async () => {
    const scene = await newScene();
    const payload = create(scene, { key: newKey(), participants: [scene.a.ref, scene.b.ref, scene.a.byId] });
    expectFaults(await world.refused("model/business_key_create", payload), "/participants/2");
  });

  test("refuses an attribute of another entity or an unknown one, with its ref", async () => {
    const [scene, elsewhere] = [await newScene(), await newScene()];
    const other = await anEntity(world, scene.model);
    const type = await aType(world, scene.model);
    const sibling = await anAttribute(world, { model: scene.model, entity: other, type }, "sibling");
    for (const ref of ["key:none", elsewhere.a.byId, sibling.ref, sibling.byId]) {
      const payload = create(scene, { key: newKey(), participants: [scene.a.ref, ref] });
      const problem = await world.writesNothing(() => world.refused("model/business_key_create", payload));
      expect(problem.code).toBe("not_found");
      expect(problem.message).toContain(ref);
    }
  });

  test("lists everything that is wrong at once", async () => {
    const payload = {
      modelRef: "crm",
      key: "it's",
      entityRef: "customer",
      participants: ["a", "key:a", 7],
      name: "two\nlines",
      description: " ",
    };
    const pointers = ["/modelRef", "/key", "/entityRef", "/participants/0", "/participants/2", "/name", "/description"];
    expectFaults(await world.refused("model/business_key_create", payload), ...pointers);
  });

  test("requires participants, because only an empty list means none", async () => {
    const scene = await newScene();
    for (const participants of [undefined, null, ""]) {
      const payload = create(scene, { key: newKey(), participants });
      expectFaults(await world.refused("model/business_key_create", payload), "/participants");
    }
  });
});

describe("business_key_get", () => {
  test("answers by key and by id, and finds nothing of another model or kind", async () => {
    const [scene, elsewhere] = [await newScene(), await newScene()];
    const here = await aBusinessKey(world, scene, "same", [scene.b.ref]);
    const there = await aBusinessKey(world, elsewhere, "same");
    for (const businessKeyRef of [here.ref, here.byId]) {
      const { body, etag } = await world.ok("model/business_key_get", { modelRef: scene.model.byId, businessKeyRef });
      expect(body).toMatchObject({ id: here.id, participants: [scene.b.byId] });
      expect(etag).toBe(`${scene.model.id}-7`);
    }
    for (const businessKeyRef of [there.byId, scene.entity.byId, scene.a.byId]) {
      const problem = await world.refused("model/business_key_get", { modelRef: scene.model.ref, businessKeyRef });
      expect(problem.code).toBe("not_found");
      expect(problem.message).toContain(businessKeyRef);
    }
  });
});

describe("business_key_list", () => {
  test("fills its pages although a deleted entity left business keys between", async () => {
    const scene = await newScene();
    const gone = await anEntity(world, scene.model);
    for (const key of ["a", "z"]) await aBusinessKey(world, scene, key);
    for (const key of ["b", "c", "d"]) await aBusinessKey(world, { model: scene.model, entity: gone }, key);
    await world.ok("model/entity_delete", { modelRef: scene.model.ref, entityRef: gone.ref });
    const first = await world.ok("model/business_key_list", { modelRef: scene.model.ref, limit: 2 });
    expect(first.body.items.map((b: Made) => b.key)).toEqual(["a", "z"]);
    expect(first.next).toBeUndefined();
  });
});

describe("business_key_update_participants", () => {
  test("replaces all of them; another order is a change", async () => {
    const scene = await newScene();
    const { a, b, c } = scene;
    const made = await aBusinessKey(world, scene, "key", [a.ref, b.ref]);
    const update = (value: readonly string[]) =>
      world.ok("model/business_key_update_participants", { ...on(scene, made), value });
    expectWritten(await update([b.byId, a.ref]), { key: "key", modelId: scene.model.id, revision: 8 });
    expect((await listed(scene))[0].participants).toEqual([b.byId, a.byId]);
    await update([c.ref]);
    expect((await listed(scene))[0].participants).toEqual([c.byId]);
    const again = await world.writesNothing(() => update([c.byId]));
    expect(again.body).toMatchObject({ id: made.id, changed: false, revision: 9 });
    expect((await update([])).body.changed).toBe(true);
    expect((await update([])).body.changed).toBe(false);
  });

  test("refuses a repeated attribute, one of another entity, and malformed refs, each with its pointer", async () => {
    const scene = await newScene();
    const other = await anEntity(world, scene.model);
    const type = await aType(world, scene.model);
    const foreign = await anAttribute(world, { model: scene.model, entity: other, type }, "foreign");
    const made = await aBusinessKey(world, scene, "key", [scene.a.ref]);
    const refused = (value: unknown) =>
      world.writesNothing(() => world.refused("model/business_key_update_participants", { ...on(scene, made), value }));
    expectFaults(await refused([scene.a.ref, scene.a.byId]), "/value/1");
    expectFaults(await refused(["a", scene.a.ref, "id:7", 8]), "/value/0", "/value/2", "/value/3");
    for (const ref of [foreign.ref, foreign.byId, "key:none"]) {
      const problem = await refused([ref]);
      expect(problem.code).toBe("not_found");
      expect(problem.message).toContain(ref);
      expect(problem.message).toContain("the entity of key");
    }
  });
});

describe("business_key_delete", () => {
  test("frees the key, and leaves the entity and its attributes", async () => {
    const scene = await newScene();
    const made = await aBusinessKey(world, scene, "key", [scene.a.ref]);
    const answer = await world.ok("model/business_key_delete", on(scene, made));
    expectWritten(answer, { key: "key", modelId: scene.model.id, revision: 8 });
    expect(answer.body.id).toBe(made.id);
    expect((await world.refused("model/business_key_delete", on(scene, made))).code).toBe("not_found");
    expect((await aBusinessKey(world, scene, "key")).id).not.toBe(made.id);
    const [entity] = (await world.read("model/model_export", { modelRef: scene.model.ref })).entities;
    expect(entity).toMatchObject({ id: scene.entity.id, attributes: [{ key: "a" }, { key: "b" }, { key: "c" }] });
  });
});

describe("entity_delete", () => {
  test("deletes the entity's business keys, which no ref and no list finds any more", async () => {
    const scene = await newScene();
    const other = await anEntity(world, scene.model);
    const kept = await aBusinessKey(world, { model: scene.model, entity: other }, "kept");
    const gone = await aBusinessKey(world, scene, "gone", [scene.a.ref]);
    await world.ok("model/entity_delete", { modelRef: scene.model.ref, entityRef: scene.entity.ref });
    for (const businessKeyRef of [gone.ref, gone.byId]) {
      const refs = { modelRef: scene.model.ref, businessKeyRef };
      for (const [action, more] of [
        ["business_key_get", {}],
        ["business_key_delete", {}],
        ["business_key_update_name", { value: "N" }],
        ["business_key_update_key", { value: "other" }],
        ["business_key_update_participants", { value: [] }],
      ] as const) {
        const problem = await world.writesNothing(() => world.refused(`model/${action}`, { ...refs, ...more }));
        expect(problem.code, action).toBe("not_found");
        expect(problem.message).toContain(businessKeyRef);
      }
    }
    expect((await listed(scene)).map((b: Made) => b.id)).toEqual([kept.id]);
    const document = await world.read("model/model_export", { modelRef: scene.model.ref });
    expect(document.businessKeys).toMatchObject([{ id: kept.id, key: "kept" }]);
  });

  test("frees their keys, for a new and for a renamed business key", async () => {
    const scene = await newScene();
    const other = { model: scene.model, entity: await anEntity(world, scene.model) };
    const gone = [await aBusinessKey(world, scene, "one"), await aBusinessKey(world, scene, "two")];
    const renamed = await aBusinessKey(world, other, "three");
    await world.ok("model/entity_delete", { modelRef: scene.model.ref, entityRef: scene.entity.ref });
    const made = await aBusinessKey(world, other, "one");
    const answer = await world.ok("model/business_key_update_key", { ...on(scene, renamed), value: "two" });
    expectWritten(answer, { key: "two", modelId: scene.model.id, revision: 13 });
    expect((await listed(scene)).map(({ key, id }: Made) => [key, id])).toEqual([
      ["one", made.id],
      ["two", renamed.id],
    ]);
    for (const { byId } of gone) {
      const refs = { modelRef: scene.model.ref, businessKeyRef: byId };
      expect((await world.refused("model/business_key_get", refs)).code).toBe("not_found");
    }
    for (const { byId, id } of [made, renamed]) {
      const refs = { modelRef: scene.model.ref, businessKeyRef: byId };
      expect((await world.read("model/business_key_get", refs)).id).toBe(id);
    }
    // The key is taken again, by an existing object.
    const payload = { modelRef: scene.model.ref, entityRef: other.entity.ref, key: "two", participants: [] };
    expect((await world.refused("model/business_key_create", payload)).code).toBe("key_taken");
  });

  test("in a dry run frees nothing; a dry run after the deletion reports that the key is free", async () => {
    const scene = await newScene();
    const other = { model: scene.model, entity: await anEntity(world, scene.model) };
    await aBusinessKey(world, scene, "key");
    const deletion = { modelRef: scene.model.ref, entityRef: scene.entity.ref };
    const payload = { modelRef: scene.model.ref, entityRef: other.entity.ref, key: "key", participants: [] };
    await world.keepsEveryByte(() => world.ok("model/entity_delete", deletion, { dryRun: true }));
    expect((await world.refused("model/business_key_create", payload, { dryRun: true })).code).toBe("key_taken");
    await world.ok("model/entity_delete", deletion);
    const { body } = await world.keepsEveryByte(() => world.ok("model/business_key_create", payload, { dryRun: true }));
    expect(body).toMatchObject({ key: "key", changed: true, changes: [{ change: "create", kind: "business_key" }] });
  });
});

describe("entity_attribute_delete", () => {
  test("removes the attribute from every business key, which keep the others in order and may become empty", async () => {
    const scene = await newScene();
    const { model, entity, a, b, c } = scene;
    await aBusinessKey(world, scene, "all", [c.ref, b.ref, a.ref]);
    await aBusinessKey(world, scene, "alone", [b.ref]);
    await aBusinessKey(world, scene, "without", [a.ref]);
    const refs = { modelRef: model.ref, entityRef: entity.ref };
    await world.ok("model/entity_primary_key_update", { ...refs, attributeRef: [b.ref, a.ref] });
    const deletion = { ...refs, attributeRef: b.ref };
    const { body } = await world.ok("model/entity_attribute_delete", deletion, { dryRun: true });
    expect(body.changes.map((row: { change: string; key: string }) => [row.change, row.key])).toEqual([
      ["delete", "b"],
      ["update", entity.key],
      ["update", "all"],
      ["update", "alone"],
    ]);
    await world.ok("model/entity_attribute_delete", deletion);
    expect((await listed(scene)).map((one: { participants: string[] }) => one.participants)).toEqual([
      [c.byId, a.byId],
      [],
      [a.byId],
    ]);
    expect((await world.read("model/entity_get", refs)).primaryKey).toEqual([a.byId]);
    const again = await anAttribute(world, { model, entity, type: await aType(world, model) }, "b");
    expect(again.id).not.toBe(b.id);
    expect((await listed(scene))[1].participants).toEqual([]);
  });
});

test("a copied model has its business keys, with its own entities and attributes", async () => {
  const scene = await newScene();
  const made = await aBusinessKey(world, scene, "key", [scene.c.ref, scene.a.ref]);
  const key = newKey("copy");
  await world.ok("model/model_copy", { modelRef: scene.model.ref, modelNewKey: key });
  const [copy] = (await world.read("model/business_key_list", { modelRef: `key:${key}` })).items;
  const { entities } = await world.read("model/model_export", { modelRef: `key:${key}` });
  const [a, , c] = entities[0].attributes;
  expect(copy).toMatchObject({
    key: "key",
    entity: `id:${entities[0].id}`,
    participants: [`id:${c.id}`, `id:${a.id}`],
  });
  expect([made.id, scene.entity.id, scene.a.id]).not.toContain(copy.id);
});
