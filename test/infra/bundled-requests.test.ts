import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { Sha256 } from "@smithy/core/checksum";
import { HttpRequest, parseUrl } from "@smithy/core/protocols";
import { SignatureV4 } from "@smithy/signature-v4";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { PARTITIONS } from "../../functions/replaced-modules.ts";
import type { endpointOf } from "../../functions/sdk/endpoint.ts";
import type { Connection } from "../../shared/store/table/dynamo.ts";
import * as source from "../../shared/store/table/dynamo.ts";
import { FORMAT, type Item, type Table } from "../../shared/store/table/table.ts";
import { failureOf, loadBundled } from "./support/bundled-table.ts";
import { type CameIn, type Canned, json, startCanned, text } from "./support/canned-dynamodb.ts";

const CREDENTIALS = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "a secret of the test" };
const REGION = "eu-central-1";

const { module: bundled, remove } = loadBundled<typeof source>("shared/store/table/dynamo.ts");
const server = await startCanned();
const connection: Connection = { table: "t", endpoint: server.endpoint, region: REGION, credentials: CREDENTIALS };
const tables = [source, bundled].map((from) => from.createDynamoTable(connection)) as [Table, Table];
afterAll(() => {
  server.stop();
  remove();
});

const KEY = { pk: "model#1", sk: "entity#Ünïcode \u{1f600}" };
const ITEM: Item = {
  ...KEY,
  v: FORMAT,
  text: 'a "quoted"\n text',
  number: -12.5,
  large: 9_007_199_254_740_991,
  yes: true,
  nothing: null,
  left: undefined,
  bytes: new Uint8Array([0, 1, 254, 255]),
  list: ["a", 1, { deep: [] }],
  map: { empty: {}, name: "x" },
};
const STORED = {
  pk: { S: "model#1" },
  sk: { S: "entity#a" },
  v: { N: "1" },
  number: { N: "-12.5" },
  yes: { BOOL: true },
  nothing: { NULL: true },
  bytes: { B: "AAH+/w==" },
  list: { L: [{ S: "a" }, { N: "1" }, { M: { deep: { L: [] } } }] },
  set: { SS: ["a", "b"] },
};
const REFUSED = { __type: "com.amazonaws.dynamodb.v20120810#", message: "no" };
const reasons = [{ Code: "None" }, { Code: "ConditionalCheckFailed", Item: STORED }];

type Call = (table: Table) => Promise<unknown>;
const range = { pk: "model#1" };
const CALLS: readonly (readonly [name: string, call: Call, answer: unknown])[] = [
  ["get", (t) => t.get(KEY), { Item: STORED }],
  ["get of nothing", (t) => t.get(KEY), {}],
  ["batchGet", (t) => t.batchGet([KEY, { pk: "a", sk: "b" }]), { Responses: { t: [STORED] }, UnprocessedKeys: {} }],
  [
    "batchGet in part",
    (t) => t.batchGet([KEY]),
    { Responses: { t: [STORED] }, UnprocessedKeys: { t: { Keys: [{ pk: { S: "a" }, sk: { S: "b" } }] } } },
  ],
  ["query", (t) => t.query(range), { Items: [STORED], Count: 1 }],
  [
    "query of a page",
    (t) => t.query({ ...range, prefix: "entity#", limit: 2, descending: true, after: "entity#z" }),
    { Items: [STORED, STORED], LastEvaluatedKey: { pk: { S: "model#1" }, sk: { S: "entity#a" } } },
  ],
  ["query between", (t) => t.query({ ...range, from: "a", to: "b" }), { Items: [] }],
  ["transactGet", (t) => t.transactGet([KEY, KEY]), { Responses: [{ Item: STORED }, {}] }],
  ["write", (t) => t.write({ put: ITEM, expect: { absent: true } }), {}],
  ["write where equal", (t) => t.write({ put: ITEM, expect: { equal: { owner: "a", n: 1 } } }), {}],
  ["write where expired", (t) => t.write({ put: ITEM, expect: { absentOrExpired: 12 } }), {}],
  ["delete", (t) => t.write({ delete: KEY, expect: { anything: true } }), {}],
  [
    "transactWrite",
    (t) =>
      t.transactWrite([
        { put: ITEM, expect: { absent: true } },
        { delete: KEY, expect: { absentOrEqual: { v: 1 } } },
        { check: KEY, expect: { equal: { v: 1 } } },
      ]),
    {},
  ],
  ["batchPut", (t) => t.batchPut([ITEM]), { UnprocessedItems: { t: [{ PutRequest: { Item: STORED } }] } }],
  [
    "batchDelete",
    (t) => t.batchDelete([KEY]),
    { UnprocessedItems: { t: [{ DeleteRequest: { Key: { pk: { S: "a" }, sk: { S: "b" } } } }] } },
  ],
];

const TOKEN = /"ClientRequestToken":"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"/;

/** The parts of a request that DynamoDB acts on; every transaction has a random token. */
function essence({ method, path, headers, body: sent }: CameIn) {
  const body = sent.replace(TOKEN, '"ClientRequestToken":"a UUID"');
  const { host, "content-type": type, "content-length": length, "x-amz-target": target } = headers;
  return { method, path, host, type, length, target, body };
}

/** The requests and the outcome of a call on both tables. */
async function both(call: Call, canned: Canned) {
  server.answerWith(canned);
  const outcomes = [];
  for (const table of tables) {
    const outcome = await call(table).then(
      (answered) => ({ answered }),
      (error: unknown) => failureOf(Promise.reject(error)).then((failed) => ({ failed })),
    );
    outcomes.push({ outcome, requests: server.take().map(essence) });
  }
  return outcomes as [(typeof outcomes)[0], (typeof outcomes)[0]];
}

describe("The bundled table, beside the source's", () => {
  test.each(CALLS)("asks the same and reads the same answer: %s", async (_, call, answer) => {
    const [ours, inBundle] = await both(call, json(200, answer));
    expect(ours.requests).toHaveLength(1);
    expect(inBundle).toEqual(ours);
  });

  const BROKEN: Readonly<Record<string, Canned>> = {
    "an answer that is no JSON": text(200, "<html>"),
    "an answer that ends early": (response) => {
      response.writeHead(200, { "content-length": "100" }).write('{"Item":');
      response.socket?.destroySoon();
    },
    "no answer": (response) => response.socket?.destroy(),
    "an empty 500": text(500, ""),
    "an HTML 503": text(503, "<html>busy</html>", { "content-type": "text/html" }),
    "a refusal without a name": json(400, { message: "no" }),
    "a refusal that is none of its errors": json(400, { __type: "Unheard", message: "no" }),
    "a name in the header alone": json(400, {}, { "x-amzn-errortype": "ThrottlingException:http://x" }),
    "a cancelled transaction": json(400, {
      ...REFUSED,
      __type: `${REFUSED.__type}TransactionCanceledException`,
      CancellationReasons: reasons,
    }),
  };
  test.each(Object.entries(BROKEN))("tells the same of %s", async (_, canned) => {
    for (const call of [CALLS[0]?.[1], CALLS.find(([name]) => name === "transactWrite")?.[1]] as Call[]) {
      const [ours, inBundle] = await both(call, canned);
      expect(ours.outcome).toHaveProperty("failed");
      expect(inBundle).toEqual(ours);
    }
  });

  test("gives a call up at its deadline, and sends none after it", async () => {
    server.answerWith(() => undefined);
    const called = [source, bundled].map(async (from) => {
      const began = 1_000;
      const connector = from.createDynamoConnector(connection, () => began);
      return [
        await failureOf(connector.connect(began + 40).get(KEY)),
        await failureOf(connector.connect(began).get(KEY)),
      ];
    });
    const [ours, inBundle] = await Promise.all(called);
    expect(server.take()).toHaveLength(2);
    expect(inBundle?.[0]).toEqual(ours?.[0]);
    expect(ours?.[1]).toMatchObject({ code: "out_of_time" });
    expect(inBundle?.[1]).toEqual(ours?.[1]);
  });

  test("sets its clock by the answers, also by a refusal", async () => {
    const ahead = 600_000;
    const dateOf = ({ headers }: CameIn | undefined = { headers: {} } as CameIn): number =>
      Date.parse(String(headers["x-amz-date"]).replace(/(....)(..)(..T..)(..)(..Z)/, "$1-$2-$3:$4:$5"));
    const at = (status: number) => json(status, {}, { date: new Date(Date.now() + ahead).toUTCString() });
    for (const status of [200, 400]) {
      for (const from of [source, bundled]) {
        const table = from.createDynamoTable(connection);
        server.answerWith(at(status));
        await failureOf(table.get(KEY));
        await failureOf(table.get(KEY));
        const [first, second] = server.take();
        expect(dateOf(second) - dateOf(first)).toBeGreaterThan(ahead - 60_000);
      }
    }
  });
});

test.each([
  ["with a key", {}],
  ["with a session token", { sessionToken: "a session" }],
])("A request of the bundled table is signed as it is sent: %s", async (_, session) => {
  const credentials = { ...CREDENTIALS, ...session };
  const table = bundled.createDynamoTable({ ...connection, credentials });
  server.answerWith(json(200, {}));
  await table.get(KEY);
  const [request] = server.take();
  const { authorization = "", ...headers } = request?.headers ?? {};
  const signed = /SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(";") ?? [];
  expect(signed).toEqual(expect.arrayContaining(["content-type", "host", "x-amz-date", "x-amz-target"]));
  const signer = new SignatureV4({ credentials, region: REGION, service: "dynamodb", sha256: Sha256 });
  const again = await signer.sign(
    new HttpRequest({
      method: "POST",
      protocol: "http:",
      hostname: "127.0.0.1",
      path: "/",
      headers: Object.fromEntries(signed.map((name) => [name, String(headers[name])])),
      body: request?.body,
    }),
    { signingDate: String(headers["x-amz-date"]).replace(/(....)(..)(..T..)(..)(..Z)/, "$1-$2-$3:$4:$5") },
  );
  expect(authorization).toBe(again.headers.authorization);
});

describe("The endpoint of the bundled client", () => {
  const { module, remove: removeEndpoint } = loadBundled<{ endpointOf: typeof endpointOf }>(
    "functions/sdk/endpoint.ts",
  );
  afterAll(removeEndpoint);
  const { endpointProvider } = new DynamoDBClient({ region: REGION }).config;
  const byRules = (Region: string, UseFIPS = false, UseDualStack = false) =>
    parseUrl(endpointProvider({ Region, UseFIPS, UseDualStack }, {}).url);

  test("is in every region the one that the SDK's rules give", async () => {
    const list = readFileSync(join(import.meta.dirname, "../..", PARTITIONS), "utf8");
    const regions = [...list.matchAll(/"((?:\w+-)+\d+)":/g)].map(([, region]) => region ?? "");
    expect(regions.length).toBeGreaterThan(30);
    for (const region of [...regions, "eu-new-7"]) {
      expect(await module.endpointOf(region, undefined), region).toEqual(byRules(region));
    }
  });

  test.each([
    ["AWS_USE_FIPS_ENDPOINT", true, false],
    ["AWS_USE_DUALSTACK_ENDPOINT", false, true],
  ])("follows %s by those rules", async (name, useFips, useDualStack) => {
    vi.stubEnv(name, "true");
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await module.endpointOf("us-gov-east-1", undefined)).toEqual(
      byRules("us-gov-east-1", useFips, useDualStack),
    );
  });

  test("is the one that is set, for all services or for this one", async () => {
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv("AWS_ENDPOINT_URL", "https://all.example:8443");
    expect(await module.endpointOf(REGION, undefined)).toMatchObject({ hostname: "all.example", port: 8443 });
    vi.stubEnv("AWS_ENDPOINT_URL_DYNAMODB", "https://one.example");
    expect(await module.endpointOf(REGION, undefined)).toMatchObject({ hostname: "one.example" });
    expect(await module.endpointOf(REGION, "http://given.example")).toMatchObject({ hostname: "given.example" });
  });
});
