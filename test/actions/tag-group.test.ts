import { describe, expect, test } from "vitest";
import { expectFaults, expectWritten, newKey, useWorld } from "./support/checked-world.ts";
import { aGlobalTag, aModel, anEntity, aTagGroup } from "./support/models.ts";

const world = useWorld();

/** Reads the revision of the ledger of tags. */
const revision = async (): Promise<number> =>
  Number(/^tags-(\d+)$/.exec((await world.ok("tag/tag_group_list")).etag ?? "")?.[1]);

describe("tag_group_create", () => {
  test("given a free key, makes a group at the next revision of the ledger of tags", async () => {
    const before = await revision();
    const key = newKey("group");
    const answer = await world.ok("tag/tag_group_create", { key, name: "Privacy", description: "Who may see *what*." });
    expectWritten(answer, { key, modelId: "tags", revision: before + 1 });
    const group = await world.ok("tag/tag_group_get", { tagGroupRef: `key:${key}` });
    expect(group.body).toEqual({ id: answer.body.id, key, name: "Privacy", description: "Who may see *what*." });
    expect(group.etag).toBe(`tags-${before + 1}`);
  });

  test("given a key that another group has, refuses it and writes nothing", async () => {
    const { key } = await aTagGroup(world);
    const problem = await world.writesNothing(() => world.refused("tag/tag_group_create", { key }));
    expect(problem.code).toBe("key_taken");
    expect(problem.message).toBe(`key ${key} is already used by another tag group; choose another key`);
  });

  test.each([
    "a/b",
    "a b",
    "é",
    "a.b",
    "a#b",
    "x".repeat(129),
  ])("refuses the key %j, which no ref to a tag could contain", async (key) => {
    expectFaults(await world.refused("tag/tag_group_create", { key }), "/key");
  });
});

describe("tag_group_list", () => {
  test("is permitted to every signed-in caller, and answers 304 until a group or a global tag changes", async () => {
    const { etag = "" } = await world.okAs(world.people.nobody, "tag/tag_group_list");
    const again = () => world.ok("tag/tag_group_list", {}, { ifNoneMatch: [etag] });
    expect((await again()).notModified).toBe(true);
    await anEntity(world, await aModel(world));
    expect((await again()).notModified).toBe(true);
    await aTagGroup(world);
    expect((await again()).notModified).toBeUndefined();
  });
});

describe("tag_group_update_*", () => {
  test("changes name and description, and clears them", async () => {
    const group = await aTagGroup(world);
    const tagGroupRef = group.ref;
    await world.ok("tag/tag_group_update_name", { tagGroupRef, value: "Name" });
    await world.ok("tag/tag_group_update_description", { tagGroupRef: group.byId, value: "Text" });
    const named = { id: group.id, key: group.key, name: "Name", description: "Text" };
    expect(await world.read("tag/tag_group_get", { tagGroupRef })).toEqual(named);
    const same = () => world.ok("tag/tag_group_update_name", { tagGroupRef, value: "Name" });
    expect((await world.writesNothing(same)).body.changed).toBe(false);
    await world.ok("tag/tag_group_update_name", { tagGroupRef });
    await world.ok("tag/tag_group_update_description", { tagGroupRef, value: "" });
    expect(await world.read("tag/tag_group_get", { tagGroupRef })).toEqual({ id: group.id, key: group.key });
  });

  test("changes the key, and with it the refs of its tags", async () => {
    const group = await aTagGroup(world);
    const tag = await aGlobalTag(world, group);
    const value = newKey("moved");
    await world.ok("tag/tag_group_update_key", { tagGroupRef: group.ref, value });
    expect((await world.refused("tag/tag_global_get", { tagRef: tag.ref })).code).toBe("not_found");
    const found = await world.read("tag/tag_global_get", { tagRef: `key:${value}/${tag.key}` });
    expect(found).toMatchObject({ id: tag.id, group: { id: group.id, key: value } });
    const other = await aTagGroup(world);
    const taken = await world.refused("tag/tag_group_update_key", { tagGroupRef: other.ref, value });
    expect(taken.code).toBe("key_taken");
  });
});

describe("tag_group_delete", () => {
  test("removes the group with its tags from every read, and frees its key for a new group without tags", async () => {
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
});
