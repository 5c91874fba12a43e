import { describe, expect, test } from "vitest";
import type { Body } from "../support/world.ts";
import {
  aGlobalTag,
  aModel,
  anEntity,
  aTagGroup,
  aType,
  exampleModel,
  type Made,
  revisionOf,
} from "./support/models.ts";
import { expectFaults, newKey, useStage } from "./support/stage.ts";

const stage = useStage();

const exported = (model: Made): Promise<Body> => stage.read("model/model_export", { modelRef: model.byId });
const restore = async (model: Made, moment: object) =>
  (await stage.ok("model/model_restore", { modelRef: model.byId, ...moment })).body;
const refused = (model: Made, moment: object) =>
  stage.refused("model/model_restore", { modelRef: model.byId, ...moment });

describe("model_restore", () => {
  test("brings everything back as it was, under its ids", async () => {
    const { model, revision, customer, draft } = await exampleModel(stage, newKey("restored"));
    const then = await exported(model);
    const at = { modelRef: model.ref };
    await stage.ok("model/entity_delete", { ...at, entityRef: customer.ref });
    await stage.ok("tag/tag_local_delete", { ...at, tagRef: draft.ref });
    await stage.ok("model/relationship_delete", { ...at, relationshipRef: "key:places" });
    await stage.ok("model/model_update_description", { ...at, value: "Changed." });
    await anEntity(stage, model, "customer");
    await anEntity(stage, model, "another");
    const before = await revisionOf(stage, model);
    const answer = await restore(model, { revision });
    expect(answer).toMatchObject({
      ...{ status: "ok", id: model.id, key: model.key, changed: true },
      ...{ revision: before + 1, restoredRevision: revision, losses: [] },
    });
    expect(JSON.stringify(await exported(model))).toBe(JSON.stringify(then));
    const found = await stage.read("model/entity_get", { ...at, entityRef: customer.byId });
    expect(found).toMatchObject({ id: customer.id, key: "customer" });
    await stage.ok("model/entity_update_name", { ...at, entityRef: "key:customer", value: "Still at work" });
  });

  test("takes a released version too", async () => {
    const model = await aModel(stage);
    await aType(stage, model, "t");
    await stage.ok("model/model_release", { modelRef: model.ref, value: "1.0.0" });
    await aType(stage, model, "u");
    expect(await restore(model, { version: "1.0.0" })).toMatchObject({ restoredRevision: 3, losses: [] });
    expect((await exported(model)).types.map(({ key }: Made) => key)).toEqual(["t"]);
  });

  test("keeps the version label, and says so", async () => {
    const model = await aModel(stage);
    await stage.ok("model/model_release", { modelRef: model.ref, value: "1.0.0" });
    const { losses } = await restore(model, { version: "0.0.1" });
    expect(losses).toMatchObject([{ id: model.id, detail: expect.stringContaining("1.0.0") }]);
    expect((await exported(model)).version).toBe("1.0.0");
  });

  test("brings the model's key back, unless another model has it now", async () => {
    const model = await aModel(stage);
    const [second, third] = [newKey("second"), newKey("third")];
    await stage.ok("model/model_update_key", { modelRef: model.byId, value: second });
    await stage.ok("model/model_update_key", { modelRef: model.byId, value: third });
    expect(await restore(model, { revision: 2 })).toMatchObject({ key: second, losses: [] });
    expect((await stage.read("model/model_get", { modelRef: `key:${second}` })).id).toBe(model.id);
    const other = await aModel(stage, model.key);
    const { key, losses } = await restore(model, { revision: 1 });
    expect(key).toBe(second);
    expect(losses).toMatchObject([{ id: model.id, detail: expect.stringContaining(model.key) }]);
    expect((await stage.read("model/model_get", { modelRef: model.ref })).id).toBe(other.id);
  });

  test("says which marks of global tags are lost, once for each object, and of no others", async () => {
    const group = await aTagGroup(stage);
    const [kept, early, late] = [
      await aGlobalTag(stage, group, "kept"),
      await aGlobalTag(stage, group, "early"),
      await aGlobalTag(stage, group, "late"),
    ];
    const model = await aModel(stage);
    const entity = await anEntity(stage, model);
    for (const { ref } of [kept, early, late]) {
      await stage.ok("model/entity_add_tag", { modelRef: model.ref, entityRef: entity.ref, tagRef: ref });
    }
    await stage.ok("tag/tag_global_delete", { tagRef: early.byId });
    await stage.ok("model/entity_update_name", { modelRef: model.ref, entityRef: entity.ref, value: "Then" });
    const revision = await revisionOf(stage, model);
    await stage.ok("tag/tag_global_delete", { tagRef: late.byId });
    await stage.ok("model/entity_update_name", { modelRef: model.ref, entityRef: entity.ref, value: "Now" });
    const { losses } = await restore(model, { revision });
    expect(losses).toMatchObject([{ id: entity.id, detail: expect.stringContaining("1 global tag") }]);
    const [document] = (await exported(model)).entities;
    expect(document).toMatchObject({ name: "Then", tags: [kept.ref] });
  });

  test("to the newest state changes nothing", async () => {
    const { model, revision } = await exampleModel(stage, newKey("newest"));
    const answer = await stage.writesNothing(() => restore(model, { revision }));
    expect(answer).toMatchObject({ changed: false, revision, restoredRevision: revision, losses: [] });
  });

  test("can be undone by another", async () => {
    const { model, revision, customer } = await exampleModel(stage, newKey("undone"));
    await stage.ok("model/entity_delete", { modelRef: model.ref, entityRef: customer.ref });
    const without = JSON.stringify(await exported(model));
    await restore(model, { revision });
    await restore(model, { revision: revision + 1 });
    expect(JSON.stringify(await exported(model))).toBe(without);
    const past = await stage.read("model/model_export", { modelRef: model.ref, revision: revision + 2 });
    expect(past.entities.map(({ key }: Made) => key)).toContain("customer");
  });

  test("can be rehearsed: it says what it would change and lose, and writes nothing", async () => {
    const model = await aModel(stage);
    const type = await aType(stage, model, "t");
    await stage.ok("model/model_release", { modelRef: model.ref, value: "1.0.0" });
    const payload = { modelRef: model.ref, revision: 1 };
    const { body } = await stage.keepsEveryByte(() => stage.ok("model/model_restore", payload, { dryRun: true }));
    expect(body).toMatchObject({ dryRun: true, changed: true, revision: 4, losses: [{ id: model.id }] });
    expect(body.changes).toEqual([{ change: "delete", kind: "type", id: type.id, key: "t" }]);
  });

  test("is pinned by If-Match and repeated by its idempotency key", async () => {
    const model = await aModel(stage);
    await aType(stage, model, "t");
    const payload = { modelRef: model.ref, revision: 1 };
    const pin = (revision: number) => ({ ifMatch: [{ ledgerId: model.id, revision }] });
    expect((await stage.refused("model/model_restore", payload, pin(1))).code).toBe("precondition_failed");
    const controls = { ...pin(2), idempotencyKey: newKey() };
    const first = await stage.ok("model/model_restore", payload, controls);
    expect(first.etag).toBe(`${model.id}-3`);
    const again = await stage.ok("model/model_restore", payload, controls);
    expect(again).toMatchObject({ body: first.body, replayed: true });
    expect(await revisionOf(stage, model)).toBe(3);
  });

  test("asks for one moment that the model had", async () => {
    const model = await aModel(stage);
    expectFaults(await refused(model, {}), "/version", "/revision");
    expectFaults(await refused(model, { version: "0.0.1", revision: 1 }), "/version", "/revision");
    // Parameters come before objects.
    const both = { modelRef: "key:no such model", version: "0.0.1", revision: 1 };
    for (const action of ["model/model_restore", "model/model_export"]) {
      expectFaults(await stage.refused(action, both), "/version", "/revision");
    }
    expect((await refused(model, { version: "8.0.0" })).message).toContain("8.0.0");
    const problem = await refused(model, { revision: 8 });
    expect([problem.code, problem.message]).toEqual(["not_found", expect.stringContaining("8")]);
  });

  test("needs the permission model_write, and is no part of a batch", async () => {
    const model = await aModel(stage);
    const payload = { modelRef: model.ref, revision: 1 };
    const { people, problem } = stage.world;
    expect((await problem("model/model_restore", payload, people.reader)).code).toBe("not_allowed");
    const actions = [{ group: "model", action: "model_restore", payload }];
    expect((await stage.refused("batch/batch_run", { actions })).code).toBe("bad_parameters");
  });
});
