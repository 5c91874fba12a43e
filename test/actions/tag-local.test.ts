import { describe, expect, test } from "vitest";
import { SWEEPS } from "../../shared/store/table/keys.ts";
import { aGlobalTag, aLocalTag, aModel, anEntity, aTagGroup, revisionOf } from "./support/models.ts";
import { expectFaults, expectWritten, NO_ID, newKey, useStage } from "./support/stage.ts";

const stage = useStage();

describe("tag_local_create", () => {
  test("makes a tag of the model, in the model's own revision", async () => {
    const model = await aModel(stage);
    const fields = { key: "draft", name: "Draft", description: "Not agreed." };
    const answer = await stage.ok("tag/tag_local_create", { modelRef: model.ref, ...fields });
    expectWritten(answer, { key: "draft", modelId: model.id, revision: 2 });
    const refs = [`id:${answer.body.id}`, "key:draft", `key:model/${model.id}/draft`];
    for (const tagRef of refs) {
      const found = await stage.ok("tag/tag_local_get", { modelRef: model.byId, tagRef });
      expect(found.body).toEqual({
        id: answer.body.id,
        ...fields,
        model: { id: model.id, key: model.key },
        tagScopeRef: { type: "model", id: model.id },
      });
      expect(found.etag).toBe(`${model.id}-2`);
    }
  });

  test("given a key of the model, refuses it; of another model, takes it", async () => {
    const [one, two] = [await aModel(stage), await aModel(stage)];
    const { key } = await aLocalTag(stage, one);
    const problem = await stage.writesNothing(() => stage.refused("tag/tag_local_create", { modelRef: one.ref, key }));
    expect(problem.code).toBe("key_taken");
    expect(problem.message).toBe(`the key ${key} is taken by another tag in the model; choose another key`);
    await aLocalTag(stage, two, key);
  });

  test.each(["a/b", "a b", "é", "x".repeat(129)])("given the key %j, refuses it", async (key) => {
    const { ref: modelRef } = await aModel(stage);
    expectFaults(await stage.refused("tag/tag_local_create", { modelRef, key }), "/key");
  });
});

describe("tag_local_update_*", () => {
  test("changes name and description, and clears them", async () => {
    const model = await aModel(stage);
    const tag = await aLocalTag(stage, model);
    const on = { modelRef: model.ref, tagRef: tag.ref };
    await stage.ok("tag/tag_local_update_name", { ...on, value: "Name" });
    await stage.ok("tag/tag_local_update_description", { ...on, value: "Text" });
    expect(await stage.read("tag/tag_local_get", on)).toMatchObject({ name: "Name", description: "Text" });
    const same = () => stage.ok("tag/tag_local_update_name", { ...on, value: "Name" });
    expect((await stage.writesNothing(same)).body.changed).toBe(false);
    await stage.ok("tag/tag_local_update_name", on);
    await stage.ok("tag/tag_local_update_description", on);
    const bare = await stage.read("tag/tag_local_get", on);
    expect(Object.keys(bare)).toEqual(["id", "key", "model", "tagScopeRef"]);
  });

  test("moves the key, unique in the model; what it marks stays marked", async () => {
    const model = await aModel(stage);
    const [one, two] = [await aLocalTag(stage, model), await aLocalTag(stage, model)];
    const modelRef = model.ref;
    await stage.ok("model/model_add_tag", { modelRef, tagRef: one.ref });
    const taken = await stage.refused("tag/tag_local_update_key", { modelRef, tagRef: one.ref, value: two.key });
    expect(taken.code).toBe("key_taken");
    const value = newKey("moved");
    await stage.ok("tag/tag_local_update_key", { modelRef, tagRef: one.ref, value });
    expect((await stage.read("model/model_get", { modelRef })).tags).toEqual([{ id: one.id, key: value }]);
    expect((await stage.refused("tag/tag_local_get", { modelRef, tagRef: one.ref })).code).toBe("not_found");
  });

  test.each([
    "get",
    "update_name",
    "update_description",
    "delete",
  ])("tag_local_%s takes no global tag and none of another model", async (verb) => {
    const [model, other] = [await aModel(stage), await aModel(stage)];
    const foreign = await aLocalTag(stage, other);
    const global = await aGlobalTag(stage, await aTagGroup(stage));
    const modelRef = model.ref;
    expectFaults(await stage.refused(`tag/tag_local_${verb}`, { modelRef, tagRef: global.ref }), "/tagRef");
    const absent = [global.byId, foreign.byId, foreign.ref, `key:model/${other.id}/${foreign.key}`, `id:${NO_ID}`];
    for (const tagRef of absent) {
      const problem = await stage.refused(`tag/tag_local_${verb}`, { modelRef, tagRef });
      expect(problem.code).toBe("not_found");
      expect(problem.message).toBe(`no tag ${tagRef} in the model ${model.key}`);
    }
  });
});

describe("tag_local_delete", () => {
  test("takes the tag from whatever it marks, at once, and frees its key", async () => {
    const model = await aModel(stage);
    const [tag, other] = [await aLocalTag(stage, model), await aLocalTag(stage, model)];
    const entity = await anEntity(stage, model);
    const on = { modelRef: model.ref, entityRef: entity.ref };
    for (const { ref: tagRef } of [tag, other]) {
      await stage.ok("model/entity_add_tag", { ...on, tagRef });
      await stage.ok("model/model_add_tag", { modelRef: model.ref, tagRef });
    }
    const before = await revisionOf(stage, model);
    const answer = await stage.ok("tag/tag_local_delete", { modelRef: model.ref, tagRef: tag.ref });
    expectWritten(answer, { key: tag.key, modelId: model.id, revision: before + 1 });
    const left = [{ id: other.id, key: other.key }];
    expect((await stage.read("model/entity_get", on)).tags).toEqual(left);
    expect((await stage.read("model/model_get", { modelRef: model.ref })).tags).toEqual(left);
    const document = await stage.read("model/model_export", { modelRef: model.ref });
    expect(document.tags).toEqual([other.ref]);
    expect(document.localTags.map(({ key }: { key: string }) => key)).toEqual([other.key]);
    const again = await aLocalTag(stage, model, tag.key);
    expect(again.id).not.toBe(tag.id);
    expect((await stage.read("model/entity_get", on)).tags).toEqual(left);
  });

  test("leaves nothing to sweep, also where it marked something", async () => {
    const notes = async () => (await stage.world.table.query({ pk: SWEEPS })).items.length;
    const model = await aModel(stage);
    const used = await aLocalTag(stage, model);
    const before = await notes();
    await stage.ok("model/model_add_tag", { modelRef: model.ref, tagRef: used.ref });
    await stage.ok("tag/tag_local_delete", { modelRef: model.ref, tagRef: used.byId });
    expect(await notes()).toBe(before);
  });
});
