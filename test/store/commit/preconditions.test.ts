import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { LIMITS } from "../../../shared/domain/limits.ts";
import { STAGINGS } from "../../../shared/store/table/keys.ts";
import { openTable, type TestTable } from "../../support/table.ts";
import { createWorld, type World } from "../../support/world.ts";
import { checkModel, partition } from "../support/check-model.ts";
import { createFaultTable, type FaultTable } from "../support/fault-table.ts";
import { type JobCaller, jobCallerOver } from "../support/job-callers.ts";
import { quickAmbient } from "../support/quick-ambient.ts";
import { sceneDocument } from "../support/scene.ts";
import { writtenBody } from "../support/service-over.ts";

const { callStagingMs } = LIMITS;

let opened: TestTable;
let world: World;
let table: FaultTable;
let clock: ReturnType<typeof quickAmbient>;
let caller: JobCaller;
let quiet: JobCaller;

beforeEach(async () => {
  opened = await openTable();
  world = await createWorld({ table: opened.table });
  table = createFaultTable(opened.table);
  clock = quickAmbient();
  caller = jobCallerOver(world, table, clock);
  quiet = jobCallerOver(world, opened.table, clock);
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
  table.arm({ rules: [{ match: { operation: "transactWrite", key: /^stagings\|/ }, do: { before: happens } }] });

/** Calls as a job: everything is too large for one call. */
async function accepted(action: string, payload: object, ifMatch: { ledgerId: string; revision: number }[]) {
  Object.assign(LIMITS, { callStagingMs: 0 });
  const outcome = await caller.call(action, payload, { ifMatch });
  Object.assign(LIMITS, { callStagingMs });
  return caller.jobIn(outcome);
}

describe("a job that was accepted with If-Match", () => {
  const restore = { modelRef: "key:m", revision: 1 };

  test("succeeds without other commits", async () => {
    const modelId = await changedModel("m");
    const id = await accepted("model_restore", restore, [{ ledgerId: modelId, revision: 2 }]);
    expect(await caller.work(id)).toBe("done");
    expect(await caller.job(id)).toMatchObject({ state: "done", result: { revision: 3 } });
  });

  test("ends in precondition_failed if a commit came before its worker, and that commit stays", async () => {
    const modelId = await changedModel("m");
    const id = await accepted("model_restore", restore, [{ ledgerId: modelId, revision: 2 }]);
    await describe1("m", "By another");
    expect(await caller.work(id)).toBe("failed");
    expect(await caller.job(id)).toMatchObject({ state: "failed", problem: { code: "precondition_failed" } });
    expect(await nameOfOrder("m")).toBe("By another");
    expect(await checkModel(opened.table, modelId)).toEqual([]);
  });

  test("ends in it too if the commit came just before the publishing transaction", async () => {
    const modelId = await changedModel("m");
    const id = await accepted("model_restore", restore, [{ ledgerId: modelId, revision: 2 }]);
    beforePublishing(() => describe1("m", "By another"));
    expect(await caller.work(id)).toBe("failed");
    expect(await caller.job(id)).toMatchObject({ problem: { code: "precondition_failed" } });
    expect(await nameOfOrder("m")).toBe("By another");
  });

  test("copies no other revision of a model than the given one", async () => {
    const modelId = await changedModel("m");
    const id = await accepted("model_copy", { modelRef: "key:m", modelNewKey: "n" }, [
      { ledgerId: modelId, revision: 2 },
    ]);
    beforePublishing(() => describe1("m", "By another"));
    expect(await caller.work(id)).toBe("failed");
    expect(await caller.job(id)).toMatchObject({ problem: { code: "precondition_failed" } });
    expect((await world.problem("model/model_get", { modelRef: "key:n" })).code).toBe("not_found");
  });
});

test("a copy with If-Match copies that revision only, also if another commit comes just before its publication", async () => {
  const modelId = await changedModel("m");
  beforePublishing(() => describe1("m", "By another"));
  const ifMatch = [{ ledgerId: modelId, revision: 2 }];
  const { problem } = await caller.call("model_copy", { modelRef: "key:m", modelNewKey: "n" }, { ifMatch });
  expect(problem).toMatchObject({ code: "precondition_failed", members: { currentRevision: 3 } });
  expect((await world.problem("model/model_get", { modelRef: "key:n" })).code).toBe("not_found");
});

describe("a batch with If-Match for a model that it only reads", () => {
  const entry = (action: string, payload: object) => ({ group: "model", action, payload });
  const reads = (key: string) => entry("entity_get", { modelRef: `key:${key}`, entityRef: "key:order" });
  const writes = entry("type_create", { modelRef: "key:written", typeKey: "made" });

  /**
   * Runs a batch, with a commit of another call to the model `read` right before its transaction; answers its problem and
   * whether its type was made.
   */
  async function overtaken(actions: readonly object[], key: string) {
    const modelId = await changedModel("read");
    await changedModel("written");
    const match = { operation: "transactWrite", key: /^log#/ } as const;
    table.arm({ rules: [{ match, do: { before: () => describe1("read", "By another") } }] });
    const ifMatch = [{ ledgerId: modelId, revision: 2 }];
    const outcome = await caller.call("batch/batch_run", { actions }, { ifMatch });
    const made = await world.answer("model/type_get", { modelRef: "key:written", typeRef: `key:${key}` }).then(
      () => true,
      () => false,
    );
    return { problem: outcome.problem, made };
  }

  test("writes nothing if that model changes before the commit", async () => {
    const { problem, made } = await overtaken([reads("read"), writes], "made");
    expect(problem).toMatchObject({ code: "precondition_failed", members: { currentRevision: 3 } });
    expect(made).toBe(false);
  });

  test("publishes nothing if it changes before the publication", async () => {
    const many = Array.from({ length: LIMITS.transactionItems }, (_, i) =>
      entry("type_create", { modelRef: "key:written", typeKey: `made${i}` }),
    );
    const { problem, made } = await overtaken([reads("read"), ...many], "made0");
    expect(problem).toMatchObject({ code: "precondition_failed", members: { currentRevision: 3 } });
    expect(made).toBe(false);
  });

  test("writes if that model does not change", async () => {
    const modelId = await changedModel("read");
    await changedModel("written");
    const ifMatch = [{ ledgerId: modelId, revision: 2 }];
    const { answer } = await caller.call("batch/batch_run", { actions: [reads("read"), writes] }, { ifMatch });
    expect(answer?.body).toMatchObject({ changed: true });
  });

  describe("counts every such model among the items of the transaction", () => {
    const many = Array.from({ length: LIMITS.transactionItems }, (_, i) =>
      entry("type_create", { modelRef: "key:written", typeKey: `many${i}` }),
    );

    /** Actions, and one that reads each of so many models, whose revisions are named. */
    async function reading(count: number, actions: readonly object[]) {
      const read: object[] = [];
      const ifMatch: { ledgerId: string; revision: number }[] = [];
      for (let i = 0; i < count; i++) {
        const { id: modelId } = await world.run("model/model_create", { key: `r${i}`, name: "R" });
        read.push(entry("model_get", { modelRef: `key:r${i}` }));
        ifMatch.push({ ledgerId: modelId, revision: 1 });
      }
      const run = (of: number, controls: object = {}) =>
        caller.call(
          "batch/batch_run",
          { actions: [...read.slice(0, of), ...actions] },
          { ifMatch: ifMatch.slice(0, of), ...controls },
        );
      return run;
    }

    /** How many generations were begun so far, published or not. */
    const begun = async (): Promise<number> => (await partition(opened.table, STAGINGS)).length;

    // Beside a check for each model that is read: the log entry, and the type with its id, or the staging record of the new
    // generation with the note that the one before is to be swept.
    const most = LIMITS.transactionItems - 3;
    const told = `${most + 1} of the items are revisions of models that If-Match names and nothing is written to: name fewer`;

    test.each([
      ["that holds what is written", [writes]],
      ["that publishes it", many],
    ])("%s, before anything is staged, and the same in a dry run", async (_, actions) => {
      await changedModel("written");
      const run = await reading(most + 1, actions);
      const before = await begun();
      for (const dryRun of [true, false]) {
        const { problem } = await run(most + 1, { dryRun });
        expect(problem).toMatchObject({ code: "too_large", message: expect.stringContaining(told) });
        expect(problem?.message).toContain(`needs ${LIMITS.transactionItems + 1} items`);
      }
      expect(await begun()).toBe(before);
      expect((await run(most)).answer?.body).toMatchObject({ changed: true });
    });

    test("that ends a job, before the job is accepted", async () => {
      await changedModel("written");
      const run = await reading(most, many);
      const before = await begun();
      Object.assign(LIMITS, { callStagingMs: 0 });
      expect((await run(most)).problem?.code).toBe("too_large");
      expect(await begun()).toBe(before);
      const accepted = await run(most - 1);
      Object.assign(LIMITS, { callStagingMs });
      expect(await caller.work(caller.jobIn(accepted))).toBe("done");
    });
  });
});
