import { connect } from "node:net";
import { gunzipSync } from "node:zlib";
import type { FuzzResponse } from "./exchange.ts";

/** The answer to bytes on a connection: the responses in order, and the bytes that were no response. */
export interface WireAnswer {
  readonly responses: readonly FuzzResponse[];
  /** Bytes after the last response that are none; empty where all is in order. */
  readonly rest: string;
  readonly ms: number;
}

/** How long a server may take to answer bytes it was sent, or to close their connection, in milliseconds. */
const PATIENCE_MS = 6_000;

/** Sends bytes on a new connection, ends the input after `quietMs` of silence, and reads the whole answer. */
export function sendBytes(port: number, bytes: Uint8Array, quietMs: number): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const chunks: Buffer[] = [];
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    const late = setTimeout(() => {
      socket.destroy();
      reject(
        new Error(
          `no answer and no end within ${PATIENCE_MS} ms to ${JSON.stringify(Buffer.from(bytes).toString("latin1").slice(0, 400))}`,
        ),
      );
    }, PATIENCE_MS);
    const quiet = setTimeout(() => socket.end(), quietMs);
    socket.on("connect", () => socket.write(bytes));
    socket.on("data", (chunk) => {
      chunks.push(chunk);
      quiet.refresh();
    });
    // A server may cut off a caller who goes on sending; what it said before counts.
    socket.on("error", () => undefined);
    socket.on("end", () => socket.end());
    socket.on("close", () => {
      clearTimeout(late);
      clearTimeout(quiet);
      resolve({ ...responsesOf(Buffer.concat(chunks)), ms: performance.now() - began });
    });
  });
}

/** The responses in a stream of bytes (RFC 9112), each with a length or without a body. */
function responsesOf(bytes: Buffer): Omit<WireAnswer, "ms"> {
  const responses: FuzzResponse[] = [];
  let at = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf("\r\n\r\n", at);
    const [first = "", ...lines] = end < 0 ? [] : bytes.subarray(at, end).toString("latin1").split("\r\n");
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
    if (end < 0 || !status) break;
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
    );
    const length = status === 100 ? 0 : Number(headers["content-length"] ?? 0);
    const body = bytes.subarray(end + 4, end + 4 + length);
    at = end + 4 + length;
    if (status === 100) continue;
    const text = headers["content-encoding"] === "gzip" ? gunzipSync(body).toString("utf8") : body.toString("utf8");
    responses.push({ status, headers, text, ms: 0 });
  }
  return { responses, rest: bytes.subarray(at).toString("latin1") };
}
