import type { Action } from "../actions/contract/action.ts";
import type { Service } from "../actions/pipeline/call-context.ts";
import { dispatch } from "../actions/pipeline/dispatch.ts";
import { type Channel, CLI_AGENT } from "../domain/channels.ts";
import { Problem } from "../domain/problems.ts";
import { requireAcceptable } from "./accept.ts";
import { toAnswerResponse } from "./answer-response.ts";
import { answerDiscovery, answerWellKnown } from "./documents.ts";
import { encode, type Fits, fitsAsBytes } from "./encode.ts";
import { VARY } from "./entity-tags.ts";
import { toProblem, toProblemResponse } from "./problem-response.ts";
import { readCall } from "./read-call.ts";
import {
  getHeader,
  hasBearerToken,
  type PlainResponse,
  parseBearerToken,
  type ReceivedRequest,
  type RequestHeaders,
} from "./request.ts";
import { listMethods, parseRoute, type Route } from "./route.ts";

/** The options of the HTTP interface. */
export interface HttpOptions {
  /** The URL of the service for callers, for the OpenAPI document. */
  readonly publicUrl: string;
  /** Web origins that may call the service from their pages. */
  readonly corsOrigins: readonly string[];
  /** Takes one line of JSON. */
  readonly log: (line: string) => void;
  /** Returns true if the transport can send a body; `fitsAsBytes` unless given. */
  readonly fits?: Fits;
}

/** Data about a request that is collected during processing, for its log line and its problem document. */
interface Trace {
  readonly began: number;
  route?: Route | undefined;
  action?: Action;
}

/** Handles a request. Always returns a response and never throws. */
export async function handle(request: ReceivedRequest, service: Service, options: HttpOptions): Promise<PlainResponse> {
  const trace: Trace = { began: service.ambient.now() };
  try {
    const response = await respond(request, service, options, trace);
    const encoded = await encode(response, request.headers, options.fits ?? fitsAsBytes);
    return finishResponse(encoded, request, service, options, trace);
  } catch (error) {
    return refuse(error, request, service, options, trace);
  }
}

/** Converts a thrown error to a response with a problem document. An error that is not a `Problem` is logged as a defect. */
export async function refuse(
  error: unknown,
  request: ReceivedRequest,
  service: Service,
  options: HttpOptions,
  trace: Trace = { began: service.ambient.now() },
): Promise<PlainResponse> {
  const { requestId, path, headers } = request;
  const problem = toProblem(error, requestId);
  if (problem !== error) options.log(formatDefectLine(error, requestId));
  const response = toProblemResponse(problem, {
    requestId,
    path,
    hasToken: trace.action !== undefined && trace.action.rule !== "public" && hasBearerToken(headers),
    ...(trace.route && { allow: listMethods(trace.route) }),
  });
  return finishResponse(await encode(response, headers, () => true), request, service, options, trace, problem);
}

async function respond(
  request: ReceivedRequest,
  service: Service,
  options: HttpOptions,
  trace: Trace,
): Promise<PlainResponse> {
  const { method, path, headers, requestId, deadline, sourceAddress } = request;
  const route = parseRoute(path);
  if (!route) throw new Problem("unknown_path", "Unknown path; actions have the path /api/<group>/<action>");
  trace.route = route;
  if (!listMethods(route).includes(method)) {
    throw new Problem("method_not_allowed", `This path supports only ${listMethods(route).join(", ")}`);
  }
  if (method === "OPTIONS") return createPreflightResponse(route, headers, options.corsOrigins);
  if (route.to === "discovery") return answerDiscovery(service, options.publicUrl, headers);
  if (route.to === "well-known") return answerWellKnown(route.document, service, headers);
  if (route.to === "health") {
    requireAcceptable(getHeader(headers, "accept"), "application/json");
    return { status: 200, headers: { "content-type": "application/json" }, body: '{"status":"ok"}' };
  }
  const action = await service.registry.find(route.group, route.name);
  trace.action = action;
  const { payload, controls, asRows } = await readCall(request, action);
  const [token, channel] = [readToken(headers, action), readChannel(headers)];
  const call = { action, token, payload, controls, channel, requestId, deadline, sourceAddress };
  const answer = await dispatch(call, service);
  return toAnswerResponse(answer, request, payload, asRows ? action.output.rows : undefined);
}

/** Returns the access token. For public actions, an invalid header counts as absent. */
function readToken(headers: RequestHeaders, { rule }: Action): string | undefined {
  try {
    return parseBearerToken(headers);
  } catch (fault) {
    if (rule === "public" && fault instanceof Problem) return undefined;
    throw fault;
  }
}

/** Returns the channel that the caller claims. It is for display only and is never used for decisions. */
function readChannel(headers: RequestHeaders): Channel {
  return getHeader(headers, "user-agent")?.startsWith(CLI_AGENT) ? "cli" : "http";
}

/** Adds the headers of every response, and writes the access log line. */
function finishResponse(
  response: PlainResponse,
  request: ReceivedRequest,
  service: Service,
  options: HttpOptions,
  trace: Trace,
  problem?: Problem,
): PlainResponse {
  const facts: AccessFacts = {
    requestId: request.requestId,
    to: trace.action ?? (request.method === "OPTIONS" && trace.route ? "preflight" : getRouteName(trace.route)),
    status: response.status,
    ...(problem && { code: problem.code }),
    ms: service.ambient.now() - trace.began,
  };
  options.log(formatAccessLine(facts));
  return {
    status: response.status,
    headers: {
      "cache-control": "no-store",
      ...response.headers,
      vary: VARY,
      "x-content-type-options": "nosniff",
      "x-request-id": request.requestId,
      ...createCorsHeaders(request.headers, options.corsOrigins),
    },
    body: request.method === "HEAD" ? "" : response.body,
  };
}

function getRouteName(route: Route | undefined): Exclude<Route["to"], "action"> | "nowhere" {
  return route === undefined || route.to === "action" ? "nowhere" : route.to;
}

/** The data of a line in the access log. */
interface AccessFacts {
  readonly requestId: string;
  /** The destination: a known action, or the name of the route. */
  readonly to: Action | "discovery" | "health" | "well-known" | "preflight" | "nowhere";
  readonly status: number;
  /** The problem code, if the call failed. */
  readonly code?: string;
  readonly ms: number;
}

/**
 * Formats the log line of a call: JSON, at most 400 bytes, without parameters, tokens or unknown paths.
 */
function formatAccessLine(facts: AccessFacts): string {
  const { requestId, to, status, code, ms } = facts;
  const action = typeof to === "string" ? to : `${to.group}/${to.name}`;
  return JSON.stringify({
    level: status >= 500 ? "error" : "info",
    requestId,
    action,
    status,
    ...(code && { code }),
    ms,
  });
}

/** Formats a defect as one line of JSON. The stack trace appears only here. */
function formatDefectLine(error: unknown, requestId: string): string {
  const stack = error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : String(error);
  return JSON.stringify({ level: "error", requestId, defect: stack.slice(0, 4_000) });
}

const ALLOWED_HEADERS = "Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Dry-Run, X-Request-Id";
/** The number of seconds for which a browser may keep a preflight answer. */
const PREFLIGHT_SECONDS = "7200";

/** Answers `OPTIONS` on a route. An origin that is not configured gets no cross-origin headers. */
function createPreflightResponse(route: Route, headers: RequestHeaders, origins: readonly string[]): PlainResponse {
  const methods = listMethods(route).join(", ");
  const known = "access-control-allow-origin" in createCorsHeaders(headers, origins);
  return {
    status: 204,
    headers: {
      allow: methods,
      ...(known && {
        "access-control-allow-methods": methods,
        "access-control-allow-headers": ALLOWED_HEADERS,
        "access-control-max-age": PREFLIGHT_SECONDS,
      }),
    },
    body: "",
  };
}

const EXPOSED_HEADERS = "ETag, Link, X-Request-Id, Retry-After, Idempotency-Replayed";

/** Returns the cross-origin headers of the Fetch standard if the origin is configured, otherwise none. */
function createCorsHeaders(headers: RequestHeaders, origins: readonly string[]): Readonly<Record<string, string>> {
  const origin = getHeader(headers, "origin");
  if (origin === undefined || !origins.includes(origin)) return {};
  return { "access-control-allow-origin": origin, "access-control-expose-headers": EXPOSED_HEADERS };
}
