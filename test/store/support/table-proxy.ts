import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * The fate of a request on its way: handed on, its answer or already the request cut off, never answered, answered with an
 * error of DynamoDB (of status 400 unless given), or, of a batch of reads, with only so many of its keys looked at.
 */
export type Passage =
  | "pass"
  | "cut"
  | "cut-answer"
  | "hang"
  | { readonly error: string; readonly status?: number; readonly reasons?: readonly string[] }
  | { readonly reads: number };

export interface TableProxy {
  readonly endpoint: string;
  /** Decides for each request of an operation, by its number from 1. */
  decide(by: (operation: string, nth: number) => Passage): void;
  /** How many requests of an operation came. */
  count(operation: string): number;
  stop(): Promise<void>;
}

/** A door before a DynamoDB endpoint where answers get lost, so that what the client below the table does can be seen. */
export async function startProxy(endpoint: string): Promise<TableProxy> {
  let decide: (operation: string, nth: number) => Passage = () => "pass";
  const counts = new Map<string, number>();
  const target = new URL(endpoint);
  const server = createServer(async (incoming, outgoing) => {
    const body = await bytesOf(incoming);
    const operation = String(incoming.headers["x-amz-target"]).split(".").at(-1) ?? "";
    const nth = (counts.get(operation) ?? 0) + 1;
    counts.set(operation, nth);
    const passage = decide(operation, nth);
    if (passage === "hang") return;
    if (passage === "cut") {
      incoming.socket.destroy();
      return;
    }
    if (typeof passage === "object" && "error" in passage) {
      const { error, status = 400, reasons } = passage;
      outgoing.writeHead(status, { "content-type": "application/x-amz-json-1.0" });
      const said = { __type: `com.amazonaws.dynamodb.v20120810#${error}`, message: "no" };
      const CancellationReasons = reasons?.map((Code) => ({ Code }));
      outgoing.end(JSON.stringify({ ...said, ...(CancellationReasons && { CancellationReasons }) }));
      return;
    }
    const few = typeof passage === "object" && operation === "BatchGetItem" ? parted(body, passage.reads) : undefined;
    const { host: _, "content-length": __, ...headers } = incoming.headers;
    const onward = request(target, { method: "POST", path: incoming.url, headers }, async (answer) => {
      const bytes = await bytesOf(answer);
      if (passage === "cut-answer") {
        incoming.socket.destroy();
        return;
      }
      const { "content-length": ___, ...told } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 500, told);
      outgoing.end(few ? JSON.stringify({ ...JSON.parse(bytes.toString("utf8")), UnprocessedKeys: few.left }) : bytes);
    });
    onward.end(few ? few.asked : body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    decide: (by) => {
      decide = by;
      counts.clear();
    },
    count: (operation) => counts.get(operation) ?? 0,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Keys = Record<string, { readonly Keys: readonly unknown[] }>;

/** A batch of reads that asks for its first keys alone, and the rest as DynamoDB tells of what it did not look at. */
function parted(body: Buffer, count: number): { readonly asked: string; readonly left: Keys } {
  const all = JSON.parse(body.toString("utf8")) as { readonly RequestItems: Keys };
  const part = (from: number, to?: number): Keys =>
    Object.fromEntries(
      Object.entries(all.RequestItems).map(([table, read]) => [table, { ...read, Keys: read.Keys.slice(from, to) }]),
    );
  const [left] = Object.values(part(count));
  // No batch is empty, so where nothing is to be looked at a key is asked for that is then said not to have been.
  const asked = JSON.stringify({ ...all, RequestItems: part(0, Math.max(1, count)) });
  return { asked, left: left?.Keys.length === 0 ? {} : part(count) };
}

async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
