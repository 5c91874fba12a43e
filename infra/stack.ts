import { type App, CfnOutput, Stack } from "aws-cdk-lib";
import { createAlarms } from "./alarms.ts";
import { createApi, routeEverything } from "./api.ts";
import { createIdentity } from "./identity.ts";
import { createDispatcher, createWorker } from "./service-environment.ts";
import type { Settings } from "./settings.ts";
import { createSweeper } from "./sweeper.ts";
import { createTable, importTable } from "./table.ts";

/** Creates the stack of the service without fixed names, because CloudFormation could not replace them. */
export function createStack(app: App, settings: Settings, version: string): Stack {
  const { stage, corsOrigins, alarmTopic, signingKeys, issuers, tokenMinutes, callerSeconds, recordedAddresses } =
    settings;
  const stack = new Stack(app, `metaction-${stage}`, {
    description: `Metaction ${version}`,
    terminationProtection: true,
  });
  const table = settings.table === undefined ? createTable(stack) : importTable(stack, settings.table);
  const identity = createIdentity(stack, signingKeys);
  const api = createApi(stack);
  // A token's issuer must not depend on how the service was called; the API's own URL is known before the function.
  const issuer = settings.issuer ?? api.apiEndpoint;
  const service = { table, identity, issuer, version, issuers, tokenMinutes, callerSeconds };
  const worker = createWorker(stack, service);
  const dispatcher = createDispatcher(stack, { ...service, corsOrigins, recordedAddresses, worker });
  routeEverything(api, dispatcher);
  const sweeper = createSweeper(stack, table, worker);
  createAlarms(stack, { api, dispatcher, worker, sweeper, topic: alarmTopic });

  const secretId = identity.bootstrapSecret.secretArn;
  const show = "aws secretsmanager get-secret-value --query SecretString --output text";
  output(stack, "Url", "Where the service answers", api.apiEndpoint);
  output(stack, "TableName", "The table; it stays when the stack goes", table.tableName);
  output(stack, "BootstrapSecretId", "The secret that makes the first administrator, once", secretId);
  output(
    stack,
    "ShowBootstrapSecret",
    "Prints that secret",
    `${show} --region ${stack.region} --secret-id ${secretId}`,
  );
  const keyIds = identity.signingKeys.map(({ keyId }) => keyId).join(",");
  output(stack, "SigningKeyIds", "The keys in KMS that sign tokens, the current one first", keyIds);
  return stack;
}

function output(stack: Stack, name: string, description: string, value: string) {
  new CfnOutput(stack, name, { description, value });
}
