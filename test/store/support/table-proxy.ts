import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";

/** What becomes of a request on its way: handed on, its answer cut off, answered with an error, or never answered. */
export type Passage = "pass" | "cut-answer" | "hang" | { readonly error: string };

export interface TableProxy {
  readonly endpoint: string;
  /** Decides for each request of an operation, by its number from 1. */
  decide(by: (operation: string, nth: number) => Passage): void;
  /** How many requests of an operation came. */
  count(operation: string): number;
  stop(): Promise<void>;
}

/** A door before a DynamoDB endpoint where answers get lost, so that what the client below the seam does can be seen. */
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
    if (typeof passage === "object") {
      outgoing.writeHead(400, { "content-type": "application/x-amz-json-1.0" });
      outgoing.end(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${passage.error}`, message: "no" }));
      return;
    }
    const onward = request(
      target,
      { method: incoming.method, path: incoming.url, headers: incoming.headers },
      async (answer) => {
        const bytes = await bytesOf(answer);
        if (passage === "cut-answer") {
          incoming.socket.destroy();
          return;
        }
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        outgoing.end(bytes);
      },
    );
    onward.end(body);
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

async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
