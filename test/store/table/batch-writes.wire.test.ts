import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LIMITS } from "../../../shared/domain/limits.ts";
import { createDynamoTable } from "../../../shared/store/table/dynamo.ts";
import { ensureTable } from "../../../shared/store/table/dynamo-admin.ts";
import { createRetryingTable, RetryBudget } from "../../../shared/store/table/retry.ts";
import { FORMAT, type Item, type Table } from "../../../shared/store/table/table.ts";
import { freshConnection } from "../../support/table.ts";

type Json = Record<string, unknown>;
type Requests = Record<string, unknown>;

/** The first half of what a batch holds, and the rest: rows of a write, keys of a read. */
function halves(requests: Requests): readonly [Requests, Requests] {
  const [table = "", asked] = Object.entries(requests)[0] ?? [];
  const rows = Array.isArray(asked) ? asked : ((asked as { Keys: unknown[] }).Keys ?? []);
  const half = Math.ceil(rows.length / 2);
  const as = (part: unknown[]): Requests => ({
    [table]: Array.isArray(asked) ? part : { ...(asked as Json), Keys: part },
  });
  const rest = rows.slice(half);
  return [as(rows.slice(0, half)), rest.length > 0 ? as(rest) : {}];
}

/**
 * A server before a DynamoDB that takes half of every batch, as a busy table may, which no engine on one machine ever
 * does.
 */
const door = createServer(async (incoming, outgoing) => {
  const body = JSON.parse(await textOf(incoming)) as Json;
  const [taken, left] = body.RequestItems ? halves(body.RequestItems as Requests) : [undefined, {}];
  const sent = JSON.stringify(taken ? { ...body, RequestItems: taken } : body);
  const { host: _, "content-length": __, ...headers } = incoming.headers;
  const onward = request(endpoint, { method: "POST", headers }, async (answer) => {
    const said = JSON.parse(await textOf(answer)) as Json;
    const untaken = "Responses" in said ? { UnprocessedKeys: left } : { UnprocessedItems: left };
    outgoing.writeHead(answer.statusCode ?? 500, { "content-type": "application/x-amz-json-1.0" });
    outgoing.end(JSON.stringify(taken ? { ...said, ...untaken } : said));
  });
  onward.end(sent);
});

let endpoint: string;
let direct: Table;
let halving: Table;

beforeAll(async () => {
  const connection = freshConnection();
  endpoint = connection.endpoint ?? "";
  await ensureTable(connection);
  direct = createDynamoTable(connection);
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
  const { port } = door.address() as AddressInfo;
  halving = createDynamoTable({ ...connection, endpoint: `http://127.0.0.1:${port}` });
});

afterAll(() => {
  door.closeAllConnections();
  door.close();
});

const rows = (name: string): Item[] =>
  Array.from({ length: 20 }, (_, i) => ({ pk: name, sk: `${i}`.padStart(2, "0"), v: FORMAT }));
const keys = (items: readonly { sk: string }[]): string[] => items.map(({ sk }) => sk).sort();

test("a batch of writes returns the unprocessed items", async () => {
  const all = rows("written");
  const left = await halving.batchPut(all);
  expect(left).toEqual(all.slice(10));
  expect(keys((await direct.query({ pk: "written" })).items)).toEqual(keys(all.slice(0, 10)));
});

test("a batch of deletions returns the unprocessed items", async () => {
  const all = rows("deleted");
  await direct.batchPut(all);
  const left = await halving.batchDelete(all.map(({ pk, sk }) => ({ pk, sk })));
  expect(keys(left)).toEqual(keys(all.slice(10)));
  expect(keys((await direct.query({ pk: "deleted" })).items)).toEqual(keys(all.slice(10)));
});

test("a batch of reads returns all items, however little the table returns at once", async () => {
  const all = rows("read");
  await direct.batchPut(all);
  const pauses: number[] = [];
  const budget = new RetryBudget();
  const policy = { budget, pause: async (repeats: number) => void pauses.push(repeats) };
  const got = await createRetryingTable(halving, policy).batchGet([
    ...all.map(({ pk, sk }) => ({ pk, sk })),
    { pk: "read", sk: "none" },
  ]);
  expect(keys(got)).toEqual(keys(all));
  // 21 keys, of which the table looks at half each time: a pause before each of the repeats, and no token spent.
  expect(pauses).toEqual([0, 0, 0, 0]);
  expect(spent(budget)).toBe(LIMITS.retryTokens);
});

/** Takes every token there is, and tells how many there were. */
function spent(budget: RetryBudget): number {
  let tokens = 0;
  while (budget.take()) tokens += 1;
  return tokens;
}

async function textOf(stream: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
