import { describe, expect, test } from "vitest";
import { someoneOn } from "../support/someone.ts";
import type { Body } from "../support/world.ts";
import { expectProblem, newKey, readPages, useWorld } from "./support/checked-world.ts";
import { aModel, anEntity, entryOf, type Made } from "./support/models.ts";

/** Write units of the transactions since the list was emptied. */
const written: number[] = [];
const world = useWorld((operation, units) => operation === "transactWrite" && written.push(units));

const begin = async (title = "Task", token = world.people.admin): Promise<string> =>
  (await world.okAs(token, "model/run_begin", { title })).body.id;
const get = (run: string): Promise<Body> => world.read("model/run_get", { runRef: `id:${run}` });
const rename = (model: Made, run: string, name = newKey("Name")) =>
  world.ok("model/model_update_name", { modelRef: model.byId, name }, { run });

describe("a run", () => {
  test("groups the commits of a task, in every model and in the tags, and the history shows it", async () => {
    const run = await begin("Fields of the order form");
    const [a, b] = [await aModel(world), await aModel(world)];
    await rename(a, run);
    await anEntity(world, a, "outside");
    await world.ok("tag/tag_group_create", { key: newKey("group") }, { run });
    await world.ok("model/import", { content: { name: newKey("imported"), fields: [{ name: "x" }] } }, { run });
    const entry = (model: Made) => entryOf("entity_create", { modelRef: model.byId, entityKey: newKey() });
    await world.ok("batch/batch_run", { actions: [entry(a), entry(b)] }, { run });
    const { title, items } = await get(run);
    expect(title).toBe("Fields of the order form");
    const ofModel = ({ id }: Made) =>
      items.filter((row: Body) => row.modelId === id).map(({ revision, actions }: Body) => [revision, actions.join()]);
    expect(ofModel(a)).toEqual([
      [2, "model/model_update_name"],
      [4, "model/entity_create"],
    ]);
    expect(ofModel(b)).toEqual([[2, "model/entity_create"]]);
    expect(items.map(({ ledger }: Body) => ledger).toSorted()).toEqual(["model", "model", "model", "model", "tags"]);
    expect(items.find(({ actions }: Body) => actions.includes("model/import"))).toMatchObject({ revision: 1 });
    const history = await world.read("model/history_version_changes", { modelRef: a.ref });
    expect(history.items.map((row: Body) => row.run)).toEqual([run, undefined, run]);
    const pages = await readPages((after) => world.ok("model/run_get", { runRef: `id:${run}`, limit: 2, ...after }));
    expect(pages.flatMap(({ body }) => body.items)).toEqual(items);
  });

  test("of accounts is in the audit log", async () => {
    const run = await begin();
    const key = newKey("role");
    await world.ok("auth/role_create", { key, name: key }, { run });
    const { items } = await world.read("auth/audit_list", { act: "auth/role_create" });
    expect(items[0]).toMatchObject({ act: "auth/role_create", run });
    expect((await get(run)).items).toMatchObject([{ ledger: "identity" }]);
  });

  test("counts what still stands of it", async () => {
    const [model, gone] = [await aModel(world), await aModel(world)];
    const [a, b] = [await anEntity(world, model), await anEntity(world, model)];
    const run = await begin();
    for (const one of [model, gone]) await rename(one, run);
    const of = { modelRef: model.byId, entityRef: a.byId };
    for (const entityRef of [a.byId, b.byId])
      await world.ok("model/entity_update_description", { ...of, entityRef, value: "Text" }, { run });
    await world.ok("model/entity_create", { modelRef: model.byId, entityKey: "made" }, { run });
    await world.ok("model/entity_delete", { ...of, entityRef: b.byId }, { run });
    const counts = async () => {
      const { items } = await world.read("model/run_get", { runRef: `id:${run}`, standing: true });
      return items.map(({ modelId, changes, standing }: Body) => [modelId === model.id, changes, standing].join(" "));
    };
    const all = (first: string) => [first, ...["1 1", "1 1", "1 0", "1 1", "1 1"].map((one) => `true ${one}`)];
    expect((await counts()).toSorted()).toEqual(all("false 1 1").toSorted());
    await world.ok("model/entity_update_description", { ...of, value: "Other" });
    await world.ok("model/entity_update_name", { ...of, entityRef: "key:made", value: "Name" });
    await world.ok("model/model_delete", { modelRef: gone.byId });
    const later = ["false 1 0", "true 1 1", "true 1 0", "true 1 0", "true 1 1", "true 1 1"];
    expect((await counts()).toSorted()).toEqual(later.toSorted());
  });

  test("is refused where it is not there, belongs to another actor, or nothing is written", async () => {
    const model = await aModel(world);
    const run = await begin();
    const call = ["model/model_update_name", { modelRef: model.ref, name: "New" }] as const;
    const missing = world.service.runtime.newId();
    expectProblem(await world.refused(...call, { run: missing }), "not_allowed", missing, "run_begin");
    expectProblem(await world.problem(...call, world.people.manager, { run }), "not_allowed", run);
    expectProblem(await world.refused("model/model_get", { modelRef: model.ref }, { run }), "bad_precondition", "Run");
    expectProblem(await world.refused(...call, { run: "no id" }), "bad_request", "no id");
    expect((await get(run)).items).toEqual([]);
  });

  test("lists nothing for a dry run, for a write without effect, and for the repetition of a call", async () => {
    const model = await aModel(world);
    const run = await begin();
    const name = newKey("Name");
    const call = ["model/model_update_name", { modelRef: model.ref, name }] as const;
    await world.ok(...call, { run, dryRun: true });
    for (let i = 0; i < 2; i++) await world.ok(...call, { run, idempotencyKey: name });
    await rename(model, run, name);
    expect((await get(run)).items).toMatchObject([{ modelId: model.id, revision: 2 }]);
  });

  test("costs a commit 2 units, and one without a run nothing", async () => {
    const model = await aModel(world);
    const run = await begin();
    written.length = 0;
    await rename(model, run);
    await world.ok("model/model_update_name", { modelRef: model.ref, name: newKey() });
    expect(written).toEqual([8, 6]);
  });

  test("is seen by its actor and by administrators, in the models that they may read", async () => {
    const [seen, unseen] = [await aModel(world, newKey("seen")), await aModel(world, newKey("unseen"))];
    const { id, token } = await someoneOn(world, newKey("writer"), { role: "manager", models: "*" });
    const run = await begin("Mine", token);
    for (const { byId: modelRef } of [seen, unseen])
      await world.answer("model/model_update_name", { modelRef, name: "Ours" }, token, { run });
    await world.ok("auth/actor_delete_role", { actorId: id, roleRef: "key:manager", models: "*" });
    await world.ok("auth/actor_add_role", { actorId: id, roleRef: "key:reader", models: "seen*" });
    const { body } = await world.okAs(token, "model/run_get", { runRef: `id:${run}` });
    expect(body.items).toMatchObject([{ modelId: seen.id, modelKey: seen.key, revision: 2 }]);
    await world.ok("model/model_delete", { modelRef: unseen.ref });
    expect((await get(run)).items.map(({ modelId }: Body) => modelId).toSorted()).toEqual(
      [seen.id, unseen.id].toSorted(),
    );
    const titles = async (of: string) =>
      (await world.okAs(of, "model/run_list")).body.items.map(({ title }: Body) => title);
    expect(await titles(token)).toEqual(["Mine"]);
    expect((await titles(world.people.admin))[0]).toBe("Mine");
    expect(await titles(world.people.manager)).toEqual([]);
    const other = await world.problem("model/run_get", { runRef: `id:${run}` }, world.people.manager);
    expectProblem(other, "not_found", run);
  });
});
