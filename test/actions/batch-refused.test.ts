import { describe, expect, test } from "vitest";
import { describeAction } from "../../shared/actions/describe/describe.ts";
import { LIMITS } from "../../shared/domain/limits.ts";
import { useWorld } from "./support/checked-world.ts";
import { aModel } from "./support/models.ts";

const world = useWorld();

const entry = (action: string, payload: object, group = "model") => ({ group, action, payload });
const refused = (actions: readonly object[]) => world.refused("batch/batch_run", { actions });

test.each([
  0, 1,
])("a batch too large for one transaction that writes to two models, most to number %i, is refused with the advice to send one batch for each model", async (most) => {
  const models = [await aModel(world), await aModel(world)];
  const actions = models.flatMap(({ ref: modelRef }, n) =>
    Array.from({ length: n === most ? LIMITS.transactionItems : 1 }, (_, i) =>
      entry("type_create", { modelRef, typeKey: `t${i}` }),
    ),
  );
  const problem = await world.writesNothing(() => refused(actions));
  expect(problem.code).toBe("too_large");
  expect(problem.message).toContain("Send one batch for each model");
});

describe("an invalid entry", () => {
  test("reports its faults under its own payload", async () => {
    const model = await aModel(world);
    const problem = await refused([
      entry("model_get", { modelRef: model.ref }),
      entry("entity_create", { modelRef: "crm", nane: "x" }),
    ]);
    expect(problem.members.entry).toBe(2);
    expect(problem.members.errors?.map((e) => e.pointer).sort()).toEqual([
      "/actions/1/payload/entityKey",
      "/actions/1/payload/modelRef",
      "/actions/1/payload/nane",
    ]);
  });

  test("is reported together with all others, before any of them runs", async () => {
    const model = await aModel(world);
    const modelRef = model.ref;
    const problem = await refused([
      entry("entity_delete", { modelRef, entityRef: "key:there-is-none" }),
      entry("entity_create", { modelRef: "crm", nane: "x", entityKey: "a" }),
      entry("login", { username: "admin", password: "x" }, "auth"),
      entry("entity_create", { modelRef, entityKey: "$1.key", description: 7 }),
      entry("entity_create", { modelRef: "id:$9.id", entityKey: "$$1.b", name: "two\nlines" }),
      entry("entity_create", { modelRef: "id:$1.id", entityKey: "fine" }),
    ]);
    expect([problem.code, problem.members.entry]).toEqual(["bad_parameters", 2]);
    expect(problem.message).toContain("4 entries are invalid: 2, 3, 4, 5");
    expect(problem.members.errors?.map((e) => e.pointer).sort()).toEqual([
      "/actions/1/payload/modelRef",
      "/actions/1/payload/nane",
      "/actions/2/action",
      "/actions/3/payload/description",
      "/actions/4/payload/modelRef",
      "/actions/4/payload/name",
    ]);
  });

  test("is reported after missing permissions and unknown actions", async () => {
    const faulty = entry("entity_create", {});
    const { reader } = world.people;
    const call = { actions: [faulty, entry("entity_create", { modelRef: "key:x", entityKey: "a" })] };
    expect((await world.problem("batch/batch_run", call, reader)).code).toBe("not_allowed");
    expect(await refused([faulty, entry("entity_creat", {})])).toMatchObject({
      code: "unknown_action",
      members: { entry: 2 },
    });
  });

  test("reports as many faults as one problem may list", async () => {
    const many = Array.from({ length: LIMITS.listedFaults + 1 }, () => entry("entity_create", {}));
    expect((await refused(many)).members.errors).toHaveLength(LIMITS.listedFaults);
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
    expect(problem.code).toBe("bad_parameters");
    expect(problem.message).toContain("is not allowed in a batch");
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
