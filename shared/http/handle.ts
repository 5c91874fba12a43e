import { type Action, isSafe } from "../actions/contract/action.ts";
import { LongCall } from "../actions/contract/budget.ts";
import type { Answer } from "../actions/contract/call.ts";
import type { UsedDeprecation } from "../actions/contract/params.ts";
import type { Service } from "../actions/pipeline/call-context.ts";
import { dispatch } from "../actions/pipeline/dispatch.ts";
import type { Principal } from "../domain/accounts/principal.ts";
import type { RecordedAddresses } from "../domain/accounts/source-address.ts";
import { type Channel, CLI_AGENT } from "../domain/channels.ts";
import { Problem, requireProblem } from "../domain/problems.ts";
import { createDeprecationHeaders, toAnswerResponse } from "./answer-response.ts";
import { encode, type Fits, fitsAsBytes, requireAcceptable, VARY } from "./content-negotiation.ts";
import { answerDiscovery, answerWellKnown } from "./documents.ts";
import { toProblem, toProblemResponse } from "./problem-response.ts";
import { readCall } from "./read-call.ts";
import {
  getHeader,
  hasBearerToken,
  listMethods,
  type PlainResponse,
  parseBearerToken,
  parseRoute,
  type ReceivedRequest,
  type RequestHeaders,
  type Route,
} from "./request.ts";

/** The options of the HTTP interface. */
export interface HttpOptions {
  readonly publicUrl: string;
  /** Web origins that may call the service from their pages. */
  readonly corsOrigins: readonly string[];
  readonly log: (line: string) => void;
  /** What the logs record of the addresses of callers; all of it unless given. */
  readonly recordedAddresses?: RecordedAddresses | undefined;
  /** Returns members of the log line about the process, each after a comma; nothing unless given. */
  readonly describeProcess?: () => string;
  /** Returns true if the transport can send a body; `fitsAsBytes` unless given. */
  readonly fits?: Fits;
  /** Shares the process between callers; absent if the process runs one call at a time. */
  readonly callerQuota?: CallerQuota | undefined;
  /** Answers a long call in a thread of its own, log line included; without it every call runs in this thread. */
  readonly answerInThread?: (request: ReceivedRequest, actorId: string | undefined) => Promise<PlainResponse>;
}

/** Limits what one caller may use of a process. */
export interface CallerQuota {
  /** Begins a call of an actor. Returns the function that ends it. Throws `throttled` if the actor uses too much. */
  enter(actorId: string): () => void;
}

interface Trace {
  route?: Route;
  /** The methods of the route; absent for the usual methods of an action. */
  methods?: readonly string[];
  action?: Action;
  caller?: Principal;
  /** Ends the call in the quota of its caller. */
  leave?: () => void;
  readonly deprecations: UsedDeprecation[];
}

/** Handles a request. Always returns a response and never throws. */
export async function handle(request: ReceivedRequest, service: Service, options: HttpOptions): Promise<PlainResponse> {
  const trace: Trace = { deprecations: [] };
  try {
    const response = await respond(request, service, options, trace);
    const result = await encode(response, request.headers, options.fits ?? fitsAsBytes);
    return finishResponse(result, request, service, options, trace);
  } catch (error) {
    const { answerInThread } = options;
    if (!(error instanceof LongCall) || !answerInThread) return await refuse(error, request, service, options, trace);
    try {
      return await answerInThread(request, trace.caller?.actorId);
    } catch (problem) {
      return await refuse(problem, request, service, options, trace);
    }
  } finally {
    trace.leave?.();
  }
}

/** Converts a thrown error to a problem document. Logs other errors as defects. */
export async function refuse(
  error: unknown,
  request: ReceivedRequest,
  service: Service,
  options: HttpOptions,
  trace: Trace = { deprecations: [] },
): Promise<PlainResponse> {
  const { requestId, path, headers } = request;
  const problem = toProblem(error, requestId);
  if (problem !== error) options.log(formatDefectLine(error, requestId));
  const response = toProblemResponse(problem, {
    requestId,
    path,
    hasToken: trace.action !== undefined && trace.action.rule !== "public" && hasBearerToken(headers),
    ...(trace.methods && { allow: trace.methods }),
  });
  return finishResponse(await encode(response, headers, () => true), request, service, options, trace, problem);
}

async function respond(
  request: ReceivedRequest,
  service: Service,
  options: HttpOptions,
  trace: Trace,
): Promise<PlainResponse> {
  const { method, path, headers, requestId, deadline, sourceAddress, source } = request;
  const route = parseRoute(path);
  if (!route) throw new Problem("unknown_path", "Unknown path; actions have the path /api/<group>/<action>");
  trace.route = route;
  if (route.to !== "action" || (method !== "GET" && method !== "POST")) {
    trace.methods = await findMethods(route, service);
    if (!trace.methods.includes(method))
      throw new Problem("method_not_allowed", `This path supports only ${trace.methods.join(", ")}`);
    if (method === "OPTIONS") return createPreflightResponse(route, trace.methods, headers, options.corsOrigins);
  }
  if (route.to === "discovery") return answerDiscovery(service, options.publicUrl, headers);
  if (route.to === "well-known") return answerWellKnown(route.document, service, headers);
  if (route.to === "health") {
    requireAcceptable(getHeader(headers, "accept"), "application/json");
    return { status: 200, headers: { "content-type": "application/json" }, body: '{"status":"ok"}' };
  }
  const action = await service.registry.find(route.group, route.name);
  trace.action = action;
  const { payload, controls, asRows } = readCall(request, action);
  const token = action.rule === "public" ? findBearerToken(headers) : parseBearerToken(headers);
  // The caller claims the channel. It is for display only and is never used for decisions.
  const channel: Channel = getHeader(headers, "user-agent")?.startsWith(CLI_AGENT) ? "cli" : "http";
  const toResponse = (answer: Answer) =>
    toAnswerResponse(answer, request, payload, asRows ? action.output.rows : undefined);
  const checkAnswer = async (answer: Answer) => {
    await encode(await toResponse(answer), headers, options.fits ?? fitsAsBytes);
  };
  const noteCaller = (caller: Principal) => {
    trace.caller = caller;
    const leave = options.callerQuota?.enter(caller.actorId);
    if (leave) trace.leave = leave;
  };
  const noteDeprecation = (used: UsedDeprecation) => {
    trace.deprecations.push(used);
  };
  const canMove = options.answerInThread !== undefined;
  const call = { channel, requestId, deadline, sourceAddress, source, action, token, payload, controls, canMove };
  return toResponse(await dispatch({ ...call, noteCaller, noteDeprecation, checkAnswer }, service));
}

/** Returns the methods of a route. A path without an action has the methods of a read. */
async function findMethods(route: Route, { registry }: Service): Promise<readonly string[]> {
  if (route.to !== "action") return listMethods(route);
  const action = await registry.find(route.group, route.name).catch(requireProblem);
  return listMethods(route, !(action instanceof Problem) && !isSafe(action));
}

/** Returns the access token for a public action, for which an invalid header counts as absent. */
function findBearerToken(headers: RequestHeaders): string | undefined {
  try {
    return parseBearerToken(headers);
  } catch (error) {
    requireProblem(error);
    return undefined;
  }
}

/** Makes browsers use https for this host for a year (RFC 6797). Sent only over https. */
const STRICT_TRANSPORT = { "strict-transport-security": "max-age=31536000" };

/** Adds common headers. Writes the log line: JSON without parameters, tokens or unknown paths. */
function finishResponse(
  response: PlainResponse,
  request: ReceivedRequest,
  service: Service,
  options: HttpOptions,
  { action, route, caller, deprecations }: Trace,
  problem?: Problem,
): PlainResponse {
  const { requestId, headers, method } = request;
  const { status } = response;
  const level = status >= 500 ? "error" : "info";
  const to = action ? `${action.group}/${action.name}` : describeRoute(route, method);
  const code = problem ? `,"code":"${problem.code}"` : "";
  const ms = service.runtime.now() - request.began;
  // None of these texts has characters to escape.
  const outcome = `"action":"${to}","status":${status}${code},"ms":${ms}${options.describeProcess?.() ?? ""}`;
  options.log(
    `{"level":"${level}","requestId":"${requestId}",${outcome}${formatMembers(request.source)}${formatCaller(caller)}}`,
  );
  return {
    status,
    headers: {
      "cache-control": "no-store",
      ...response.headers,
      ...(deprecations.length > 0 && createDeprecationHeaders(deprecations, response.headers.link)),
      vary: VARY,
      "x-content-type-options": "nosniff",
      "x-request-id": requestId,
      ...(options.publicUrl.startsWith("https:") && STRICT_TRANSPORT),
      ...(headers.origin !== undefined && createCorsHeaders(route, headers, options.corsOrigins)),
    },
    body: method === "HEAD" ? "" : response.body,
  };
}

function formatCaller(caller: Principal | undefined): string {
  if (!caller) return "";
  const { actorId: actor, apiToken, session } = caller;
  return formatMembers({ actor, apiToken, session: session?.id });
}

/** Formats members of texts without characters to escape. */
function formatMembers(members: object): string {
  let text = "";
  for (const [name, value] of Object.entries(members)) if (value !== undefined) text += `,"${name}":"${value}"`;
  return text;
}

function describeRoute(route: Route | undefined, method: string) {
  if (route && method === "OPTIONS") return "preflight";
  return route === undefined || route.to === "action" ? "nowhere" : route.to;
}

/** Formats a defect as one line of JSON. The stack trace appears only here. */
function formatDefectLine(error: unknown, requestId: string) {
  const stack = error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : String(error);
  return JSON.stringify({ level: "error", requestId, defect: stack.slice(0, 4_000) });
}

const ALLOWED_HEADERS =
  "Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Dry-Run, Run, X-Request-Id, traceparent, tracestate";
const PREFLIGHT_SECONDS = "7200";

/** Answers `OPTIONS`. An origin that is not configured gets no cross-origin headers. */
function createPreflightResponse(
  route: Route,
  methods: readonly string[],
  headers: RequestHeaders,
  origins: readonly string[],
): PlainResponse {
  const allow = methods.join(", ");
  const isKnownOrigin = "access-control-allow-origin" in createCorsHeaders(route, headers, origins);
  return {
    status: 204,
    headers: {
      allow,
      ...(isKnownOrigin && {
        "access-control-allow-methods": allow,
        "access-control-allow-headers": ALLOWED_HEADERS,
        "access-control-max-age": PREFLIGHT_SECONDS,
      }),
    },
    body: "",
  };
}

const EXPOSED_HEADERS =
  "ETag, Link, Location, X-Request-Id, Retry-After, Idempotency-Replayed, RateLimit, RateLimit-Policy, Deprecation, Sunset";

/** Returns the cross-origin headers of the Fetch standard. Pages of any origin may read discovery. */
function createCorsHeaders(
  route: Route | undefined,
  headers: RequestHeaders,
  origins: readonly string[],
): Readonly<Record<string, string>> {
  const origin = getHeader(headers, "origin");
  if (origin === undefined) return {};
  const allowedOrigin = origins.includes(origin) ? origin : route?.to === "discovery" ? "*" : undefined;
  if (allowedOrigin === undefined) return {};
  return { "access-control-allow-origin": allowedOrigin, "access-control-expose-headers": EXPOSED_HEADERS };
}
