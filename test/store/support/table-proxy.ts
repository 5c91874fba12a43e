import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { createDynamoTable } from "../../../shared/store/table/dynamo.ts";
import { ensureTable } from "../../../shared/store/table/dynamo-admin.ts";
import { freshConnection } from "../../support/table.ts";

/** What happens to a request: passed on, cut off before or after, an error of DynamoDB, or a share of a batch. */
export type Passage =
  | "pass"
  | "cut"
  | "cut-answer"
  | "hang"
  | { readonly error: string; readonly status?: number; readonly reasons?: readonly string[] }
  | { readonly share: number };

export type TableProxy = Awaited<ReturnType<typeof startProxy>>;

/** Proxy in front of a DynamoDB endpoint that loses answers, for tests of the client that the table uses. */
export async function startProxy(endpoint: string) {
  let decide: (operation: string, nth: number) => Passage = () => "pass";
  const counts = new Map<string, number>();
  const target = new URL(endpoint);
  const server = createServer(async (incoming, outgoing) => {
    const body = await bytesOf(incoming);
    const operation = String(incoming.headers["x-amz-target"]).split(".").at(-1) ?? "";
    const nth = (counts.get(operation) ?? 0) + 1;
    counts.set(operation, nth);
    const passage = decide(operation, nth);
    if (passage === "cut") incoming.socket.destroy();
    if (passage === "cut" || passage === "hang") return;
    if (typeof passage === "object" && "error" in passage) {
      const { error, status = 400, reasons } = passage;
      outgoing.writeHead(status, { "content-type": "application/x-amz-json-1.0" });
      const said = { __type: `com.amazonaws.dynamodb.v20120810#${error}`, message: "no" };
      const CancellationReasons = reasons?.map((Code) => ({ Code }));
      outgoing.end(JSON.stringify({ ...said, ...(CancellationReasons && { CancellationReasons }) }));
      return;
    }
    const part =
      typeof passage === "object" && operation.startsWith("Batch") ? partBatch(body, passage.share) : undefined;
    const { host: _, "content-length": __, ...headers } = incoming.headers;
    const onward = request(target, { method: "POST", path: incoming.url, headers }, async (answer) => {
      const bytes = await bytesOf(answer);
      if (passage === "cut-answer") {
        incoming.socket.destroy();
        return;
      }
      const { "content-length": ___, ...told } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 500, told);
      outgoing.end(part ? JSON.stringify({ ...JSON.parse(bytes.toString("utf8")), ...part.left }) : bytes);
    });
    onward.end(part ? part.asked : body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    /** Decides for each request of an operation, by its number from 1. */
    decide: (by: (operation: string, nth: number) => Passage) => {
      decide = by;
      counts.clear();
    },
    count: (operation: string) => counts.get(operation) ?? 0,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Creates a table in DynamoDB, with a direct connection and one through a proxy. */
export async function openProxiedTable() {
  const connection = freshConnection();
  await ensureTable(connection);
  const proxy = await startProxy(connection.endpoint ?? "");
  const proxied = { ...connection, endpoint: proxy.endpoint };
  return { proxy, proxied, direct: createDynamoTable(connection), table: createDynamoTable(proxied) };
}

type Batch = Record<string, { readonly Keys: readonly unknown[] } | readonly unknown[]>;

/** Parts a batch into the rows that are asked for, and the members in which DynamoDB returns the others. */
function partBatch(body: Buffer, share: number): { readonly asked: string; readonly left: object } {
  const whole = JSON.parse(body.toString("utf8")) as { readonly RequestItems: Batch };
  const [table = "", batch = []] = Object.entries(whole.RequestItems)[0] ?? [];
  const isRead = "Keys" in batch;
  const rows = isRead ? batch.Keys : batch;
  const toItems = (part: readonly unknown[]): Batch => ({ [table]: isRead ? { ...batch, Keys: part } : part });
  const taken = Math.ceil(rows.length * share);
  const left = taken < rows.length ? toItems(rows.slice(taken)) : {};
  // No batch is empty, so where nothing is to be looked at a key is asked for that is then said not to have been.
  const asked = JSON.stringify({ ...whole, RequestItems: toItems(rows.slice(0, Math.max(1, taken))) });
  return { asked, left: { [isRead ? "UnprocessedKeys" : "UnprocessedItems"]: left } };
}

async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
