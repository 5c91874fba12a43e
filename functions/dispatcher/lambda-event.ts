import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from "aws-lambda";
import type { Service } from "../../shared/actions/pipeline/call-context.ts";
import { LIMITS } from "../../shared/domain/limits.ts";
import type { Fits } from "../../shared/http/content-negotiation.ts";
import type { HttpOptions } from "../../shared/http/handle.ts";
import { joinHeaders, type PlainRequest, type PlainResponse } from "../../shared/http/request.ts";
import { createChain } from "../../shared/service/chain.ts";

/** Converts an event of an API Gateway HTTP API, payload format 2.0. */
export function toPlainRequest(event: APIGatewayProxyEventV2): PlainRequest {
  return {
    method: event.requestContext.http.method,
    path: event.rawPath,
    query: event.rawQueryString,
    headers: joinHeaders(Object.entries(event.headers)),
    sourceAddress: event.requestContext.http.sourceIp,
    gatewayRequestId: event.requestContext.requestId,
    body: event.isBase64Encoded && event.body !== undefined ? Buffer.from(event.body, "base64") : event.body,
  };
}

/** Converts a response for API Gateway, payload format 2.0. A body of bytes is sent as base64. */
export function toLambdaResult(response: PlainResponse): APIGatewayProxyStructuredResultV2 {
  const { status, headers, body } = response;
  const isText = typeof body === "string";
  return {
    statusCode: status,
    headers: { ...headers },
    body: isText ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("base64"),
    isBase64Encoded: !isText,
  };
}

/** Returns true if a body fits into the answer of a Lambda function, as a JSON string. */
export const fitsLambda: Fits = (body) => {
  if (typeof body !== "string") return Math.ceil(body.byteLength / 3) * 4 <= LIMITS.lambdaAnswerBytes;
  if (Buffer.byteLength(body) > LIMITS.responseBytes) return false;
  // No character takes more than six bytes escaped, so short bodies need not be escaped to know.
  return (
    body.length * 6 <= LIMITS.lambdaAnswerBytes || Buffer.byteLength(JSON.stringify(body)) <= LIMITS.lambdaAnswerBytes
  );
};

type HttpHandler = (event: APIGatewayProxyEventV2, context: Context) => Promise<APIGatewayProxyStructuredResultV2>;

/** Creates the Lambda handler of a service. `takeUnits` returns the units of the table since it was last called. */
export function createHandler(service: Service, options: HttpOptions, takeUnits?: () => number): HttpHandler {
  let isColdStart = true;
  // The function writes no REPORT lines, which have these figures.
  const describeProcess = () => {
    const coldStart = isColdStart ? ',"coldStart":true' : "";
    isColdStart = false;
    const units = takeUnits ? `,"units":${takeUnits()}` : "";
    return `${coldStart},"memoryMb":${Math.round(process.memoryUsage.rss() / 1e6)}${units}`;
  };
  const answer = createChain(service, { ...options, fits: fitsLambda, describeProcess });
  return async (event, context) => {
    const cutOff = service.runtime.now() + context.getRemainingTimeInMillis();
    return toLambdaResult(await answer(toPlainRequest(event), cutOff));
  };
}
