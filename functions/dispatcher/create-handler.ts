import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from "aws-lambda";
import type { Service } from "../../shared/actions/pipeline/call-context.ts";
import type { HttpOptions } from "../../shared/http/handle.ts";
import { createChain } from "../../shared/service/chain.ts";
import { fitsLambda, requestOf, resultOf } from "./lambda-event.ts";

/** A Lambda function behind an API Gateway HTTP API. */
export type HttpHandler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>;

/** The Lambda handler of a service: event to request, through the chain, response to result. */
export function createHandler(service: Service, options: HttpOptions): HttpHandler {
  const answer = createChain(service, { ...options, fits: fitsLambda });
  return async (event, context) => {
    const cutOff = service.ambient.now() + context.getRemainingTimeInMillis();
    return resultOf(await answer(requestOf(event), cutOff));
  };
}
