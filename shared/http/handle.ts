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

/** How the service is reached over HTTP. */
export interface HttpOptions {
  /** Where callers reach the service, for the OpenAPI document. */
  readonly publicUrl: string;
  /** Web origins whose pages may call. */
  readonly corsOrigins: readonly string[];
  /** Takes one line of JSON. */
  readonly log: (line: string) => void;
  /** Whether the door can send a body of that size; where absent, `LIMITS.responseBytes` decides. */
  readonly fits?: Fits;
}

/** The facts found out about a request on its way, for its log line and the document of its problem. */
interface Trace {
  readonly began: number;
  route?: Route | undefined;
  action?: Action;
}

/** Answers any request with a response, never with an exception. */
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

/** The problem document of anything thrown; an error that is no `Problem` is logged as a defect. */
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
    tokenJudged: trace.action !== undefined && trace.action.rule !== "public" && hasBearerToken(headers),
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
  if (!route)
    throw new Problem("unknown_path", "There is nothing at this path; the actions are at /api/<group>/<action>");
  trace.route = route;
  if (!listMethods(route).includes(method)) {
    throw new Problem("method_not_allowed", `This path answers to ${listMethods(route).join(", ")}`);
  }
  if (method === "OPTIONS") return createPreflightResponse(route, headers, options.corsOrigins);
  if (route.to === "discovery") return answerDiscovery(service, options.publicUrl, headers);
  if (route.to === "well-known") {
    return answerWellKnown(route.document, service, headers);
  }
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

/** The token to call an action with; where anybody may call, a header that holds none is no hindrance. */
function readToken(headers: RequestHeaders, { rule }: Action): string | undefined {
  try {
    return parseBearerToken(headers);
  } catch (fault) {
    if (rule === "public" && fault instanceof Problem) return undefined;
    throw fault;
  }
}

/** The channel that the caller says it is; people are shown it, and nothing rests on it. */
function readChannel(headers: RequestHeaders): Channel {
  return getHeader(headers, "user-agent")?.startsWith(CLI_AGENT) ? "cli" : "http";
}

/** Adds the headers of every response, and writes the line in the log. */
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

/** The facts about one call that its line in the access log gives. */
interface AccessFacts {
  readonly requestId: string;
  /** Where the request went: a known action, or the route's name. */
  readonly to: Action | "discovery" | "health" | "well-known" | "preflight" | "nowhere";
  readonly status: number;
  /** The problem code, where it ended in one. */
  readonly code?: string;
  readonly ms: number;
}

/**
 * The one line a call leaves in the log: JSON, at most 400 bytes, without parameters, tokens or paths of the caller's
 * making.
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

/** A defect in one line of JSON; the stack goes here and nowhere else. */
function formatDefectLine(error: unknown, requestId: string): string {
  const stack = error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : String(error);
  return JSON.stringify({ level: "error", requestId, defect: stack.slice(0, 4_000) });
}

const ALLOWED_HEADERS = "Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Dry-Run, X-Request-Id";
/** How long a browser may keep a preflight answer, in seconds. */
const PREFLIGHT_SECONDS = "7200";

/** The answer to `OPTIONS` on a route; a preflight of a foreign origin gets nothing a browser would act on. */
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

/** The cross-origin headers of an answer: those of the Fetch standard where the origin is one of the configured, else none. */
function createCorsHeaders(headers: RequestHeaders, origins: readonly string[]): Readonly<Record<string, string>> {
  const origin = getHeader(headers, "origin");
  if (origin === undefined || !origins.includes(origin)) return {};
  return { "access-control-allow-origin": origin, "access-control-expose-headers": EXPOSED_HEADERS };
}
