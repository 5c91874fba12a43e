import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { finished } from "node:stream/promises";
import { toSourceNetwork } from "../shared/domain/accounts/source-address.ts";
import { LIMITS } from "../shared/domain/limits.ts";
import { Problem } from "../shared/domain/problems.ts";
import {
  createRequestTooLargeProblem,
  joinHeaders,
  type PlainRequest,
  type PlainResponse,
} from "../shared/http/request.ts";
import {
  answerRaw,
  type ClientError,
  createBrokenResponse,
  findProblemOfBytes,
  findUnknownMethod,
  isUnasked,
} from "./broken-request.ts";
import { findHostFault } from "./served-hosts.ts";

/** Limits of a server and its connections; those of `LIMITS` unless given. */
export type ServerLimits = {
  readonly [L in
    | ("connections" | "connectionsPerAddress" | "bodiesBytes")
    | ("headersMs" | "requestMs" | "lingerMs" | "deliveryMs")]: number;
};

/** Request handler, answer ids for broken connections, and limits. */
export interface ServerOptions {
  readonly handleRequest: (request: PlainRequest) => Promise<PlainResponse>;
  readonly newId: () => string;
  /** Returns true for a host, without its port, that requests may name. Without it every host is served. */
  readonly isServedHost?: (host: string) => boolean;
  /** Returns true for addresses whose connections are of many callers. */
  readonly isTrustedProxy?: (address: string) => boolean;
  readonly limits?: Partial<ServerLimits>;
}

/** A server that can be started once and ended once. */
export interface HttpServer {
  /** Resolves with the port; rejects with one sentence if it cannot listen. */
  listen(port: number, host: string): Promise<number>;
  /** Takes no new calls, waits `graceMs` for running ones, then disconnects them. */
  close(graceMs?: number): Promise<void>;
}

interface Serving extends ServerOptions {
  readonly server: Server;
  readonly limits: ServerLimits;
  readonly quota: BodyQuota;
}

interface Call {
  readonly message: IncomingMessage;
  readonly answer: Promise<void>;
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
  // The next connection finds a free slot.
  server.on("drop", () => server.closeIdleConnections());
  limitConnectionsPerAddress(server, limits.connectionsPerAddress, options.isTrustedProxy);
  const serving: Serving = { ...options, server, limits, quota: new BodyQuota(limits.bodiesBytes) };
  const calls = new WeakMap<Socket, Call>();
  const onRequest = (message: IncomingMessage, response: ServerResponse) => {
    // The chain answers everything, so what arrives here is a connection that broke.
    const answer = serve(message, response, serving).catch(() => void message.socket.destroy());
    calls.set(message.socket, { message, answer });
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
    // A complete call may precede the broken bytes on the same connection: its answer goes first.
    const before = calls.get(socket);
    if (before?.message.complete) await before.answer;
    if (isUnasked(error, socket)) socket.destroy();
    else answerRaw(socket, await answerBrokenRequest(error, socket, options), limits.lingerMs);
  });
  return { listen: (port, host) => listen(server, port, host), close: (graceMs = 10_000) => close(server, graceMs) };
}

/** Closes connections above the limit of their address; of IPv6, of the first 64 bits. */
function limitConnectionsPerAddress(server: Server, most: number, isTrustedProxy?: (address: string) => boolean) {
  const counts = new Map<string, number>();
  server.on("connection", (socket: Socket) => {
    const { remoteAddress = "" } = socket;
    if (isTrustedProxy?.(remoteAddress)) return;
    const network = toSourceNetwork(remoteAddress);
    const count = counts.get(network) ?? 0;
    if (count >= most) {
      socket.destroy();
      server.closeIdleConnections();
      return;
    }
    counts.set(network, count + 1);
    socket.once("close", () => {
      const left = (counts.get(network) ?? 1) - 1;
      if (left > 0) counts.set(network, left);
      else counts.delete(network);
    });
  });
}

async function serve(message: IncomingMessage, response: ServerResponse, serving: Serving) {
  const { quota, handleRequest, newId, isServedHost } = serving;
  const request = toPlainRequest(message);
  const problem = findHostFault(message, isServedHost);
  if (problem) return send(createBrokenResponse(problem, newId()), message, response, serving);
  const { body, fault, bytes } = await readBody(message, quota, () => response.writeContinue());
  try {
    const answer = await handleRequest({ ...request, body, ...(fault && { fault }) });
    await send(answer, message, response, serving);
  } finally {
    if (bytes > 0) quota.give(bytes);
  }
}

async function send(
  answer: PlainResponse,
  message: IncomingMessage,
  response: ServerResponse,
  { server, limits }: Serving,
) {
  const isUnread = !message.complete;
  if (isUnread || !server.listening) response.setHeader("connection", "close");
  const length =
    answer.status === 204 || answer.status === 304 ? {} : { "content-length": Buffer.byteLength(answer.body) };
  // Ends a connection whose caller does not read its answer.
  const timer = setTimeout(() => message.socket.destroy(), limits.deliveryMs);
  response.once("close", () => clearTimeout(timer));
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

/** Answers bytes that `node:http` gave up; an unknown method is handled like any other. */
async function answerBrokenRequest(error: ClientError, socket: Socket, options: ServerOptions): Promise<PlainResponse> {
  const [method, target] = findUnknownMethod(error) ?? [];
  if (method === undefined || target === undefined)
    return createBrokenResponse(findProblemOfBytes(error), options.newId());
  const sourceAddress = socket.remoteAddress;
  return options.handleRequest({ method, ...parseTarget(target), headers: {}, sourceAddress, body: undefined });
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(new Error(explainListenError(error, port, host))));
    // A server on a port has an address of that form.
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function explainListenError(error: NodeJS.ErrnoException, port: number, host: string) {
  if (error.code === "EADDRINUSE") return `Port ${port} on ${host} is in use; set PORT to another one`;
  if (error.code === "EACCES")
    return `Port ${port} on ${host} may not be opened by this user; set PORT to one above 1023`;
  return `The server cannot listen on ${host}, port ${port}: ${error.code ?? error.message}`;
}

function close(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    if (!server.listening) return resolve();
    const timer = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** Bytes of bodies that may be received at the same time, over all connections. */
class BodyQuota {
  readonly most: number;
  #usage = 0;

  constructor(most: number) {
    this.most = most;
  }

  /** Reserves bytes; returns false if there are not enough. */
  take(bytes: number): boolean {
    if (this.#usage + bytes > this.most) return false;
    this.#usage += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#usage -= bytes;
  }
}

interface BodyRead {
  readonly body: Uint8Array | undefined;
  readonly fault?: Problem;
  /** Reserved bytes of the body, to give back after the call. */
  readonly bytes: number;
}

/** Reads a body up to `LIMITS.requestBytes`; long ones count against `quota`. Sends 100 Continue by `proceed`. */
function readBody(message: IncomingMessage, quota: BodyQuota, proceed: () => void): Promise<BodyRead> {
  if (Number(message.headers["content-length"] ?? 0) > LIMITS.requestBytes) {
    return Promise.resolve({ body: undefined, fault: createRequestTooLargeProblem(), bytes: 0 });
  }
  if (/^100-continue$/i.test(message.headers.expect ?? "")) proceed();
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    let usedBytes = 0;
    const stop = () => {
      message.off("data", onData).pause();
      quota.give(usedBytes);
      usedBytes = 0;
    };
    const refuse = (fault: Problem) => {
      stop();
      resolve({ body: undefined, fault, bytes: 0 });
    };
    const onData = (chunk: Uint8Array) => {
      bytes += chunk.byteLength;
      const excess = Math.max(0, bytes - LIMITS.shortBodyBytes) - usedBytes;
      if (bytes > LIMITS.requestBytes) refuse(createRequestTooLargeProblem());
      else if (excess > 0 && !quota.take(excess)) refuse(createBodyQuotaProblem(quota));
      else {
        usedBytes += excess;
        chunks.push(chunk);
      }
    };
    const fail = (error: Error) => {
      stop();
      reject(error);
    };
    message.on("data", onData);
    message.once("end", () => {
      resolve({ body: bytes === 0 ? undefined : Buffer.concat(chunks), bytes: usedBytes });
      // The call gives them back.
      usedBytes = 0;
    });
    message.once("error", fail);
    message.once("close", () => {
      if (!message.readableEnded) fail(new Error("the connection was closed before the body was sent"));
    });
  });
}

function createBodyQuotaProblem({ most }: BodyQuota): Problem {
  return new Problem("unavailable", `${most} bytes of request bodies are being received already; send it again`, {
    retryAfter: 1,
  });
}

/** Discards the unread rest of a body, because closing with unread bytes could lose the answer. */
async function linger(message: IncomingMessage, lingerMs: number) {
  message.resume();
  const signal = AbortSignal.timeout(lingerMs);
  // It also ends because the caller disconnects, or because the time is over.
  await finished(message, { signal, writable: false }).catch(() => undefined);
}

function toPlainRequest(message: IncomingMessage): PlainRequest {
  const { rawHeaders: raw } = message;
  const pairs: (readonly [string, string])[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) pairs.push([raw[i] ?? "", raw[i + 1] ?? ""]);
  return {
    method: message.method ?? "",
    ...parseTarget(message.url ?? ""),
    headers: joinHeaders(pairs),
    sourceAddress: message.socket.remoteAddress,
    body: undefined,
  };
}

/** Parses a request target, in origin form or absolute form (RFC 9112 section 3.2). */
function parseTarget(target: string): Pick<PlainRequest, "path" | "query"> {
  const local = target.replace(/^https?:\/\/[^/?#]*/i, "");
  const mark = local.indexOf("?");
  return mark < 0 ? { path: local, query: "" } : { path: local.slice(0, mark), query: local.slice(mark + 1) };
}
