import { describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { SWEEPS } from "../../shared/store/table/keys.ts";
import { expectFaults, expectProblem, expectWritten, NO_ID, newKey, useWorld } from "./support/checked-world.ts";
import {
  aGlobalTag,
  aLocalTag,
  aModel,
  anEntity,
  aTagGroup,
  type Example,
  exampleModel,
  type Made,
} from "./support/models.ts";
import { UPDATE_SUBJECTS } from "./support/update-subjects.ts";

const world = useWorld();

const VERBS = ["get", "update_name", "update_description", "delete"];

test.each(VERBS)("tag_local_%s refuses a global tag and one of another model", async (verb) => {
  const [model, other] = [await aModel(world), await aModel(world)];
  const foreign = await aLocalTag(world, other);
  const global = await aGlobalTag(world, await aTagGroup(world));
  const modelRef = model.ref;
  expectFaults(await world.refused(`tag/tag_local_${verb}`, { modelRef, tagRef: global.ref }), "/tagRef");
  const absent = [global.byId, foreign.byId, foreign.ref, `key:model/${other.id}/${foreign.key}`, `id:${NO_ID}`];
  for (const tagRef of absent) {
    const problem = await world.refused(`tag/tag_local_${verb}`, { modelRef, tagRef });
    expect(problem).toMatchObject({ code: "not_found", message: `no tag ${tagRef} in the model ${model.key}` });
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
  expect(problem).toMatchObject({ code: "not_found", message: `no global tag ${local.byId}` });
  expectFaults(await world.refused(`tag/tag_global_${verb}`, { tagRef: "key:a/b/c/d" }), "/tagRef");
  expect((await world.refused(`tag/tag_global_${verb}`, { tagRef: `id:${NO_ID}` })).code).toBe("not_found");
});

const MARKED = ["model", "entity", "entity_attribute", "relationship", "relationship_attribute"] as const;

let unchanged: Promise<Example> | undefined;

const example = () => (unchanged ??= exampleModel(world, newKey("crm")));

describe.each(MARKED)("of %s add_tag and delete_tag", (of) => {
  const { read, object, refs } = UPDATE_SUBJECTS[of];
  const tagsOn = async (e: Example) => (await world.read(read, refs(e, "ref"))).tags;
  const [add, drop] = [`model/${of}_add_tag`, `model/${of}_delete_tag`];

  test("add and remove a global and a local tag once each", async () => {
    const e = await exampleModel(world, newKey("crm"));
    const group = await aTagGroup(world);
    const global = await aGlobalTag(world, group, "a");
    const local = await aLocalTag(world, e.model, "b");
    const first = await world.ok(add, { ...refs(e, "byId"), tagRef: global.byId });
    const { key } = object(e);
    expectWritten(first, { key, modelId: e.model.id, revision: e.revision + 2 });
    expect(first.body.id).toBe(object(e).id);
    // The ancestor's name of the parameter.
    await world.ok(add, { ...refs(e, "ref"), tag: local.ref });
    const shown = { draft: { id: e.draft.id, key: "draft" }, b: { id: local.id, key: "b" } };
    expect(await tagsOn(e)).toEqual([shown.b, shown.draft, { id: global.id, key: `${group.key}/a` }]);
    await world.writesNothing(async () => {
      for (const tagRef of [global.ref, global.byId, `key:global/${group.key}/a`, local.ref, local.byId]) {
        const again = await world.ok(add, { ...refs(e, "ref"), tagRef });
        expect(again.body).toMatchObject({ changed: false, revision: e.revision + 3 });
      }
    });
    await world.ok(drop, { ...refs(e, "byId"), tag: global.ref });
    expect(await tagsOn(e)).toEqual([shown.b, shown.draft]);
    await world.ok(drop, { ...refs(e, "ref"), tagRef: local.byId });
    await world.ok(drop, { ...refs(e, "ref"), tagRef: "key:draft" });
    expect(await tagsOn(e)).toEqual([]);
    await world.writesNothing(async () => {
      for (const tagRef of [global.ref, local.ref])
        expect((await world.ok(drop, { ...refs(e, "ref"), tagRef })).body.changed).toBe(false);
    });
  });

  test.each([add, drop])("%s refuses a tag of another model and an unknown one", async (action) => {
    const e = await example();
    const other = await aModel(world);
    const foreign = await aLocalTag(world, other);
    const group = await aTagGroup(world);
    const place = `in the model ${e.model.key}`;
    const ids = [foreign.byId, `id:${NO_ID}`, group.byId, e.string.byId];
    const absent = [
      ...ids.map((ref) => [ref, `no tag ${ref} ${place} or in a group`]),
      ...[foreign.ref, `key:model/${other.id}/${foreign.key}`].map((ref) => [ref, `no tag ${ref} ${place}`]),
      ...[`key:${group.key}/none`, "key:no-group/none"].map((ref) => [ref, `no global tag ${ref}`]),
    ];
    await world.writesNothing(async () => {
      for (const [tagRef, message] of absent) {
        const problem = await world.refused(action, { ...refs(e, "ref"), tagRef });
        expect(problem).toMatchObject({ code: "not_found", message });
      }
    });
  });

  test.each([add, drop])("%s refuses a malformed ref, a missing one, and both aliases at once", async (action) => {
    const on = refs(await example(), "ref");
    for (const tagRef of ["draft", "key:a/b/c/d", "key:a b", "uuid:x", "id:7", 7])
      expectFaults(await world.refused(action, { ...on, tagRef }), "/tagRef");
    expectFaults(await world.refused(action, on), "/tagRef");
    const both = await world.refused(action, { ...on, tagRef: "key:a", tag: "key:a" });
    expect(both.message).toContain("tagRef is given twice");
  });
});

describe("the tags of an object", () => {
  const marked = async () => {
    const model = await aModel(world);
    return { model, refs: { modelRef: model.ref, entityRef: (await anEntity(world, model)).ref } };
  };

  test("lose the ids of deleted tags with the next change of the object, and with no other", async () => {
    const { model, refs } = await marked();
    const group = await aTagGroup(world);
    const tags: Made[] = [];
    for (let i = 0; i < 5; i++) tags.push(await aLocalTag(world, model), await aGlobalTag(world, group));
    const doomed = await aTagGroup(world);
    const gone = [await aLocalTag(world, model), await aGlobalTag(world, group), await aGlobalTag(world, doomed)];
    for (const { ref: tagRef } of [...tags, ...gone]) await world.ok("model/entity_add_tag", { ...refs, tagRef });
    await world.ok("tag/tag_local_delete", { modelRef: model.ref, tagRef: gone[0]?.ref });
    await world.ok("tag/tag_global_delete", { tagRef: gone[1]?.ref });
    await world.ok("tag/tag_group_delete", { tagGroupRef: doomed.ref });
    const stored = async () => {
      const view = await world.service.ports(Date.now() + 9_000).store.open({ scheme: "key", value: model.key });
      return view.find("entity", { scheme: "key", value: refs.entityRef.slice("key:".length) });
    };
    const before = await stored();
    expect([...(before?.tags ?? []), ...(before?.globalTags ?? [])].sort()).toEqual(
      [...tags, ...gone].map(({ id }) => id).sort(),
    );
    // A write of something else leaves them.
    await world.ok("model/entity_update_name", { ...refs, value: "Name" });
    expect(await stored()).toMatchObject({ tags: before?.tags, globalTags: before?.globalTags });
    const [first, ...others] = tags;
    await world.ok("model/entity_delete_tag", { ...refs, tagRef: first?.ref });
    const after = await stored();
    const left = (global: boolean) => others.filter(({ ref }) => ref.includes("/") === global).map(({ id }) => id);
    expect(after?.tags).toEqual(left(false).sort());
    expect(after?.globalTags).toEqual(left(true).sort());
  });

  test("are limited in number, without the deleted ones", async () => {
    const { model, refs } = await marked();
    const group = await aTagGroup(world);
    const tags: Made[] = [];
    for (let i = 0; i <= LIMITS.tagsPerObject; i++)
      tags.push(await (i % 2 ? aLocalTag(world, model) : aGlobalTag(world, group)));
    for (const { ref: tagRef } of tags.slice(1)) await world.run("model/entity_add_tag", { ...refs, tagRef });
    const add = (ref = "") => world.refused("model/entity_add_tag", { ...refs, tagRef: ref });
    const problem = await world.writesNothing(() => add(tags[0]?.ref));
    expectProblem(problem, "too_large", `already has ${LIMITS.tagsPerObject} tags, the maximum`);
    await world.ok("tag/tag_global_delete", { tagRef: tags[2]?.byId });
    await world.ok("model/entity_add_tag", { ...refs, tagRef: tags[0]?.ref });
    expect((await world.read("model/entity_get", refs)).tags).toHaveLength(LIMITS.tagsPerObject);
  });
});

test("the entity tag of an answer includes the revision of the global tags that it shows, and both must match for a 304", async () => {
  const model = await aModel(world);
  const group = await aTagGroup(world);
  const global = await aGlobalTag(world, group);
  const modelRef = model.ref;
  const get = (ifNoneMatch: readonly string[] = []) => world.ok("model/model_get", { modelRef }, { ifNoneMatch });
  const bare = (await get()).etag ?? "";
  expect(bare).toBe(`${model.id}-1`);
  // A model without tags has its bare entity tag, also for a caller with the entity tag of an answer with tags.
  expect(await get([`${bare}.1`])).toMatchObject({ etag: bare });
  await world.ok("model/model_add_tag", { modelRef, tagRef: global.ref });
  const first = (await get()).etag ?? "";
  expect(first).toBe(`${model.id}-2.${await revision()}`);
  expect((await get([bare])).notModified).toBeUndefined();
  expect(await get([first])).toMatchObject({ notModified: true, etag: first });
  // The tags move on, the model does not.
  await world.ok("tag/tag_global_update_name", { tagRef: global.ref, value: "Name" });
  const second = await get([first]);
  expect(second.notModified).toBeUndefined();
  expect(second.etag).toBe(`${model.id}-2.${await revision()}`);
  expect(second.body.tags).toEqual([{ id: global.id, key: `${group.key}/${global.key}`, name: "Name" }]);
  expect((await get([first, second.etag ?? ""])).notModified).toBe(true);
  // The model moves on, the tags do not.
  await world.ok("model/model_update_name", { modelRef, name: "Name" });
  const third = await get([second.etag ?? ""]);
  expect(third.notModified).toBeUndefined();
  expect(third.etag).toBe(`${model.id}-3.${await revision()}`);
  // A tag that is gone is not shown, and was still looked for.
  await world.ok("tag/tag_group_delete", { tagGroupRef: group.ref });
  const last = await get([third.etag ?? ""]);
  expect(last.notModified).toBeUndefined();
  expect(last.body.tags).toEqual([]);
});
