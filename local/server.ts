import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { LIMITS } from "../shared/domain/limits.ts";
import { getRequestId, type PlainRequest, type PlainResponse } from "../shared/http/request.ts";
import {
  answerRaw,
  type ClientError,
  createBrokenResponse,
  findProblemOfBytes,
  findUnknownMethod,
  isUnasked,
} from "./broken-request.ts";
import {
  type BodyRoom,
  createBodyRoom,
  findHostFault,
  linger,
  parseTarget,
  readBody,
  toPlainRequest,
} from "./read-body.ts";

/** Limits of a server and its connections; those of `LIMITS` unless given. */
export type ServerLimits = {
  readonly [L in "connections" | "headersMs" | "requestMs" | "lingerMs" | "deliveryMs" | "bodiesBytes"]: number;
};

/** The handler of requests, the ids of answers to connections that never became a request, and the limits. */
export interface ServerOptions {
  readonly handleRequest: (request: PlainRequest) => Promise<PlainResponse>;
  /** Makes the id of an answer to a request that could not be read. */
  readonly newId: () => string;
  readonly limits?: Partial<ServerLimits>;
}

/** A server that can be started once and ended once. */
export interface HttpServer {
  /** Answers the port it listens on; rejects with one sentence where it cannot. */
  listen(port: number, host: string): Promise<number>;
  /** Takes no new call, lets running ones end for `graceMs`, then cuts them off. */
  close(graceMs?: number): Promise<void>;
}

/** The state that all requests of a server share. */
interface Serving extends ServerOptions {
  readonly server: Server;
  readonly limits: ServerLimits;
  readonly room: BodyRoom;
}

/** The newest request of a connection. */
interface Newest {
  readonly message: IncomingMessage;
  readonly served: Promise<void>;
}

/** Creates a `node:http` server that calls the chain. */
export function createHttpServer(options: ServerOptions): HttpServer {
  const limits = { ...LIMITS, ...options.limits };
  const server = createServer({
    maxHeaderSize: LIMITS.headerBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: Math.min(1_000, limits.headersMs),
    // Node's own refusal would be no problem document.
    requireHostHeader: false,
  });
  server.maxConnections = limits.connections;
  // The next connection finds a free place.
  server.on("drop", () => server.closeIdleConnections());
  const serving: Serving = { ...options, server, limits, room: createBodyRoom(limits.bodiesBytes) };
  const newest = new WeakMap<Socket, Newest>();
  const onRequest = (message: IncomingMessage, response: ServerResponse): void => {
    // The chain answers everything, so what arrives here is a connection that broke.
    const served = serve(message, response, serving).catch(() => void message.socket.destroy());
    newest.set(message.socket, { message, served });
  };
  server.on("request", onRequest);
  server.on("checkContinue", onRequest);
  server.on("checkExpectation", onRequest);
  server.on("connect", async (message: IncomingMessage, socket: Socket) => {
    answerRaw(socket, await options.handleRequest(toPlainRequest(message)), limits.lingerMs);
  });
  const givenUp = new WeakSet<Socket>();
  server.on("clientError", async (error: ClientError, socket: Socket) => {
    // Faults after the first one of a connection are ignored.
    if (givenUp.has(socket)) return;
    givenUp.add(socket);
    // The broken bytes may follow a call that arrived in full on the same connection: its answer goes first.
    const before = newest.get(socket);
    if (before?.message.complete) await before.served;
    if (isUnasked(error, socket)) socket.destroy();
    else answerRaw(socket, await answerBrokenRequest(error, socket, options), limits.lingerMs);
  });
  return { listen: (port, host) => listen(server, port, host), close: (graceMs = 10_000) => close(server, graceMs) };
}

async function serve(message: IncomingMessage, response: ServerResponse, serving: Serving): Promise<void> {
  const { room, handleRequest, newId } = serving;
  const request = toPlainRequest(message);
  const refused = findHostFault(message);
  if (refused)
    return send(createBrokenResponse(refused, getRequestId(request.headers, newId)), message, response, serving);
  const { body, fault, taken } = await readBody(message, room, () => response.writeContinue());
  try {
    const answer = await handleRequest({ ...request, body, ...(fault && { fault }) });
    await send(answer, message, response, serving);
  } finally {
    room.give(taken);
  }
}

async function send(
  answer: PlainResponse,
  message: IncomingMessage,
  response: ServerResponse,
  { server, limits }: Serving,
): Promise<void> {
  const isUnread = !message.complete;
  if (isUnread || !server.listening) response.setHeader("connection", "close");
  const length = answer.status === 204 || answer.status === 304 ? {} : { "content-length": measureBody(answer.body) };
  limitDelivery(message.socket, response, limits.deliveryMs);
  // The answer to HEAD has no body, so that its length would be 0.
  response.writeHead(answer.status, message.method === "HEAD" ? answer.headers : { ...answer.headers, ...length });
  if (!isUnread) {
    response.end(answer.body);
    return;
  }
  response.write(answer.body);
  await linger(message, limits.lingerMs);
  response.end();
}

/** Ends a connection whose caller does not take its answer in. */
function limitDelivery(socket: Socket, response: ServerResponse, deliveryMs: number): void {
  const late = setTimeout(() => socket.destroy(), deliveryMs);
  response.once("close", () => clearTimeout(late));
}

/** The answer to bytes that `node:http` gave up; a method it does not know is a method like any other. */
async function answerBrokenRequest(error: ClientError, socket: Socket, options: ServerOptions): Promise<PlainResponse> {
  const [method, target] = findUnknownMethod(error) ?? [];
  if (method === undefined || target === undefined)
    return createBrokenResponse(findProblemOfBytes(error), options.newId());
  const sourceAddress = socket.remoteAddress;
  return options.handleRequest({ method, ...parseTarget(target), headers: {}, sourceAddress, body: undefined });
}

function measureBody(body: string | Uint8Array): number {
  return typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
}

/** Listens, and answers the port; rejects with one sentence where it cannot. */
function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(new Error(explainListenError(error, port, host))));
    // A server on a port has an address of that form.
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function explainListenError(error: NodeJS.ErrnoException, port: number, host: string): string {
  if (error.code === "EADDRINUSE") return `Port ${port} on ${host} is in use; set PORT to another one`;
  if (error.code === "EACCES")
    return `Port ${port} on ${host} may not be opened by this user; set PORT to one above 1023`;
  return `The server cannot listen on ${host}, port ${port}: ${error.code ?? error.message}`;
}

/** Takes no new connection, lets running calls end for `graceMs`, then cuts them off. */
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
