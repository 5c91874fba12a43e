import { describe, expect, test } from "vitest";
import { expectFaults, expectWritten, NO_ID, newKey, useWorld } from "./support/checked-world.ts";
import { aGlobalTag, aLocalTag, aModel, anEntity, aTagGroup } from "./support/models.ts";

const world = useWorld();

describe("tag_global_create", () => {
  test("makes a tag in its group", async () => {
    const group = await aTagGroup(world);
    const fields = { key: newKey("tag"), name: "Personal", description: "Of a person." };
    const answer = await world.ok("tag/tag_global_create", { groupRef: group.byId, ...fields });
    const revision = Number(answer.etag?.split("-")[1]);
    expectWritten(answer, { key: fields.key, modelId: "tags", revision });
    for (const tagRef of [`id:${answer.body.id}`, `key:${group.key}/${fields.key}`]) {
      expect(await world.read("tag/tag_global_get", { tagRef })).toEqual({
        id: answer.body.id,
        ...fields,
        group: { id: group.id, key: group.key },
        groupId: group.id,
        tagScopeRef: { type: "global" },
      });
    }
  });

  test("accepts the ref format of the ancestor", async () => {
    const group = await aTagGroup(world);
    const tag = await aGlobalTag(world, group);
    const found = await world.read("tag/tag_global_get", { tagRef: `key:global/${group.key}/${tag.key}` });
    expect(found.id).toBe(tag.id);
  });

  test("refuses a key of the same group, and accepts one of another group", async () => {
    const [one, two] = [await aTagGroup(world), await aTagGroup(world)];
    const { key } = await aGlobalTag(world, one);
    const problem = await world.writesNothing(() => world.refused("tag/tag_global_create", { groupRef: one.ref, key }));
    expect(problem.code).toBe("key_taken");
    expect(problem.message).toBe(`key ${key} is already used by another global tag in the group; choose another key`);
    await aGlobalTag(world, two, key);
  });

  test("given a key with a slash, refuses it", async () => {
    const { ref: groupRef } = await aTagGroup(world);
    expectFaults(await world.refused("tag/tag_global_create", { groupRef, key: "a/b" }), "/key");
  });
});

describe("tag_global_update_*", () => {
  test("changes name and description; the name cannot be cleared", async () => {
    const tag = await aGlobalTag(world, await aTagGroup(world));
    const tagRef = tag.ref;
    await world.ok("tag/tag_global_update_name", { tagRef, value: "Name" });
    await world.ok("tag/tag_global_update_description", { tagRef: tag.byId, value: "Text" });
    expect(await world.read("tag/tag_global_get", { tagRef })).toMatchObject({ name: "Name", description: "Text" });
    const same = () => world.ok("tag/tag_global_update_name", { tagRef, value: "Name" });
    expect((await world.writesNothing(same)).body.changed).toBe(false);
    for (const value of [undefined, null, ""]) {
      expectFaults(await world.refused("tag/tag_global_update_name", { tagRef, value }), "/value");
    }
    await world.ok("tag/tag_global_update_description", { tagRef });
    expect(await world.read("tag/tag_global_get", { tagRef })).not.toHaveProperty("description");
  });

  test("changes the key, which is unique in the group", async () => {
    const group = await aTagGroup(world);
    const [one, two] = [await aGlobalTag(world, group), await aGlobalTag(world, group)];
    const taken = await world.refused("tag/tag_global_update_key", { tagRef: one.ref, value: two.key });
    expect(taken.code).toBe("key_taken");
    const value = newKey("moved");
    const answer = await world.ok("tag/tag_global_update_key", { tagRef: one.ref, value });
    expect(answer.body).toMatchObject({ id: one.id, key: value, changed: true });
    expect((await world.refused("tag/tag_global_get", { tagRef: one.ref })).code).toBe("not_found");
    const found = await world.read("tag/tag_global_get", { tagRef: `key:${group.key}/${value}` });
    expect(found.id).toBe(one.id);
    const same = () => world.ok("tag/tag_global_update_key", { tagRef: one.byId, value });
    expect((await world.writesNothing(same)).body.changed).toBe(false);
    // The key that the tag had before is free again.
    await aGlobalTag(world, group, one.key);
  });

  test.each(["get", "update_description", "delete"])("tag_global_%s refuses a local tag", async (verb) => {
    const local = await aLocalTag(world, await aModel(world));
    expectFaults(await world.refused(`tag/tag_global_${verb}`, { tagRef: local.ref }), "/tagRef");
    const problem = await world.refused(`tag/tag_global_${verb}`, { tagRef: local.byId });
    expect(problem.code).toBe("not_found");
    expect(problem.message).toBe(`no global tag ${local.byId}`);
    const malformed = await world.refused(`tag/tag_global_${verb}`, { tagRef: "key:a/b/c/d" });
    expectFaults(malformed, "/tagRef");
    expect((await world.refused(`tag/tag_global_${verb}`, { tagRef: `id:${NO_ID}` })).code).toBe("not_found");
  });
});

describe("tag_global_delete", () => {
  test("removes the tag from every object at once, and frees its key", async () => {
    const group = await aTagGroup(world);
    const [tag, other] = [await aGlobalTag(world, group), await aGlobalTag(world, group)];
    const [model, second] = [await aModel(world), await aModel(world)];
    const entity = await anEntity(world, model);
    const entityRef = entity.ref;
    for (const { ref: tagRef } of [tag, other]) {
      await world.ok("model/entity_add_tag", { modelRef: model.ref, entityRef, tagRef });
      await world.ok("model/model_add_tag", { modelRef: second.ref, tagRef });
    }
    await world.ok("tag/tag_global_delete", { tagRef: tag.byId });
    const left = [{ id: other.id, key: `${group.key}/${other.key}` }];
    expect((await world.read("model/entity_get", { modelRef: model.ref, entityRef })).tags).toEqual(left);
    expect((await world.read("model/model_get", { modelRef: second.ref })).tags).toEqual(left);
    const document = await world.read("model/model_export", { modelRef: second.ref });
    expect(document.tags).toEqual([`key:${group.key}/${other.key}`]);
    expect((await world.refused("model/model_add_tag", { modelRef: second.ref, tagRef: tag.byId })).code).toBe(
      "not_found",
    );
    const again = await aGlobalTag(world, group, tag.key);
    expect(again.id).not.toBe(tag.id);
    expect((await world.read("model/entity_get", { modelRef: model.ref, entityRef })).tags).toEqual(left);
  });
});
