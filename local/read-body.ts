import type { IncomingMessage } from "node:http";
import { LIMITS } from "../shared/domain/limits.ts";
import { Problem } from "../shared/domain/problems.ts";
import { requestTooLarge } from "../shared/http/guards.ts";
import type { BodyRoom } from "./body-room.ts";

/** A body, or why it was not read to its end. */
export interface BodyRead {
  readonly body: Uint8Array | undefined;
  readonly fault?: Problem;
  /** Bytes of room that the body takes, until nobody needs it any more. */
  readonly taken: number;
}

/**
 * Reads a body up to `LIMITS.requestBytes` and no further; its bytes beyond `LIMITS.shortBodyBytes` take room, so that
 * short ones are read however full it is. `proceed` is called where the caller waits for a sign to send it (RFC 9110
 * section 10.1.1). Rejects where the connection breaks.
 */
export function readBody(message: IncomingMessage, room: BodyRoom, proceed: () => void): Promise<BodyRead> {
  if (Number(message.headers["content-length"] ?? 0) > LIMITS.requestBytes) {
    return Promise.resolve({ body: undefined, fault: requestTooLarge(), taken: 0 });
  }
  if (/^100-continue$/i.test(message.headers.expect ?? "")) proceed();
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    let taken = 0;
    let isOver = false;
    const over = (end: () => void): void => {
      if (isOver) return;
      isOver = true;
      message.off("data", onData);
      end();
    };
    const stop = (fault: Problem): void =>
      over(() => {
        message.pause();
        room.give(taken);
        resolve({ body: undefined, fault, taken: 0 });
      });
    const onData = (chunk: Uint8Array): void => {
      bytes += chunk.byteLength;
      const more = Math.max(0, bytes - LIMITS.shortBodyBytes) - taken;
      if (bytes > LIMITS.requestBytes) stop(requestTooLarge());
      else if (!room.take(more)) stop(noRoom(room));
      else {
        taken += more;
        chunks.push(chunk);
      }
    };
    const broken = (error: Error): void =>
      over(() => {
        room.give(taken);
        reject(error);
      });
    message.on("data", onData);
    message.once("end", () => over(() => resolve({ body: bytes === 0 ? undefined : Buffer.concat(chunks), taken })));
    message.once("error", broken);
    message.once("close", () => broken(new Error("the connection was closed before the body was sent")));
  });
}

function noRoom({ most }: BodyRoom): Problem {
  return new Problem("unavailable", `${most} bytes of bodies are under way already; send it again`, { retryAfter: 1 });
}

/**
 * Lets a caller whose body was not read finish or give up, throwing away its bytes: closing on unread bytes would reset
 * the connection, and the caller would never see its answer.
 */
export function linger(message: IncomingMessage, lingerMs: number): Promise<void> {
  return new Promise((resolve) => {
    const enough = setTimeout(resolve, lingerMs);
    const done = (): void => {
      clearTimeout(enough);
      resolve();
    };
    message.once("end", done);
    message.once("close", done);
    message.resume();
  });
}
