import { expect, test } from "vitest";
import { SWEEPS } from "../../shared/store/table/keys.ts";
import { expectFaults, expectWritten, NO_ID, newKey, useWorld } from "./support/checked-world.ts";
import { aGlobalTag, aLocalTag, aModel, anEntity, aTagGroup } from "./support/models.ts";

const world = useWorld();

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

test("tag_local_delete leaves no sweep note, also where objects had the tag", async () => {
  const notes = async () => (await world.table.query({ pk: SWEEPS })).items.length;
  const model = await aModel(world);
  const used = await aLocalTag(world, model);
  const before = await notes();
  await world.ok("model/model_add_tag", { modelRef: model.ref, tagRef: used.ref });
  await world.ok("tag/tag_local_delete", { modelRef: model.ref, tagRef: used.byId });
  expect(await notes()).toBe(before);
});

/** Reads the revision of the ledger of tags. */
const revision = async (): Promise<number> =>
  Number(/^tags-(\d+)$/.exec((await world.ok("tag/tag_group_list")).etag ?? "")?.[1]);

test("tag_group_list is permitted to every signed-in caller, and answers 304 until a group or a global tag changes", async () => {
  const { etag = "" } = await world.okAs(world.people.nobody, "tag/tag_group_list");
  const again = () => world.ok("tag/tag_group_list", {}, { ifNoneMatch: [etag] });
  expect((await again()).notModified).toBe(true);
  await anEntity(world, await aModel(world));
  expect((await again()).notModified).toBe(true);
  await aTagGroup(world);
  expect((await again()).notModified).toBeUndefined();
});

test("tag_group_update_key changes the key, and with it the refs of its tags", async () => {
  const group = await aTagGroup(world);
  const tag = await aGlobalTag(world, group);
  const value = newKey("moved");
  await world.ok("tag/tag_group_update_key", { tagGroupRef: group.ref, value });
  expect((await world.refused("tag/tag_global_get", { tagRef: tag.ref })).code).toBe("not_found");
  const found = await world.read("tag/tag_global_get", { tagRef: `key:${value}/${tag.key}` });
  expect(found).toMatchObject({ id: tag.id, group: { id: group.id, key: value } });
  const other = await aTagGroup(world);
  expect((await world.refused("tag/tag_group_update_key", { tagGroupRef: other.ref, value })).code).toBe("key_taken");
});

test("tag_group_delete removes the group with its tags from every read, and frees its key for a new group without tags", async () => {
  const group = await aTagGroup(world);
  const tags = [await aGlobalTag(world, group), await aGlobalTag(world, group)];
  const kept = await aGlobalTag(world, await aTagGroup(world));
  const before = await revision();
  const answer = await world.ok("tag/tag_group_delete", { tagGroupRef: group.byId });
  expectWritten(answer, { key: group.key, modelId: "tags", revision: before + 1 });
  for (const tagRef of tags.flatMap(({ ref, byId }) => [ref, byId])) {
    expect((await world.refused("tag/tag_global_get", { tagRef })).code).toBe("not_found");
    expect((await world.refused("tag/tag_global_update_name", { tagRef, value: "N" })).code).toBe("not_found");
    expect((await world.refused("tag/tag_global_delete", { tagRef })).code).toBe("not_found");
  }
  const again = await aTagGroup(world, group.key);
  expect(again.id).not.toBe(group.id);
  const { items } = await world.read("tag/tag_search");
  const found = items.map(({ id }: { id: string }) => id);
  expect(found).toContain(kept.id);
  for (const { id } of tags) expect(found).not.toContain(id);
  const remade = await aGlobalTag(world, again, tags[0]?.key);
  expect(remade.id).not.toBe(tags[0]?.id);
  expect((await world.read("tag/tag_global_get", { tagRef: remade.ref })).id).toBe(remade.id);
});

test("tag_global_create accepts the ref format of the ancestor", async () => {
  const group = await aTagGroup(world);
  const tag = await aGlobalTag(world, group);
  expect((await world.read("tag/tag_global_get", { tagRef: `key:global/${group.key}/${tag.key}` })).id).toBe(tag.id);
});

test.each(["get", "update_description", "delete"])("tag_global_%s refuses a local tag", async (verb) => {
  const local = await aLocalTag(world, await aModel(world));
  expectFaults(await world.refused(`tag/tag_global_${verb}`, { tagRef: local.ref }), "/tagRef");
  const problem = await world.refused(`tag/tag_global_${verb}`, { tagRef: local.byId });
  expect(problem.code).toBe("not_found");
  expect(problem.message).toBe(`no global tag ${local.byId}`);
  expectFaults(await world.refused(`tag/tag_global_${verb}`, { tagRef: "key:a/b/c/d" }), "/tagRef");
  expect((await world.refused(`tag/tag_global_${verb}`, { tagRef: `id:${NO_ID}` })).code).toBe("not_found");
});
