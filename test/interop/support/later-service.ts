import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** A running service behind which answers are those of a later version. */
export interface LaterService {
  readonly url: string;
  readonly close: () => void;
}

/** Starts a proxy that adds a member to each object of each answer of a service, and gives texts with known values another. */
export async function startLaterService(url: string): Promise<LaterService> {
  const server = createServer(async (request, response) => {
    const { status, headers, text } = await forward(url, request);
    const isJson = headers["content-type"]?.includes("json");
    response.writeHead(status, headers).end(isJson ? JSON.stringify(JSON.parse(text, addToMember)) : text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

async function forward(url: string, request: IncomingMessage) {
  const { method = "GET", headers } = request;
  const sent = Object.entries(headers).filter(([name]) => !OF_CONNECTION.has(name)) as [string, string][];
  const answer = await fetch(url + request.url, {
    method,
    // The service must not compress what the proxy changes.
    headers: { ...Object.fromEntries(sent), "accept-encoding": "identity" },
    body: method === "POST" ? await buffer(request) : null,
  });
  const kept = [...answer.headers].filter(([name]) => !OF_CONNECTION.has(name));
  return { status: answer.status, headers: Object.fromEntries(kept), text: await answer.text() };
}

/** Request headers that are about one connection; the client of Java asks for HTTP/2. */
const OF_CONNECTION = new Set([
  "host",
  "connection",
  "content-length",
  "transfer-encoding",
  "upgrade",
  "http2-settings",
]);

/** Members whose values are listed in `x-extensible-enum`. */
const OPEN = new Set(["sure", "format", "objectType", "authority"]);

function addToMember(member: string, value: unknown): unknown {
  if (typeof value === "string" && OPEN.has(member)) return "later";
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? { ...value, addedLater: { text: "x" } } : value;
}
