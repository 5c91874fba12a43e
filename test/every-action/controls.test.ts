import { describe, expect, test } from "vitest";
import type { Controls } from "../../shared/actions/contract/call.ts";
import { CONCERNING, LISTED, type Listed, ledgerOf, payloadOn } from "../actions/support/calls.ts";
import { expectProblem, newKey, useWorld } from "../actions/support/checked-world.ts";
import { aType, type Example, exampleModel, revisionOf } from "../actions/support/models.ts";

const world = useWorld();

let made: Promise<Example> | undefined;

const example = (): Promise<Example> => (made ??= exampleModel(world, newKey("crm")));

/** The model or ledger that a call concerns, as its entity tag names it. */
async function placeOf(one: Listed): Promise<{ readonly modelId: string; readonly revision: number }> {
  const { model, revision, gone } = await example();
  if (one.action.findsDeleted) return { modelId: gone.id, revision: 2 };
  const ledger = ledgerOf(one);
  if (ledger === "model") return { modelId: model.id, revision };
  const { etag = "" } = await world.ok(ledger === "tags" ? "tag/tag_group_list" : "auth/role_list");
  return { modelId: ledger, revision: Number(etag.slice(`${ledger}-`.length)) };
}

const payloadOf = async (listed: Listed) => payloadOn(listed, await example());
/** The actions but for those on many models; the batch has a suite of its own. */
const SINGLE = LISTED.filter(({ action }) => !action.manyModels);
const WRITES = SINGLE.filter(({ writes }) => writes);
const READS = LISTED.filter(({ writes }) => !writes);
const CONCERNING_WRITES = CONCERNING.filter(({ writes }) => writes);
const CONCERNING_READS = CONCERNING.filter(({ writes }) => !writes);
/** Reads of past states: test/store/read/past-properties.test.ts tests their entity tags. */
const OF_NOW = CONCERNING_READS.filter(({ path }) => path !== "model/model_export_version");
const refusals = (listed: readonly Listed[]) => listed.map((one) => ({ ...one, one }));

describe.each<[header: string, why: string, listed: readonly Listed[], controls: (e: Example) => Partial<Controls>]>([
  ["Dry-Run", "writes nothing", READS, () => ({ dryRun: true })],
  ["Idempotency-Key", "does not write", READS, () => ({ idempotencyKey: "k" })],
  [
    "If-Match",
    "does not write to an existing model",
    SINGLE.filter((one) => !CONCERNING_WRITES.includes(one)),
    ({ model, revision }) => ({ ifMatch: [{ ledgerId: model.id, revision }] }),
  ],
  [
    "If-None-Match",
    "does not read one model",
    LISTED.filter((one) => !CONCERNING_READS.includes(one)),
    ({ model, revision }) => ({ ifNoneMatch: [`${model.id}-${revision}`] }),
  ],
])("%s for an action that %s", (header, _, listed, controls) => {
  test.each(refusals(listed))("is refused by $path", async ({ path, one }) => {
    const [payload, control] = [await payloadOf(one), controls(await example())];
    expectProblem(await world.writesNothing(() => world.refused(path, payload, control)), "bad_precondition", header);
  });
});

describe("Dry-Run", () => {
  test.each(refusals(WRITES))("$path answers its changes and writes nothing", async ({ path, one }) => {
    const e = await example();
    const payload = await payloadOf(one);
    const { body } = await world.keepsEveryByte(() => world.ok(path, payload, { dryRun: true }));
    expect(body).toMatchObject({ status: "ok", dryRun: true, changed: true });
    expect(body.changes.length).toBeGreaterThan(0);
    const begins = !CONCERNING.includes(one) || path.endsWith("_copy");
    expect(body.revision).toBe(begins ? 1 : (await placeOf(one)).revision + 1);
    // A role lives in its relationship, which is what changes.
    const inside = path.includes("_role_");
    // An undelete creates every object again.
    const intent = one.action.findsDeleted ? "create" : one.action.intent;
    expect(body.changes[0]).toMatchObject({ change: inside ? "update" : intent, id: inside ? e.places.id : body.id });
  });

  test("answers no entity tag of a revision that another writer may still create", async () => {
    const e = await example();
    const payload = { modelRef: e.model.ref, typeKey: "new" };
    const { etag } = await world.ok("model/type_create", payload, { dryRun: true });
    // A caller who sent the entity tag of a dry run with If-Match would overwrite another writer's revision.
    expect([undefined, `${e.model.id}-${e.revision}`]).toContain(etag);
  });

  test("answers the same problems as a real call", async () => {
    const { key, ref: modelRef } = (await example()).model;
    for (const [action, payload, code] of [
      ["type_create", { typeKey: "string" }, "key_taken"],
      ["type_delete", { typeRef: "key:string" }, "still_used"],
      ["type_delete", { typeRef: "key:none" }, "not_found"],
      ["model_copy", { modelNewKey: key }, "key_taken"],
    ] as const) {
      expect((await world.refused(`model/${action}`, { modelRef, ...payload }, { dryRun: true })).code).toBe(code);
    }
  });

  test("of a call without effect reports no change", async () => {
    const e = await example();
    const payload = { modelRef: e.model.ref, name: `Model ${e.model.key}` };
    const { body } = await world.ok("model/model_update_name", payload, { dryRun: true });
    expect(body).toMatchObject({ dryRun: true, changed: false, changes: [], revision: e.revision });
  });
});

describe("If-Match", () => {
  test.each(refusals(CONCERNING_WRITES))("$path runs only at the given revision", async ({ path, one }) => {
    const e = await example();
    const payload = await payloadOf(one);
    const { modelId, revision: currentRevision } = await placeOf(one);
    const pinned = (revision: number, id = modelId) => ({ ifMatch: [{ ledgerId: id, revision }] });
    await world.ok(path, payload, { ...pinned(currentRevision), dryRun: true });
    for (const stale of [currentRevision - 1, currentRevision + 1, 0]) {
      const problem = await world.writesNothing(() => world.refused(path, payload, pinned(stale)));
      expect(problem).toMatchObject({ code: "precondition_failed", members: { currentRevision } });
    }
    const foreign = await world.refused(path, payload, pinned(currentRevision, e.customer.id));
    expect(foreign).toMatchObject({ code: "precondition_failed", members: { currentRevision } });
  });

  test("is refused with two tags, because the action is about one model", async () => {
    const { model, revision } = await example();
    const pin = { ledgerId: model.id, revision };
    const payload = { modelRef: model.ref, typeKey: "new" };
    expect((await world.refused("model/type_create", payload, { ifMatch: [pin, pin] })).code).toBe("bad_precondition");
  });

  test("for an unknown model is 404", async () => {
    const { model, revision } = await example();
    const pin = { ifMatch: [{ ledgerId: model.id, revision }] };
    const problem = await world.refused("model/type_create", { modelRef: "key:none", typeKey: "new" }, pin);
    expect(problem.code).toBe("not_found");
  });
});

describe("If-None-Match", () => {
  test.each(refusals(OF_NOW))("$path answers 304 while the model has not changed", async ({ path, one }) => {
    const { modelId, revision } = await placeOf(one);
    const current = `${modelId}-${revision}`;
    const payload = await payloadOf(one);
    for (const ifNoneMatch of [[current], [`${modelId}-0`, current], ["*"]]) {
      const answer = await world.ok(path, payload, { ifNoneMatch });
      expect(answer).toMatchObject({ notModified: true, etag: current, body: undefined });
    }
    const moved = await world.ok(path, payload, { ifNoneMatch: [`${modelId}-${revision - 1}`] });
    expect(moved).toMatchObject({ etag: current, body: expect.anything() });
    expect(moved.notModified ?? false).toBe(false);
  });

  test("gets a full answer after any change of the model", async () => {
    const e = await exampleModel(world, newKey("crm"));
    const read = { modelRef: e.model.ref, entityRef: e.customer.ref };
    const { etag = "" } = await world.ok("model/entity_get", read);
    await aType(world, e.model);
    const answer = await world.ok("model/entity_get", read, { ifNoneMatch: [etag] });
    expect(answer.etag).toBe(`${e.model.id}-${e.revision + 1}`);
    expect(answer.body).toMatchObject({ id: e.customer.id });
  });
});

describe("Idempotency-Key", () => {
  test("replays the answer of the same call without executing it again", async () => {
    const { model } = await exampleModel(world, newKey("crm"));
    const payload = { modelRef: model.ref, typeKey: "once" };
    const control = { idempotencyKey: newKey("idempotency") };
    const first = await world.ok("model/type_create", payload, control);
    expect(first.replayed ?? false).toBe(false);
    const again = await world.writesNothing(() => world.ok("model/type_create", payload, control));
    expect(again).toMatchObject({ body: first.body, etag: first.etag, replayed: true });
  });

  test("is refused with another payload", async () => {
    const { model } = await exampleModel(world, newKey("crm"));
    const control = { idempotencyKey: newKey("idempotency") };
    await world.ok("model/type_create", { modelRef: model.ref, typeKey: "one" }, control);
    const problem = await world.refused("model/type_create", { modelRef: model.ref, typeKey: "two" }, control);
    expect(problem.code).toBe("idempotency_key_reused");
  });

  test("belongs to one caller and one action", async () => {
    const { model, revision } = await exampleModel(world, newKey("crm"));
    const control = { idempotencyKey: newKey("idempotency") };
    await world.ok("model/type_create", { modelRef: model.ref, typeKey: "mine" }, control);
    const others = { modelRef: model.ref, typeKey: "theirs" };
    const answer = await world.answer("model/type_create", others, world.people.manager, control);
    expect(answer).toMatchObject({ body: { changed: true } });
    await world.ok("model/entity_create", { modelRef: model.ref, entityKey: "mine" }, control);
    expect(await revisionOf(world, model)).toBe(revision + 3);
  });

  test("records the answer of a write without changes", async () => {
    const { model, revision } = await exampleModel(world, newKey("crm"));
    const control = { idempotencyKey: newKey("idempotency") };
    const payload = { modelRef: model.ref, name: `Model ${model.key}` };
    const first = await world.ok("model/model_update_name", payload, control);
    expect(first.body).toMatchObject({ changed: false, revision });
    await aType(world, model);
    const again = await world.ok("model/model_update_name", payload, control);
    expect(again).toMatchObject({ body: first.body, etag: first.etag, replayed: true });
  });

  test("is refused in a dry run", async () => {
    const { model } = await example();
    const payload = { modelRef: model.ref, typeKey: "new" };
    const problem = await world.refused("model/type_create", payload, { dryRun: true, idempotencyKey: "k" });
    expect(problem.code).toBe("bad_precondition");
  });
});
