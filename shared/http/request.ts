import type { CallSource } from "../actions/contract/call.ts";
import { LIMITS } from "../domain/limits.ts";
import { Problem } from "../domain/problems.ts";

/** The destination of a path. */
export type Route =
  | { readonly to: "action"; readonly group: string; readonly name: string }
  | { readonly to: "discovery" }
  | { readonly to: "health" }
  | { readonly to: "well-known"; readonly document: WellKnown };

/** The documents that other services verify our tokens with. */
export type WellKnown = "configuration" | "keys";

/** The paths of these documents (RFC 8615). Only this spelling is accepted. */
const WELL_KNOWN: ReadonlyMap<string, WellKnown> = new Map([
  ["/.well-known/openid-configuration", "configuration"],
  ["/.well-known/jwks.json", "keys"],
]);

const ACTION_PATH = /^\/api\/([a-z][a-z0-9_-]*)\/([a-z][a-z0-9_-]*)$/;
const SEGMENT = /^[a-z][a-z0-9_-]*$/;

/** Parses a path as sent, decoded once; undefined if unknown. */
export function parseRoute(path: string): Route | undefined {
  const [, group, action] = ACTION_PATH.exec(path) ?? [];
  if (group !== undefined && action !== undefined) return { to: "action", group, name: action };
  const document = WELL_KNOWN.get(path);
  if (document) return { to: "well-known", document };
  const [root, ...segments] = path.split("/", 6);
  if (root !== "") return undefined;
  const names = segments.map(decodePercent);
  if (!names.every((name) => SEGMENT.test(name ?? ""))) return undefined;
  const [first, second, third, fourth] = names;
  if (names.length === 1)
    return first === "api" ? { to: "discovery" } : first === "health" ? { to: "health" } : undefined;
  if (first !== "api" || second === undefined || third === undefined) return undefined;
  if (names.length === 3) return { to: "action", group: second, name: third };
  if (names.length === 4 && second === "actions" && fourth !== undefined)
    return { to: "action", group: third, name: fourth };
  return undefined;
}

/** Returns the methods of a route, for `Allow` (RFC 9110 section 10.2.1). Actions that write have no `HEAD`. */
export function listMethods(route: Route, writes = false): readonly string[] {
  if (route.to !== "action") return ["GET", "HEAD", "OPTIONS"];
  return writes ? ["GET", "POST", "OPTIONS"] : ["GET", "HEAD", "POST", "OPTIONS"];
}

/** Decodes a percent-encoded text; undefined if it is not percent-encoded UTF-8. */
export function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The first segments of the paths of the API. All other paths belong to the web application. */
const API_ROOTS: readonly string[] = ["api", "health", ".well-known"];

/** Returns true for a path of the API, as it was sent. */
export function isApiPath(path: string): boolean {
  return API_ROOTS.includes(decodePercent(path.split("/", 2)[1] ?? "") ?? "");
}

/** Parses a query string into decoded pairs. Throws `query_too_long`, and `bad_request` for invalid encoding. */
export function readQuery(query: string): readonly (readonly [name: string, value: string])[] {
  if (query.length > LIMITS.queryBytes) {
    throw new Problem(
      "query_too_long",
      `The query string is longer than ${LIMITS.queryBytes} bytes; send the parameters as a JSON body`,
    );
  }
  if (!/^[!-~]*$/.test(query)) {
    throw new Problem("bad_request", "The query string has characters that must be percent-encoded");
  }
  return query
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => {
      const equals = pair.indexOf("=");
      return equals < 0
        ? ([decodeQueryText(pair), ""] as const)
        : ([decodeQueryText(pair.slice(0, equals)), decodeQueryText(pair.slice(equals + 1))] as const);
    });
}

function decodeQueryText(text: string) {
  const value = decodePercent(text.replaceAll("+", " "));
  if (value !== undefined) return value;
  throw new Problem("bad_request", `"${text.slice(0, 80)}" in the query string is not percent-encoded UTF-8`);
}

/** Formats parameters as a query string. Lists and objects become JSON. */
export function writeQuery(parameters: Iterable<readonly [name: string, value: unknown]>): string {
  return [...parameters]
    .filter(([, value]) => value !== undefined && value !== null && value !== "")
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(toQueryText(value))}`)
    .join("&");
}

function toQueryText(value: unknown) {
  return typeof value === "string" ? value : JSON.stringify(value);
}

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
  /** The network address of the caller as the transport sees it. A header names it only if a trusted proxy sent the request. */
  readonly sourceAddress?: string | undefined;
  /** Id of the request in the access log of API Gateway. */
  readonly gatewayRequestId?: string | undefined;
  readonly body: Uint8Array | string | undefined;
  /** Problem of an unread body; thrown after the caller is authorized. */
  readonly fault?: Problem;
}

/** A received request; its body is not parsed yet. */
export interface ReceivedRequest extends PlainRequest {
  readonly requestId: string;
  readonly source: CallSource;
  /** When the service received it, in milliseconds since the epoch. */
  readonly began: number;
  /** The deadline for the answer, in milliseconds since the epoch. */
  readonly deadline: number;
}

/** A response to send. Header names are lower-case. */
export interface PlainResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** Creates the problem for a request that is too long. */
export function createRequestTooLargeProblem(): Problem {
  return new Problem(
    "too_large",
    `The request is longer than ${LIMITS.requestBytes} bytes, including headers and the escaping of quotes, backslashes and line breaks in the body. Split it into several requests`,
  );
}

/** Returns a header without surrounding spaces. Undefined if it was not sent. */
export function getHeader(headers: RequestHeaders, name: string): string | undefined {
  return headers[name]?.trim();
}

/** Returns the `X-Request-Id` of the caller if it is well-formed. */
export function getClientRequestId(headers: RequestHeaders): string | undefined {
  const id = getHeader(headers, "x-request-id");
  return id !== undefined && /^[A-Za-z0-9._-]{1,128}$/.test(id) ? id : undefined;
}

/** Creates `RequestHeaders` from pairs of name and value, in the order received. */
export function joinHeaders(pairs: Iterable<readonly [name: string, value: string | undefined]>): RequestHeaders {
  // Without a prototype, a header name cannot access inherited members.
  const headers: Record<string, string> = Object.create(null);
  for (const [rawName, value] of pairs) {
    if (value === undefined) continue;
    const name = rawName.toLowerCase();
    headers[name] = name in headers ? `${headers[name]},${value}` : value;
  }
  return headers;
}

/** Returns true if the caller sent a bearer token, valid or not (RFC 6750 section 3.1). */
export function hasBearerToken(headers: RequestHeaders): boolean {
  return /^bearer(?![!#$%&'*+.^_`|~0-9a-z-])/i.test(getHeader(headers, "authorization") ?? "");
}

/** Parses the `Authorization: Bearer` header (RFC 6750 section 2.1). Throws `not_signed_in` for another form. */
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
