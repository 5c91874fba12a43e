import { afterAll, expect, test } from "vitest";
import { LIMITS } from "../../../shared/domain/limits.ts";
import { createRetryingTable, RetryBudget } from "../../../shared/store/table/retry.ts";
import { FORMAT, type Item } from "../../../shared/store/table/table.ts";
import { takeAll } from "../support/partitioned-table.ts";
import { openProxiedTable } from "../support/table-proxy.ts";

/** `halving` takes half of every batch, as a busy table may, which no engine on one machine ever does. */
const { proxy, direct, table: halving } = await openProxiedTable();
proxy.decide(() => ({ share: 0.5 }));
afterAll(() => proxy.stop());

const rows = (name: string): Item[] =>
  Array.from({ length: 20 }, (_, i) => ({ pk: name, sk: `${i}`.padStart(2, "0"), v: FORMAT }));
const keys = (items: readonly { sk: string }[]): string[] => items.map(({ sk }) => sk).sort();

test("a batch of writes returns the unprocessed items", async () => {
  const all = rows("written");
  expect(await halving.batchPut(all)).toEqual(all.slice(10));
  expect(keys((await direct.query({ pk: "written" })).items)).toEqual(keys(all.slice(0, 10)));
});

test("a batch of deletions returns the unprocessed items", async () => {
  const all = rows("deleted");
  await direct.batchPut(all);
  expect(keys(await halving.batchDelete(all.map(({ pk, sk }) => ({ pk, sk }))))).toEqual(keys(all.slice(10)));
  expect(keys((await direct.query({ pk: "deleted" })).items)).toEqual(keys(all.slice(10)));
});

test("a batch of reads returns all items, however little the table returns at once", async () => {
  const all = rows("read");
  await direct.batchPut(all);
  const pauses: number[] = [];
  const budget = new RetryBudget();
  const policy = { budget, pause: async (repeats: number) => void pauses.push(repeats) };
  const got = await createRetryingTable(halving, policy).batchGet([
    ...all.map(({ pk, sk }) => ({ pk, sk })),
    { pk: "read", sk: "none" },
  ]);
  expect(keys(got)).toEqual(keys(all));
  // 21 keys, of which the table looks at half each time: a pause before each of the repeats, and no token spent.
  expect(pauses).toEqual([0, 0, 0, 0]);
  expect(takeAll(budget)).toBe(LIMITS.retryTokens);
});
