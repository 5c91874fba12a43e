import { describe, expect, test } from "vitest";
import { SWEEPS } from "../../shared/store/table/keys.ts";
import { expectFaults, expectWritten, NO_ID, newKey, useWorld } from "./support/checked-world.ts";
import { aGlobalTag, aLocalTag, aModel, anEntity, aTagGroup, revisionOf } from "./support/models.ts";

const world = useWorld();

describe("tag_local_create", () => {
  test("creates a tag of the model, in the model's own revision", async () => {
    const model = await aModel(world);
    const fields = { key: "draft", name: "Draft", description: "Not agreed." };
    const answer = await world.ok("tag/tag_local_create", { modelRef: model.ref, ...fields });
    expectWritten(answer, { key: "draft", modelId: model.id, revision: 2 });
    const refs = [`id:${answer.body.id}`, "key:draft", `key:model/${model.id}/draft`];
    for (const tagRef of refs) {
      const found = await world.ok("tag/tag_local_get", { modelRef: model.byId, tagRef });
      expect(found.body).toEqual({
        id: answer.body.id,
        ...fields,
        model: { id: model.id, key: model.key },
        tagScopeRef: { type: "model", id: model.id },
      });
      expect(found.etag).toBe(`${model.id}-2`);
    }
  });

  test("refuses a key of the same model, and accepts one of another model", async () => {
    const [one, two] = [await aModel(world), await aModel(world)];
    const { key } = await aLocalTag(world, one);
    const problem = await world.writesNothing(() => world.refused("tag/tag_local_create", { modelRef: one.ref, key }));
    expect(problem.code).toBe("key_taken");
    expect(problem.message).toBe(`key ${key} is already used by another tag in the model; choose another key`);
    await aLocalTag(world, two, key);
  });

  test.each(["a/b", "a b", "é", "x".repeat(129)])("given the key %j, refuses it", async (key) => {
    const { ref: modelRef } = await aModel(world);
    expectFaults(await world.refused("tag/tag_local_create", { modelRef, key }), "/key");
  });
});

describe("tag_local_update_*", () => {
  test("changes name and description, and clears them", async () => {
    const model = await aModel(world);
    const tag = await aLocalTag(world, model);
    const on = { modelRef: model.ref, tagRef: tag.ref };
    await world.ok("tag/tag_local_update_name", { ...on, value: "Name" });
    await world.ok("tag/tag_local_update_description", { ...on, value: "Text" });
    expect(await world.read("tag/tag_local_get", on)).toMatchObject({ name: "Name", description: "Text" });
    const same = () => world.ok("tag/tag_local_update_name", { ...on, value: "Name" });
    expect((await world.writesNothing(same)).body.changed).toBe(false);
    await world.ok("tag/tag_local_update_name", on);
    await world.ok("tag/tag_local_update_description", on);
    const bare = await world.read("tag/tag_local_get", on);
    expect(Object.keys(bare)).toEqual(["id", "key", "model", "tagScopeRef"]);
  });

  test("changes the key, which is unique in the model, and keeps the links", async () => {
    const model = await aModel(world);
    const [one, two] = [await aLocalTag(world, model), await aLocalTag(world, model)];
    const modelRef = model.ref;
    await world.ok("model/model_add_tag", { modelRef, tagRef: one.ref });
    const taken = await world.refused("tag/tag_local_update_key", { modelRef, tagRef: one.ref, value: two.key });
    expect(taken.code).toBe("key_taken");
    const value = newKey("moved");
    await world.ok("tag/tag_local_update_key", { modelRef, tagRef: one.ref, value });
    expect((await world.read("model/model_get", { modelRef })).tags).toEqual([{ id: one.id, key: value }]);
    expect((await world.refused("tag/tag_local_get", { modelRef, tagRef: one.ref })).code).toBe("not_found");
  });

  test.each([
    "get",
    "update_name",
    "update_description",
    "delete",
  ])("tag_local_%s refuses a global tag and one of another model", async (verb) => {
    const [model, other] = [await aModel(world), await aModel(world)];
    const foreign = await aLocalTag(world, other);
    const global = await aGlobalTag(world, await aTagGroup(world));
    const modelRef = model.ref;
    expectFaults(await world.refused(`tag/tag_local_${verb}`, { modelRef, tagRef: global.ref }), "/tagRef");
    const absent = [global.byId, foreign.byId, foreign.ref, `key:model/${other.id}/${foreign.key}`, `id:${NO_ID}`];
    for (const tagRef of absent) {
      const problem = await world.refused(`tag/tag_local_${verb}`, { modelRef, tagRef });
      expect(problem.code).toBe("not_found");
      expect(problem.message).toBe(`no tag ${tagRef} in the model ${model.key}`);
    }
  });
});

describe("tag_local_delete", () => {
  test("removes the tag from every object at once, and frees its key", async () => {
    const model = await aModel(world);
    const [tag, other] = [await aLocalTag(world, model), await aLocalTag(world, model)];
    const entity = await anEntity(world, model);
    const on = { modelRef: model.ref, entityRef: entity.ref };
    for (const { ref: tagRef } of [tag, other]) {
      await world.ok("model/entity_add_tag", { ...on, tagRef });
      await world.ok("model/model_add_tag", { modelRef: model.ref, tagRef });
    }
    const before = await revisionOf(world, model);
    const answer = await world.ok("tag/tag_local_delete", { modelRef: model.ref, tagRef: tag.ref });
    expectWritten(answer, { key: tag.key, modelId: model.id, revision: before + 1 });
    const left = [{ id: other.id, key: other.key }];
    expect((await world.read("model/entity_get", on)).tags).toEqual(left);
    expect((await world.read("model/model_get", { modelRef: model.ref })).tags).toEqual(left);
    const document = await world.read("model/model_export", { modelRef: model.ref });
    expect(document.tags).toEqual([other.ref]);
    expect(document.localTags.map(({ key }: { key: string }) => key)).toEqual([other.key]);
    const again = await aLocalTag(world, model, tag.key);
    expect(again.id).not.toBe(tag.id);
    expect((await world.read("model/entity_get", on)).tags).toEqual(left);
  });

  test("leaves no sweep note, also where objects had the tag", async () => {
    const notes = async () => (await world.table.query({ pk: SWEEPS })).items.length;
    const model = await aModel(world);
    const used = await aLocalTag(world, model);
    const before = await notes();
    await world.ok("model/model_add_tag", { modelRef: model.ref, tagRef: used.ref });
    await world.ok("tag/tag_local_delete", { modelRef: model.ref, tagRef: used.byId });
    expect(await notes()).toBe(before);
  });
});
