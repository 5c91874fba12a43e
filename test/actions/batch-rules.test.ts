import { describe, expect, test } from "vitest";
import { describeAction } from "../../shared/actions/describe/describe.ts";
import { LIMITS } from "../../shared/domain/limits.ts";
import type { Body } from "../support/world.ts";
import { expectProblem, newKey, useWorld } from "./support/checked-world.ts";
import { aModel, anEntity, entryOf as entry, exampleModel, type Made } from "./support/models.ts";

const world = useWorld();

const run = (actions: readonly object[], controls = {}) => world.ok("batch/batch_run", { actions }, controls);
const refused = (actions: readonly object[], controls = {}) => world.refused("batch/batch_run", { actions }, controls);
const etag = (model: Made, revision: number) => ({ ledgerId: model.id, revision });

describe("rules", () => {
  test("any signed-in caller may run a batch, and each entry requires the permission of its action", async () => {
    const model = await aModel(world);
    const read = entry("model_get", { modelRef: model.ref });
    const write = entry("type_create", { modelRef: model.ref, typeKey: "t" });
    const { people } = world;
    await world.okAs(people.reader, "batch/batch_run", { actions: [read] });
    const as = (caller: string | undefined, actions: readonly object[]) =>
      world.problem("batch/batch_run", { actions }, caller);
    const problem = await world.writesNothing(() => as(people.reader, [read, write]));
    expect([problem.code, problem.members.entry]).toEqual(["not_allowed", 2]);
    expect((await as(people.nobody, [read])).code).toBe("not_allowed");
    expect((await as(undefined, [read])).code).toBe("not_signed_in");
  });

  test("a caller without the permission for one entry learns nothing about the entries before it", async () => {
    const missing = entry("model_get", { modelRef: "key:nowhere" });
    const write = entry("model_delete", { modelRef: "key:nowhere" });
    const { reader } = world.people;
    const problem = await world.problem("batch/batch_run", { actions: [missing, write] }, reader);
    expect([problem.code, problem.members.entry]).toEqual(["not_allowed", 2]);
  });
});

describe("controls", () => {
  test("If-Match takes one tag of each model", async () => {
    const [one, two] = [await aModel(world), await aModel(world)];
    const actions = [
      entry("type_create", { modelRef: one.ref, typeKey: "t" }),
      entry("model_get", { modelRef: two.ref }),
    ];
    const problem = await world.writesNothing(() => refused(actions, { ifMatch: [etag(one, 1), etag(two, 7)] }));
    expect([problem.code, problem.members.currentRevision]).toEqual(["precondition_failed", 1]);
    const { body } = await run(actions, { ifMatch: [etag(one, 1), etag(two, 1)] });
    expect(body.results.map((r: Body) => r.revision)).toEqual([2, 1]);
  });

  test("If-Match with a tag of a model that no entry changes is refused", async () => {
    const [one, two] = [await aModel(world), await aModel(world)];
    const actions = [entry("type_create", { modelRef: one.ref, typeKey: "t" })];
    const problem = await world.writesNothing(() => refused(actions, { ifMatch: [etag(one, 1), etag(two, 1)] }));
    expect(problem.code).toBe("bad_precondition");
  });

  test("a repeated idempotency key replays the answer, and writes nothing more", async () => {
    const model = await aModel(world);
    const actions = [entry("entity_create", { modelRef: model.ref, entityKey: "once" })];
    const idempotencyKey = newKey("idempotency");
    const first = await run(actions, { idempotencyKey });
    const again = await world.writesNothing(() => run(actions, { idempotencyKey }));
    expect(again.replayed).toBe(true);
    expect(again.body).toEqual(first.body);
    const other = [entry("entity_create", { modelRef: model.ref, entityKey: "twice" })];
    expect((await refused(other, { idempotencyKey })).code).toBe("idempotency_key_reused");
  });

  test("a failed precondition is reported before an entry's own problem", async () => {
    const model = await aModel(world);
    const actions = [entry("type_get", { modelRef: model.ref, typeRef: "key:none" })];
    expect((await refused(actions, { ifMatch: [etag(model, 9)] })).code).toBe("precondition_failed");
  });

  test("a dry run answers every change and writes nothing", async () => {
    const [one, two] = [await aModel(world), await aModel(world)];
    await anEntity(world, one, "old");
    const actions = [
      entry("entity_delete", { modelRef: one.ref, entityRef: "key:old" }),
      entry("entity_create", { modelRef: two.ref, entityKey: "new" }),
    ];
    const { body, etag } = await world.writesNothing(() => run(actions, { dryRun: true }));
    expect(body).toMatchObject({ status: "ok", changed: true, dryRun: true });
    expect(body.changes.map((c: Body) => `${c.change} ${c.key}`)).toEqual(["delete old", "create new"]);
    expect(body.revisions.map((r: Body) => r.revision)).toEqual([3, 2]);
    expect(etag).toBeUndefined();
  });

  const DRY_RUN = [false, true];

  test.each(DRY_RUN)("a batch too large for several models is refused as a whole (dry run: %s)", async (dryRun) => {
    const [one, two] = [await aModel(world), await aModel(world)];
    const many = Array.from({ length: 60 }, (_, i) =>
      entry("entity_create", { modelRef: i % 2 ? one.ref : two.ref, entityKey: `e${i}` }),
    );
    expectProblem(await world.keepsEveryByte(() => refused(many, { dryRun })), "too_large", "may write to one model");
  });
});

test.each([
  0, 1,
])("a batch too large for one transaction that writes to two models, most to number %i, is refused with the advice to send one batch for each model", async (most) => {
  const actions = [await aModel(world), await aModel(world)].flatMap(({ ref: modelRef }, n) =>
    Array.from({ length: n === most ? LIMITS.transactionItems : 1 }, (_, i) =>
      entry("type_create", { modelRef, typeKey: `t${i}` }),
    ),
  );
  expectProblem(await world.writesNothing(() => refused(actions)), "too_large", "Send one batch for each model");
});

describe("an invalid entry", () => {
  test("is reported together with all others, before any of them runs", async () => {
    const modelRef = (await aModel(world)).ref;
    const problem = await refused([
      entry("entity_delete", { modelRef, entityRef: "key:there-is-none" }),
      entry("entity_create", { modelRef: "crm", nane: "x", entityKey: "a" }),
      entry("auth/login", { username: "admin", password: "x" }),
      entry("entity_create", { modelRef, entityKey: "$1.key", description: 7 }),
      entry("entity_create", { modelRef: "id:$9.id", entityKey: "$$1.b", name: "two\nlines" }),
      entry("entity_create", { modelRef: "id:$1.id", entityKey: "fine" }),
    ]);
    expect([problem.code, problem.members.entry]).toEqual(["bad_parameters", 2]);
    expect(problem.message).toContain("4 entries are invalid: 2, 3, 4, 5");
    expect(problem.members.errors?.map((e) => e.pointer).sort()).toEqual([
      ...["/actions/1/payload/modelRef", "/actions/1/payload/nane", "/actions/2/action"],
      ...["/actions/3/payload/description", "/actions/4/payload/modelRef", "/actions/4/payload/name"],
    ]);
  });

  test("is reported after missing permissions and unknown actions", async () => {
    const faulty = entry("entity_create", {});
    const { reader } = world.people;
    const call = { actions: [faulty, entry("entity_create", { modelRef: "key:x", entityKey: "a" })] };
    expect((await world.problem("batch/batch_run", call, reader)).code).toBe("not_allowed");
    const unknown = await refused([faulty, entry("entity_creat", {})]);
    expect(unknown).toMatchObject({ code: "unknown_action", members: { entry: 2 } });
  });

  test("reports as many faults as one problem may list", async () => {
    const many = Array.from({ length: LIMITS.listedFaults + 1 }, () => entry("entity_create", {}));
    expect((await refused(many)).members.errors).toHaveLength(LIMITS.listedFaults);
  });

  test.each([
    ["still_used", "type_delete", { typeRef: "key:string" }],
    ["too_few_roles", "relationship_role_delete", { relationshipRef: "key:places", relationshipRoleRef: "key:payer" }],
    ["version_not_greater", "model_release", { value: "0.0.1" }],
  ])("ends the batch with %s at its position", async (code, action, payload) => {
    const { model } = await exampleModel(world, newKey("crm"));
    const role = { modelRef: model.ref, relationshipRef: "key:places", relationshipRoleRef: "key:order" };
    const actions = [entry("relationship_role_delete", role), entry(action, { modelRef: model.ref, ...payload })];
    expect(await world.writesNothing(() => refused(actions))).toMatchObject({ code, members: { entry: 2 } });
  });

  test("ends with too_many_roles where key pairs are given to a relationship with three roles", async () => {
    const { model } = await exampleModel(world, newKey("crm"));
    const payload = { modelRef: model.ref, relationshipRef: "key:places", value: [["key:code", "key:number"]] };
    const pairs = entry("relationship_update_key_pairs", payload);
    expect(await refused([pairs])).toMatchObject({ code: "too_many_roles", members: { entry: 1 } });
  });

  test.each([
    ["source_not_recognised", { what: "is this" }],
    ["invalid_content", { fields: [{ name: "a", type: "no such type" }], name: "t", resources: 1 }],
  ])("ends the batch with %s where its content is not a model", async (code, content) => {
    expect(await refused([entry("import", { content })])).toMatchObject({ code, members: { entry: 1 } });
  });

  test("is refused for an answer that is too large to send", async () => {
    const model = await aModel(world);
    const value = "d".repeat(LIMITS.descriptionBytes);
    await world.ok("model/model_update_description", { modelRef: model.ref, value });
    const reads = Math.ceil(LIMITS.responseBytes / LIMITS.descriptionBytes);
    const problem = await refused(Array(reads).fill(entry("model_get", { modelRef: model.ref })));
    expect(problem.code).toBe("result_too_large");
  });

  test.each([
    ["auth/login", { username: "admin", password: "x" }],
    ["auth/admin_bootstrap", {}],
    ["batch/batch_run", { actions: [] }],
    ["batch/job_list", {}],
    ["config/inspect_config", {}],
    ["model/model_list", {}],
    ["model/inspect_models_json", {}],
    ["model/import", { from: "https://example.com/x.json" }],
  ])("%s is not allowed in a batch", async (path, payload) => {
    const [group = "", action = ""] = path.split("/");
    const problem = await refused([{ group, action, payload }]);
    expectProblem(problem, "bad_parameters", "is not allowed in a batch");
    expect(problem.members.errors).toHaveLength(1);
    const described = describeAction(await world.service.registry.find(group, action));
    expect(described.description).toContain("be part of a batch");
  });

  test.each([
    [[], "/actions"],
    ["x", "/actions"],
    [["x"], "/actions/0"],
    [[{ group: "model" }], "/actions/0/action"],
    [[{ group: "model", action: "model_get", payload: [] }], "/actions/0/payload"],
    [[{ group: "model", action: "model_get", payload: {}, more: 1 }], "/actions/0"],
  ])("%j is refused at %s", async (actions, pointer) => {
    const problem = await world.refused("batch/batch_run", { actions });
    expect(problem.code).toBe("bad_parameters");
    expect(problem.members.errors?.map((e) => e.pointer)).toEqual([pointer]);
  });
});
