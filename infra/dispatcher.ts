import { Duration } from "aws-cdk-lib";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import { allow, allowJobs, allowStore, createFunction } from "./function.ts";
import { type ServiceSettings, serviceEnvironment } from "./service-environment.ts";

export interface DispatcherSettings extends ServiceSettings {
  readonly corsOrigins: readonly string[];
  /** The function that runs calls too large for the dispatcher. */
  readonly worker: LambdaFunction;
}

/** The function behind every call of the API. */
export function createDispatcher(scope: Construct, settings: DispatcherSettings): LambdaFunction {
  const { table, identity, corsOrigins, worker, issuers } = settings;
  const dispatcher = createFunction(scope, "Dispatcher", {
    name: "dispatcher",
    description: "Runs the action of one HTTP call",
    // The API gives up at 30 s: nothing goes on behind its back. A call's own deadline lies before both.
    timeout: Duration.seconds(29),
    environment: {
      ...serviceEnvironment(settings),
      ...(corsOrigins.length > 0 && { METACTION_CORS_ORIGINS: corsOrigins.join(",") }),
    },
  });
  allowStore(dispatcher, table);
  // To sign with all of them: while a deployment exchanges the functions, some still sign with the key before.
  for (const key of identity.signingKeys) allow(dispatcher, ["kms:Sign", "kms:GetPublicKey"], key.keyArn);
  allow(dispatcher, ["secretsmanager:GetSecretValue"], identity.bootstrapSecret.secretArn);
  if (issuers?.clientSecretId) allow(dispatcher, ["secretsmanager:GetSecretValue"], issuers.clientSecretId);
  allowJobs(dispatcher, worker);
  return dispatcher;
}
