import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../shared/domain/limits.ts";
import type { Problem } from "../../../shared/domain/problems.ts";
import { createRetryingTable, createRetryPolicy, RetryBudget } from "../../../shared/store/table/retry.ts";
import { FORMAT, OutcomeUnknown } from "../../../shared/store/table/table.ts";
import { freshTable } from "../../support/table.ts";
import { createWorld, type World } from "../../support/world.ts";
import type { Match } from "../support/fault-plan.ts";
import { createFaultTable, type FaultTable } from "../support/fault-table.ts";
import { takeAll } from "../support/partitioned-table.ts";
import { quickRuntime } from "../support/quick-runtime.ts";

const CALLS = 100;
const { retryTokens, successesPerRetryToken } = LIMITS;

async function behindFaults() {
  const table = createFaultTable(await freshTable());
  const budget = new RetryBudget();
  return { table, budget, opened: createRetryingTable(table, createRetryPolicy(quickRuntime(), budget)) };
}

test("the backoff grows up to a second, with full jitter", async () => {
  const slept: number[] = [];
  const policy = createRetryPolicy({ random: () => 0.5, sleep: async (ms) => void slept.push(ms) });
  for (let repeats = 0; repeats < 8; repeats++) await policy.pause(repeats);
  expect(slept).toEqual([10, 20, 40, 80, 160, 320, 500, 500]);
});

test("a commit that conflicts with another transaction is sent once, and a throttled one again", async () => {
  const { table, opened } = await behindFaults();
  const writes = [{ put: { pk: "p", sk: "s", v: FORMAT }, expect: { absent: true } }] as const;
  table.arm({ rules: [{ match: {}, do: "conflict", times: 100 }] });
  await expect(opened.commit(writes)).rejects.toMatchObject({ throttled: false });
  expect(table.trace).toHaveLength(1);
  table.arm({ rules: [{ match: {}, do: "throttle", times: 2 }] });
  await opened.commit(writes);
  expect(table.trace).toHaveLength(3);
});

describe("the retry budget of a process", () => {
  test("has a maximum of tokens, after any number of successes", () => {
    const budget = new RetryBudget();
    for (let i = 0; i < successesPerRetryToken * 3; i++) budget.earn(true);
    expect(takeAll(budget)).toBe(retryTokens);
  });

  test("gets one token after a number of successes", () => {
    const budget = new RetryBudget();
    takeAll(budget);
    for (let i = 1; i < successesPerRetryToken; i++) budget.earn(false);
    expect(budget.take()).toBe(false);
    budget.earn(false);
    expect(takeAll(budget)).toBe(1);
  });

  test("gets the token of a retry back when it succeeds", async () => {
    const { budget, table, opened } = await behindFaults();
    for (let i = 0; i < 3 * retryTokens; i++) {
      table.arm({ rules: [{ match: {}, do: "throttle" }] });
      expect(await opened.get({ pk: "p", sk: "s" })).toBeUndefined();
      expect(table.trace).toHaveLength(2);
    }
    expect(takeAll(budget)).toBe(retryTokens);
  });

  test("is not used to wait for another transaction", async () => {
    const { budget, table, opened } = await behindFaults();
    table.arm({ rules: [{ match: {}, do: "conflict", times: 100 }] });
    await expect(opened.transactGet([{ pk: "p", sk: "s" }])).rejects.toMatchObject({ code: "unavailable" });
    expect(takeAll(budget)).toBe(retryTokens);
  });

  test("is used for reads without an answer, each with three requests", async () => {
    const { budget, table, opened } = await behindFaults();
    table.arm({ rules: [{ match: {}, do: "lose", times: 100 }] });
    await expect(opened.get({ pk: "p", sk: "s" })).rejects.toMatchObject({ code: "unavailable" });
    expect(table.trace).toHaveLength(3);
    expect(takeAll(budget)).toBe(retryTokens - 2);
    const deletion = { delete: { pk: "p", sk: "s" }, expect: { anything: true } } as const;
    await expect(opened.write(deletion)).rejects.toBeInstanceOf(OutcomeUnknown);
  });
});

async function service(): Promise<{ readonly world: World; readonly table: FaultTable }> {
  const table = createFaultTable(await freshTable());
  const world = await createWorld({ table, runtime: quickRuntime() });
  await world.run("model/model_create", { key: "m", name: "M" });
  return { world, table };
}

const throttled = (match: Match, times = Number.POSITIVE_INFINITY) => [{ match, do: "throttle", times }] as const;

const addType = (world: World, typeKey: string): Promise<Problem> =>
  world.problem("model/type_create", { modelRef: "key:m", typeKey });

describe("a table that throttles", () => {
  test("every request is repeated little more than once per call, and every call gets Retry-After", async () => {
    const { world, table } = await service();
    table.arm(throttled({}));
    const problems = await Promise.all(Array.from({ length: CALLS }, (_, i) => addType(world, `t${i}`)));
    expect(new Set(problems.map(({ code }) => code))).toEqual(new Set(["throttled"]));
    expect(problems.filter(({ members }) => members.retryAfter !== 1)).toEqual([]);
    // The actor that calls and the model's head are read at once; the time of the administrator's call is noted once.
    const questions = table.trace.filter(({ operation }) => operation !== "write").length;
    process.stdout.write(`${CALLS} calls of a table that throttles everything: ${questions} storage calls\n`);
    expect(questions).toBeLessThanOrEqual(2 * CALLS + retryTokens);

    await world.problem("model/type_create", { modelRef: "key:m", typeKey: "t" });
    table.arm({});
    for (let i = 0; i < CALLS; i++) await world.run("model/type_create", { modelRef: "key:m", typeKey: `t${i}` });
    // Repeats are affordable again.
    table.arm(throttled({ operation: "batchGet" }, 3));
    expect((await world.run("model/type_list", { modelRef: "key:m" })).items).toHaveLength(CALLS);
  });

  test("writes is not sent writes by those who can still read", async () => {
    const { world, table } = await service();
    table.arm(throttled({ operation: "transactWrite" }));
    const codes: string[] = [];
    for (let i = 0; i < CALLS; i++) codes.push((await addType(world, `t${i}`)).code);
    expect(new Set(codes)).toEqual(new Set(["throttled"]));
    const writes = table.trace.filter(({ operation }) => operation === "transactWrite").length;
    const reads = table.trace.length - writes;
    process.stdout.write(`${CALLS} writes to a table that throttles writes: ${writes} tried, ${reads} reads\n`);
    expect(writes).toBeLessThanOrEqual(CALLS + retryTokens + reads / successesPerRetryToken);
    // Nothing of it was written, and nothing is written later.
    table.arm({});
    expect((await world.run("model/type_list", { modelRef: "key:m" })).items).toEqual([]);
  });
});
