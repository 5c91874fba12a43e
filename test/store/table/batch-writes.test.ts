import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../shared/domain/limits.ts";
import { deleteAll, putAll, Throttle } from "../../../shared/store/table/batch-writes.ts";
import { createRetryPolicy, RetryBudget } from "../../../shared/store/table/retry.ts";
import { Contention, FORMAT, type Item, type Table } from "../../../shared/store/table/table.ts";
import { freshTable } from "../../support/table.ts";
import { type Partitioning, partitioned, takeAll } from "../support/partitioned-table.ts";
import { createVirtualTime } from "../support/virtual-time.ts";

const rows = (count: number, bytes = 0): Item[] =>
  Array.from({ length: count }, (_, i) => ({
    ...{ pk: "p", sk: String(i).padStart(6, "0"), v: FORMAT },
    ...(bytes > 0 && { fill: "x".repeat(bytes) }),
  }));

/** A table that forgets what it is sent, so that much can be sent to it. */
const FORGETFUL = { batchPut: async () => [], batchDelete: async () => [] } as unknown as Table;

/** Somebody with a full budget who writes to the partitions of a table, in virtual time. */
function writerTo(inner: Table, options: Partitioning) {
  const time = createVirtualTime();
  const table = partitioned(inner, time, { unitsPerSecond: LIMITS.partitionUnits, ...options });
  const budget = new RetryBudget();
  return { time, table, budget, pace: new Throttle(time.runtime, createRetryPolicy(time.runtime, budget)) };
}

/** A second of what a partition takes may come from what it kept. */
const KINDS: readonly (readonly [title: string, items: readonly Item[], options: Partitioning])[] = [
  ["small items", rows(20_000), { keeps: 0.1 }],
  ["small items, with a second kept", rows(20_000), {}],
  ["small items, second by second", rows(20_000), { bySecond: true }],
  ["small items, by a slow table", rows(20_000), { keeps: 0.1, callMs: 40 }],
  ["items of 10 units", rows(2_000, 10_000), { keeps: 0.1 }],
  ["items of 300 units", rows(60, 300_000), { keeps: 0.1, callMs: 60 }],
];

test.each(
  KINDS,
)("20,000 units written to a partition that takes 1,000 a second are written at its rate, with few rejected requests, and use no retry token: %s", async (title, items, options) => {
  const { time, table, budget, pace } = writerTo(FORGETFUL, options);
  await time.during(putAll(table, items, pace));
  const [use] = table.use("p");
  if (!use) throw new Error("nothing was written");
  const share = use.units / use.ms;
  const inVain = use.refused / use.requests;
  process.stdout.write(`${title}: ${use.ms} ms, ${share.toFixed(2)} of the pace, ${inVain.toFixed(2)} left over\n`);
  expect(share).toBeGreaterThan(0.9);
  expect(inVain).toBeLessThan(0.3);
  expect(takeAll(budget)).toBe(LIMITS.retryTokens);
});

test("a table without throttling gets eight batches at a time, without a pause", async () => {
  const { time, table, pace } = writerTo(FORGETFUL, { unitsPerSecond: 1_000_000, callMs: 10 });
  await time.during(putAll(table, rows(25 * 80), pace));
  const [use] = table.use("p");
  expect(use).toMatchObject({ requests: 80, refused: 0, ms: 9 * 10 });
});

test("unprocessed items are written in the end, each once, at the rate of the partition", async () => {
  const opened = await freshTable();
  const { time, table, pace } = writerTo(opened, { keeps: 0.1 });
  const items = rows(1_500);
  const counts: number[] = [];
  await time.during(putAll(table, items, pace, async (count) => void counts.push(count)));
  expect(counts.at(-1)).toBe(items.length);
  expect((await opened.query({ pk: "p" })).items).toEqual(items);
  await time.during(deleteAll(table, items, pace));
  expect((await opened.query({ pk: "p" })).items).toEqual([]);
  const [use] = table.use("p");
  expect(use?.units).toBe(2 * items.length);
  expect((use?.units ?? 0) / (use?.ms ?? 1)).toBeGreaterThan(0.9);
});

describe("a partition that accepts nothing", () => {
  const throttling = { ...FORGETFUL, batchPut: async () => Promise.reject(new Contention(true)) } as unknown as Table;

  test("gets little more than one request a second, for twenty seconds; then the writer fails, and other calls have retry tokens", async () => {
    let asked = 0;
    const table: Table = { ...throttling, batchPut: (items) => throttling.batchPut(items).finally(() => asked++) };
    const { time, budget, pace } = writerTo(FORGETFUL, {});
    const began = time.runtime.now();
    await expect(time.during(putAll(table, rows(1_000), pace))).rejects.toMatchObject({ code: "throttled" });
    expect(time.runtime.now() - began).toBeGreaterThanOrEqual(20_000);
    expect(asked).toBeLessThan(120);
    expect(takeAll(budget)).toBeGreaterThan(LIMITS.retryTokens / 4);
  });

  test("gets no further request without retry tokens", async () => {
    const { time, budget, pace } = writerTo(FORGETFUL, {});
    takeAll(budget);
    const began = time.runtime.now();
    await expect(time.during(putAll(throttling, rows(1_000), pace))).rejects.toMatchObject({ code: "throttled" });
    expect(time.runtime.now() - began).toBeLessThan(5_000);
  });

  test("for a moment of every second is written to for as long as that takes", async () => {
    const { time, table, pace } = writerTo(FORGETFUL, { bySecond: true });
    const began = time.runtime.now();
    await time.during(putAll(table, rows(40_000), pace));
    expect(time.runtime.now() - began).toBeGreaterThan(30_000);
    expect(table.use("p")[0]?.units).toBe(40_000);
  });

  test("for a while is awaited, and then gets the rest", async () => {
    const { time, pace } = writerTo(FORGETFUL, {});
    const opens = time.runtime.now() + 15_000;
    let taken = 0;
    const table: Table = {
      ...FORGETFUL,
      batchPut: async (items) => {
        if (time.runtime.now() < opens && taken > 500) throw new Contention(true);
        taken += items.length;
        return [];
      },
    };
    await time.during(putAll(table, rows(1_000), pace));
    expect(taken).toBe(1_000);
  });
});

test("after a batch without a definite answer no further batch is sent, and running ones have ended", async () => {
  const { time, pace } = writerTo(FORGETFUL, {});
  let sent = 0;
  let underWay = 0;
  const table: Table = {
    ...FORGETFUL,
    batchPut: async (items) => {
      sent += 1;
      underWay += 1;
      const nth = sent;
      await time.runtime.sleep(10 * nth);
      underWay -= 1;
      if (nth === 2) throw new Error("no answer");
      // The rest of the last batch is not sent either.
      return nth === 8 ? items.slice(1) : [];
    },
  };
  await expect(time.during(putAll(table, rows(25 * 80), pace))).rejects.toThrow("no answer");
  expect(underWay).toBe(0);
  // Eight at once; the first was answered before the second failed.
  expect(sent).toBe(9);
});
