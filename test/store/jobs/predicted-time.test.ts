import { afterEach, describe, expect, test } from "vitest";
import { LIMITS } from "../../../shared/domain/limits.ts";
import { countItemBytes } from "../../../shared/store/table/dynamo-rules.ts";
import { JOBS, STAGINGS } from "../../../shared/store/table/keys.ts";
import { openTable } from "../../support/table.ts";
import { createWorld } from "../../support/world.ts";
import { checkModel, partition } from "../support/check-model.ts";
import type { Rule } from "../support/fault-plan.ts";
import { jobCallerOver } from "../support/job-callers.ts";
import { largeDocument, TYPES } from "../support/large-writes.ts";
import { partitioned } from "../support/partitioned-table.ts";
import { quickRuntime } from "../support/quick-runtime.ts";
import { sceneDocument } from "../support/scene.ts";
import { openFaultyWorld } from "../support/scenes.ts";
import { writtenBody } from "../support/service-over.ts";
import { listLeftovers, sweepAll } from "../support/swept.ts";
import { createVirtualTime } from "../support/virtual-time.ts";

const { callStagingMs } = LIMITS;

afterEach(() => Object.assign(LIMITS, { callStagingMs }));

/** Gives a call the time for so many write units; a partition takes one in a millisecond. */
const allow = (units: number) => Object.assign(LIMITS, { callStagingMs: (units / LIMITS.partitionUnits) * 1_000 });

const typesOnly = (key: string, count: number, description?: string) => ({
  content: {
    ...{ $schema: "urn:metaction:model:1", key, name: "M", version: "0.0.1", authority: "system" },
    types: Array.from({ length: count }, (_, i) => ({ key: `t${i}`, ...(description && { description }) })),
    ...{ entities: [], relationships: [], businessKeys: [], localTags: [], tagGroups: [], tags: [] },
  },
});

const commitLate = (calls: number): readonly Rule[] => [
  { match: { operation: "transactWrite" }, do: { applyLater: calls } },
  { match: { operation: "transactGet", key: /^log#/ }, do: { before: async () => allow(1) } },
];

describe("the predicted time of writing a model as a whole", () => {
  test("lets a call write what takes callStagingMs, and makes a job of one object more, before anything is staged", async () => {
    const { caller, table, opened } = await openFaultyWorld();
    allow(30);
    expect(writtenBody(await caller.call("import", typesOnly("at", 29)))).toMatchObject({ key: "at", revision: 1 });
    table.arm({});
    const id = caller.jobIn(await caller.call("import", typesOnly("above", 30)));
    expect((await partition(opened.table, STAGINGS)).map(({ state }) => state)).toEqual(["published"]);
    expect(table.trace.flatMap(({ keys }) => keys).filter((key) => key.startsWith("model#"))).toEqual([]);
    expect(await caller.job(id)).toMatchObject({ state: "accepted", progress: { done: 0, total: 31 } });
    expect(await caller.work(id)).toBe("done");
    expect(await caller.job(id)).toMatchObject({ state: "done", progress: { done: 31, total: 31 } });
  });

  test("counts a unit for each started kilobyte of an object", async () => {
    const { caller, opened, world } = await openFaultyWorld();
    const { id } = writtenBody(await caller.call("import", typesOnly("measured", 1, "x")));
    const found = (await opened.items()).find(({ pk, sk }) => pk.startsWith(`model#${id}#`) && sk.startsWith("type#"));
    const room = 2_048 - countItemBytes(found ?? {}) + 1;
    // The model itself, and ten types of two units each.
    allow(21);
    const fits = await caller.call("import", typesOnly("fits", 10, "x".repeat(room)));
    expect(writtenBody(fits)).toMatchObject({ revision: 1 });
    const one = (await opened.items()).filter(({ sk }) => sk.startsWith("type#")).map((item) => countItemBytes(item));
    expect(Math.max(...one)).toBe(2_048);
    caller.jobIn(await caller.call("import", typesOnly("above", 10, "x".repeat(room + 1))));
    expect((await world.problem("model/model_get", { modelRef: "key:above" })).code).toBe("not_found");
  });

  test("counts the whole model, and not only the changes of a batch; a worker runs the batch with its caller's permissions", async () => {
    const { caller, world, opened } = await openFaultyWorld();
    const { id: modelId } = writtenBody(await caller.call("import", typesOnly("m", 150)));
    const create = { group: "model", action: "type_create" };
    const actions = Array.from({ length: 101 }, (_, i) => {
      return { ...create, payload: { modelRef: "key:m", typeKey: `new${i}` } };
    });
    // The model, the types it has, and those that the batch makes.
    allow(1 + 150 + 101);
    const dryRun = await caller.call("batch/batch_run", { actions }, { dryRun: true });
    expect(dryRun.answer?.body).toMatchObject({ changed: true });
    allow(1 + 150 + 100);
    const id = caller.jobIn(await caller.call("batch/batch_run", { actions }));
    expect((await world.run("model/type_list", { modelRef: "key:m" })).items).toHaveLength(150);
    expect(await caller.work(id)).toBe("done");
    const job = await caller.job(id);
    expect(job).toMatchObject({ state: "done", progress: { total: 252 }, result: { changed: true } });
    expect((job?.result as { results: unknown[] }).results).toHaveLength(101);
    expect((await world.run("model/type_list", { modelRef: "key:m" })).items).toHaveLength(251);
    expect(await checkModel(opened.table, modelId)).toEqual([]);
  });

  test("does not apply to calls that fit one transaction", async () => {
    const { caller } = await openFaultyWorld();
    writtenBody(await caller.call("import", typesOnly("m", 150)));
    allow(1);
    const made = await caller.call("type_create", { modelRef: "key:m", typeKey: "new" });
    expect(writtenBody(made)).toMatchObject({ revision: 2 });
  });

  test("is in the refusal of work that no job may do", async () => {
    const { caller, table } = await openFaultyWorld();
    writtenBody(await caller.call("import", { content: largeDocument("crm") }));
    allow(TYPES);
    table.arm({});
    const { problem } = await caller.call("test_describe_many", { modelRef: "key:crm", value: "x" });
    expect(problem).toMatchObject({ code: "too_large", message: expect.stringContaining("about 1 s") });
    expect(table.trace.filter(({ operation }) => /write|Put/i.test(operation))).toEqual([]);
  });

  test("makes no job of a call whose commit may still succeed, because a worker would repeat it", async () => {
    const { caller, opened, table, world } = await openFaultyWorld();
    allow(30);
    // The store does not answer the revocation of the commit either.
    table.arm({ rules: [...commitLate(1_000), { match: { operation: "transactWrite" }, do: "lose", times: 9 }] });
    const { problem } = await caller.call("import", typesOnly("once", 29));
    expect(problem?.code).toBe("out_of_time");
    await table.settle();
    expect(await partition(opened.table, JOBS)).toEqual([]);
    expect((await world.run("model/type_list", { modelRef: "key:once" })).items).toHaveLength(29);
  });

  test("revokes the commit of a call whose time is up, so that it can simply be sent again", async () => {
    const { caller, opened, table, world } = await openFaultyWorld();
    allow(30);
    table.arm({ rules: commitLate(1_000) });
    const { problem } = await caller.call("import", typesOnly("once", 29));
    expect(problem).toMatchObject({ code: "unavailable", message: expect.stringContaining("nothing was changed") });
    await table.settle();
    expect(await partition(opened.table, JOBS)).toEqual([]);
    expect((await world.problem("model/model_get", { modelRef: "key:once" })).code).toBe("not_found");
    allow(30);
    expect(writtenBody(await caller.call("import", typesOnly("once", 29)))).toMatchObject({ key: "once", revision: 1 });
  });

  test.each([
    ["answers a commit that arrives while it is revoked", 1_000, true],
    ["lets a call wait for its commit that may still succeed, though its next attempt would become a job", 5, false],
  ])("%s", async (_, late, isRevoked) => {
    const { caller, opened, table } = await openFaultyWorld();
    allow(30);
    const revocation = { match: { operation: "transactWrite", nth: 2 }, do: { before: () => table.settle() } } as const;
    table.arm({ rules: [...commitLate(late), ...(isRevoked ? [revocation] : [])] });
    expect(writtenBody(await caller.call("import", typesOnly("once", 29)))).toMatchObject({ key: "once", revision: 1 });
    expect(await partition(opened.table, JOBS)).toEqual([]);
  });

  test("lets a call that waits return the answer of another call with the same key", async () => {
    const { caller, opened, quiet, table } = await openFaultyWorld();
    const keyed = ["import", typesOnly("once", 29), { idempotencyKey: "k" }] as const;
    const answers: unknown[] = [];
    const another = async () => {
      allow(30);
      answers.push(writtenBody(await quiet.call(...keyed)));
      allow(1);
    };
    allow(30);
    table.arm([
      { match: { operation: "transactWrite" }, do: "lose" },
      { match: { operation: "transactGet", key: /^log#/ }, do: { after: another } },
    ]);
    answers.push(writtenBody(await caller.call(...keyed)));
    expect(answers[1]).toEqual(answers[0]);
    expect(await partition(opened.table, JOBS)).toEqual([]);
  });

  test("leaves handOverMs of the call for the hand-over", async () => {
    const { caller, clock, table } = await openFaultyWorld();
    // Reads before the decision take time: that of the head of the tags, for one.
    const late = { before: async () => clock.advance(LIMITS.callMs - LIMITS.handOverMs - 30) };
    const tagged = { tags: ["key:g/t"], tagGroups: [{ key: "g", tags: [{ key: "t" }] }] };
    const importOf = (key: string, count: number) => {
      table.arm({ rules: [{ match: { operation: "query", key: /^log#tags/ }, do: late }] });
      return caller.call("import", { content: { ...typesOnly(key, count).content, ...tagged } });
    };
    expect(writtenBody(await importOf("at", 28))).toMatchObject({ revision: 1 });
    caller.jobIn(await importOf("above", 30));
  });
});

test("a table that is slower than predicted makes a job of a call while there is time, without leftovers", async () => {
  const opened = await openTable();
  const world = await createWorld({ table: opened.table });
  const time = createVirtualTime();
  const slow = partitioned(opened.table, time, { unitsPerSecond: 40, keeps: 1 });
  const caller = jobCallerOver(world, slow, time.runtime);
  const began = time.runtime.now();
  const id = caller.jobIn(await time.during(caller.call("import", typesOnly("slow", 1_500))));
  expect(time.runtime.now() - began).toBeLessThan(LIMITS.callMs - 1_000);
  expect(await time.during(caller.work(id))).toBe("done");
  expect((await world.run("model/type_list", { modelRef: "key:slow" })).items).toHaveLength(1_500);
  const clock = quickRuntime(new Date(time.runtime.now()).toISOString());
  clock.advance(LIMITS.jobDays * 86_400_000);
  await sweepAll(opened.table, clock);
  expect(listLeftovers(await opened.items())).toEqual([]);
});

describe("a single client", () => {
  test("whose publication gets no answer gets `unavailable`, without a mention of other writers", async () => {
    const { caller, table, world } = await openFaultyWorld();
    table.arm({ rules: [{ match: { operation: "batchPut" }, do: "lose", times: 10_000 }] });
    const { problem } = await caller.call("import", { content: sceneDocument("unanswered") });
    expect(problem?.code).toBe("unavailable");
    table.arm({});
    expect((await world.problem("model/model_get", { modelRef: "key:unanswered" })).code).toBe("not_found");
    // A repeat can succeed.
    writtenBody(await caller.call("import", { content: sceneDocument("unanswered") }));
  });

  test("whose batches get no definite answer for longer than writers wait for each other still publishes", async () => {
    const { caller, table, clock } = await openFaultyWorld();
    const slow = { before: async () => clock.advance(LIMITS.contentionMs) };
    table.arm([
      { match: { operation: "batchPut", nth: 1 }, do: slow },
      { match: { operation: "batchPut", nth: 2 }, do: "lose" },
    ]);
    writtenBody(await caller.call("import", { content: sceneDocument("late") }));
  });
});
