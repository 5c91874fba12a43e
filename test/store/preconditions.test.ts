import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { openTable, type TestTable } from "../support/table.ts";
import { createWorld, type World } from "../support/world.ts";
import { checkModel } from "./support/check-model.ts";
import { createFaultSeam, type FaultSeam } from "./support/fault-seam.ts";
import { type JobCaller, jobCallerOver } from "./support/job-callers.ts";
import { quickAmbient } from "./support/quick-ambient.ts";
import { sceneDocument } from "./support/scene.ts";
import { writtenBody } from "./support/service-over.ts";

const { callStagingMs } = LIMITS;

let table: TestTable;
let world: World;
let seam: FaultSeam;
let clock: ReturnType<typeof quickAmbient>;
let caller: JobCaller;
let quiet: JobCaller;

beforeEach(async () => {
  table = await openTable();
  world = await createWorld({ seam: table.seam });
  seam = createFaultSeam(table.seam);
  clock = quickAmbient();
  caller = jobCallerOver(world, seam, clock);
  quiet = jobCallerOver(world, table.seam, clock);
});

afterEach(() => {
  Object.assign(LIMITS, { callStagingMs });
});

/** A model that was released and has changed since: it is at revision 2. */
async function changedModel(key: string): Promise<string> {
  const { id } = writtenBody(await quiet.call("import", { content: sceneDocument(key) }));
  await describe1(key, "Changed");
  return id;
}

async function describe1(key: string, value: string): Promise<void> {
  writtenBody(await quiet.call("entity_update_name", { modelRef: `key:${key}`, entityRef: "key:order", value }));
}

const nameOfOrder = async (key: string): Promise<string> =>
  (await world.run("model/entity_get", { modelRef: `key:${key}`, entityRef: "key:order" })).name;

/** Something that happens right before the transaction that publishes. */
const beforePublishing = (happens: () => Promise<unknown>): void =>
  seam.arm({ rules: [{ match: { operation: "transactWrite", key: /^stagings\|/ }, do: { before: happens } }] });

/** Calls as a job: everything is too large for one call. */
async function accepted(action: string, payload: object, ifMatch: { modelId: string; revision: number }[]) {
  Object.assign(LIMITS, { callStagingMs: 0 });
  const outcome = await caller.call(action, payload, { ifMatch });
  Object.assign(LIMITS, { callStagingMs });
  return caller.jobIn(outcome);
}

describe("a job that was accepted with If-Match", () => {
  const restore = { modelRef: "key:m", revision: 1 };

  test("is done where nothing came between", async () => {
    const modelId = await changedModel("m");
    const id = await accepted("model_restore", restore, [{ modelId, revision: 2 }]);
    expect(await caller.work(id)).toBe("done");
    expect(await caller.job(id)).toMatchObject({ state: "done", result: { revision: 3 } });
  });

  test("ends in precondition_failed where a commit came before its worker, and that commit stays", async () => {
    const modelId = await changedModel("m");
    const id = await accepted("model_restore", restore, [{ modelId, revision: 2 }]);
    await describe1("m", "By another");
    expect(await caller.work(id)).toBe("failed");
    expect(await caller.job(id)).toMatchObject({ state: "failed", problem: { code: "precondition_failed" } });
    expect(await nameOfOrder("m")).toBe("By another");
    expect(await checkModel(table.seam, modelId)).toEqual([]);
  });

  test("ends so also where it came right before the publishing transaction", async () => {
    const modelId = await changedModel("m");
    const id = await accepted("model_restore", restore, [{ modelId, revision: 2 }]);
    beforePublishing(() => describe1("m", "By another"));
    expect(await caller.work(id)).toBe("failed");
    expect(await caller.job(id)).toMatchObject({ problem: { code: "precondition_failed" } });
    expect(await nameOfOrder("m")).toBe("By another");
  });

  test("copies no other revision of a model than the one that was named", async () => {
    const modelId = await changedModel("m");
    const id = await accepted("model_copy", { modelRef: "key:m", modelNewKey: "n" }, [{ modelId, revision: 2 }]);
    beforePublishing(() => describe1("m", "By another"));
    expect(await caller.work(id)).toBe("failed");
    expect(await caller.job(id)).toMatchObject({ problem: { code: "precondition_failed" } });
    expect((await world.problem("model/model_get", { modelRef: "key:n" })).code).toBe("not_found");
  });
});

test("a copy with If-Match is of that revision alone, also where another commit comes right before it is published", async () => {
  const modelId = await changedModel("m");
  beforePublishing(() => describe1("m", "By another"));
  const ifMatch = [{ modelId, revision: 2 }];
  const { problem } = await caller.call("model_copy", { modelRef: "key:m", modelNewKey: "n" }, { ifMatch });
  expect(problem).toMatchObject({ code: "precondition_failed", members: { currentRevision: 3 } });
  expect((await world.problem("model/model_get", { modelRef: "key:n" })).code).toBe("not_found");
});

describe("a batch with If-Match for a model that it only reads", () => {
  const entry = (action: string, payload: object) => ({ group: "model", action, payload });
  const reads = (key: string) => entry("entity_get", { modelRef: `key:${key}`, entityRef: "key:order" });
  const writes = entry("type_create", { modelRef: "key:written", typeKey: "made" });

  /** So many commits to the model that is read, whenever the batch sends a transaction. */
  async function overtaken(actions: readonly object[], key: string) {
    const modelId = await changedModel("read");
    await changedModel("written");
    const match = { operation: "transactWrite", key: /^log#/ } as const;
    seam.arm({ rules: [{ match, do: { before: () => describe1("read", "By another") } }] });
    const ifMatch = [{ modelId, revision: 2 }];
    const outcome = await caller.call("batch/batch_run", { actions }, { ifMatch });
    const made = await world.answer("model/type_get", { modelRef: "key:written", typeRef: `key:${key}` }).then(
      () => true,
      () => false,
    );
    return { problem: outcome.problem, made };
  }

  test("writes nothing where that model moves before the commit", async () => {
    const { problem, made } = await overtaken([reads("read"), writes], "made");
    expect(problem).toMatchObject({ code: "precondition_failed", members: { currentRevision: 3 } });
    expect(made).toBe(false);
  });

  test("publishes nothing where it moves before the publication", async () => {
    const many = Array.from({ length: LIMITS.transactionItems }, (_, i) =>
      entry("type_create", { modelRef: "key:written", typeKey: `made${i}` }),
    );
    const { problem, made } = await overtaken([reads("read"), ...many], "made0");
    expect(problem).toMatchObject({ code: "precondition_failed", members: { currentRevision: 3 } });
    expect(made).toBe(false);
  });

  test("writes where that model stays", async () => {
    const modelId = await changedModel("read");
    await changedModel("written");
    const ifMatch = [{ modelId, revision: 2 }];
    const { answer } = await caller.call("batch/batch_run", { actions: [reads("read"), writes] }, { ifMatch });
    expect(answer?.body).toMatchObject({ changed: true });
  });

  test("counts every such model among the items of the transaction", async () => {
    await changedModel("written");
    const ids = new Map<string, string>();
    // The type with its id, the log entry, and a check for each model that is read.
    const most = LIMITS.transactionItems - 3;
    for (let i = 0; i <= most; i++)
      ids.set(`r${i}`, (await world.run("model/model_create", { key: `r${i}`, name: "R" })).id);
    const of = (count: number) => ({
      actions: [...ids.keys()].slice(0, count).map((key) => entry("model_get", { modelRef: `key:${key}` })),
      ifMatch: [...ids.values()].slice(0, count).map((modelId) => ({ modelId, revision: 1 })),
    });
    const over = of(most + 1);
    const refused = await caller.call(
      "batch/batch_run",
      { actions: [...over.actions, writes] },
      { ifMatch: over.ifMatch },
    );
    expect(refused.problem?.code).toBe("too_large");
    const at = of(most);
    const done = await caller.call("batch/batch_run", { actions: [...at.actions, writes] }, { ifMatch: at.ifMatch });
    expect(done.answer?.body).toMatchObject({ changed: true });
  });
});
