import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { LIMITS } from "../../../shared/domain/limits.ts";
import { createDynamoTable } from "../../../shared/store/table/dynamo.ts";
import { ensureTable } from "../../../shared/store/table/dynamo-admin.ts";
import { FORMAT, type Item } from "../../../shared/store/table/table.ts";
import { freshConnection } from "../../support/table.ts";
import { createWorld, type World } from "../../support/world.ts";
import { quickAmbient } from "../support/quick-ambient.ts";
import { type Passage, startProxy, type TableProxy } from "../support/table-proxy.ts";

let proxy: TableProxy;
let world: World;
let slept: number[] = [];

/** Each test has a table and a process of its own, with a full budget. */
beforeEach(async () => {
  const connection = freshConnection();
  await ensureTable(connection);
  proxy = await startProxy(connection.endpoint ?? "");
  const clock = quickAmbient();
  const sleep = (ms: number): Promise<void> => {
    slept.push(ms);
    return clock.sleep(ms);
  };
  const table = createDynamoTable({ ...connection, endpoint: proxy.endpoint });
  world = await createWorld({ table, ambient: { ...clock, sleep } });
  await world.run("model/model_create", { key: "m", name: "M" });
  slept = [];
});

afterEach(() => proxy.stop());

const READS = ["GetItem", "BatchGetItem", "Query", "TransactGetItems"];
const isRead = (operation: string): boolean => READS.includes(operation);

/** Makes a type in the model; answers the outcome, and whether the type is there. */
async function makeType(): Promise<string> {
  const made = await codeOf(world.answer("model/type_create", { modelRef: "key:m", typeKey: "t" }));
  proxy.decide(() => "pass");
  const found = await codeOf(world.answer("model/type_get", { modelRef: "key:m", typeRef: "key:t" }));
  return `${made}, ${found === "ok" ? "there" : "not there"}`;
}

const codeOf = (answer: Promise<unknown>): Promise<string> =>
  answer.then(
    () => "ok",
    (error: { code: string }) => error.code,
  );

const readTypes = (): Promise<string> => codeOf(world.answer("model/type_list", { modelRef: "key:m" }));

const THROTTLES: readonly Passage[] = [
  ...["ThrottlingException", "ProvisionedThroughputExceededException", "RequestLimitExceeded"],
].map((error) => ({ error }));
const UNANSWERED: readonly Passage[] = [
  { error: "InternalServerError", status: 500 },
  { error: "ServiceUnavailable", status: 503 },
  "cut",
  "cut-answer",
];
const name = (passage: Passage): string => (typeof passage === "object" ? JSON.stringify(passage) : passage);

describe("a table that throttles everything", () => {
  for (const passage of THROTTLES) {
    test(`with ${name(passage)} is 429 for readers and writers, and retried within the budget`, async () => {
      proxy.decide(() => passage);
      expect(await readTypes()).toBe("throttled");
      expect(slept.length).toBeGreaterThan(0);
      proxy.decide((operation) => (isRead(operation) ? "pass" : passage));
      expect(await makeType()).toBe("throttled, not there");
    });

    test(`with ${name(passage)} twice is retried, and then answers`, async () => {
      proxy.decide((_, nth) => (nth <= 2 ? passage : "pass"));
      expect(await readTypes()).toBe("ok");
      proxy.decide((operation, nth) => (isRead(operation) || nth > 2 ? "pass" : passage));
      expect(await makeType()).toBe("ok, there");
    });
  }

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
    expect(await makeType()).toBe("ok, there");
  });

  test("is distinguished from a throttled one", async () => {
    const put: Item = { pk: "p", sk: "several", v: FORMAT };
    proxy.decide(() => conflict);
    await expect(world.table.transactWrite([{ put, expect: { absent: true } }])).rejects.toMatchObject({
      throttled: false,
    });
  });

  test("of one item is sent again", async () => {
    const put: Item = { pk: "p", sk: "one", v: FORMAT };
    proxy.decide((operation, nth) =>
      operation === "PutItem" && nth === 1 ? { error: "TransactionConflictException" } : "pass",
    );
    await expect(world.table.write({ put, expect: { absent: true } })).rejects.toMatchObject({ throttled: false });
  });
});

describe("a table without an answer", () => {
  for (const passage of UNANSWERED) {
    test(`(${name(passage)}) to the first request of each kind is read again`, async () => {
      proxy.decide((operation, nth) => (isRead(operation) && nth === 1 ? passage : "pass"));
      expect(await readTypes()).toBe("ok");
    });

    test(`(${name(passage)}) to a commit has made it exactly once, or not at all`, async () => {
      proxy.decide((operation, nth) => (operation === "TransactWriteItems" && nth === 1 ? passage : "pass"));
      expect(await makeType()).toBe("ok, there");
    });

    test(`(${name(passage)}) at all is 503, and a write with an unknown outcome 504`, async () => {
      proxy.decide(() => passage);
      expect(await readTypes()).toBe("unavailable");
      proxy.decide((operation) => (operation === "TransactWriteItems" ? passage : "pass"));
      const told = await makeType();
      // A commit whose answer was cut off on its way back was made; the log tells so.
      expect(told).toBe(passage === "cut-answer" ? "ok, there" : "out_of_time, not there");
    });
  }
});

describe("a batch of reads", () => {
  test("of which the table reads nothing is repeated with a growing backoff, and then 429", async () => {
    let requests = 0;
    proxy.decide(() => {
      requests += 1;
      return { share: 0 };
    });
    expect(await readTypes()).toBe("throttled");
    expect(requests).toBeLessThanOrEqual(20);
    expect(slept.length).toBeGreaterThan(0);
  });
});
