import { LIMITS } from "../domain/limits.ts";
import { Problem } from "../domain/problems.ts";

/** Lower-case header name -> value; a repeated header is one value joined by commas (RFC 9110 section 5.3). */
export type RequestHeaders = { readonly [name: string]: string };

/** A request as the transport received it. */
export interface PlainRequest {
  readonly method: string;
  /** The path as sent, not decoded. */
  readonly path: string;
  /** The query string as sent, without the question mark. */
  readonly query: string;
  readonly headers: RequestHeaders;
  /** The network address of the caller as the transport sees it, never from a header. Absent if the transport has none. */
  readonly sourceAddress?: string | undefined;
  /** The body; undefined or empty for a request without a body. */
  readonly body: Uint8Array | string | undefined;
  /** The problem for which the transport did not read the body; thrown after the caller is authorized. */
  readonly fault?: Problem;
}

/** Reads the JSON value of a body of at most `mostBytes`. Rejects with a `Problem` for size, media type or malformed JSON. */
export type ReadBody = (mostBytes: number) => Promise<unknown>;

/** A received request with a body that is not read yet. */
export interface ReceivedRequest extends PlainRequest {
  readonly requestId: string;
  /** The deadline for the answer, in milliseconds since the epoch. */
  readonly deadline: number;
  readonly readBody: ReadBody;
}

/** A response for the transport to send. Header names are lower-case; an empty body means no body. */
export interface PlainResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** Returns a header without surrounding spaces. Undefined if it was not sent. */
export function getHeader(headers: RequestHeaders, name: string): string | undefined {
  return headers[name]?.trim();
}

/** Returns the `X-Request-Id` of the caller if it is well-formed, otherwise a new one. */
export function getRequestId(headers: RequestHeaders, newId: () => string): string {
  const given = getHeader(headers, "x-request-id");
  return given !== undefined && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : newId();
}

/** Creates `RequestHeaders` from pairs of name and value, in the order received. */
export function joinHeaders(pairs: Iterable<readonly [name: string, value: string | undefined]>): RequestHeaders {
  // Without a prototype, a header name cannot access inherited members.
  const headers: Record<string, string> = Object.create(null);
  for (const [given, value] of pairs) {
    if (value === undefined) continue;
    const name = given.toLowerCase();
    headers[name] = name in headers ? `${headers[name]},${value}` : value;
  }
  return headers;
}

/** Returns true if the caller sent a bearer token, valid or not (RFC 6750 section 3.1). */
export function hasBearerToken(headers: RequestHeaders): boolean {
  return /^bearer(?![!#$%&'*+.^_`|~0-9a-z-])/i.test(getHeader(headers, "authorization") ?? "");
}

/** Parses the `Authorization: Bearer` header (RFC 6750 section 2.1). Undefined without the header; throws `not_signed_in` for another form. */
export function parseBearerToken(headers: RequestHeaders): string | undefined {
  const header = getHeader(headers, "authorization");
  if (header === undefined) return undefined;
  // Two headers arrive joined by a comma, which is not allowed in a token.
  const token = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(header)?.[1];
  if (token === undefined) {
    throw new Problem("not_signed_in", "The Authorization header must be sent once, as Bearer <token>");
  }
  if (token.length > LIMITS.tokenBytes) {
    throw new Problem("not_signed_in", `The access token is longer than ${LIMITS.tokenBytes} bytes`);
  }
  return token;
}
