import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { LIMITS } from "../../../shared/domain/limits.ts";
import { FORMAT, type Item } from "../../../shared/store/table/table.ts";
import { codeOf, createWorld, type World } from "../../support/world.ts";
import { quickRuntime } from "../support/quick-runtime.ts";
import { openProxiedTable, type Passage, type TableProxy } from "../support/table-proxy.ts";

let proxy: TableProxy;
let world: World;
let slept: number[] = [];

/** Each test has a table and a process of its own, with a full budget. */
beforeEach(async () => {
  const opened = await openProxiedTable();
  proxy = opened.proxy;
  const clock = quickRuntime();
  const sleep = (ms: number): Promise<void> => {
    slept.push(ms);
    return clock.sleep(ms);
  };
  world = await createWorld({ table: opened.table, runtime: { ...clock, sleep } });
  await world.run("model/model_create", { key: "m", name: "M" });
  slept = [];
});

afterEach(() => proxy.stop());

const READS = ["GetItem", "BatchGetItem", "Query", "TransactGetItems"];
const isRead = (operation: string) => READS.includes(operation);

async function makeType(): Promise<string> {
  const made = await codeOf(world.answer("model/type_create", { modelRef: "key:m", typeKey: "t" }));
  proxy.decide(() => "pass");
  const found = await codeOf(world.answer("model/type_get", { modelRef: "key:m", typeRef: "key:t" }));
  return `${made}, ${found === "none" ? "there" : "not there"}`;
}

const readTypes = (): Promise<string> => codeOf(world.answer("model/type_list", { modelRef: "key:m" }));

const THROTTLES = ["ThrottlingException", "ProvisionedThroughputExceededException", "RequestLimitExceeded"];
const FAILURES = { InternalServerError: 500, ServiceUnavailable: 503 };
const UNANSWERED: readonly Passage[] = [
  ...Object.entries(FAILURES).map(([error, status]) => ({ error, status })),
  ...(["cut", "cut-answer"] as const),
];

describe("a table that throttles everything", () => {
  describe.each(THROTTLES)("with %s", (error) => {
    const passage = { error };

    test("is 429 for readers and writers, and retried within the budget", async () => {
      proxy.decide(() => passage);
      expect(await readTypes()).toBe("throttled");
      expect(slept.length).toBeGreaterThan(0);
      proxy.decide((operation) => (isRead(operation) ? "pass" : passage));
      expect(await makeType()).toBe("throttled, not there");
    });

    test("twice is retried, and then answers", async () => {
      proxy.decide((_, nth) => (nth <= 2 ? passage : "pass"));
      expect(await readTypes()).toBe("none");
      proxy.decide((operation, nth) => (isRead(operation) || nth > 2 ? "pass" : passage));
      expect(await makeType()).toBe("none, there");
    });
  });

  test("costs every process a bounded number of retries, for any number of calls", async () => {
    const calls = 40;
    let requests = 0;
    proxy.decide(() => {
      requests += 1;
      return { error: "ThrottlingException" };
    });
    for (let i = 0; i < calls; i++) expect(await readTypes()).toBe("throttled");
    // The actor that calls and the model's head are read at once.
    expect(requests).toBeLessThanOrEqual(2 * calls + LIMITS.retryTokens);
  });
});

describe("a transaction that conflicts with another", () => {
  const conflict: Passage = { error: "TransactionCanceledException", reasons: ["TransactionConflict", "None"] };

  test("starts again and succeeds", async () => {
    proxy.decide((operation, nth) => (operation === "TransactWriteItems" && nth <= 2 ? conflict : "pass"));
    expect(await makeType()).toBe("none, there");
  });

  test("is distinguished from a throttled one", async () => {
    const put: Item = { pk: "p", sk: "several", v: FORMAT };
    proxy.decide(() => conflict);
    const writing = world.table.transactWrite([{ put, expect: { absent: true } }]);
    await expect(writing).rejects.toMatchObject({ throttled: false });
  });

  test("of one item is sent again", async () => {
    const put: Item = { pk: "p", sk: "one", v: FORMAT };
    const refused = { error: "TransactionConflictException" };
    proxy.decide((operation, nth) => (operation === "PutItem" && nth === 1 ? refused : "pass"));
    await expect(world.table.write({ put, expect: { absent: true } })).rejects.toMatchObject({ throttled: false });
  });
});

describe.each(UNANSWERED)("a table without an answer (%j)", (passage) => {
  test("to the first request of each kind is read again", async () => {
    proxy.decide((operation, nth) => (isRead(operation) && nth === 1 ? passage : "pass"));
    expect(await readTypes()).toBe("none");
  });

  test("to a commit has made it exactly once, or not at all", async () => {
    proxy.decide((operation, nth) => (operation === "TransactWriteItems" && nth === 1 ? passage : "pass"));
    expect(await makeType()).toBe("none, there");
  });

  test("at all is 503, and a write with an unknown outcome 504", async () => {
    proxy.decide(() => passage);
    expect(await readTypes()).toBe("unavailable");
    proxy.decide((operation) => (operation === "TransactWriteItems" ? passage : "pass"));
    const outcome = await makeType();
    // A commit whose answer was cut off was made, and the log contains it.
    expect(outcome).toBe(passage === "cut-answer" ? "none, there" : "out_of_time, not there");
  });
});

test("a batch of reads of which the table reads nothing is repeated with a growing backoff, and then 429", async () => {
  let requests = 0;
  proxy.decide(() => {
    requests += 1;
    return { share: 0 };
  });
  expect(await readTypes()).toBe("throttled");
  expect(requests).toBeLessThanOrEqual(20);
  expect(slept.length).toBeGreaterThan(0);
});
