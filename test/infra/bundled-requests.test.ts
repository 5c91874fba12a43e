import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, GetCommand } from "@aws-sdk/lib-dynamodb";
import { Sha256 } from "@smithy/core/checksum";
import { HttpRequest } from "@smithy/core/protocols";
import { SignatureV4 } from "@smithy/signature-v4";
import { RegionInfo } from "aws-cdk-lib/region-info";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import * as bundledClient from "../../functions/aws/dynamodb-client.ts";
import type { Connection } from "../../shared/store/table/dynamo.ts";
import * as source from "../../shared/store/table/dynamo.ts";
import { FORMAT, type Item, type Table } from "../../shared/store/table/table.ts";
import { catchFailure, loadBundled } from "./support/bundled-table.ts";
import { type CameIn, type Canned, json, startCanned, text } from "./support/canned-dynamodb.ts";

const CREDENTIALS = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "a secret of the test" };
const REGION = "eu-central-1";

const bundled = loadBundled<typeof source>("shared/store/table/dynamo.ts");
const server = await startCanned();
const connection: Connection = { table: "t", endpoint: server.endpoint, region: REGION, credentials: CREDENTIALS };
const tables = [source, bundled].map((from) => from.createDynamoTable(connection)) as [Table, Table];
afterAll(() => server.stop());

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
const IDS = { "x-amzn-requestid": "a request", "x-amz-cf-id": "an edge" };
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

async function both(call: Call, canned: Canned) {
  server.answerWith(canned);
  const outcomes = [];
  for (const table of tables) {
    const outcome = await call(table).then(
      (answered) => ({ answered }),
      (error: unknown) => catchFailure(Promise.reject(error)).then((failed) => ({ failed })),
    );
    outcomes.push({ outcome, requests: server.take().map(essence) });
  }
  return outcomes as [(typeof outcomes)[0], (typeof outcomes)[0]];
}

describe("the bundled table, compared with the table on the SDK,", () => {
  test.each(CALLS)("sends the same request and reads the same answer: %s", async (_, call, answer) => {
    const [ours, inBundle] = await both(call, json(200, answer));
    expect([ours.requests.length, inBundle]).toEqual([1, ours]);
  });

  const BROKEN: Readonly<Record<string, Canned>> = {
    "an answer that is not JSON": text(200, "<html>"),
    "an answer that ends early": (response) => {
      response.writeHead(200, { "content-length": "100" }).write('{"Item":');
      response.socket?.destroySoon();
    },
    "no answer": (response) => response.socket?.destroy(),
    "an empty 500": text(500, ""),
    "an HTML 503": text(503, "<html>busy</html>", { "content-type": "text/html" }),
    "an invalid request": json(400, { ...REFUSED, __type: `${REFUSED.__type}ValidationException` }, { ...IDS }),
    "a missing permission": json(400, { __type: "x#AccessDeniedException", Message: "no" }, { ...IDS }),
    "a missing table": json(400, { ...REFUSED, __type: "ResourceNotFoundException" }, { "x-amz-id-2": "two" }),
    "a throttled request": json(400, { ...REFUSED, __type: "x#ThrottlingException" }),
    "a transaction with an invalid item": json(400, {
      ...REFUSED,
      __type: `${REFUSED.__type}TransactionCanceledException`,
      CancellationReasons: [{ Code: "None" }, { Code: "ValidationError", Message: "too large", Item: STORED }],
    }),
    "a transaction without reasons": json(400, { ...REFUSED, __type: "x#TransactionCanceledException" }),
    "a refusal without a name": json(400, { message: "no" }),
    "a refusal with an unknown name": json(400, { __type: "Unheard", message: "no" }),
    "a name in the header alone": json(400, {}, { "x-amzn-errortype": "ThrottlingException:http://x" }),
    "a cancelled transaction": json(400, {
      ...REFUSED,
      __type: `${REFUSED.__type}TransactionCanceledException`,
      CancellationReasons: reasons,
    }),
  };
  test.each(Object.entries(BROKEN))("fails in the same way, after one attempt: %s", async (_, canned) => {
    for (const call of [CALLS[0]?.[1], CALLS.find(([name]) => name === "transactWrite")?.[1]] as Call[]) {
      const [ours, inBundle] = await both(call, canned);
      expect(ours.outcome).toHaveProperty("failed");
      expect([ours.requests.length, inBundle]).toEqual([1, ours]);
    }
  });

  test("requests the consumed capacity and counts it", async () => {
    const counts = [source, bundled].map((from) => {
      const counted: unknown[] = [];
      const onCapacity = (...counts: unknown[]) => counted.push(counts);
      return { table: from.createDynamoTable({ ...connection, onCapacity }), counted };
    });
    const one = { TableName: "t", CapacityUnits: 1.5 };
    for (const [name, call, answer] of CALLS) {
      const ConsumedCapacity = /^(batch|transact)/.test(name) ? [one, { ...one, CapacityUnits: 2 }] : one;
      server.answerWith(json(200, { ...(answer as object), ConsumedCapacity }));
      await Promise.all(counts.map(({ table }) => catchFailure(call(table))));
    }
    expect(counts[0]?.counted.length).toBeGreaterThan(CALLS.length);
    expect(counts[1]?.counted).toEqual(counts[0]?.counted);
    const bodies = server.take().map((request) => essence(request).body);
    expect(bodies.every((body) => body.includes('"ReturnConsumedCapacity":"TOTAL"'))).toBe(true);
    expect([...new Set(bodies)].every((body) => bodies.filter((other) => other === body).length % 2 === 0)).toBe(true);
  });

  test("sends requests one after the other over one connection", async () => {
    server.answerWith(json(200, {}));
    for (const from of [source, bundled]) {
      const table = from.createDynamoTable(connection);
      for (let call = 0; call < 3; call += 1) await table.get(KEY);
      expect(new Set(server.take().map(({ port }) => port)).size).toBe(1);
    }
  });

  test.each<[string, Canned]>([
    ["gets no answer", () => undefined],
    ["gets half an answer", (response) => response.writeHead(200, { "content-length": "100" }).write('{"Item":')],
  ])("ends a call at its deadline and sends nothing after it, if it %s", async (_, canned) => {
    server.answerWith(canned);
    const called = [source, bundled].map(async (from) => {
      const began = 1_000;
      const connector = from.createDynamoConnector(connection, () => began);
      return [
        await catchFailure(connector.connect(began + 500).get(KEY)),
        await catchFailure(connector.connect(began).get(KEY)),
      ];
    });
    const [ours, inBundle] = await Promise.all(called);
    expect(server.take()).toHaveLength(2);
    expect(inBundle?.[0]).toEqual(ours?.[0]);
    expect(ours?.[1]).toMatchObject({ code: "out_of_time" });
    expect(inBundle?.[1]).toEqual(ours?.[1]);
  });

  test("corrects its clock by the date of an answer or a refusal", async () => {
    const ahead = 600_000;
    const dateOf = ({ headers }: CameIn | undefined = { headers: {} } as CameIn) =>
      Date.parse(String(headers["x-amz-date"]).replace(/(....)(..)(..T..)(..)(..Z)/, "$1-$2-$3:$4:$5"));
    const at = (status: number) => json(status, {}, { date: new Date(Date.now() + ahead).toUTCString() });
    for (const status of [200, 400]) {
      for (const from of [source, bundled]) {
        const table = from.createDynamoTable(connection);
        server.answerWith(at(status));
        await catchFailure(table.get(KEY));
        await catchFailure(table.get(KEY));
        const [first, second] = server.take();
        expect(dateOf(second) - dateOf(first)).toBeGreaterThan(ahead - 60_000);
      }
    }
  });
});

describe("the bundled client, compared with the client of the SDK,", () => {
  const clients = (requestHandler: object, endpoint = server.endpoint) => {
    const config = { endpoint, region: REGION, credentials: CREDENTIALS, maxAttempts: 1, requestHandler };
    const command = { TableName: "t", Key: KEY };
    const sdk = DynamoDBDocumentClient.from(new DynamoDBClient(config));
    const ours = bundledClient.DynamoDBDocumentClient.from(new bundledClient.DynamoDBClient(config));
    return [
      (options?: { readonly abortSignal: AbortSignal }) => sdk.send(new GetCommand(command), options),
      (options?: { readonly abortSignal: AbortSignal }) => ours.send(new bundledClient.GetCommand(command), options),
    ];
  };
  const nameOfFailure = (call: Promise<unknown>) =>
    call.then(
      () => "no failure",
      (error: Error) => error.name,
    );

  test("ends a request without an answer after the request timeout", async () => {
    server.answerWith(() => undefined);
    for (const send of clients({ requestTimeout: 30, throwOnRequestTimeout: true }))
      expect(await nameOfFailure(send())).toBe("TimeoutError");
    expect(server.take()).toHaveLength(2);
  });

  test("waits for one of 50 connections no longer than the connection timeout", async () => {
    server.answerWith(() => undefined);
    for (const send of clients({ connectionTimeout: 2_000 })) {
      const abort = new AbortController();
      const sent = Array.from({ length: 51 }, () => nameOfFailure(send({ abortSignal: abort.signal })));
      expect(await Promise.race(sent)).toBe("TimeoutError");
      abort.abort();
      expect((await Promise.all(sent)).filter((name) => name === "AbortError")).toHaveLength(50);
      expect(server.take()).toHaveLength(50);
    }
  });

  test("sends nothing for a signal that is already aborted", async () => {
    for (const send of clients({}))
      expect(await nameOfFailure(send({ abortSignal: AbortSignal.abort() }))).toBe("AbortError");
    expect(server.take()).toEqual([]);
  });

  test("adds the path of an endpoint", async () => {
    server.answerWith(json(200, {}));
    for (const path of ["", "/", "/stage", "/stage/"]) {
      for (const send of clients({}, `${server.endpoint}${path}`)) await send();
      const [ours, inBundle] = server.take().map(essence);
      expect(inBundle).toEqual(ours);
    }
  });

  test("refuses to be configured with retries", () => {
    expect(() => new bundledClient.DynamoDBClient({ maxAttempts: 3 })).toThrow("Set `maxAttempts` to 1");
  });
});

test("region and credentials come from the environment of the function, with its session token", async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("AWS_REGION", "us-east-2");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIDROLE");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "a secret of the role");
  vi.stubEnv("AWS_SESSION_TOKEN", "a session of the role");
  vi.stubEnv("AWS_ENDPOINT_URL_DYNAMODB", server.endpoint);
  server.answerWith(json(200, {}));
  for (const from of [source, bundled]) await from.createDynamoTable({ table: "t" }).get(KEY);
  const [ours, inBundle] = server.take().map(({ headers }) => ({
    credential: String(headers.authorization)
      .match(/Credential=(\w+)\/\d+\/([^,]+)/)
      ?.slice(1),
    session: headers["x-amz-security-token"],
    digest: headers["x-amz-content-sha256"],
  }));
  expect(ours?.credential).toEqual(["AKIDROLE", "us-east-2/dynamodb/aws4_request"]);
  expect(ours?.session).toBe("a session of the role");
  expect(inBundle).toEqual(ours);
});

test.each([
  ["with a key", {}],
  ["with a session token", { sessionToken: "a session" }],
])("a request of the bundled table is signed as it is sent: %s", async (_, session) => {
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

describe("the endpoint of the bundled client", () => {
  const { endpointProvider } = new DynamoDBClient({ region: REGION }).config;
  const regions = [...RegionInfo.regions.map(({ name }) => name), "eu-new-7"];

  test.each([
    [{}, false, false],
    [{ AWS_USE_FIPS_ENDPOINT: "true" }, true, false],
    [{ AWS_USE_DUALSTACK_ENDPOINT: "true" }, false, true],
    [{ AWS_USE_FIPS_ENDPOINT: "true", AWS_USE_DUALSTACK_ENDPOINT: "true" }, true, true],
    [{ AWS_USE_FIPS_ENDPOINT: "false", AWS_USE_DUALSTACK_ENDPOINT: "false" }, false, false],
  ])("is the endpoint of the SDK's rules in every region, with %j", (env, UseFIPS, UseDualStack) => {
    expect(regions.length).toBeGreaterThan(30);
    for (const Region of regions) {
      const { url } = endpointProvider({ Region, UseFIPS, UseDualStack }, {});
      expect(`${bundledClient.resolveEndpoint(Region, env)}/`, Region).toBe(url.href);
    }
  });

  test("is the configured endpoint, the one for DynamoDB before the one for all services", () => {
    const all = { AWS_ENDPOINT_URL: "https://all.example:8443" };
    expect(bundledClient.resolveEndpoint(REGION, all)).toBe("https://all.example:8443");
    const one = { ...all, AWS_ENDPOINT_URL_DYNAMODB: "https://one.example" };
    expect(bundledClient.resolveEndpoint(REGION, one)).toBe("https://one.example");
  });
});
