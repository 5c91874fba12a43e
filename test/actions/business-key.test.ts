import { describe, expect, test } from "vitest";
import { expectProblem, useWorld } from "./support/checked-world.ts";
import { aBusinessKey, anEntity, anEntityWithAttributes, type Made } from "./support/models.ts";

const world = useWorld();

type Scene = Awaited<ReturnType<typeof anEntityWithAttributes>>;
const newScene = () => anEntityWithAttributes(world);
const listed = async ({ model }: Scene) => (await world.read("model/business_key_list", { modelRef: model.ref })).items;

test("business_key_list fills its pages although a deleted entity left business keys between", async () => {
  const scene = await newScene();
  const gone = await anEntity(world, scene.model);
  for (const key of ["a", "z"]) await aBusinessKey(world, scene, key);
  for (const key of ["b", "c", "d"]) await aBusinessKey(world, { model: scene.model, entity: gone }, key);
  await world.ok("model/entity_delete", { modelRef: scene.model.ref, entityRef: gone.ref });
  const first = await world.ok("model/business_key_list", { modelRef: scene.model.ref, limit: 2 });
  expect(first.body.items.map((b: Made) => b.key)).toEqual(["a", "z"]);
  expect(first.next).toBeUndefined();
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
