import { describe, expect, test } from "vitest";
import type { Body } from "../support/world.ts";
import { useWorld } from "./support/checked-world.ts";
import { aModel, anEntity, type Made } from "./support/models.ts";

const world = useWorld();

const entry = (action: string, payload: object) => ({ group: "model", action, payload });
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
    const late = { ifMatch: [etag(one, 1), etag(two, 7)] };
    const problem = await world.writesNothing(() => refused(actions, late));
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

  test("a failed precondition is reported before an entry's own problem", async () => {
    const model = await aModel(world);
    const actions = [entry("type_get", { modelRef: model.ref, typeRef: "key:none" })];
    expect((await refused(actions, { ifMatch: [etag(model, 9)] })).code).toBe("precondition_failed");
  });

  test("a dry run answers every change and writes nothing", async () => {
    const [one, two] = [await aModel(world), await aModel(world)];
    await anEntity(world, one, "old");
    const { body, etag } = await world.writesNothing(() =>
      run(
        [
          entry("entity_delete", { modelRef: one.ref, entityRef: "key:old" }),
          entry("entity_create", { modelRef: two.ref, entityKey: "new" }),
        ],
        { dryRun: true },
      ),
    );
    expect(body).toMatchObject({ status: "ok", changed: true, dryRun: true });
    expect(body.changes.map((c: Body) => [c.change, c.key])).toEqual([
      ["delete", "old"],
      ["create", "new"],
    ]);
    expect(body.revisions.map((r: Body) => r.revision)).toEqual([3, 2]);
    expect(etag).toBeUndefined();
  });

  test.each([
    false,
    true,
  ])("a batch too large for several models is refused as a whole (dry run: %s)", async (dryRun) => {
    const [one, two] = [await aModel(world), await aModel(world)];
    const many = Array.from({ length: 60 }, (_, i) =>
      entry("entity_create", { modelRef: i % 2 ? one.ref : two.ref, entityKey: `e${i}` }),
    );
    const problem = await world.keepsEveryByte(() => refused(many, { dryRun }));
    expect(problem.code).toBe("too_large");
    expect(problem.message).toContain("may write to one model");
  });
});
