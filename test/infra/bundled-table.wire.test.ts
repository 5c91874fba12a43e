import * as dynamodb from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as source from "../../shared/store/table/dynamo.ts";
import { ensureTable } from "../../shared/store/table/dynamo-admin.ts";
import { type Expectation, FORMAT, type Table, type Write } from "../../shared/store/table/table.ts";
import { startProxy, type TableProxy } from "../store/support/table-proxy.ts";
import { freshConnection } from "../support/table.ts";
import { catchFailure, loadBundled } from "./support/bundled-table.ts";

const bundled = loadBundled<typeof source>("shared/store/table/dynamo.ts");
let proxy: TableProxy;
let tables: readonly Table[];

beforeAll(async () => {
  const connection = freshConnection();
  await ensureTable(connection);
  proxy = await startProxy(connection.endpoint ?? "");
  tables = [source, bundled].map((from) => from.createDynamoTable({ ...connection, endpoint: proxy.endpoint }));
});

afterAll(() => proxy.stop());

const put = (sk: string, expected: Expectation): Write => ({ put: { pk: "test", sk, v: FORMAT }, expect: expected });

const CALLS: Readonly<Record<string, (table: Table) => Promise<unknown>>> = {
  "one write": (table) => table.write(put("there", { absent: true })),
  "several writes": (table) =>
    table.transactWrite([put("new", { anything: true }), put("there", { equal: { owner: "somebody else" } })]),
  "a deletion": (table) => table.write({ delete: { pk: "test", sk: "none" }, expect: { equal: { v: FORMAT } } }),
};

test.each(Object.entries(CALLS))("a refused condition is reported alike by the bundled table: %s", async (_, call) => {
  proxy.decide(() => "pass");
  const [ours, bundled] = tables as [Table, Table];
  await ours.write(put("there", { anything: true }));
  const failures = [await catchFailure(call(ours)), await catchFailure(call(bundled))];
  expect(failures[0]).toMatchObject({ text: "a condition was refused" });
  expect(failures[1]).toEqual(failures[0]);
});

const NAMES = Object.keys(dynamodb).filter((name) => /(Exception|Exceeded|Error)$/.test(name));

test.each([
  ...NAMES,
  "NobodyKnowsException",
])("a call that %s refuses is reported alike by the bundled table", async (error) => {
  proxy.decide(() => ({ error }));
  const calls = [(table: Table) => table.get({ pk: "test", sk: "there" }), ...Object.values(CALLS)];
  for (const call of calls) {
    const [ours, bundled] = await Promise.all(tables.map((table) => catchFailure(call(table))));
    expect(bundled).toEqual(ours);
    expect(ours).toBeDefined();
  }
});
