import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { LIMITS } from "../shared/domain/limits.ts";
import { joinHeaders, type PlainRequest, type PlainResponse } from "../shared/http/request.ts";
import { answerBroken } from "./broken-request.ts";
import { linger, readBody } from "./read-body.ts";

/** What the server serves, and what it makes of connections that never became a request. */
export interface ServerOptions {
  readonly handleRequest: (request: PlainRequest) => Promise<PlainResponse>;
  /** Names an answer to a request that could not be read. */
  readonly newId: () => string;
  /** How long headers and then the whole request may take to arrive, in milliseconds. */
  readonly headersMs?: number;
  readonly requestMs?: number;
}

/** A server that can be started once and ended once. */
export interface HttpServer {
  /** Answers the port it listens on; rejects with one sentence where it cannot. */
  listen(port: number, host: string): Promise<number>;
  /** Takes no new call, lets running ones end for `graceMs`, then cuts them off. */
  close(graceMs?: number): Promise<void>;
}

/** The newest request of a connection. */
interface Serving {
  readonly message: IncomingMessage;
  readonly served: Promise<void>;
}

/** The chain behind `node:http`. */
export function createHttpServer(options: ServerOptions): HttpServer {
  const { headersMs = 10_000, requestMs = 30_000 } = options;
  const server = createServer({
    maxHeaderSize: LIMITS.headerBytes,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: Math.min(1_000, headersMs),
    requireHostHeader: false,
  });
  const newest = new WeakMap<Socket, Serving>();
  const onRequest = (message: IncomingMessage, response: ServerResponse): void => {
    // The chain answers everything, so what arrives here is a connection that broke.
    const served = serve(message, response, server, options).catch(() => void message.socket.destroy());
    newest.set(message.socket, { message, served });
  };
  server.on("request", onRequest);
  server.on("checkContinue", onRequest);
  server.on("checkExpectation", onRequest);
  server.on("clientError", async (error: NodeJS.ErrnoException, socket: Socket) => {
    // What is broken may follow a call that arrived in full on the same connection: its answer goes first.
    const before = newest.get(socket);
    if (before?.message.complete) await before.served;
    answerBroken(error, socket, options.newId());
  });
  return { listen: (port, host) => listen(server, port, host), close: (graceMs = 10_000) => close(server, graceMs) };
}

async function serve(
  message: IncomingMessage,
  response: ServerResponse,
  server: Server,
  options: ServerOptions,
): Promise<void> {
  const read = await readBody(message, () => response.writeContinue());
  const { path, query } = targetOf(message.url ?? "");
  const answer = await options.handleRequest({
    method: message.method ?? "",
    path,
    query,
    headers: joinHeaders(pairsOf(message.rawHeaders)),
    sourceAddress: message.socket.remoteAddress,
    ...read,
  });
  const isUnread = read.fault !== undefined;
  if (isUnread || !server.listening) response.setHeader("connection", "close");
  const length = answer.status === 204 || answer.status === 304 ? {} : { "content-length": lengthOf(answer.body) };
  // Without a body of its own the answer to HEAD would state the length 0.
  response.writeHead(answer.status, message.method === "HEAD" ? answer.headers : { ...answer.headers, ...length });
  if (!isUnread) {
    response.end(answer.body);
    return;
  }
  response.write(answer.body);
  await linger(message);
  response.end();
}

function lengthOf(body: string | Uint8Array): number {
  return typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
}

/** Path and query of a request target, in origin form or absolute form (RFC 9112 section 3.2). */
function targetOf(target: string): { readonly path: string; readonly query: string } {
  const local = target.replace(/^https?:\/\/[^/?#]*/i, "");
  const mark = local.indexOf("?");
  return mark < 0 ? { path: local, query: "" } : { path: local.slice(0, mark), query: local.slice(mark + 1) };
}

function* pairsOf(raw: readonly string[]): Generator<readonly [string, string]> {
  for (let i = 0; i + 1 < raw.length; i += 2) yield [raw[i] ?? "", raw[i + 1] ?? ""];
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(new Error(whyNot(error, port, host))));
    // A server on a port has an address of that form.
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function whyNot(error: NodeJS.ErrnoException, port: number, host: string): string {
  if (error.code === "EADDRINUSE") return `Port ${port} on ${host} is in use; set PORT to another one`;
  if (error.code === "EACCES")
    return `Port ${port} on ${host} may not be opened by this user; set PORT to one above 1023`;
  return `The server cannot listen on ${host}, port ${port}: ${error.code ?? error.message}`;
}

function close(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    if (!server.listening) return resolve();
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}
