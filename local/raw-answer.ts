import type { Socket } from "node:net";
import type { PlainResponse } from "../shared/http/request.ts";

/**
 * Answers on a connection that `node:http` gave up, and closes it. Bytes that the caller still sends are thrown away
 * for `lingerMs`, so that the answer is not lost by a reset; then the connection is cut, whether the caller closed its
 * side or not.
 */
export function answerRaw(socket: Socket, { status, headers, body }: PlainResponse, lingerMs: number): void {
  const all = { ...headers, "content-length": String(Buffer.byteLength(body)), connection: "close" };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status} ${status < 400 ? "OK" : "Problem"}\r\n${head.join("")}\r\n`);
  socket.end(body);
  socket.resume();
  const cut = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(cut));
}
