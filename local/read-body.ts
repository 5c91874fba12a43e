import type { IncomingMessage } from "node:http";
import { LIMITS } from "../shared/domain/limits.ts";
import { Problem } from "../shared/domain/problems.ts";
import { createRequestTooLargeProblem } from "../shared/http/guards.ts";
import { joinHeaders, type PlainRequest } from "../shared/http/request.ts";

/** The bytes of bodies that may be received at the same time, over all connections. */
export interface BodyRoom {
  readonly most: number;
  /** Reserves bytes; returns false if there are not enough. */
  take(bytes: number): boolean;
  give(bytes: number): void;
}

/** Creates room for `most` bytes. */
export function createBodyRoom(most: number): BodyRoom {
  let taken = 0;
  return {
    most,
    take: (bytes) => {
      if (taken + bytes > most) return false;
      taken += bytes;
      return true;
    },
    give: (bytes) => {
      taken -= bytes;
    },
  };
}

/** A body, or the reason why it was not read. */
export interface BodyRead {
  readonly body: Uint8Array | undefined;
  readonly fault?: Problem;
  /** Reserved bytes of the body, to give back after the call. */
  readonly taken: number;
}

/**
 * Reads a body up to `LIMITS.requestBytes`. Its bytes beyond `LIMITS.shortBodyBytes` count against `room`, so that
 * short bodies are always read. Calls `proceed` if the caller waits for a sign to send the body (RFC 9110 section
 * 10.1.1). Rejects if the connection breaks.
 */
export function readBody(message: IncomingMessage, room: BodyRoom, proceed: () => void): Promise<BodyRead> {
  if (Number(message.headers["content-length"] ?? 0) > LIMITS.requestBytes) {
    return Promise.resolve({ body: undefined, fault: createRequestTooLargeProblem(), taken: 0 });
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
      if (bytes > LIMITS.requestBytes) stop(createRequestTooLargeProblem());
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
  return new Problem("unavailable", `${most} bytes of request bodies are being received already; send it again`, {
    retryAfter: 1,
  });
}

/**
 * Lets a caller whose body was not read finish or give up, and discards its bytes. Closing with unread bytes would
 * reset the connection, and the caller would never see its answer.
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

/** A host, by name or address, and a port (RFC 9110 section 7.2). Both may be empty. */
const HOST = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._~!$&'()*+,;=%-]*)(:\d*)?$/;

/**
 * Returns the problem of a request whose `Host` is missing, repeated or not a host (RFC 9112 section 3.2); undefined if there
 * is none.
 */
export function findHostFault({ rawHeaders, httpVersion }: IncomingMessage): Problem | undefined {
  const hosts: (string | undefined)[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.toLowerCase() === "host") hosts.push(rawHeaders[i + 1]);
  }
  const [host] = hosts;
  if (host === undefined) {
    return httpVersion === "1.0" ? undefined : new Problem("bad_request", "The request has no Host header; send one");
  }
  if (hosts.length > 1) return new Problem("bad_request", `The request has ${hosts.length} Host headers; send one`);
  if (HOST.test(host)) return undefined;
  return new Problem("bad_request", `Host: ${host.slice(0, 80)} is not a host, with or without a port`);
}

/** Returns a request without its body. */
export function toPlainRequest(message: IncomingMessage): PlainRequest {
  return {
    method: message.method ?? "",
    ...parseTarget(message.url ?? ""),
    headers: joinHeaders(toPairs(message.rawHeaders)),
    sourceAddress: message.socket.remoteAddress,
    body: undefined,
  };
}

/** Parses a request target, in origin form or absolute form (RFC 9112 section 3.2). */
export function parseTarget(target: string): Pick<PlainRequest, "path" | "query"> {
  const local = target.replace(/^https?:\/\/[^/?#]*/i, "");
  const mark = local.indexOf("?");
  return mark < 0 ? { path: local, query: "" } : { path: local.slice(0, mark), query: local.slice(mark + 1) };
}

function toPairs(raw: readonly string[]): readonly (readonly [string, string])[] {
  const pairs: (readonly [string, string])[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) pairs.push([raw[i] ?? "", raw[i + 1] ?? ""]);
  return pairs;
}
