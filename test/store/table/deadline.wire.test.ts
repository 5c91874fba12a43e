import { afterAll, expect, test } from "vitest";
import { NO_CONTROLS, toUnreadPayload } from "../../../shared/actions/contract/call.ts";
import { createImporter } from "../../../shared/formats/importer.ts";
import { createCallerCache } from "../../../shared/identity/caller-cache.ts";
import { createService } from "../../../shared/service/create-service.ts";
import { createDynamoConnector } from "../../../shared/store/table/dynamo.ts";
import { FORMAT, OutcomeUnknown, type Table } from "../../../shared/store/table/table.ts";
import { dispatchNamed } from "../../support/dispatch-named.ts";
import { ISSUER } from "../../support/issuer.ts";
import { freshConnection, openTable } from "../../support/table.ts";
import { codeOf, createWorld } from "../../support/world.ts";
import { openProxiedTable } from "../support/table-proxy.ts";

const item = { pk: "test", sk: "late", v: FORMAT };
const absent = { put: item, expect: { absent: true } } as const;

const CALLS: { readonly [operation in keyof Table]: (table: Table) => Promise<unknown> } = {
  get: (table) => table.get(item),
  batchGet: (table) => table.batchGet([item]),
  query: (table) => table.query({ pk: item.pk }),
  transactGet: (table) => table.transactGet([item]),
  transactWrite: (table) => table.transactWrite([absent]),
  write: (table) => table.write(absent),
  batchPut: (table) => table.batchPut([item]),
  batchDelete: (table) => table.batchDelete([item]),
};

let now = 1_000;
const { proxy, proxied } = await openProxiedTable();
const table = createDynamoConnector(proxied, () => now).connect(10_000);
afterAll(() => proxy.stop());

test.each(Object.entries(CALLS))("%s is sent before the deadline, and neither at it nor after it", async (_, call) => {
  let sent = 0;
  proxy.decide(() => {
    sent += 1;
    return "pass";
  });
  now = 9_000;
  // Refused where an earlier one wrote the item; it was sent all the same.
  await call(table).catch(() => undefined);
  expect(sent).toBe(1);
  for (const late of [10_000, 10_001, 60_000]) {
    now = late;
    expect(await codeOf(call(table))).toBe("out_of_time");
  }
  expect(sent).toBe(1);
});

test.each(Object.entries(CALLS))("%s without an answer is given up at the deadline", async (_, call) => {
  proxy.decide(() => "hang");
  const hanging = createDynamoConnector({ ...freshConnection(), endpoint: proxy.endpoint }, Date.now);
  const late = new Promise((resolve) => setTimeout(resolve, 3_000, "still waiting"));
  const given = call(hanging.connect(Date.now() + 600)).catch((error: unknown) => error);
  expect(await Promise.race([given, late])).toBeInstanceOf(OutcomeUnknown);
});

test.each([
  ["looked up", false],
  ["in the cache, so that only the store can end it", true],
])("a call without time left before it reads ends there, with a caller that is %s", async (_, isCached) => {
  const { table, connector } = await openTable();
  const world = await createWorld({ table });
  const { runtime, facts } = world.service;
  const service = createService({
    connector,
    runtime,
    keys: world.keys,
    issuer: ISSUER,
    bootstrapSecret: async () => undefined,
    importer: createImporter({ allowPrivate: false }),
    startJob: async () => undefined,
    facts,
    ...(isCached && { callerCache: createCallerCache(60_000, runtime.now) }),
  });
  const asked = {
    ...{ group: "model", name: "model_list", token: world.people.admin, payload: toUnreadPayload({}) },
    ...{ controls: NO_CONTROLS, channel: "http" as const, requestId: "late" },
  };
  const call = (deadline: number) => dispatchNamed({ ...asked, deadline }, service);
  expect(await codeOf(call(runtime.now() + 10_000))).toBe("none");
  expect(await codeOf(call(runtime.now() - 1))).toBe("out_of_time");
});
