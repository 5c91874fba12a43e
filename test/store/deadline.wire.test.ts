import { afterAll, beforeAll, expect, test } from "vitest";
import { createService } from "../../functions/dispatcher/service.ts";
import { NO_CONTROLS } from "../../shared/actions/contract/controls.ts";
import { unread } from "../../shared/actions/contract/payload.ts";
import { createImporter } from "../../shared/exchange/importer.ts";
import { ensureTable } from "../../shared/store/table/create-table.ts";
import { createDynamoTable } from "../../shared/store/table/dynamo.ts";
import { FORMAT, Lost, type Seam } from "../../shared/store/table/table.ts";
import { dispatchNamed } from "../support/dispatch-named.ts";
import { ISSUER } from "../support/issuer.ts";
import { freshConnection, openTable } from "../support/table.ts";
import { codeOf, createWorld } from "../support/world.ts";
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

const SENT = [
  "GetItem",
  "BatchGetItem",
  "Query",
  "TransactGetItems",
  "TransactWriteItems",
  "PutItem",
  "BatchWriteItem",
];

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

/** How many requests have reached the table since the proxy was told what to do. */
const sent = (): number => SENT.reduce((sum, operation) => sum + proxy.count(operation), 0);

test.each(Object.entries(CALLS))("%s is sent before the deadline, and neither at it nor after it", async (_, call) => {
  proxy.decide(() => "pass");
  now = 9_000;
  // Refused where an earlier one wrote the item; it was sent all the same.
  await call(seam).catch(() => undefined);
  expect(sent()).toBe(1);
  for (const late of [10_000, 10_001, 60_000]) {
    now = late;
    expect(await codeOf(call(seam))).toBe("out_of_time");
  }
  expect(sent()).toBe(1);
});

test.each(
  Object.entries(CALLS),
)("%s whose answer never comes is given up when the deadline is there", async (_, call) => {
  proxy.decide(() => "hang");
  const hanging = createDynamoTable({ ...freshConnection(), endpoint: proxy.endpoint }, Date.now);
  const late = new Promise((resolve) => setTimeout(resolve, 3_000, "still waiting"));
  const given = call(hanging.seam(Date.now() + 600)).catch((error: unknown) => error);
  expect(await Promise.race([given, late])).toBeInstanceOf(Lost);
});

test("a call whose time is up before it reads ends there", async () => {
  const { seam, table } = await openTable();
  const world = await createWorld({ seam });
  const { ambient, facts } = world.service;
  const service = createService({
    table,
    ambient,
    keys: world.keys,
    issuer: ISSUER,
    bootstrapSecret: async () => undefined,
    importer: createImporter({ allowPrivate: false }),
    startJob: async () => undefined,
    facts,
  });
  const call = (deadline: number) =>
    dispatchNamed(
      {
        group: "model",
        name: "model_list",
        token: world.people.admin,
        payload: unread({}),
        controls: NO_CONTROLS,
        channel: "http",
        requestId: "late",
        deadline,
      },
      service,
    );
  expect(await codeOf(call(ambient.now() + 10_000))).toBe("none");
  expect(await codeOf(call(ambient.now() - 1))).toBe("out_of_time");
});
