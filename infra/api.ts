import { RemovalPolicy, Stack } from "aws-cdk-lib";
import { AccessLogFormat } from "aws-cdk-lib/aws-apigateway";
import { HttpApi, HttpRoute, HttpRouteKey, HttpStage, LogGroupLogDestination } from "aws-cdk-lib/aws-apigatewayv2";
import { HttpLambdaIntegration } from "aws-cdk-lib/aws-apigatewayv2-integrations";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";

/** Calls per second the API lets through; more are answered 429 by the API itself. */
const THROTTLE = { rateLimit: 200, burstLimit: 400 };

/** One line of JSON per call, without values of the caller, because the API does not escape quotes. */
const ACCESS_LOG = AccessLogFormat.custom(
  JSON.stringify({
    requestId: "$context.requestId",
    method: "$context.httpMethod",
    status: "$context.status",
    bytes: "$context.responseLength",
    ms: "$context.responseLatency",
    ip: "$context.identity.sourceIp",
  }),
);

/** Creates the HTTP API without a route, because the dispatcher has to know its URL first. */
export function createApi(scope: Construct): HttpApi {
  const api = new HttpApi(scope, "Api", {
    apiName: Stack.of(scope).stackName,
    createDefaultStage: false,
  });
  const accessLog = new LogGroup(scope, "AccessLog", {
    retention: RetentionDays.ONE_YEAR,
    // The only record of where calls came from. It may be needed after the stack.
    removalPolicy: RemovalPolicy.RETAIN,
  });
  new HttpStage(scope, "Stage", {
    httpApi: api,
    autoDeploy: true,
    throttle: THROTTLE,
    accessLogSettings: { destination: new LogGroupLogDestination(accessLog), format: ACCESS_LOG },
  });
  return api;
}

/** Sends every request to the dispatcher, OPTIONS too: it answers CORS and errors itself. */
export function routeEverything(api: HttpApi, dispatcher: LambdaFunction): void {
  new HttpRoute(api, "Everything", {
    httpApi: api,
    routeKey: HttpRouteKey.DEFAULT,
    integration: new HttpLambdaIntegration("Dispatcher", dispatcher),
  });
}
