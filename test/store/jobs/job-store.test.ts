import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { beginCall, type Call, type IdempotencyRequest } from "../../../shared/actions/contract/call.ts";
import type { JobOrder } from "../../../shared/actions/contract/jobs.ts";
import { model } from "../../../shared/domain/kinds.ts";
import { LIMITS } from "../../../shared/domain/limits.ts";
import { Problem } from "../../../shared/domain/problems.ts";
import { readHead } from "../../../shared/store/log/log.ts";
import { countItemBytes } from "../../../shared/store/table/dynamo-rules.ts";
import { JOBS, objectsPartition, recordKey } from "../../../shared/store/table/keys.ts";
import { readPages } from "../../actions/support/checked-world.ts";
import { OWNER, writeOwner } from "../../support/accounts.ts";
import { partition } from "../support/check-model.ts";
import type { Fault } from "../support/fault-plan.ts";
import { orKilled } from "../support/fault-table.ts";
import type { JobCaller } from "../support/job-callers.ts";
import { largeDocument, runs, TYPES } from "../support/large-writes.ts";
import { sceneDocument } from "../support/scene.ts";
import { useFaultyWorld } from "../support/scenes.ts";
import { writtenBody } from "../support/service-over.ts";

const HOUR_MS = 3_600_000;

const scene = useFaultyWorld();
let shaky: JobCaller;
let sound: JobCaller;

beforeEach(async () => {
  ({ caller: shaky, quiet: sound } = scene);
  await writeOwner(scene.opened.table);
});

const jobsOf = (worker: JobCaller) => worker.service.ports(0).jobs;
const jobs = () => jobsOf(sound);
const listJobs = async () => (await jobs().list(() => true, {})).items;
const callOf = (action: string): Call => {
  const deadline = scene.clock.now() + LIMITS.callMs;
  return beginCall({ requestId: "r", action, channel: "http", principal: undefined, deadline }, scene.clock);
};
const claimFor = (id: string, { time }: Call): IdempotencyRequest => ({
  id,
  fingerprint: "f",
  expiresAt: Math.floor(Date.parse(time) / 1000) + LIMITS.idempotencyHours * 3_600,
});

function importOf(key: string, warnings: readonly object[] = [], claim?: IdempotencyRequest): JobOrder {
  const prepared = { document: sceneDocument(key), warnings };
  const payload = { path: [], input: { content: {} } };
  return { payload, prepared, channel: "http", requestId: "r", principal: OWNER, ...(claim && { claim }) };
}

const acceptImport = async (key: string, by = sound, order = importOf(key)): Promise<string> =>
  (await jobsOf(by).accept(callOf("model/import"), order, 20)).id;

const acceptKeyed = (key: string, warnings: readonly object[] = [], by = sound): Promise<string> =>
  acceptImport(key, by, importOf(key, warnings, claimFor(key, callOf("model/import"))));

/** Accepts a change of the many types of the model `crm`; the job's id. */
async function acceptDescription(input: Readonly<Record<string, string>>, claim?: IdempotencyRequest): Promise<string> {
  const path = [{ kind: model, ref: { scheme: "key", value: "crm" } }] as const;
  const order = { ...importOf("", [], claim), payload: { path, input } };
  return (await jobs().accept(callOf("model/test_describe_many"), order, TYPES + 1)).id;
}

test("of one actor openJobsPerActor may be open, and openJobs of all", async () => {
  const accept = (actorId: string) =>
    jobs().accept(callOf("model/import"), { ...importOf("m"), principal: { ...OWNER, actorId } }, 20);
  const acceptMany = async (actorId: string) => {
    for (let i = 0; i < LIMITS.openJobsPerActor; i++) await accept(actorId);
  };
  await acceptMany("a");
  await expect(accept("a")).rejects.toMatchObject({ code: "throttled", message: expect.stringContaining("of your") });
  for (let i = 1; i < LIMITS.openJobs / LIMITS.openJobsPerActor; i++) await acceptMany(`b${i}`);
  await expect(accept("c")).rejects.toMatchObject({
    code: "throttled",
    members: { quota: { quota: LIMITS.openJobs } },
  });
  await jobs().cancel((await listJobs())[0]?.id ?? "");
  await accept("c");
});

const recall = (id: string) => sound.service.ports(0).store.getRecord(id);

const beforePublishing = (happens: () => Promise<unknown>) =>
  scene.table.arm({ rules: [{ match: { operation: "transactWrite", key: /^log#/ }, do: { before: happens } }] });

/** Expects that everything in the table agrees with its logs, and nothing is left once the jobs are forgotten. */
function expectSwept(): Promise<void> {
  scene.clock.advance(LIMITS.jobDays * 24 * HOUR_MS);
  return scene.expectSwept();
}

afterEach(() => scene.expectSound());

describe("a job with an idempotency key", () => {
  /** Warnings of random text, which no compression makes smaller. */
  const manyWarnings = (count: number) =>
    Array.from({ length: count }, () => ({ code: "x", detail: scene.clock.newId() + Math.random() }));

  test("fails before its commit if its answer is larger than a record may be", async () => {
    const id = await acceptKeyed("large", manyWarnings(LIMITS.idempotencyRecordBytes / 60));
    expect(await sound.work(id)).toBe("failed");
    expect(await jobs().get(id)).toMatchObject({ state: "failed", problem: { code: "too_large" } });
    const { store } = sound.service.ports(0);
    await expect(store.open({ scheme: "key", value: "large" })).rejects.toThrow("no model key:large");
  });

  test("replays its answer, and no item is larger than permitted", async () => {
    const warnings = manyWarnings(800);
    const id = await acceptKeyed("large", warnings);
    expect(await sound.work(id)).toBe("done");
    const result = { status: "ok", key: "large", warnings };
    expect((await recall("large"))?.answer.body).toMatchObject(result);
    expect((await jobs().get(id))?.result).toMatchObject(result);
    const items = await scene.opened.items();
    expect(Math.max(...items.map(countItemBytes))).toBeLessThan(400_000);
    const row = items.find(({ pk, sk }) => pk === JOBS && sk === id);
    expect(row && countItemBytes(row)).toBeLessThan(5_000);
  });

  describe.each([
    ["gone", true],
    ["expired and still there", false],
  ])("whose record is %s", { timeout: 20_000 }, (_, gone) => {
    const acceptAndOutlive = async (): Promise<string> => {
      const id = await acceptKeyed("late");
      scene.clock.advance((LIMITS.idempotencyHours + 1) * HOUR_MS);
      if (gone) await scene.opened.table.batchDelete([recordKey("late")]);
      return id;
    };

    test("completes", async () => {
      const id = await acceptAndOutlive();
      expect(await sound.work(id)).toBe("done");
      expect(await jobs().get(id)).toMatchObject({ state: "done", result: { status: "ok", key: "late" } });
      expect(await recall("late")).toBeUndefined();
    });

    test("can be cancelled", async () => {
      expect(await jobs().cancel(await acceptAndOutlive())).toMatchObject({ state: "cancelled" });
    });
  });

  test("does not change the record of another call that has used the key since it expired", async () => {
    const id = await acceptKeyed("key");
    scene.clock.advance((LIMITS.idempotencyHours + 1) * HOUR_MS);
    const answer = { mediaType: "application/json", body: { status: "ok" } };
    const other = { ...claimFor("key", callOf("model/import")), answer };
    const { store } = sound.service.ports(0);
    expect(await store.putRecord(other)).toBeUndefined();
    expect(await sound.work(id)).toBe("done");
    expect(await recall("key")).toEqual(other);
    const second = await acceptKeyed("second");
    scene.clock.advance((LIMITS.idempotencyHours + 1) * HOUR_MS);
    expect(await store.putRecord({ ...other, id: "second", expiresAt: scene.clock.now() })).toBeUndefined();
    expect(await jobs().cancel(second)).toMatchObject({ state: "cancelled" });
    expect(await recall("second")).toMatchObject({ answer });
  });
});

describe("the acceptance of a job", () => {
  test.each<[string, Fault]>([
    ["never arrives", "lose"],
    ["is not answered", "lose-answer"],
    ["arrives late", { applyLater: 1 }],
    ["arrives after it was sent again", { applyLater: 2 }],
  ])("whose transaction %s happens once, and is answered correctly", async (_, fault) => {
    scene.table.arm({ rules: [{ match: { operation: "transactWrite" }, do: fault }] });
    const id = await acceptKeyed("once", [], shaky);
    await scene.table.settle();
    expect(await listJobs()).toMatchObject([{ id, state: "accepted" }]);
    expect((await recall("once"))?.job).toBe(id);
    expect(await sound.work(id)).toBe("done");
  });

  test.each([
    "lose",
    "throttle",
    "conflict",
  ] as const)('whose transaction may still succeed, and then fails with "%s" only, is not reported as repeatable', async (after) => {
    const match = { operation: "transactWrite" } as const;
    const late = { match, do: { applyLater: 1_000 } };
    scene.table.arm({ rules: [late, { match, do: after, times: 1_000 }] });
    await expect(acceptImport("doubtful", shaky)).rejects.toMatchObject({ code: "out_of_time" });
    await scene.table.settle();
    expect(await listJobs()).toMatchObject([{ state: "accepted" }]);
  });

  test("that fails before it has any effect is reported as repeatable", async () => {
    scene.table.arm({ rules: [{ match: { operation: "batchPut" }, do: "lose" }] });
    await expect(acceptImport("undone", shaky)).rejects.toMatchObject({ code: "unavailable" });
    await scene.table.settle();
    expect(await listJobs()).toEqual([]);
  });
});

describe("a worker before its publication", () => {
  test("does not publish after its job was cancelled", async () => {
    const id = await acceptImport("cancelled");
    beforePublishing(() => jobs().cancel(id));
    expect(await shaky.work(id)).toBe("left");
    expect((await jobs().get(id))?.state).toBe("cancelled");
    expect((await scene.world.problem("model/model_get", { modelRef: "key:cancelled" })).code).toBe("not_found");
    await expectSwept();
  });

  test.each([
    "lose",
    "lose-answer",
  ] as const)("publishes although the answer to its progress report was lost (%s)", async (fault) => {
    const id = await acceptImport("shown");
    scene.table.arm({ rules: [{ match: { operation: "write", key: /^jobs\|/, nth: 2 }, do: fault }] });
    expect(await shaky.work(id)).toBe("done");
    expect(await jobs().get(id)).toMatchObject({ state: "done", result: { key: "shown" } });
  });

  test("publishes though another worker took over its job, which ends and writes nothing more", async () => {
    const id = await acceptImport("taken");
    let second: Awaited<ReturnType<ReturnType<typeof jobs>["lease"]>>;
    beforePublishing(async () => {
      scene.clock.advance(LIMITS.jobLeaseMs + 1);
      second = await jobs().lease(id);
    });
    expect(await shaky.work(id)).toBe("done");
    if (!second) throw new Error("nobody could take the job");
    const { lease: mark } = second;
    await expect(mark.progress(20, 20)).rejects.toMatchObject({ code: "job_ended" });
    await expect(jobs().finish({ lease: mark, result: "another" })).rejects.toMatchObject({ code: "job_ended" });
    expect(await jobs().get(id)).toMatchObject({ state: "done", result: { key: "taken" } });
    expect(await sound.work(id)).toBe("not_taken");
  });

  test("keeps its job while it works, however long that takes", async () => {
    const id = await acceptImport("long");
    const taken = await jobs().lease(id);
    for (let round = 0; round < 3; round++) {
      scene.clock.advance(LIMITS.jobLeaseMs - 1);
      await taken?.lease.progress(round, 20);
      expect(await jobs().lease(id)).toBeUndefined();
    }
    scene.clock.advance(LIMITS.jobLeaseMs + 1);
    expect(await jobs().lease(id)).toBeDefined();
  });

  test("includes other commits to its model, and ends with its own revision", async () => {
    const { world, quiet, table, opened } = scene;
    const { id: modelId } = await world.run("model/import", { content: largeDocument("crm") });
    const id = await acceptDescription({ value: "By job", makes: "made" });
    const order = { modelRef: "key:crm", entityRef: "key:order" };
    const other = async () => writtenBody(await quiet.call("entity_update_name", { ...order, value: "Orders" }));
    table.arm({ rules: [{ match: { operation: "transactWrite", key: /^stagings\|/ }, do: { before: other } }] });
    expect(await shaky.work(id)).toBe("done");
    const { generation } = (await readHead(opened.table, modelId))?.entry ?? { generation: "" };
    const objects = (await partition(opened.table, objectsPartition(modelId, generation))).length;
    expect(objects).toBeGreaterThan(TYPES);
    expect(await jobs().get(id)).toMatchObject({
      state: "done",
      // All that the generation holds: the model, the scene, the many types and the one that was made.
      progress: { done: objects, total: objects },
      result: { id: modelId, revision: 3, changed: true },
    });
    expect(runs.get("By job")).toBe(1);
    expect(await world.run("model/entity_get", order)).toMatchObject({ name: "Orders" });
  });
});

test.each([
  ["before", "kill"],
  ["after", "kill-after"],
] as const)("a job whose acceptance and worker die %s any storage call is done once by the next worker, without leftovers", async (_, fault) => {
  const { table, clock, world } = scene;
  const wrong: string[] = [];
  for (let nth = 1; ; nth++) {
    table.arm({ rules: [{ match: { nth }, do: fault }] });
    const accepted = await orKilled(acceptImport(`a${nth}`, shaky));
    await table.settle();
    const kept = (await listJobs()).filter(({ state }) => state === "accepted");
    if (kept.length > 1 || (accepted !== "killed" && kept.length === 0)) wrong.push(`acceptance, call ${nth}`);
    for (const { id } of kept) await sound.work(id);
    if (accepted !== "killed") break;
  }
  for (let nth = 1; ; nth++) {
    const key = `w${nth}`;
    const id = await acceptImport(key);
    table.arm({ rules: [{ match: { nth }, do: fault }] });
    const first = await orKilled(shaky.work(id));
    await table.settle();
    // Nobody else takes it while the dead worker's lease lasts, unless that worker had finished.
    const meanwhile = await sound.work(id);
    clock.advance(LIMITS.jobLeaseMs + 1);
    const second = await sound.work(id);
    const outcomes = [first, meanwhile, second].filter((outcome) => outcome === "done").length;
    const { state } = (await jobs().get(id)) ?? {};
    const { entities } = await world.run("model/model_export", { modelRef: `key:${key}` });
    if (state !== "done" || outcomes > 1 || entities.length !== sceneDocument(key).entities.length)
      wrong.push(`worker, call ${nth}: ${first}, ${meanwhile}, ${second}, ${state}`);
    if (first !== "killed") break;
  }
  expect(wrong).toEqual([]);
  await expectSwept();
});

test("a job ends when its model is published, not when its worker began", async () => {
  const id = await acceptImport("ended");
  const staging = async () => scene.clock.advance(5_000);
  scene.table.arm({ rules: [{ match: { operation: "batchPut" }, do: { before: staging } }] });
  expect(await shaky.work(id)).toBe("done");
  const { accepted, ended } = (await jobs().get(id)) ?? {};
  expect(Date.parse(ended ?? "") - Date.parse(accepted ?? "")).toBeGreaterThanOrEqual(5_000);
});

test.each([
  ["actor_disable", {}, "failed", "failed"],
  ["actor_add_role", { roleRef: "key:admin" }, "left", "done"],
])("a job whose caller is changed by %s while it is staged is not published with the former rights", async (action, payload, outcome, state) => {
  const id = await acceptImport("staged");
  const change = () => scene.world.run(`auth/${action}`, { actorId: OWNER.actorId, ...payload });
  scene.table.arm({ rules: [{ match: { operation: "batchPut" }, do: { before: change } }] });
  expect(await shaky.work(id)).toBe(outcome);
  scene.clock.advance(LIMITS.jobLeaseMs + 1);
  await sound.work(id);
  expect(await jobs().get(id)).toMatchObject({ state });
});

test("a worker that lost its job does not end it as failed for the new worker", async () => {
  const id = await acceptImport("superseded");
  const first = await jobs().lease(id);
  scene.clock.advance(LIMITS.jobLeaseMs + 1);
  const second = await jobs().lease(id);
  if (!first || !second) throw new Error("nobody could take the job");
  await jobs().fail(first, new Problem("invalid_content", "too late"));
  expect((await jobs().get(id))?.state).toBe("running");
  await jobs().fail(second, new Problem("invalid_content", "in time"));
  expect(await jobs().get(id)).toMatchObject({ state: "failed", problem: { detail: "in time" } });
});

test("a job without remaining changes is done", async () => {
  await scene.world.run("model/import", { content: largeDocument("crm") });
  const input = { value: "Once", small: "yes" };
  const [first, second] = [await acceptDescription(input), await acceptDescription(input, claimFor("k", callOf("x")))];
  expect(await sound.work(first)).toBe("done");
  expect(await jobs().get(first)).toMatchObject({ state: "done", result: { changed: true, revision: 2 } });
  expect(await sound.work(second)).toBe("done");
  expect(await jobs().get(second)).toMatchObject({ state: "done", result: { changed: false, revision: 2 } });
  expect((await recall("k"))?.answer.body).toMatchObject({ changed: false, revision: 2 });
  expect(await sound.work(second)).toBe("not_taken");
});

test("an expired job is absent, also while its item still exists", async () => {
  const id = await acceptImport("old");
  expect(await sound.work(id)).toBe("done");
  scene.clock.advance(LIMITS.jobDays * 24 * HOUR_MS);
  expect(await jobs().get(id)).toMatchObject({ id, state: "done" });
  scene.clock.advance(2_000);
  expect(await scene.opened.table.get({ pk: JOBS, sk: id })).toBeDefined();
  expect(await jobs().get(id)).toBeUndefined();
  expect(await jobs().cancel(id)).toBeUndefined();
  expect(await jobs().list(() => true, {})).toEqual({ items: [] });
});

test("jobs are listed in pages, newest first, for one actor or all", async () => {
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) {
    const order = importOf(`m${i}`);
    const principal = i % 2 === 0 ? OWNER : { ...OWNER, actorId: "01890a5d-ac96-774b-bcce-b302099a8058" };
    ids.unshift(await acceptImport(`m${i}`, sound, { ...order, principal }));
  }
  const pages = async (actor: string | undefined, limit: number): Promise<readonly string[][]> => {
    const isAsked = (job: { readonly actor: string }) => actor === undefined || job.actor === actor;
    const toPage = (cursor?: string) => ({ limit, ...(cursor !== undefined && { after: cursor }) });
    const all = await readPages(({ cursor }) => jobs().list(isAsked, toPage(cursor)));
    return all.map(({ items }) => items.map((job) => job.id));
  };
  expect(await pages(undefined, 2)).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
  expect(await pages(undefined, 5)).toEqual([ids]);
  expect(await pages(OWNER.actorId, 2)).toEqual([[ids[0], ids[2]], [ids[4]]]);
});
