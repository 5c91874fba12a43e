import { describe, expect, test } from "vitest";
import type { Body } from "../support/world.ts";
import { expectFaults, NO_ID, newKey, readPages, useWorld } from "./support/checked-world.ts";
import { aModel, anAttribute, anEntity, aType, exampleModel, inBatch, type Made } from "./support/models.ts";

const world = useWorld();

const release = (model: Made, value: string) => world.ok("model/model_release", { modelRef: model.byId, value });
const versions = async (model: Made, more = {}) =>
  (await world.read("model/history_versions", { modelRef: model.byId, ...more })).items;
const changes = async (model: Made, more = {}) =>
  (await world.read("model/history_version_changes", { modelRef: model.byId, ...more })).items;
const inShort = (rows: readonly Body[]) =>
  rows.map(({ revision, change, kind, key }) => `${revision} ${change} ${kind} ${key}`);

test("history_versions lists every release with its actor, newest first", async () => {
  const model = await aModel(world);
  await aType(world, model);
  await release(model, "1.0.0");
  await release(model, "1.1.0");
  const rows = await versions(model);
  expect(rows.map((row: Body) => [row.version, row.revision, row.actions])).toEqual([
    ["1.1.0", 4, ["model/model_release"]],
    ["1.0.0", 3, ["model/model_release"]],
    ["0.0.1", 1, ["model/model_create"]],
  ]);
  for (const row of rows) {
    expect(row).toMatchObject({ channel: "http", actor: rows[0].actor });
    expect(row.actor).toMatch(/^[0-9a-f-]{36}$/);
    expect(row.time).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(row.requestId.length).toBeGreaterThan(10);
  }
});

describe("history_version_changes", () => {
  test("lists each change with the object before and after it", async () => {
    const model = await aModel(world);
    const type = await aType(world, model, "string");
    const entity = await anEntity(world, model, "customer");
    const attribute = await anAttribute(world, { model, entity, type }, "code");
    const at = { modelRef: model.ref, entityRef: "key:customer" };
    await world.ok("model/entity_update_name", { ...at, value: "Customer" });
    await world.ok("model/entity_primary_key_update", { ...at, attributeRef: ["key:code"] });
    await world.ok("model/entity_update_name", at);
    await world.ok("model/entity_update_key", { ...at, value: "client" });
    await world.ok("model/entity_delete", { modelRef: model.ref, entityRef: "key:client" });
    const rows = await changes(model);
    expect(inShort(rows)).toEqual([
      ...["2 create type string", "3 create entity customer", "4 create attribute code", "5 update entity customer"],
      ...["6 update entity customer", "7 update entity customer", "8 update entity client", "9 delete entity client"],
    ]);
    expect(rows.slice(2).map(({ before, after }: Body) => [before, after])).toEqual([
      [undefined, { key: "code", owner: entity.id, type: type.id, optional: false }],
      [{ name: null }, { name: "Customer" }],
      [{ primaryKey: [] }, { primaryKey: [attribute.id] }],
      [{ name: "Customer" }, { name: null }],
      [{ key: "customer" }, { key: "client" }],
      [{ key: "client", primaryKey: [attribute.id] }, undefined],
    ]);
    expect(rows[3].id).toBe(entity.id);
    expect(rows[3].actions).toEqual(["model/entity_update_name"]);
  });

  test("lists the changes of a version, those not released yet, and none twice", async () => {
    const model = await aModel(world);
    await aType(world, model, "t1");
    await release(model, "1.0.0");
    await aType(world, model, "t2");
    await aType(world, model, "t3");
    await release(model, "2.0.0");
    expect(await changes(model)).toEqual([]);
    await aType(world, model, "t4");
    expect(inShort(await changes(model, { version: "0.0.1" }))).toEqual([`1 create model ${model.key}`]);
    const first = ["2 create type t1", `3 update model ${model.key}`];
    expect(inShort(await changes(model, { version: "1.0.0" }))).toEqual(first);
    const second = ["4 create type t2", "5 create type t3", `6 update model ${model.key}`];
    expect(inShort(await changes(model, { version: "2.0.0" }))).toEqual(second);
    expect(inShort(await changes(model))).toEqual(["7 create type t4"]);
    const [, released] = await changes(model, { version: "1.0.0" });
    expect([released.before, released.after]).toEqual([{ version: "0.0.1" }, { version: "1.0.0" }]);
  });

  test("supports pages, also within one commit", async () => {
    const model = await aModel(world);
    const create = (i: number) => ["model/type_create", { modelRef: model.ref, typeKey: `t${i}` }] as const;
    await inBatch(world, [1, 2, 3, 4, 5].map(create));
    await aType(world, model, "t6");
    const all = await changes(model);
    expect(all).toHaveLength(6);
    expect(all[0].actions).toEqual(["model/type_create"]);
    for (const limit of [1, 2, 4, 6, 7]) {
      const payload = { modelRef: model.ref, limit };
      const pages = await readPages((after) => world.ok("model/history_version_changes", { ...payload, ...after }));
      expect(pages.flatMap(({ body }) => body.items)).toEqual(all);
      expect(pages.length).toBe(Math.ceil(6 / limit));
    }
    const cursor = Buffer.from("nonsense").toString("base64url");
    expectFaults(await world.refused("model/history_version_changes", { modelRef: model.ref, cursor }), "/cursor");
  });

  test("takes id:<uuid>, answers 404 for an unknown object, and an empty list for one without changes", async () => {
    const model = await aModel(world);
    const type = await aType(world, model, "t");
    for (const sent of [{ objectId: `id:${type.id}` }, { objectRef: `id:${type.id}` }, { objectRef: type.id }])
      expect(await changes(model, sent)).toMatchObject([{ change: "create", key: "t" }]);
    expect(await changes(model, { objectId: model.id })).toEqual([]);
    await world.ok("model/model_release", { modelRef: model.ref, version: "1.0.0" });
    expect(await changes(model, { objectId: type.id })).toEqual([]);
    const other = await aType(world, await aModel(world), "t");
    for (const objectId of [NO_ID, `id:${other.id}`]) {
      const problem = await world.refused("model/history_version_changes", { modelRef: model.ref, objectId });
      expect([problem.code, problem.message]).toEqual(["not_found", expect.stringContaining(objectId.slice(-36))]);
    }
    const key = { modelRef: model.ref, objectId: "key:t" };
    expectFaults(await world.refused("model/history_version_changes", key), "/objectId");
  });

  test("has the number of objects of a model that was created at once, and the creation of each of its objects", async () => {
    const { model } = await exampleModel(world, newKey("whole"));
    const { body } = await world.ok("model/model_copy", { modelRef: model.ref, modelNewKey: newKey("copy") });
    const copy = { modelRef: `id:${body.id}`, version: "0.0.1" };
    const [row, ...more] = (await world.read("model/history_version_changes", copy)).items;
    expect(more).toEqual([]);
    expect(row).toMatchObject({ change: "create", kind: "model", id: body.id, key: body.key, revision: 1 });
    expect(row.counts).toMatchObject({ model: 1, type: 3, entity: 3, attribute: 5, relationship: 2, tag: 2 });
    const { entities } = await world.read("model/model_export", { modelRef: `id:${body.id}` });
    const objectId = entities[0].id;
    const { items } = await world.read("model/history_version_changes", { ...copy, objectId });
    expect(items).toMatchObject([{ change: "create", kind: "entity", id: objectId, after: { key: "customer" } }]);
  });

  test("names the source of an import and an apply, and what was restored or undone", async () => {
    const key = newKey("sourced");
    const content = (name: string) => ({ $schema: "urn:metaction:model:2", key, name });
    const created = { modelKey: key, create: true, source: "models/crm.yaml" };
    await world.ok("model/model_apply", { ...created, content: content("One") });
    const modelRef = `key:${key}`;
    await world.ok("model/import", {
      into: modelRef,
      source: "offices",
      content: content("Two"),
      onConflict: "theirs",
    });
    await world.ok("model/model_release", { modelRef, value: "1.0.0" });
    for (const [name, action, what] of [
      ["Four", "model_restore", { revision: 2 }],
      ["Six", "model_undo", { revisions: [6] }],
      ["Eight", "model_restore", { version: "1.0.0" }],
    ] as const) {
      await world.ok("model/model_update_name", { modelRef, name });
      await world.ok(`model/${action}`, { modelRef, ...what });
    }
    await world.ok("model/model_apply", { modelRef, source: "models/other.yaml", content: content("Nine") });
    const versions = ["0.0.1", "1.0.0", undefined];
    const rows = await Promise.all(
      versions.map((version) => world.read("model/history_version_changes", { modelRef, ...(version && { version }) })),
    );
    const sources = rows.flatMap(({ items }) =>
      items.map(({ revision, actions, source }: Body) => source && [revision, actions.join(), source]),
    );
    expect(sources.filter(Boolean)).toEqual([
      [1, "model/model_apply", "models/crm.yaml"],
      [2, "model/import", "offices"],
      [5, "model/model_restore", "revision 2"],
      [7, "model/model_undo", "revisions 6"],
      [9, "model/model_restore", "version 1.0.0"],
      [10, "model/model_apply", "models/other.yaml"],
    ]);
    const file = { content: { $schema: "urn:metaction:model:2", key: "made" }, source: "files/made" };
    await inBatch(world, [["model/import", { ...file, modelKey: `${key}-made` }]]);
    const made = { modelRef: `key:${key}-made`, version: "0.0.1" };
    expect((await world.read("model/history_version_changes", made)).items[0]).toMatchObject({ source: "files/made" });
  });

  test("has no next page while the revision matches If-None-Match", async () => {
    const model = await aModel(world);
    await aType(world, model, "t");
    await release(model, "1.0.0");
    const payload = { modelRef: model.ref, version: "1.0.0", limit: 1 };
    const page = await world.ok("model/history_version_changes", payload);
    expect(page.next).toBeDefined();
    const known = await world.ok("model/history_version_changes", payload, { ifNoneMatch: [String(page.etag)] });
    expect([known.notModified, known.etag, known.next]).toEqual([true, page.etag, undefined]);
  });
});

describe("the history of a deleted model", () => {
  const deleted = async (): Promise<Made & { readonly then: string }> => {
    const { model } = await exampleModel(world, newKey("gone"));
    await release(model, "1.0.0");
    const then = JSON.stringify(await world.read("model/model_export", { modelRef: model.ref }));
    await world.ok("model/model_delete", { modelRef: model.ref });
    return { ...model, then };
  };

  test("is read by an administrator, with the model's id", async () => {
    const model = await deleted();
    expect((await versions(model)).map(({ version }: Body) => version)).toEqual(["1.0.0", "0.0.1"]);
    expect(inShort(await changes(model)).map((row) => row.replace(/^\d+ /, ""))).toEqual([`delete model ${model.key}`]);
    for (const action of ["model/model_export_version", "model/model_export"])
      expect(JSON.stringify(await world.read(action, { modelRef: model.byId, version: "1.0.0" }))).toBe(model.then);
  });

  test("is not found by other callers, nor by its key", async () => {
    const model = await deleted();
    const { people, problem } = world;
    for (const action of ["history_versions", "history_version_changes", "model_export", "model_export_version"]) {
      const more = action === "model_export_version" ? { version: "1.0.0" } : {};
      const asked = { modelRef: model.byId, ...more };
      expect((await problem(`model/${action}`, asked, people.manager)).code).toBe("not_found");
      expect((await world.refused(`model/${action}`, { ...asked, modelRef: model.ref })).code).toBe("not_found");
    }
  });

  test("has no newest state, and none at the revision that deleted it", async () => {
    const model = await deleted();
    expect((await world.refused("model/model_export", { modelRef: model.byId })).code).toBe("not_found");
    const [{ revision }] = await changes(model);
    expect((await world.refused("model/model_export", { modelRef: model.byId, revision })).code).toBe("not_found");
    expect((await world.refused("model/model_get", { modelRef: model.byId })).code).toBe("not_found");
    expect((await world.refused("model/model_restore", { modelRef: model.byId, revision: 1 })).code).toBe("not_found");
  });
});
