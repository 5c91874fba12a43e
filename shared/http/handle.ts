import type { Action } from "../actions/contract/action.ts";
import { dispatch } from "../actions/dispatch/dispatch.ts";
import type { Service } from "../actions/dispatch/service.ts";
import { type Channel, CLI_AGENT } from "../domain/channels.ts";
import { Problem } from "../domain/problems.ts";
import { requireAcceptable } from "./accept.ts";
import { VARY } from "./answer-forms.ts";
import { answerResponse } from "./answer-response.ts";
import { bearerOf, isBearer } from "./bearer.ts";
import { corsHeaders } from "./cors.ts";
import { discover } from "./discovery.ts";
import { encode, type Fits, fitsAsBytes } from "./encode.ts";
import { type AccessFacts, accessLine, defectLine } from "./log-lines.ts";
import { readCall } from "./read-call.ts";
import { headerOf, type PlainResponse, type ReceivedRequest, type RequestHeaders } from "./request.ts";
import { methodsOf, type Route, routeOf } from "./route.ts";

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
    return finish(encoded, request, service, options, trace);
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
  // Most calls go well, so the code is loaded when one does not.
  const { problemOf, problemResponse } = await import("./problem-response.ts");
  const problem = problemOf(error, requestId);
  if (problem !== error) options.log(defectLine(error, requestId));
  const response = problemResponse(problem, {
    requestId,
    path,
    tokenJudged: trace.action !== undefined && trace.action.rule !== "public" && isBearer(headers),
    ...(trace.route && { allow: methodsOf(trace.route) }),
  });
  return finish(await encode(response, headers, () => true), request, service, options, trace, problem);
}

async function respond(
  request: ReceivedRequest,
  service: Service,
  options: HttpOptions,
  trace: Trace,
): Promise<PlainResponse> {
  const { method, path, headers, requestId, deadline, sourceAddress } = request;
  const route = routeOf(path);
  if (!route)
    throw new Problem("unknown_path", "There is nothing at this path; the actions are at /api/<group>/<action>");
  trace.route = route;
  if (!methodsOf(route).includes(method)) {
    throw new Problem("method_not_allowed", `This path answers to ${methodsOf(route).join(", ")}`);
  }
  if (method === "OPTIONS") return (await import("./preflight.ts")).preflight(route, headers, options.corsOrigins);
  if (route.to === "discovery") return discover(service, options.publicUrl, headers);
  if (route.to === "well-known") {
    // Few requests ask for these documents, so their code is loaded for them alone.
    return (await import("./well-known.ts")).answerWellKnown(route.document, service, headers);
  }
  if (route.to === "health") {
    requireAcceptable(headerOf(headers, "accept"), "application/json");
    return { status: 200, headers: { "content-type": "application/json" }, body: '{"status":"ok"}' };
  }
  const action = await service.registry.find(route.group, route.name);
  trace.action = action;
  const { payload, controls, asRows } = await readCall(request, action);
  const [token, channel] = [tokenOf(headers, action), channelOf(headers)];
  const call = { action, token, payload, controls, channel, requestId, deadline, sourceAddress };
  const answer = await dispatch(call, service);
  return answerResponse(answer, request, payload, asRows ? action.output.rows : undefined);
}

/** The token to call an action with; where anybody may call, a header that holds none is no hindrance. */
function tokenOf(headers: RequestHeaders, { rule }: Action): string | undefined {
  try {
    return bearerOf(headers);
  } catch (fault) {
    if (rule === "public" && fault instanceof Problem) return undefined;
    throw fault;
  }
}

/** The channel that the caller says it is; people are shown it, and nothing rests on it. */
function channelOf(headers: RequestHeaders): Channel {
  return headerOf(headers, "user-agent")?.startsWith(CLI_AGENT) ? "cli" : "http";
}

/** Adds the headers of every response, and writes the line in the log. */
function finish(
  response: PlainResponse,
  request: ReceivedRequest,
  service: Service,
  options: HttpOptions,
  trace: Trace,
  problem?: Problem,
): PlainResponse {
  const facts: AccessFacts = {
    requestId: request.requestId,
    to: trace.action ?? (request.method === "OPTIONS" && trace.route ? "preflight" : passage(trace.route)),
    status: response.status,
    ...(problem && { code: problem.code }),
    ms: service.ambient.now() - trace.began,
  };
  options.log(accessLine(facts));
  return {
    status: response.status,
    headers: {
      "cache-control": "no-store",
      ...response.headers,
      vary: VARY,
      "x-content-type-options": "nosniff",
      "x-request-id": request.requestId,
      ...corsHeaders(request.headers, options.corsOrigins),
    },
    body: request.method === "HEAD" ? "" : response.body,
  };
}

function passage(route: Route | undefined): Exclude<Route["to"], "action"> | "nowhere" {
  return route === undefined || route.to === "action" ? "nowhere" : route.to;
}
