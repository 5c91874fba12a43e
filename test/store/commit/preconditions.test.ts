import { afterEach, describe, expect, test } from "vitest";
import { LIMITS } from "../../../shared/domain/limits.ts";
import { STAGINGS } from "../../../shared/store/table/keys.ts";
import { partition } from "../support/check-model.ts";
import { sceneDocument } from "../support/scene.ts";
import { useFaultyWorld } from "../support/scenes.ts";
import { writtenBody } from "../support/service-over.ts";

const { callStagingMs } = LIMITS;

const faulty = useFaultyWorld();

afterEach(async () => {
  Object.assign(LIMITS, { callStagingMs });
  await faulty.expectSound();
});

/** A model that was released and has changed since: it is at revision 2. */
async function changedModel(key: string): Promise<string> {
  const { id } = writtenBody(await faulty.quiet.call("import", { content: sceneDocument(key) }));
  await describe1(key, "Changed");
  return id;
}

const describe1 = async (key: string, value: string) =>
  writtenBody(await faulty.quiet.call("entity_update_name", { modelRef: `key:${key}`, entityRef: "key:order", value }));

const nameOfOrder = async (key: string): Promise<string> =>
  (await faulty.world.run("model/entity_get", { modelRef: `key:${key}`, entityRef: "key:order" })).name;

const beforePublishing = (happens: () => Promise<unknown>) =>
  faulty.table.arm({ rules: [{ match: { operation: "transactWrite", key: /^stagings\|/ }, do: { before: happens } }] });

async function accepted(action: string, payload: object, ifMatch: { ledgerId: string; revision: number }[]) {
  Object.assign(LIMITS, { callStagingMs: 0 });
  const outcome = await faulty.caller.call(action, payload, { ifMatch });
  Object.assign(LIMITS, { callStagingMs });
  return faulty.caller.jobIn(outcome);
}

describe("a job that was accepted with If-Match", () => {
  const acceptRestore = async () =>
    accepted("model_restore", { modelRef: "key:m", revision: 1 }, [{ ledgerId: await changedModel("m"), revision: 2 }]);

  test("succeeds without other commits", async () => {
    const id = await acceptRestore();
    expect(await faulty.caller.work(id)).toBe("done");
    expect(await faulty.caller.job(id)).toMatchObject({ state: "done", result: { revision: 3 } });
  });

  test.each<[string, (commit: () => Promise<unknown>) => unknown]>([
    ["before its worker", (commit) => commit()],
    ["just before the publishing transaction", beforePublishing],
  ])("ends in precondition_failed if a commit came %s, and that commit stays", async (_, meet) => {
    const id = await acceptRestore();
    await meet(() => describe1("m", "By another"));
    expect(await faulty.caller.work(id)).toBe("failed");
    expect(await faulty.caller.job(id)).toMatchObject({ state: "failed", problem: { code: "precondition_failed" } });
    expect(await nameOfOrder("m")).toBe("By another");
  });

  test("copies no other revision of a model than the given one", async () => {
    const ifMatch = [{ ledgerId: await changedModel("m"), revision: 2 }];
    const id = await accepted("model_copy", { modelRef: "key:m", modelNewKey: "n" }, ifMatch);
    beforePublishing(() => describe1("m", "By another"));
    expect(await faulty.caller.work(id)).toBe("failed");
    expect(await faulty.caller.job(id)).toMatchObject({ problem: { code: "precondition_failed" } });
    expect((await faulty.world.problem("model/model_get", { modelRef: "key:n" })).code).toBe("not_found");
  });
});

test("a copy with If-Match copies that revision only, also if another commit comes just before its publication", async () => {
  const modelId = await changedModel("m");
  beforePublishing(() => describe1("m", "By another"));
  const ifMatch = [{ ledgerId: modelId, revision: 2 }];
  const { problem } = await faulty.caller.call("model_copy", { modelRef: "key:m", modelNewKey: "n" }, { ifMatch });
  expect(problem).toMatchObject({ code: "precondition_failed", members: { currentRevision: 3 } });
  expect((await faulty.world.problem("model/model_get", { modelRef: "key:n" })).code).toBe("not_found");
});

describe("a batch with If-Match for a model that it only reads", () => {
  const entry = (action: string, payload: object) => ({ group: "model", action, payload });
  const reads = (key: string) => entry("entity_get", { modelRef: `key:${key}`, entityRef: "key:order" });
  const writes = entry("type_create", { modelRef: "key:written", typeKey: "made" });

  const many = Array.from({ length: LIMITS.transactionItems }, (_, i) =>
    entry("type_create", { modelRef: "key:written", typeKey: `many${i}` }),
  );

  /** Runs a batch that fails because another call commits right before its transaction. It creates no type `key`. */
  async function overtaken(actions: readonly object[], key: string) {
    const modelId = await changedModel("read");
    await changedModel("written");
    const match = { operation: "transactWrite", key: /^log#/ } as const;
    faulty.table.arm({ rules: [{ match, do: { before: () => describe1("read", "By another") } }] });
    const ifMatch = [{ ledgerId: modelId, revision: 2 }];
    const outcome = await faulty.caller.call("batch/batch_run", { actions }, { ifMatch });
    expect(outcome.problem).toMatchObject({ code: "precondition_failed", members: { currentRevision: 3 } });
    const made = { modelRef: "key:written", typeRef: `key:${key}` };
    expect((await faulty.world.problem("model/type_get", made)).code).toBe("not_found");
  }

  test("writes nothing if that model changes before the commit", () => overtaken([reads("read"), writes], "made"));

  test("publishes nothing if it changes before the publication", () => overtaken([reads("read"), ...many], "many0"));

  test("writes if that model does not change", async () => {
    const modelId = await changedModel("read");
    await changedModel("written");
    const ifMatch = [{ ledgerId: modelId, revision: 2 }];
    const { answer } = await faulty.caller.call("batch/batch_run", { actions: [reads("read"), writes] }, { ifMatch });
    expect(answer?.body).toMatchObject({ changed: true });
  });

  describe("counts every such model among the items of the transaction", () => {
    /** Actions, and one that reads each of so many models, whose revisions are named. */
    async function reading(count: number, actions: readonly object[]) {
      const read: object[] = [];
      const ifMatch: { ledgerId: string; revision: number }[] = [];
      for (let i = 0; i < count; i++) {
        const { id: modelId } = await faulty.world.run("model/model_create", { key: `r${i}`, name: "R" });
        read.push(entry("model_get", { modelRef: `key:r${i}` }));
        ifMatch.push({ ledgerId: modelId, revision: 1 });
      }
      return (of: number, controls: object = {}) => {
        const payload = { actions: [...read.slice(0, of), ...actions] };
        return faulty.caller.call("batch/batch_run", payload, { ifMatch: ifMatch.slice(0, of), ...controls });
      };
    }

    const begun = async (): Promise<number> => (await partition(faulty.opened.table, STAGINGS)).length;

    // Beside a check for each model that is read: log entry and type, or staging record and note for the sweep.
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
      expect(await faulty.caller.work(faulty.caller.jobIn(accepted))).toBe("done");
    });
  });
});
