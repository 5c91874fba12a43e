import type { Socket } from "node:net";
import { LIMITS } from "../shared/domain/limits.ts";
import { Problem } from "../shared/domain/problems.ts";
import { problemResponse } from "../shared/http/problem-response.ts";

/** Answers bytes that are no HTTP request with a problem document, and closes the connection. */
export function answerBroken(error: NodeJS.ErrnoException, socket: Socket, requestId: string): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = problemResponse(problemFor(error), { requestId, path: "" });
  const all = {
    ...headers,
    "x-request-id": requestId,
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} Problem\r\n${head.join("")}\r\n${body}`);
}

function problemFor(error: NodeJS.ErrnoException): Problem {
  if (error.code === "HPE_HEADER_OVERFLOW") {
    return new Problem("too_large", `The request line and headers are longer than ${LIMITS.headerBytes} bytes`);
  }
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return new Problem("bad_request", "The request did not arrive in time");
  }
  return new Problem("bad_request", "This is no well-formed HTTP/1.1 request");
}
