import { Duration } from "aws-cdk-lib";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import type { RecordedAddresses } from "../shared/domain/accounts/source-address.ts";
import { includeMember } from "../shared/domain/model/content.ts";
import { allow, allowJobs, allowStore, createFunction, denyPublicKeys } from "./function.ts";
import type { Identity } from "./identity.ts";
import type { DeployedIssuers } from "./issuers.ts";
import { SWEEP_EVERY } from "./sweeper.ts";
import type { ServiceTable } from "./table.ts";

export interface ServiceSettings {
  readonly table: ServiceTable;
  readonly identity: Identity;
  readonly issuer: string;
  readonly version: string;
  readonly issuers: DeployedIssuers | undefined;
  readonly tokenMinutes: number | undefined;
  readonly callerSeconds: number | undefined;
}

/** Environment of every function with the service: addresses and names, no secret. */
export function createServiceEnvironment(settings: ServiceSettings): Record<string, string> {
  const { table, identity, issuer, version, issuers, tokenMinutes, callerSeconds } = settings;
  return {
    METACTION_TABLE: table.tableName,
    METACTION_ISSUER: issuer,
    METACTION_SIGNING_KEY_ID: identity.signingKeys.map((key) => key.keyId).join(","),
    METACTION_BOOTSTRAP_SECRET_ID: identity.bootstrapSecret.secretArn,
    METACTION_VERSION: version,
    ...(issuers && { METACTION_ISSUERS: issuers.json }),
    ...(callerSeconds !== undefined && { METACTION_CALLER_SECONDS: String(callerSeconds) }),
    ...(tokenMinutes !== undefined && { METACTION_TOKEN_MINUTES: String(tokenMinutes) }),
  };
}

interface DispatcherSettings extends ServiceSettings {
  readonly corsOrigins: readonly string[];
  readonly recordedAddresses: RecordedAddresses | undefined;
  readonly worker: LambdaFunction;
}

/** Creates the function that answers the calls of the API. */
export function createDispatcher(scope: Construct, settings: DispatcherSettings): LambdaFunction {
  const { table, identity, corsOrigins, recordedAddresses, worker, issuers } = settings;
  const dispatcher = createFunction(scope, "Dispatcher", {
    name: "dispatcher",
    description: "Runs the action of one HTTP call",
    // Less than the 30 s of the API, and more than the deadline of a call.
    timeout: Duration.seconds(29),
    environment: {
      ...createServiceEnvironment(settings),
      ...(corsOrigins.length > 0 && { METACTION_CORS_ORIGINS: corsOrigins.join(",") }),
      ...includeMember("METACTION_RECORDED_ADDRESSES", recordedAddresses),
    },
  });
  allowStore(dispatcher, table);
  // To sign with all of them: during a deployment some functions still sign with the former key.
  for (const key of identity.signingKeys) allow(dispatcher, ["kms:Sign", "kms:GetPublicKey"], key.keyArn);
  allow(dispatcher, ["secretsmanager:GetSecretValue"], identity.bootstrapSecret.secretArn);
  if (issuers?.clientSecretId) allow(dispatcher, ["secretsmanager:GetSecretValue"], issuers.clientSecretId);
  allowJobs(dispatcher, worker);
  return dispatcher;
}

/** Creates the function that runs jobs, which may use neither the keys nor the secret. */
export function createWorker(scope: Construct, settings: ServiceSettings): LambdaFunction {
  const worker = createFunction(scope, "Worker", {
    name: "worker",
    description: "Runs one write that is too large for one call",
    // The longest Lambda has.
    timeout: Duration.minutes(15),
    memoryMegabytes: 2_048,
    environment: createServiceEnvironment(settings),
  });
  // A job that was not finished, or whose event waited for so long, is started again by the sweeper.
  worker.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: SWEEP_EVERY });
  allowStore(worker, settings.table);
  denyPublicKeys(worker, settings.table);
  return worker;
}
