import { describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
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

/** The kinds of objects that tags can mark. */
const MARKED = ["model", "entity", "entity_attribute", "relationship", "relationship_attribute"] as const;

/** A model for all calls that are refused. */
let unchanged: Promise<Example> | undefined;
const example = () => {
  unchanged ??= exampleModel(world, newKey("crm"));
  return unchanged;
};

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
      for (const tagRef of [global.ref, local.ref]) {
        expect((await world.ok(drop, { ...refs(e, "ref"), tagRef })).body.changed).toBe(false);
      }
    });
  });

  test.each([add, drop])("%s refuses a tag of another model and an unknown one", async (action) => {
    const e = await example();
    const other = await aModel(world);
    const foreign = await aLocalTag(world, other);
    const group = await aTagGroup(world);
    const absent = [
      [foreign.byId, `no tag ${foreign.byId} in the model ${e.model.key} or in a group`],
      [foreign.ref, `no tag ${foreign.ref} in the model ${e.model.key}`],
      [
        `key:model/${other.id}/${foreign.key}`,
        `no tag key:model/${other.id}/${foreign.key} in the model ${e.model.key}`,
      ],
      [`id:${NO_ID}`, `no tag id:${NO_ID} in the model ${e.model.key} or in a group`],
      [`key:${group.key}/none`, `no global tag key:${group.key}/none`],
      ["key:no-group/none", "no global tag key:no-group/none"],
      [group.byId, `no tag ${group.byId} in the model ${e.model.key} or in a group`],
      [e.string.byId, `no tag ${e.string.byId} in the model ${e.model.key} or in a group`],
    ] as const;
    await world.writesNothing(async () => {
      for (const [tagRef, message] of absent) {
        const problem = await world.refused(action, { ...refs(e, "ref"), tagRef });
        expect(problem.code).toBe("not_found");
        expect(problem.message).toBe(message);
      }
    });
  });

  test.each([add, drop])("%s refuses a malformed ref, a missing one, and both aliases at once", async (action) => {
    const on = refs(await example(), "ref");
    for (const tagRef of ["draft", "key:a/b/c/d", "key:a b", "uuid:x", "id:7", 7]) {
      expectFaults(await world.refused(action, { ...on, tagRef }), "/tagRef");
    }
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
    for (let i = 0; i <= LIMITS.tagsPerObject; i++) {
      tags.push(await (i % 2 ? aLocalTag(world, model) : aGlobalTag(world, group)));
    }
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
  // A model without tags has its bare entity tag, also for a caller who holds the entity tag of an answer that showed
  // some.
  expect(await get([`${bare}.1`])).toMatchObject({ etag: bare });
  await world.ok("model/model_add_tag", { modelRef, tagRef: global.ref });
  const tagsAt = async () => ((await world.ok("tag/tag_group_list")).etag ?? "").slice("tags-".length);
  const first = (await get()).etag ?? "";
  expect(first).toBe(`${model.id}-2.${await tagsAt()}`);
  expect((await get([bare])).notModified).toBeUndefined();
  expect(await get([first])).toMatchObject({ notModified: true, etag: first });
  // The tags move on, the model does not.
  await world.ok("tag/tag_global_update_name", { tagRef: global.ref, value: "Name" });
  const second = await get([first]);
  expect(second.notModified).toBeUndefined();
  expect(second.etag).toBe(`${model.id}-2.${await tagsAt()}`);
  expect(second.body.tags).toEqual([{ id: global.id, key: `${group.key}/${global.key}`, name: "Name" }]);
  expect((await get([first, second.etag ?? ""])).notModified).toBe(true);
  // The model moves on, the tags do not.
  await world.ok("model/model_update_name", { modelRef, name: "Name" });
  const third = await get([second.etag ?? ""]);
  expect(third.notModified).toBeUndefined();
  expect(third.etag).toBe(`${model.id}-3.${await tagsAt()}`);
  // A tag that is gone is not shown, and was still looked for.
  await world.ok("tag/tag_group_delete", { tagGroupRef: group.ref });
  const last = await get([third.etag ?? ""]);
  expect(last.notModified).toBeUndefined();
  expect(last.body.tags).toEqual([]);
});
