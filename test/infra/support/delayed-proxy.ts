import { Agent, type IncomingMessage, request } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Certificate } from "../../formats/certificate.ts";
import type { TlsProxy } from "./tls-proxy.ts";

/** Latency of DynamoDB for single items and for transactions: medians that A. DeBrie measured from a function. */
const ITEM_MS = 4;
const TRANSACTION_MS = 25;

/** Opens a port that speaks TLS and forwards requests to the engine of a table, with the latency of DynamoDB. */
export async function openDelayedProxy(plainEndpoint: string, certificate: Certificate): Promise<TlsProxy> {
  const agent = new Agent({ keepAlive: true });
  const server = createServer(certificate, async (incoming, outgoing) => {
    const isTransaction = String(incoming.headers["x-amz-target"]).endsWith("TransactWriteItems");
    const late = new Promise((resolve) => setTimeout(resolve, isTransaction ? TRANSACTION_MS : ITEM_MS));
    const { host: _, ...headers } = incoming.headers;
    const body = await readBytes(incoming);
    const onward = request(plainEndpoint, { method: incoming.method, headers, agent }, async (answer) => {
      const bytes = await readBytes(answer);
      await late;
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers).end(bytes);
    });
    onward.setNoDelay(true);
    onward.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    endpoint: `https://localhost:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}

async function readBytes(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
}
