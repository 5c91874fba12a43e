import { afterAll, beforeAll, expect, test } from "vitest";
import { ensureTable } from "../../shared/store/create-table.ts";
import { createDynamoTable } from "../../shared/store/dynamo.ts";
import { FORMAT, type Seam } from "../../shared/store/seam.ts";
import { codeOf } from "../support/world.ts";
import { freshConnection } from "../support/table.ts";
import { startProxy, type TableProxy } from "./support/table-proxy.ts";

const item = { pk: "test", sk: "late", v: FORMAT };
const absent = { put: item, expect: { absent: true } } as const;

/** Every call there is at the seam, once. */
const CALLS: { readonly [operation in keyof Seam]: (seam: Seam) => Promise<unknown> } = {
  get: (seam) => seam.get(item),
  batchGet: (seam) => seam.batchGet([item]),
  query: (seam) => seam.query({ pk: item.pk }),
  transactGet: (seam) => seam.transactGet([item]),
  transactWrite: (seam) => seam.transactWrite([absent]),
  write: (seam) => seam.write(absent),
  batchPut: (seam) => seam.batchPut([item]),
  batchDelete: (seam) => seam.batchDelete([item]),
};

const SENT = ["GetItem", "BatchGetItem", "Query", "TransactGetItems", "TransactWriteItems", "PutItem", "BatchWriteItem"];

let proxy: TableProxy;
let now = 1_000;
let seam: Seam;

beforeAll(async () => {
  const connection = freshConnection();
  await ensureTable(connection);
  proxy = await startProxy(connection.endpoint ?? "");
  seam = createDynamoTable({ ...connection, endpoint: proxy.endpoint }, () => now).seam(10_000);
});

afterAll(() => proxy.stop());

const sent = (): number => SENT.reduce((sum, operation) => sum + proxy.count(operation), 0);

test.each(Object.entries(CALLS))("%s is sent before the deadline, and neither at it nor after it", async (_, call) => {
  proxy.decide(() => "pass");
  now = 9_000;
  await codeOf(call(seam).catch(() => undefined));
  expect(sent()).toBe(1);
  for (const late of [10_000, 10_001, 60_000]) {
    now = late;
    expect(await codeOf(call(seam))).toBe("out_of_time");
  }
  expect(sent()).toBe(1);
});
