import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { LIMITS } from "../../../shared/domain/limits.ts";
import { createDynamoConnector } from "../../../shared/store/table/dynamo.ts";
import { createRetryingTable, RetryBudget } from "../../../shared/store/table/retry.ts";
import {
  ConditionFailed,
  Contention,
  FORMAT,
  type Item,
  OutcomeUnknown,
  type Write,
} from "../../../shared/store/table/table.ts";
import { takeAll } from "../support/partitioned-table.ts";
import { openProxiedTable, type Passage } from "../support/table-proxy.ts";

const { proxy, proxied, direct, table } = await openProxiedTable();
afterAll(() => proxy.stop());

let at = 0;
let item: Item;

beforeEach(() => {
  at += 1;
  item = { pk: "test", sk: `item-${at}`, v: FORMAT };
  proxy.decide(() => "pass");
});

const toError = (error: string): Passage => ({ error });
const put = (one: Item): Write => ({ put: one, expect: { absent: true } });
const kept = (one: Item): Promise<Item | undefined> => direct.get({ pk: one.pk, sk: one.sk });
const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(() => "no failure").catch((error) => error);

/** "Not done, and certainly not": what `Contention` and `ConditionFailed` promise. */
async function expectTruth(error: unknown) {
  const done = (await kept(item)) !== undefined;
  if (error instanceof Contention || error instanceof ConditionFailed)
    expect(done, `${error.message}, and yet it was done`).toBe(false);
  else if (error !== "no failure") expect(error).toBeInstanceOf(OutcomeUnknown);
}

describe("the result of a write", () => {
  test("with all answers lost: unknown", async () => {
    proxy.decide(() => "cut-answer");
    expect(await failure(table.transactWrite([put(item)]))).toBeInstanceOf(OutcomeUnknown);
    expect(await failure(table.write(put({ ...item, sk: `${item.sk}-single` })))).toBeInstanceOf(OutcomeUnknown);
    expect(await failure(table.batchPut([{ ...item, sk: `${item.sk}-batch` }]))).toBeInstanceOf(OutcomeUnknown);
  });

  const WRITES = {
    "of several items": () => table.transactWrite([put(item)]),
    "of one item": () => table.write(put(item)),
  };
  const REPEATS: readonly Passage[] = [
    ...["ThrottlingException", "ProvisionedThroughputExceededException", "RequestLimitExceeded"].map(toError),
    ...["TransactionInProgressException", "InternalServerError"].map(toError),
    "pass",
  ];
  test.each(
    Object.entries(WRITES).flatMap(([title, send]) => REPEATS.map((passage) => [title, passage, send] as const)),
  )("%s with a lost first answer and %j for its repeats is correct", async (_, passage, send) => {
    proxy.decide((_, nth) => (nth === 1 ? "cut-answer" : passage));
    await expectTruth(await failure(send()));
  });

  test("with an error that DynamoDB raises before any effect: not done", async () => {
    proxy.decide(() => ({ error: "ThrottlingException" }));
    expect(await failure(table.batchPut([item]))).toMatchObject({ throttled: true });
    expect(proxy.count("BatchWriteItem")).toBe(1);
    expect(await kept(item)).toBeUndefined();
  });

  test("of a batch: it is never sent twice", async () => {
    for (const passage of ["cut-answer", { error: "InternalServerError" }, { error: "ThrottlingException" }] as const) {
      proxy.decide(() => passage);
      await failure(table.batchPut([item]));
      expect(proxy.count("BatchWriteItem")).toBe(1);
    }
  });
});

describe("a store that does not answer", () => {
  test("is given up before the deadline of the call", async () => {
    const hanging = createDynamoConnector(proxied, Date.now);
    proxy.decide(() => "hang");
    const begun = Date.now();
    const call = hanging.connect(begun + 1_500);
    expect(await failure(call.get({ pk: item.pk, sk: item.sk }))).toBeInstanceOf(OutcomeUnknown);
    expect(await failure(call.transactWrite([put(item)]))).toBeInstanceOf(OutcomeUnknown);
    expect(Date.now() - begun).toBeLessThan(2_000);
  });

  test("is given up by work without a deadline too", async () => {
    proxy.decide(() => "hang");
    const waited = Symbol("still waiting");
    const patience = new Promise((resolve) => setTimeout(resolve, 12_000, waited));
    expect(await Promise.race([failure(table.batchPut([item])), patience])).toBeInstanceOf(OutcomeUnknown);
  });
});

describe("a batch of which the table takes half", () => {
  const rows = (name: string): Item[] =>
    Array.from({ length: 20 }, (_, i) => ({ pk: name, sk: `${i}`.padStart(2, "0"), v: FORMAT }));
  const keys = (items: readonly { sk: string }[]): string[] => items.map(({ sk }) => sk).sort();

  // As a busy table may, and an engine on one machine never does.
  beforeEach(() => proxy.decide(() => ({ share: 0.5 })));

  test("of writes returns the unprocessed items", async () => {
    const all = rows("written");
    expect(await table.batchPut(all)).toEqual(all.slice(10));
    expect(keys((await direct.query({ pk: "written" })).items)).toEqual(keys(all.slice(0, 10)));
  });

  test("of deletions returns the unprocessed items", async () => {
    const all = rows("deleted");
    await direct.batchPut(all);
    expect(keys(await table.batchDelete(all.map(({ pk, sk }) => ({ pk, sk }))))).toEqual(keys(all.slice(10)));
    expect(keys((await direct.query({ pk: "deleted" })).items)).toEqual(keys(all.slice(10)));
  });

  test("of reads returns all items, however little the table returns at once", async () => {
    const all = rows("read");
    await direct.batchPut(all);
    const pauses: number[] = [];
    const budget = new RetryBudget();
    const policy = { budget, pause: async (repeats: number) => void pauses.push(repeats) };
    const asked = [...all.map(({ pk, sk }) => ({ pk, sk })), { pk: "read", sk: "none" }];
    expect(keys(await createRetryingTable(table, policy).batchGet(asked))).toEqual(keys(all));
    // 21 keys, of which the table takes half each time: a pause before each of the repeats, and no token spent.
    expect(pauses).toEqual([0, 0, 0, 0]);
    expect(takeAll(budget)).toBe(LIMITS.retryTokens);
  });
});

describe("the conditions of a write", () => {
  test("report which of them failed, with the stored item", async () => {
    const other = { ...item, sk: `${item.sk}-other` };
    await direct.write(put({ ...item, revision: 3, operation: "theirs" }));
    const items = [undefined, { ...item, revision: 3, operation: "theirs" }];
    expect(await failure(table.transactWrite([put(other), put(item)]))).toMatchObject({ faults: [false, true], items });
    expect(await kept(other)).toBeUndefined();
  });

  test("support absence, equality, and expiry", async () => {
    await direct.write(put({ ...item, revision: 3, expiresAt: 1_000 }));
    const again = (expect: Write["expect"]): Promise<unknown> =>
      failure(table.write({ put: { ...item, revision: 3, expiresAt: 1_000 }, expect }));
    expect(await again({ absent: true })).toBeInstanceOf(ConditionFailed);
    expect(await again({ equal: { revision: 2 } })).toBeInstanceOf(ConditionFailed);
    expect(await again({ absentOrExpired: 1_000 })).toBeInstanceOf(ConditionFailed);
    expect(await again({ absentOrExpired: 1_001 })).toBe("no failure");
    expect(await again({ equal: { revision: 3 } })).toBe("no failure");
    const absent = { put: { ...item, sk: `${item.sk}-absent` }, expect: { equal: { revision: 1 } } };
    expect(await failure(table.write(absent))).toBeInstanceOf(ConditionFailed);
  });
});
