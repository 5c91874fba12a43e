import { describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { logKey, runCommitKey } from "../../shared/store/table/keys.ts";
import { FORMAT } from "../../shared/store/table/table.ts";
import type { Body } from "../support/world.ts";
import { expectFaults, expectProblem, newKey, useWorld } from "./support/checked-world.ts";
import {
  aLocalTag,
  aModel,
  anAttribute,
  anEntity,
  aRelationship,
  aType,
  type Made,
  revisionOf,
} from "./support/models.ts";

const world = useWorld();

/** Numbered commits to a model, which begins with a type `text` and an entity `customer` with the attribute `email`. */
async function aScene() {
  const model = await aModel(world);
  const type = await aType(world, model, "text");
  const entity = await anEntity(world, model, "customer");
  const email = await anAttribute(world, { model, type, entity }, "email");
  const modelRef = model.byId;
  /** Runs an action on the model. Returns the revision, and the id of a new object. */
  const act = async (action: string, payload: object): Promise<Body> =>
    (await world.ok(action.includes("/") ? action : `model/${action}`, { modelRef, ...payload })).body;
  const rename = (value: string, entityRef = entity.byId) => act("entity_update_key", { entityRef, value });
  const describeEntity = (value?: string) => act("entity_update_description", { entityRef: entity.byId, value });
  const undo = (what: object): Promise<Body> => act("model_undo", what);
  const keys = async () => (await act("entity_list", {})).items.map(({ key }: Body) => key);
  const read = () => act("entity_get", { entityRef: entity.byId });
  return { ...{ model, modelRef, type, entity, email, act, rename, describeEntity }, ...{ undo, keys, read } };
}

const deleted = expect.stringContaining("deleted it");
const changed = expect.stringContaining("changed it since");

describe("an undo", () => {
  test("tells of an object that somebody else deleted only if there was something to take back in it", async () => {
    const { act, describeEntity, entity, undo } = await aScene();
    const { revision: made, id } = await act("entity_create", { entityKey: "made" });
    const { revision: described } = await describeEntity("Text");
    const cleared = (await describeEntity()).revision;
    for (const entityRef of [`id:${id}`, entity.byId]) await act("entity_delete", { entityRef });
    expect(await undo({ revisions: [made] })).toMatchObject({ changed: false, undone: [made], conflictCount: 0 });
    expect(await undo({ revisions: [described] })).toMatchObject({ changed: false, conflictCount: 0 });
    const { changed: isChanged, conflicts } = await undo({ revisions: [cleared], onConflict: "back" });
    expect(isChanged).toBe(false);
    expect(conflicts).toMatchObject([{ ref: entity.byId, key: "customer", reason: deleted, revision: cleared + 2 }]);
  });

  test("does not bring back what somebody else brought back and deleted, unless everything is set back", async () => {
    const { act, entity, undo, keys } = await aScene();
    const { revision } = await act("entity_delete", { entityRef: entity.byId });
    await act("model_restore", { revision: revision - 1 });
    await act("entity_update_key", { entityRef: entity.byId, value: "client" });
    await act("entity_delete", { entityRef: entity.byId });
    const kept = await undo({ revisions: [revision] });
    expect([kept.changed, await keys()]).toEqual([false, []]);
    expect(kept.conflicts).toMatchObject([
      { key: "client", reason: deleted },
      { key: "email", reason: deleted },
    ]);
    expect(await undo({ revisions: [revision], onConflict: "back" })).toMatchObject({
      changed: true,
      conflictCount: 2,
    });
    expect(await keys()).toEqual(["customer"]);
  });

  test("keeps an object with work of somebody else that the commits wrote over", async () => {
    const { act, undo, keys } = await aScene();
    const { revision: made, id } = await act("entity_create", { entityKey: "made" });
    const value = { entityRef: `id:${id}`, value: "Theirs" };
    const { revision: theirs } = await act("entity_update_description", value);
    const { revision: over } = await act("entity_update_description", { ...value, value: "Ours" });
    const { conflicts } = await undo({ revisions: [made, over] });
    expect(conflicts).toMatchObject([{ key: "made", reason: changed, revision: theirs }]);
    expect(await keys()).toEqual(["customer", "made"]);
  });

  test("sets back roles, key pairs and tags as they were stored", async () => {
    const { model, act, type, entity, email, undo } = await aScene();
    const other = await anEntity(world, model, "order");
    const buyer = await anAttribute(world, { model, type, entity: other }, "buyer");
    const relationship = await aRelationship(world, { model, a: entity, b: other });
    const of = { relationshipRef: relationship.byId };
    await act("relationship_update_key_pairs", { ...of, value: [[email.byId, buyer.byId]] });
    const tags = [await aLocalTag(world, model), await aLocalTag(world, model)];
    for (const { byId } of tags) await act("entity_add_tag", { entityRef: entity.byId, tagRef: byId });
    const start = await revisionOf(world, model);
    const { roles, keyPairs } = await act("relationship_get", of);
    const role = { roleKey: "c", roleEntityRef: entity.byId, roleCardinality: "one" };
    await act("relationship_role_create", { ...of, ...role });
    await act("relationship_role_delete", { ...of, relationshipRoleRef: "key:a" });
    await act("entity_delete_tag", { entityRef: entity.byId, tagRef: tags[0]?.byId });
    expect(await undo({ since: start + 1 })).toMatchObject({
      conflictCount: 0,
      undone: [1, 2, 3].map((n) => start + n),
    });
    expect(await act("relationship_get", of)).toMatchObject({ roles, keyPairs });
    expect(await act("model_restore", { revision: start })).toMatchObject({ changed: false });
  });

  test("brings roles back in the order in which they were made", async () => {
    const { model, act, entity, undo } = await aScene();
    const relationship = await aRelationship(world, { model, a: entity, b: await anEntity(world, model, "order") });
    const of = { relationshipRef: relationship.byId };
    const create = (roleKey: string) =>
      act("relationship_role_create", { ...of, roleKey, roleEntityRef: entity.byId, roleCardinality: "one" });
    for (const key of ["c", "d", "e"]) await create(key);
    const first = (await revisionOf(world, model)) + 1;
    // The middle one goes last, so that it comes back first.
    for (const key of ["e", "c", "d"])
      await act("relationship_role_delete", { ...of, relationshipRoleRef: `key:${key}` });
    await create("f");
    await undo({ revisions: [first, first + 1, first + 2] });
    const { roles } = await act("relationship_get", of);
    expect(roles.map(({ key }: Body) => key).join("")).toBe("abcdef");
  });

  test("gives a key to the object that has it now, otherwise to the one that lost it first", async () => {
    const { act, rename, undo, keys, entity } = await aScene();
    const { revision: first } = await rename("client");
    const { id } = await act("entity_create", { entityKey: "customer" });
    const { revision: second } = await rename("other", `id:${id}`);
    const { conflicts } = await undo({ revisions: [first, second] });
    expect(conflicts).toMatchObject([{ ref: `id:${id}`, key: "other", reason: "entity customer has its key now" }]);
    expect(await keys()).toEqual(["customer", "other"]);
    expect(await act("entity_get", { entityRef: "key:customer" })).toMatchObject({ id: entity.id });
  });

  test("shows values as the history does, long ones in part, and of positions none", async () => {
    const { act, entity, type, model, email, undo } = await aScene();
    const [code, last] = [
      await anAttribute(world, { model, type, entity }, "code"),
      await anAttribute(world, { model, type, entity }, "last"),
    ];
    const of = { entityRef: entity.byId, attributeRef: email.byId };
    const long = "long ".repeat(LIMITS.conflictCharacters / 4);
    const write = async (maximum: number, place: object, value: string) => {
      const { revision } = await act("entity_attribute_update_constraints", { ...of, value: { maximum } });
      await act("entity_attribute_move", { ...of, ...place });
      await act("entity_attribute_update_description", { ...of, value });
      return [0, 1, 2].map((n) => revision + n);
    };
    const revisions = await write(1, { afterRef: code.byId }, "short");
    await write(2, { afterRef: last.byId }, long);
    const { conflicts } = await undo({ revisions });
    const shown = JSON.stringify(long).slice(0, LIMITS.conflictCharacters);
    expect(conflicts.map(({ member, now, before }: Body) => [member, now, before])).toEqual([
      ["constraints", { maximum: 2 }, null],
      ["order", null, null],
      ["description", shown, null],
    ]);
  });

  test("tells of links to deleted tags, and of a new key of the model in its plan", async () => {
    const { act, entity, model, undo } = await aScene();
    const tag = await aLocalTag(world, model);
    const of = { entityRef: entity.byId, tagRef: tag.byId };
    await act("entity_add_tag", of);
    const { revision } = await act("entity_delete_tag", of);
    await act("tag/tag_local_delete", { tagRef: tag.byId });
    const { losses } = await undo({ revisions: [revision] });
    expect(losses).toEqual([{ id: entity.id, detail: "entity customer: 1 of its tag(s) were deleted" }]);
    const [key, value] = [model.key, newKey("model")];
    const { revision: renamed } = await act("model_update_key", { value });
    const dry = await world.ok("model/model_undo", { modelRef: model.byId, revisions: [renamed] }, { dryRun: true });
    const step = { does: "rename", objectType: "model", ref: model.byId, before: { key: value }, after: { key } };
    expect(dry.body).toMatchObject({ stepCount: 1, steps: [step] });
  });

  test("exceeds no limit of an object", async () => {
    const { act, entity, model, undo } = await aScene();
    const tags: Made[] = [];
    for (let i = 0; i <= LIMITS.tagsPerObject; i++) tags.push(await aLocalTag(world, model));
    const tag = (action: string, at: number) =>
      act(`entity_${action}_tag`, { entityRef: entity.byId, tagRef: tags[at]?.byId });
    for (let i = 0; i < LIMITS.tagsPerObject; i++) await tag("add", i);
    const { revision } = await tag("delete", 0);
    await tag("add", LIMITS.tagsPerObject);
    const { conflicts } = await undo({ revisions: [revision] });
    expect(conflicts).toMatchObject([{ key: "customer", reason: `it would have more than ${tags.length - 1} tags` }]);
  });

  test("of a run takes the commits that the log has, however late or early they are listed under the run", async () => {
    const { model, act, undo } = await aScene();
    const { id: run } = await act("run_begin", { modelRef: undefined, title: "Task" });
    const put = { ...runCommitKey(run, model.id, 99), v: FORMAT };
    await world.table.write({ put, expect: { absent: true } });
    expectProblem(await world.refused("model/model_undo", { modelRef: model.byId, runRef: `id:${run}` }), "not_found");
    const { revision } = (
      await world.ok("model/model_update_description", { modelRef: model.byId, value: "Text" }, { run })
    ).body;
    const listed = runCommitKey(run, model.id, revision);
    expect(listed.sk.endsWith(logKey(model.id, revision).sk)).toBe(true);
    await world.table.write({ delete: listed, expect: { anything: true } });
    expect(await undo({ runRef: `id:${run}` })).toMatchObject({ undone: [revision], changed: true });
  });
});

describe("a selection", () => {
  test("takes back the changes that fit each of its lists, and none that is excepted", async () => {
    const { modelRef, act, rename, describeEntity, entity, email, undo, read } = await aScene();
    const { id: run } = (await world.ok("model/run_begin", { title: "Task" })).body;
    const { revision: start } = await rename("client");
    await describeEntity("Text");
    await act("entity_update_property", { entityRef: entity.byId, property: "steward", value: "Ada" });
    const attribute = { modelRef, entityRef: entity.byId, attributeRef: email.byId };
    await world.ok("model/entity_attribute_update_name", { ...attribute, value: "E-mail" }, { run });
    const byManager = { ...attribute, value: "An address" };
    await world.answer("model/entity_attribute_update_description", byManager, world.people.manager);
    const { items } = await act("history_version_changes", {});
    const { actor } = items.at(-1);
    const undone = async (what: object): Promise<readonly string[]> => {
      const payload = { modelRef, since: start, ...what };
      const { body } = await world.ok("model/model_undo", payload, { dryRun: true });
      expect(body.conflicts).toEqual([]);
      return body.undone.map((revision: number) => revision - start).join("");
    };
    expect(await undone({})).toBe("01234");
    expect(await undone({ select: { objects: [entity.byId] } })).toBe("01234");
    expect(await undone({ select: { objects: [email.id] } })).toBe("34");
    expect(await undone({ select: { kinds: ["attribute"] }, except: { authors: [actor] } })).toBe("3");
    expect(await undone({ select: { paths: ["client.*", "nothing"] } })).toBe("34");
    expect(await undone({ select: { paths: ["cl*"], members: ["description", "properties"] } })).toBe("124");
    expect(await undone({ select: { runs: [`id:${run}`] } })).toBe("3");
    expect(await undone({ except: { kinds: ["attribute"], members: ["name"] } })).toBe("0124");
    expect(await undone({ select: { members: ["steward"] } })).toBe("");
    await undo({ since: start, except: { members: ["key"] } });
    expect(await read()).toMatchObject({ key: "client" });
    expect(await read()).not.toHaveProperty("description");
  });

  test("of members neither creates nor deletes objects", async () => {
    const { act, undo, keys } = await aScene();
    const { revision } = await act("entity_create", { entityKey: "made", description: "Text" });
    expect(await undo({ revisions: [revision], select: { members: ["description"] } })).toMatchObject({
      changed: false,
    });
    await undo({ revisions: [revision], except: { members: ["description"] } });
    expect(await keys()).toEqual(["customer"]);
  });

  test("is refused without a list that has something", async () => {
    const { modelRef, model } = await aScene();
    const refused = (what: object) => world.refused("model/model_undo", { modelRef, since: 1, ...what });
    const many = Array.from({ length: LIMITS.undoneRevisions + 1 }, () => "key");
    expectFaults(await refused({ select: {} }), "/select");
    expectFaults(await refused({ except: { kinds: [] } }), "/except/kinds");
    expectFaults(
      await refused({ select: { members: many, paths: ["a\\b", ""] } }),
      "/select/members",
      "/select/paths/0",
      "/select/paths/1",
    );
    expectFaults(await refused({ select: { colour: ["red"], kinds: ["role"] } }), "/select", "/select/kinds/0");
    expectFaults(await refused({ revisions: [1] }), "/runRef", "/revisions", "/request", "/since");
    expectProblem(await world.refused("model/model_undo", { modelRef: model.byId, since: 99 }), "not_found", "99");
  });
});
