import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ensureTable } from "../../shared/store/table/create-table.ts";
import { createDynamoSeam, createDynamoTable } from "../../shared/store/table/dynamo.ts";
import { Busy, FORMAT, type Item, Lost, Refused, type Seam, type Write } from "../../shared/store/table/table.ts";
import { freshConnection } from "../support/table.ts";
import { startProxy, type TableProxy } from "./support/table-proxy.ts";

let proxy: TableProxy;
let seam: Seam;
let direct: Seam;
let connection: ReturnType<typeof freshConnection>;

beforeAll(async () => {
  connection = freshConnection();
  await ensureTable(connection);
  direct = createDynamoSeam(connection);
  proxy = await startProxy(connection.endpoint ?? "");
  seam = createDynamoSeam({ ...connection, endpoint: proxy.endpoint });
});

afterAll(() => proxy.stop());

let at = 0;
let item: Item;

beforeEach(() => {
  at += 1;
  item = { pk: "test", sk: `item-${at}`, v: FORMAT };
  proxy.decide(() => "pass");
});

const put = (one: Item): Write => ({ put: one, expect: { absent: true } });
const kept = (one: Item): Promise<Item | undefined> => direct.get({ pk: one.pk, sk: one.sk });
const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "no failure",
    (error) => error,
  );

/** "Not done, and certainly not": what `Busy` and `Refused` promise. */
async function expectTruth(error: unknown): Promise<void> {
  const done = (await kept(item)) !== undefined;
  if (error instanceof Busy || error instanceof Refused)
    expect(done, `${error.message}, and yet it was done`).toBe(false);
  else if (error !== "no failure") expect(error).toBeInstanceOf(Lost);
}

describe("what the seam says of a write", () => {
  test("whose answers are all cut off: there was none", async () => {
    proxy.decide(() => "cut-answer");
    expect(await failure(seam.transactWrite([put(item)]))).toBeInstanceOf(Lost);
    expect(await failure(seam.write(put({ ...item, sk: `${item.sk}-single` })))).toBeInstanceOf(Lost);
    expect(await failure(seam.batchPut([{ ...item, sk: `${item.sk}-batch` }]))).toBeInstanceOf(Lost);
  });

  for (const error of [
    "ThrottlingException",
    "ProvisionedThroughputExceededException",
    "RequestLimitExceeded",
    "TransactionInProgressException",
    "InternalServerError",
  ]) {
    test(`of several items whose first answer was cut off and whose repeats meet ${error} is true`, async () => {
      proxy.decide((_, nth) => (nth === 1 ? "cut-answer" : { error }));
      await expectTruth(await failure(seam.transactWrite([put(item)])));
    });

    test(`of one item whose first answer was cut off and whose repeats meet ${error} is true`, async () => {
      proxy.decide((_, nth) => (nth === 1 ? "cut-answer" : { error }));
      await expectTruth(await failure(seam.write(put(item))));
    });
  }

  test("of one item whose first answer was cut off is true when the repeat finds the item in the way", async () => {
    proxy.decide((_, nth) => (nth === 1 ? "cut-answer" : "pass"));
    await expectTruth(await failure(seam.write(put(item))));
  });

  test("of several items whose first answer was cut off is true when the repeat is answered", async () => {
    proxy.decide((_, nth) => (nth === 1 ? "cut-answer" : "pass"));
    await expectTruth(await failure(seam.transactWrite([put(item)])));
  });

  test("that meets an error DynamoDB raises before it does anything: it was not done", async () => {
    proxy.decide(() => ({ error: "ThrottlingException" }));
    expect(await failure(seam.batchPut([item]))).toMatchObject({ throttled: true });
    expect(proxy.count("BatchWriteItem")).toBe(1);
    expect(await kept(item)).toBeUndefined();
  });

  test("of a batch: it is never sent twice", async () => {
    for (const passage of ["cut-answer", { error: "InternalServerError" }, { error: "ThrottlingException" }] as const) {
      proxy.decide(() => passage);
      await failure(seam.batchPut([item]));
      expect(proxy.count("BatchWriteItem")).toBe(1);
    }
  });
});

describe("a store that does not answer at all", () => {
  test("is given up before the call has to be answered", async () => {
    const hanging = createDynamoTable({ ...connection, endpoint: proxy.endpoint }, Date.now);
    proxy.decide(() => "hang");
    const begun = Date.now();
    const call = hanging.seam(begun + 1_500);
    expect(await failure(call.get({ pk: item.pk, sk: item.sk }))).toBeInstanceOf(Lost);
    expect(await failure(call.transactWrite([put(item)]))).toBeInstanceOf(Lost);
    expect(Date.now() - begun).toBeLessThan(2_000);
  });

  test("is given up by work without a deadline too", async () => {
    proxy.decide(() => "hang");
    const waited = Symbol("still waiting");
    const patience = new Promise((resolve) => setTimeout(resolve, 12_000, waited));
    expect(await Promise.race([failure(seam.batchPut([item])), patience])).toBeInstanceOf(Lost);
  });
});

describe("the conditions of a write", () => {
  test("tell which of them failed, with the item in the way", async () => {
    const other = { ...item, sk: `${item.sk}-other` };
    await direct.write(put({ ...item, revision: 3, operation: "theirs" }));
    const error = await failure(seam.transactWrite([put(other), put(item)]));
    expect(error).toMatchObject({ failed: [false, true] });
    expect(error instanceof Refused && error.found[1]).toEqual({ ...item, revision: 3, operation: "theirs" });
    expect(await kept(other)).toBeUndefined();
  });

  test("hold for absence, equality, and expiry", async () => {
    await direct.write(put({ ...item, revision: 3, expiresAt: 1_000 }));
    const again = (expect: Write["expect"]): Promise<unknown> =>
      failure(seam.write({ put: { ...item, revision: 3, expiresAt: 1_000 }, expect }));
    expect(await again({ absent: true })).toBeInstanceOf(Refused);
    expect(await again({ equal: { revision: 2 } })).toBeInstanceOf(Refused);
    expect(await again({ absentOrExpired: 1_000 })).toBeInstanceOf(Refused);
    expect(await again({ absentOrExpired: 1_001 })).toBe("no failure");
    expect(await again({ equal: { revision: 3 } })).toBe("no failure");
    const absent = { put: { ...item, sk: `${item.sk}-absent` }, expect: { equal: { revision: 1 } } };
    expect(await failure(seam.write(absent))).toBeInstanceOf(Refused);
  });
});
