import { describe, expect, test } from "vitest";
import { sweep } from "../../shared/store/sweep/sweep.ts";
import { someoneOn } from "../support/someone.ts";
import type { Body } from "../support/world.ts";
import { expectProblem, findActor, newKey, readPages, useWorld } from "./support/checked-world.ts";
import { aGlobalTag, aModel, anEntity, aTagGroup, exampleModel, type Made, revisionOf } from "./support/models.ts";

const world = useWorld();

const exported = (model: Made): Promise<Body> => world.read("model/model_export", { modelRef: model.byId });
const listed = async (token = world.people.admin): Promise<readonly Body[]> =>
  (await world.okAs(token, "model/deleted_list")).body.items;
const undelete = (model: Made, more: object = {}) =>
  world.read("model/model_undelete", { modelRef: model.byId, ...more });
const refused = (model: Made, token = world.people.admin, more: object = {}) =>
  world.problem("model/model_undelete", { modelRef: model.byId, ...more }, token);

async function deleted(model: Made): Promise<Made> {
  await world.ok("model/model_delete", { modelRef: model.ref });
  return model;
}

describe("model_undelete", () => {
  test("brings everything back with its ids, releases and history, as the next revision", async () => {
    const { model, revision } = await exampleModel(world, newKey("crm"));
    const then = await exported(model);
    await deleted(model);
    const { id, key } = model;
    expect(await undelete(model)).toEqual({
      ...{ status: "ok", id, key, revision: revision + 2, changed: true, restoredRevision: revision, losses: [] },
    });
    expect(JSON.stringify(await exported(model))).toBe(JSON.stringify(then));
    expect((await listed()).map((row) => row.id)).not.toContain(id);
    const { items } = await world.read("model/history_version_changes", { modelRef: model.ref });
    expect(items.slice(-2)).toMatchObject([
      { change: "delete", kind: "model", revision: revision + 1 },
      { change: "create", kind: "model", revision: revision + 2, counts: { entity: 3 } },
    ]);
    const gone = await world.refused("model/model_export", { modelRef: model.ref, revision: revision + 1 });
    expectProblem(gone, "not_found", "deleted");
    await anEntity(world, model, "invoice");
    expect(await revisionOf(world, model)).toBe(revision + 3);
  });

  test("takes another key where another model has its own, also in a dry run", async () => {
    const model = await deleted(await aModel(world));
    await aModel(world, model.key);
    for (const controls of [{ dryRun: true }, {}] as const) {
      const problem = await world.refused("model/model_undelete", { modelRef: model.byId }, controls);
      expectProblem(problem, "key_taken", model.key);
    }
    expect(await listed()).toContainEqual(expect.objectContaining({ id: model.id, key: model.key }));
    const key = newKey("other");
    expect(await undelete(model, { key })).toMatchObject({ id: model.id, key });
    expect((await exported(model)).key).toBe(key);
  });

  test("refuses a model that is there, and one that never was; the same call again gets the same answer", async () => {
    const model = await aModel(world);
    expectProblem(await refused(model), "not_deleted", model.key);
    await deleted(model);
    expectProblem(await world.refused("model/model_undelete", { modelRef: model.ref }), "not_found", model.ref);
    const again = ["model/model_undelete", { modelRef: model.byId }, { idempotencyKey: newKey() }] as const;
    const first = await world.ok(...again);
    expect(await world.ok(...again)).toMatchObject({ body: first.body, replayed: true });
    expectProblem(await refused(model), "not_deleted");
  });

  test("reports links to global tags that were deleted meanwhile", async () => {
    const model = await aModel(world);
    const tag = await aGlobalTag(world, await aTagGroup(world));
    await world.ok("model/model_add_tag", { modelRef: model.ref, tagRef: tag.byId });
    await deleted(model);
    await world.ok("tag/tag_global_delete", { tagRef: tag.byId });
    expect((await undelete(model)).losses).toEqual([{ id: model.id, detail: expect.stringContaining(model.key) }]);
  });

  test("needs model_delete on the model and model_create_manual for the key; a right by id includes no key", async () => {
    const model = await aModel(world, newKey("bounded"));
    const tokenOf = async (models: string, ...permissions: readonly string[]) => {
      const key = newKey("role");
      await world.ok("auth/role_create", { key, name: key });
      for (const permission of permissions)
        await world.ok("auth/role_add_permission", { roleRef: `key:${key}`, permission });
      return (await someoneOn(world, newKey("user"), { role: key, models })).token;
    };
    const both = ["model_delete", "model_create_manual"];
    const byId = await tokenOf(model.byId, ...both);
    await deleted(model);
    expectProblem(await refused(model, await tokenOf("*", "model_read")), "not_allowed", "model_delete");
    expectProblem(await refused(model, await tokenOf("*", "model_delete")), "not_allowed", "model_create_manual");
    const elsewhere = await tokenOf("elsewhere*", ...both);
    expectProblem(await refused(model, elsewhere), "not_found");
    expect(await listed(elsewhere)).toEqual([]);
    expect(await listed(byId)).toMatchObject([{ id: model.id }]);
    expectProblem(await refused(model, byId), "not_allowed", model.key);
    expectProblem(await refused(model, byId, { key: newKey("bounded") }), "not_allowed");
    await world.okAs(await tokenOf("bounded*", ...both), "model/model_undelete", { modelRef: model.byId });
  });

  test("works before, between and after both passes of the sweep, and leaves a sound table each time", async () => {
    const { model } = await exampleModel(world, newKey("swept"));
    const state = async () =>
      JSON.stringify([await exported(model), await world.read("model/history_versions", { modelRef: model.ref })]);
    const then = await state();
    const { runtime } = world.service;
    const sweepAfter = (hours: number) =>
      sweep(world.table, { ...runtime, now: () => runtime.now() + hours * 3_600_000 });
    for (const passes of [[], [25], [25, 26]]) {
      await deleted(model);
      for (const hours of passes) await sweepAfter(hours);
      await undelete(model);
      await sweepAfter(25);
      expect(await state()).toBe(then);
      const checked = await world.read("model/maintenance_rebuild_caches", { modelRef: model.ref });
      expect(checked.findings).toEqual([]);
    }
  });

  test("is done by one of two callers at once", async () => {
    const model = await deleted(await aModel(world));
    const both = await Promise.allSettled([undelete(model), undelete(model)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await revisionOf(world, model)).toBe(3);
  });
});

test("deleted_list shows each deletion once, page by page, in the order of ids", async () => {
  await world.renew();
  const models = [await aModel(world), await aModel(world), await aModel(world)];
  for (const model of models.toReversed()) await deleted(model);
  const pages = await readPages((after) => world.ok("model/deleted_list", { limit: 2, ...after }));
  expect(pages.map(({ body }) => body.items.length)).toEqual([2, 1]);
  const { id: deletedBy } = await findActor(world.read, "admin");
  expect(pages.flatMap(({ body }) => body.items)).toEqual(
    models.map(({ id, key }) => ({ id, key, revision: 2, deletedAt: expect.stringMatching(/Z$/), deletedBy })),
  );
});
