import type { APIGatewayProxyEventV2, Context } from "aws-lambda";
import { createHandler } from "../functions/dispatcher/lambda-event.ts";
import { NO_CONTROLS } from "../shared/actions/contract/call.ts";
import { post, toLambdaEvent } from "../test/http/support/transports.ts";
import { synthesize } from "../test/infra/support/synthesize.ts";
import { type BenchService, startBenchService } from "./bench-service.ts";
import { lambdaPrice, PRICES } from "./prices.ts";

/** Mean milliseconds of a warm call at 512 MB with the latency of DynamoDB, from `npm run bench -- memory`. */
const WARM_MS = { read: 9, create: 38 } as const;
const MEGABYTES = 512;
/** Dollars for a million calls. */
const GOALS = { read: 1.75, create: 5.9 } as const;
type Kind = keyof typeof GOALS;

/** Values in the access log of API Gateway, with their usual lengths. */
const LOGGED: Readonly<Record<string, string>> = {
  requestId: "UZkH2hXpFiAEJ5g=",
  httpMethod: "GET",
  status: "200",
  responseLength: "312",
  responseLatency: "17",
  "identity.sourceIp": "203.0.113.241",
};

interface Row {
  readonly call: string;
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly logBytes: number;
  readonly ms: number;
  readonly units: number;
  readonly lambda: number;
  readonly logs: number;
  readonly dollars: number;
  readonly goal: number;
}

/** Prices a million warm calls by their units, time and log bytes, lookup of the caller included. Returns the goals that were missed. */
export async function benchCost(): Promise<readonly string[]> {
  const bench = await startBenchService();
  try {
    const apiLogBytes = measureAccessLog();
    await bench.run("model/model_create", { key: "library", name: "Library" });
    await bench.run("model/entity_create", { modelRef: "key:library", entityKey: "book" });
    const token = await signIn(bench);
    const read = { modelRef: "key:library", entityRef: "key:book" };
    const calls: readonly (readonly [kind: Kind, action: string, payload: (n: number) => object])[] = [
      ["read", "model/model_get", () => ({ modelRef: "key:library" })],
      ["read", "model/entity_get", () => read],
      ["create", "model/entity_create", (n) => ({ modelRef: "key:library", entityKey: `entity_${n}` })],
      [
        "create",
        "model/entity_attribute_create",
        (n) => ({ ...read, attributeKey: `attribute_${n}`, type: "key:text", optional: true }),
      ],
    ];
    await bench.run("model/type_create", { modelRef: "key:library", typeKey: "text" });
    const rows: Row[] = [];
    for (const [kind, action, payload] of calls)
      rows.push(await priceCall(bench, token, kind, action, payload, apiLogBytes));
    console.log(
      `a million warm calls at ${MEGABYTES} MB, dollars, prices of ${PRICES.asOf}; lookup of the caller included`,
    );
    console.table(rows);
    const faults = rows
      .filter(({ dollars, goal }) => dollars > goal)
      .map(({ call, dollars, goal }) => `a million of ${call} cost $${dollars}, goal $${goal}`);
    for (const fault of faults) console.log(`FAULT ${fault}`);
    console.log(JSON.stringify({ bench: "cost", asOf: PRICES.asOf, rows, faults }));
    return faults;
  } finally {
    await bench.stop();
  }
}

async function signIn(bench: BenchService): Promise<string> {
  const { body } = await bench.run(
    "auth/login",
    { username: "bench", password: "Violet-Harbor-7-Lantern" },
    NO_CONTROLS,
  );
  return (body as { access_token: string }).access_token;
}

/** Sends two similar calls through the handler and prices the second. */
async function priceCall(
  bench: BenchService,
  token: string,
  kind: Kind,
  action: string,
  payload: (n: number) => object,
  apiLogBytes: number,
): Promise<Row> {
  let ownLogBytes = 0;
  const log = (line: string): void => {
    ownLogBytes += Buffer.byteLength(line) + 1;
  };
  const handler = createHandler(bench.service, { publicUrl: "http://bench.example", corsOrigins: [], log });
  const send = async (n: number): Promise<void> => {
    const event = toLambdaEvent(post(`/api/${action}`, payload(n), { authorization: `Bearer ${token}` }));
    const context = { getRemainingTimeInMillis: () => 29_000 } as Context;
    const { statusCode, body } = await handler(event as APIGatewayProxyEventV2, context);
    if (statusCode !== 200) throw new Error(`${action} was answered ${statusCode} ${body}`);
  };
  await send(1);
  bench.count.reset();
  ownLogBytes = 0;
  await send(2);
  const { readUnits, writeUnits } = bench.count;
  const logBytes = ownLogBytes + apiLogBytes;
  const units = readUnits * PRICES.readUnits + writeUnits * PRICES.writeUnits;
  const lambda = lambdaPrice(WARM_MS[kind], MEGABYTES);
  // A million lines, in gigabytes.
  const logs = (logBytes / 1_000) * PRICES.logGigabyte;
  return {
    call: action,
    readUnits,
    writeUnits,
    logBytes,
    ms: WARM_MS[kind],
    units: round(units),
    lambda: round(lambda),
    logs: round(logs),
    dollars: round(PRICES.apiCalls + units + lambda + logs),
    goal: GOALS[kind],
  };
}

/** Returns the length of a line in the access log of the API, in the format of the template. */
function measureAccessLog(): number {
  const [stage] = Object.values(synthesize().findResources("AWS::ApiGatewayV2::Stage"));
  const format: string = stage?.Properties.AccessLogSettings.Format;
  const line = format.replaceAll(/\$context\.([\w.]+)/g, (_, name: string) => {
    const value = LOGGED[name];
    if (value === undefined) throw new Error(`the bench has no value for ${name}`);
    return value;
  });
  return Buffer.byteLength(line) + 1;
}

const round = (value: number): number => Math.round(value * 1_000) / 1_000;

if (import.meta.main) process.exitCode = (await benchCost()).length === 0 ? 0 : 1;
