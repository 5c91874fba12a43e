import { LIMITS } from "../domain/limits.ts";
import { Problem } from "../domain/problems.ts";

/** Lower-case header name -> value; a repeated header is one value joined by commas (RFC 9110 section 5.3). */
export type RequestHeaders = { readonly [name: string]: string };

/** A request as a door received it. */
export interface PlainRequest {
  readonly method: string;
  /** The path as sent: not decoded. */
  readonly path: string;
  /** The query string as sent, without the question mark. */
  readonly query: string;
  readonly headers: RequestHeaders;
  /** The network address of the caller as the door itself saw it, never as a header tells it; absent where it has none. */
  readonly sourceAddress?: string | undefined;
  /** The body; absent or empty where there is none. */
  readonly body: Uint8Array | string | undefined;
  /** Why the door did not read the body; raised once the caller may run the action. */
  readonly fault?: Problem;
}

/**
 * Reads the JSON value of a body of at most so many bytes; rejects with a `Problem` for its size, media type or
 * malformed JSON.
 */
export type ReadBody = (mostBytes: number) => Promise<unknown>;

/** A request on its way to its action, whose body is not read yet. */
export interface ReceivedRequest extends PlainRequest {
  readonly requestId: string;
  /** When the call has to be answered, in milliseconds since the epoch. */
  readonly deadline: number;
  readonly readBody: ReadBody;
}

/** An answer for a door to send; header names are lower-case, and an empty body is no body. */
export interface PlainResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** The header of a name, without spaces around it; undefined where it was not sent. */
export function getHeader(headers: RequestHeaders, name: string): string | undefined {
  return headers[name]?.trim();
}

/** The caller's own `X-Request-Id` where it is well-formed, else a new one. */
export function getRequestId(headers: RequestHeaders, newId: () => string): string {
  const given = getHeader(headers, "x-request-id");
  return given !== undefined && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : newId();
}

/** Headers in the form of `RequestHeaders`, from name and value pairs in the order they came. */
export function joinHeaders(pairs: Iterable<readonly [name: string, value: string | undefined]>): RequestHeaders {
  // Without a prototype no header name can reach anything but headers.
  const headers: Record<string, string> = Object.create(null);
  for (const [given, value] of pairs) {
    if (value === undefined) continue;
    const name = given.toLowerCase();
    headers[name] = name in headers ? `${headers[name]},${value}` : value;
  }
  return headers;
}

/** True where the caller sent a bearer token, whatever it is good for; another scheme is none (RFC 6750 section 3.1). */
export function hasBearerToken(headers: RequestHeaders): boolean {
  return /^bearer(?![!#$%&'*+.^_`|~0-9a-z-])/i.test(getHeader(headers, "authorization") ?? "");
}

/** The token of the one `Authorization: Bearer` header (RFC 6750 section 2.1); undefined where no header was sent, `not_signed_in` for any other form. */
export function parseBearerToken(headers: RequestHeaders): string | undefined {
  const header = getHeader(headers, "authorization");
  if (header === undefined) return undefined;
  // Two headers arrive joined by a comma, which no token holds.
  const token = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(header)?.[1];
  if (token === undefined) {
    throw new Problem("not_signed_in", "The Authorization header must be sent once, as Bearer <token>");
  }
  if (token.length > LIMITS.tokenBytes) {
    throw new Problem("not_signed_in", `The access token is longer than ${LIMITS.tokenBytes} bytes`);
  }
  return token;
}
