import { describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import type { Body } from "../support/world.ts";
import { expectFaults, expectProblem, useWorld } from "./support/checked-world.ts";
import { aModel, anAttribute, anEntity, aType, type Made } from "./support/models.ts";

const world = useWorld();

const exported = async (model: Pick<Made, "byId">): Promise<string> =>
  JSON.stringify(await world.read("model/model_export", { modelRef: model.byId }));
const undo = async (model: Pick<Made, "byId">, what: object): Promise<Body> =>
  (await world.ok("model/model_undo", { modelRef: model.byId, ...what })).body;
const DOCUMENT = { $schema: "urn:metaction:model:2", key: "any" };
/** Begins a run, and returns its ref. */
const begin = async () => `id:${(await world.ok("model/run_begin", { title: "Task" })).body.id}`;
const inRun = (run: string | undefined, action: string, payload: object) =>
  world.ok(action, payload, run === undefined ? {} : { run: run.slice(3) });

/** A model whose entity `customer` some runs have changed in turn. */
async function aScene(count = 3) {
  const model = await aModel(world);
  const modelRef = model.ref;
  const type = await aType(world, model, "text");
  const entity = await anEntity(world, model, "customer");
  const runs = await Promise.all(Array.from({ length: count }, begin));
  const customer = { modelRef, entityRef: entity.ref };
  const states: string[] = [];
  for (const [i, run] of runs.entries()) {
    states.push(await exported(model));
    await inRun(run, "model/entity_update_description", { ...customer, value: `Of run ${i}` });
    await inRun(run, "model/entity_update_property", { ...customer, property: `p${i}`, value: i });
    const made = { ...customer, attributeKey: `a${i}`, type: type.ref, optional: true };
    await inRun(run, "model/entity_attribute_create", made);
  }
  return { model, modelRef, type, entity, customer, runs, states };
}

describe("model_undo", () => {
  test("takes back run 3 of 7, and leaves what the others did byte for byte; undone again, all is as before", async () => {
    const { model, modelRef, runs } = await aScene(7);
    const before = await exported(model);
    const result = await undo(model, { runRef: runs[2] });
    expect(result).toMatchObject({ changed: true, undone: [10, 11, 12], conflictCount: 1, losses: [] });
    expect(result.conflicts).toMatchObject([
      { member: "description", now: "Of run 6", before: "Of run 1", revision: 22 },
    ]);
    const { entities, ...others } = JSON.parse(before);
    const [{ attributes, properties, ...customer }] = entities;
    delete properties.p2;
    const left = { ...customer, properties, attributes: attributes.filter(({ key }: Body) => key !== "a2") };
    expect(JSON.parse(await exported(model))).toEqual({ ...others, entities: [left] });
    await undo(model, { revisions: [result.revision] });
    expect(await exported(model)).toBe(before);
    expect((await world.read("model/maintenance_rebuild_caches", { modelRef })).findings).toEqual([]);
  });

  test("takes back all of the last run, by its request, and all runs one after the other", async () => {
    const { model, runs, states } = await aScene();
    for (const i of [2, 1, 0]) {
      expect(await undo(model, { runRef: runs[i] })).toMatchObject({ conflictCount: 0 });
      expect(await exported(model)).toBe(states[i]);
    }
    const { items } = await world.read("model/history_version_changes", { modelRef: model.ref });
    const { requestId } = items.at(-1);
    await undo(model, { request: requestId });
    expect(await exported(model)).toBe(states[1]);
  });

  test("with `back` gives its former value also to what others changed since", async () => {
    const { model, customer, runs } = await aScene();
    const { conflicts } = await undo(model, { runRef: runs[1], onConflict: "back" });
    expect(conflicts).toMatchObject([{ member: "description", actor: expect.any(String) }]);
    expect(await world.read("model/entity_get", customer)).toMatchObject({ description: "Of run 0" });
  });

  test("brings deleted objects back under their ids, with everything in them", async () => {
    const { model, modelRef, entity, customer } = await aScene();
    const before = await exported(model);
    const key = { modelRef, entityRef: entity.ref, key: "identity", participants: ["key:a0"] };
    await world.ok("model/business_key_create", key);
    const run = await begin();
    const full = await exported(model);
    await inRun(run, "model/entity_delete", customer);
    await undo(model, { runRef: run });
    expect(await exported(model)).toBe(full);
    await inRun(run, "model/entity_delete", customer);
    await anEntity(world, model, "customer");
    const refused = await undo(model, { runRef: run });
    const [own, ...others] = refused.conflicts;
    expect(own).toMatchObject({ ref: entity.byId, reason: expect.stringContaining("has its key now") });
    expect(others.at(-1)).toMatchObject({ reason: expect.stringContaining("names an object that is gone") });
    expect(before).not.toBe(full);
  });

  test("keeps a new object that somebody else uses or changed, and says so", async () => {
    const model = await aModel(world);
    const modelRef = model.ref;
    const run = await begin();
    const { body: type } = await inRun(run, "model/type_create", { modelRef, typeKey: "text" });
    const { body: made } = await inRun(run, "model/entity_create", { modelRef, entityKey: "made" });
    const { body: named } = await inRun(run, "model/entity_create", { modelRef, entityKey: "named" });
    const entity = await anEntity(world, model, "theirs");
    await anAttribute(world, { model, type: { ...model, ref: "key:text" }, entity });
    await world.ok("model/entity_update_name", { modelRef, entityRef: "key:named", value: "Name" });
    const { conflicts } = await undo(model, { runRef: run });
    const reasons = new Map(conflicts.map(({ ref, reason }: Body) => [ref, reason]));
    expect(reasons.get(`id:${type.id}`)).toContain("needs it");
    expect(reasons.get(`id:${named.id}`)).toContain("somebody else");
    expect(reasons.has(`id:${made.id}`)).toBe(false);
    const { items } = await world.read("model/entity_list", { modelRef });
    expect(items.map(({ key }: Body) => key)).toEqual(["named", "theirs"]);
  });

  test("leaves a row of renamed objects as it is where the key at its end is taken", async () => {
    const model = await aModel(world);
    const modelRef = model.ref;
    for (const typeKey of ["t0", "t1", "t2"]) await world.ok("model/type_create", { modelRef, typeKey });
    const run = await begin();
    for (const i of [2, 1, 0])
      await inRun(run, "model/type_update_key", { modelRef, typeRef: `key:t${i}`, value: `t${i + 1}` });
    await world.ok("model/type_create", { modelRef, typeKey: "t0" });
    const before = await exported(model);
    const { changed, conflicts } = await undo(model, { runRef: run });
    expect([changed, await exported(model)]).toEqual([false, before]);
    expect(conflicts.map(({ reason }: Body) => reason)).toEqual(
      ["t0", "t1", "t2"].map((key) => `type ${key} has its key now`),
    );
  });

  test("answers a plan in a dry run, and refuses an outdated one", async () => {
    const { model, customer, runs } = await aScene();
    const payload = { modelRef: model.ref, runRef: runs[2] };
    const { body } = await world.writesNothing(() => world.ok("model/model_undo", payload, { dryRun: true }));
    expect(body).toMatchObject({ dryRun: true, stepCount: body.steps.length, breaking: 1 });
    await world.ok("model/entity_update_name", { ...customer, value: "Customers" });
    const outdated = await world.refused("model/model_undo", { ...payload, plan: body.plan });
    expectProblem(outdated, "plan_outdated");
    await world.ok("model/model_undo", { ...payload, plan: outdated.members.plan });
  });

  test("keeps the model that it created, and refuses what was never there and more than one selection", async () => {
    const model = await aModel(world);
    const modelRef = model.ref;
    const refused = (what: object) => world.refused("model/model_undo", { modelRef, ...what });
    const { conflicts } = await undo(model, { revisions: [1] });
    expect(conflicts).toMatchObject([{ kind: "model", reason: expect.stringContaining("model_delete") }]);
    expectProblem(await refused({ revisions: [2] }), "not_found", "revision 2");
    expectProblem(await refused({ request: "never" }), "not_found", "never");
    expectProblem(await refused({ runRef: await begin() }), "not_found", model.key);
    expectProblem(await refused({ runRef: `id:${world.service.runtime.newId()}` }), "not_found", "no run");
    const names = ["/runRef", "/revisions", "/request", "/since"];
    expectFaults(await refused({}), ...names);
    expectFaults(await refused({ revisions: [1], request: "x" }), ...names);
    const many = Array.from({ length: LIMITS.undoneRevisions }, () => 1);
    expect(await undo(model, { revisions: many })).toMatchObject({ changed: false, undone: [1] });
    expectFaults(await refused({ revisions: [...many, 1] }), "/revisions");
  });

  test(`reads at most ${LIMITS.undoneChanges} changes`, { timeout: 120_000 }, async () => {
    const model = await aModel(world);
    const part = 500;
    const types = Array.from({ length: part }, (_, i) => ({ key: `t${i}` }));
    const apply = (content: object) =>
      world.ok("model/model_apply", { modelRef: model.ref, prune: true, content: { ...DOCUMENT, ...content } });
    // They come and go, so that the model stays small.
    for (let i = 0; i < LIMITS.undoneChanges / part; i++) await apply({ types: i % 2 === 0 ? types : [] });
    const payload = { modelRef: model.ref, revisions: [2] };
    await world.ok("model/model_undo", payload, { dryRun: true });
    await world.ok("model/model_update_name", { modelRef: model.ref, name: "One more" });
    expectProblem(await world.refused("model/model_undo", payload), "too_large", String(LIMITS.undoneChanges));
  });
});
