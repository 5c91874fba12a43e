import type { Socket } from "node:net";
import { LIMITS } from "../shared/domain/limits.ts";
import { Problem } from "../shared/domain/problems.ts";
import { toProblemResponse } from "../shared/http/problem-response.ts";
import type { PlainResponse } from "../shared/http/request.ts";

/** Reason why `node:http` gave a connection up; `bytesParsed` counts within `rawPacket`. */
export interface ClientError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

/** Returns the problem document for bytes that are not an HTTP request. */
export function createBrokenResponse(problem: Problem, requestId: string): PlainResponse {
  const { status, headers, body } = toProblemResponse(problem, { requestId, path: "" });
  return { status, headers: { ...headers, "x-request-id": requestId }, body };
}

/** Returns the problem of the bytes for which a connection was given up. */
export function findProblemOfBytes({ code }: ClientError): Problem {
  if (code === "HPE_HEADER_OVERFLOW") {
    return new Problem("headers_too_long", `The request line and headers are longer than ${LIMITS.headerBytes} bytes`);
  }
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return new Problem("bad_request", "The request did not arrive in time");
  }
  return new Problem("bad_request", "This is not a well-formed HTTP/1.1 request");
}

/** Returns method and target of a request with a method unknown to `node:http`. */
export function findUnknownMethod({
  code,
  rawPacket,
  bytesParsed = 0,
}: ClientError): readonly [string, string] | undefined {
  if (code !== "HPE_INVALID_METHOD" || !rawPacket) return undefined;
  const text = rawPacket.toString("latin1");
  // The same packet may contain requests before it.
  const line = text.slice(text.lastIndexOf("\n", bytesParsed) + 1);
  const [, method, target] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) ([!-~]+) HTTP\/1\.[01]\r?\n/.exec(line) ?? [];
  return method === undefined || target === undefined ? undefined : [method, target];
}

/** Returns true if no caller waits for an answer: it has disconnected, or has sent nothing yet. */
export function isUnasked({ code }: ClientError, socket: Socket): boolean {
  return code === "ECONNRESET" || !socket.writable || socket.bytesRead === 0;
}

/** Answers on a connection that `node:http` gave up, discards its bytes for `lingerMs`, and closes it. */
export function answerRaw(socket: Socket, { status, headers, body }: PlainResponse, lingerMs: number): void {
  const all = { ...headers, "content-length": String(Buffer.byteLength(body)), connection: "close" };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status} ${status < 400 ? "OK" : "Problem"}\r\n${head.join("")}\r\n`);
  socket.end(body);
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(timer));
}
