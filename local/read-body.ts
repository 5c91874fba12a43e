import type { IncomingMessage } from "node:http";
import { LIMITS } from "../shared/domain/limits.ts";
import type { Problem } from "../shared/domain/problems.ts";
import { requestTooLarge } from "../shared/http/guards.ts";

/** A body, or why it was not read to its end. */
export interface BodyRead {
  readonly body: Uint8Array | undefined;
  readonly fault?: Problem;
}

/** What a caller may still send after its answer went out before the connection is cut, in milliseconds. */
const LINGER_MS = 1_000;

/**
 * Reads a body up to `LIMITS.requestBytes` and no further. `proceed` is called where the caller waits for a sign to send it
 * (RFC 9110 section 10.1.1). Rejects where the connection breaks.
 */
export function readBody(message: IncomingMessage, proceed: () => void): Promise<BodyRead> {
  if (Number(message.headers["content-length"] ?? 0) > LIMITS.requestBytes) {
    return Promise.resolve({ body: undefined, fault: requestTooLarge() });
  }
  if (/^100-continue$/i.test(message.headers.expect ?? "")) proceed();
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    const onData = (chunk: Uint8Array): void => {
      bytes += chunk.byteLength;
      if (bytes <= LIMITS.requestBytes) {
        chunks.push(chunk);
        return;
      }
      message.off("data", onData);
      message.pause();
      resolve({ body: undefined, fault: requestTooLarge() });
    };
    message.on("data", onData);
    message.once("end", () => resolve({ body: bytes === 0 ? undefined : Buffer.concat(chunks) }));
    message.once("error", reject);
    message.once("close", () => reject(new Error("the connection was closed before the body was sent")));
  });
}

/**
 * Lets a caller whose body was not read finish or give up, throwing away what it sends: closing on unread bytes would
 * reset the connection, and the caller would never see its answer.
 */
export function linger(message: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    const enough = setTimeout(resolve, LINGER_MS);
    const done = (): void => {
      clearTimeout(enough);
      resolve();
    };
    message.once("end", done);
    message.once("close", done);
    message.resume();
  });
}
