import { describe, expect, test } from "vitest";
import { expectProblem, expectWritten, useWorld } from "./support/checked-world.ts";
import { aBusinessKey, anAttribute, anEntity, anEntityWithAttributes, aType, type Made } from "./support/models.ts";

const world = useWorld();

type Scene = Awaited<ReturnType<typeof anEntityWithAttributes>>;
const newScene = () => anEntityWithAttributes(world);
const on = ({ model }: Scene, businessKey: Made) => ({ modelRef: model.ref, businessKeyRef: businessKey.ref });
const listed = async ({ model }: Scene) => (await world.read("model/business_key_list", { modelRef: model.ref })).items;

describe("business_key_create", () => {
  test("creates any number for one entity, also of the same participants", async () => {
    const scene = await newScene();
    for (const key of ["one", "two", "three"]) await aBusinessKey(world, scene, key, [scene.a.ref]);
    expect((await listed(scene)).map((b: Made) => b.key)).toEqual(["one", "three", "two"]);
  });

  test("refuses a key of a business key of another entity", async () => {
    const scene = await newScene();
    await aBusinessKey(world, scene, "taken");
    const { ref: entityRef } = await anEntity(world, scene.model);
    const payload = { modelRef: scene.model.ref, entityRef, key: "taken", participants: [] };
    expect((await world.refused("model/business_key_create", payload)).code).toBe("key_taken");
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
        expectProblem(problem, "not_found", businessKeyRef);
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
