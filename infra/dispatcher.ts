import { Duration } from "aws-cdk-lib";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import { allow, createFunction } from "./function.ts";
import type { Identity } from "./identity.ts";

export interface DispatcherSettings {
  readonly table: Table;
  readonly identity: Identity;
  readonly issuer: string;
  readonly corsOrigins: readonly string[];
  readonly version: string;
}

/** Exactly what the store sends; a transaction needs the permissions of its parts. No Scan, no table administration. */
const TABLE_ACTIONS = [
  "dynamodb:GetItem",
  "dynamodb:BatchGetItem",
  "dynamodb:Query",
  "dynamodb:PutItem",
  "dynamodb:DeleteItem",
  "dynamodb:BatchWriteItem",
  "dynamodb:ConditionCheckItem",
];

/** The function behind every call of the API. */
export function createDispatcher(scope: Construct, settings: DispatcherSettings): LambdaFunction {
  const { table, identity, issuer, corsOrigins, version } = settings;
  const dispatcher = createFunction(scope, "Dispatcher", {
    name: "dispatcher",
    description: "Runs the action of one HTTP call",
    // The API gives up at 30 s: nothing goes on behind its back. A call's own deadline lies before both.
    timeout: Duration.seconds(29),
    environment: {
      METACTION_TABLE: table.tableName,
      METACTION_ISSUER: issuer,
      METACTION_SIGNING_KEY_ID: identity.signingKey.keyId,
      METACTION_BOOTSTRAP_SECRET_ID: identity.bootstrapSecret.secretArn,
      METACTION_VERSION: version,
      ...(corsOrigins.length > 0 && { METACTION_CORS_ORIGINS: corsOrigins.join(",") }),
    },
  });
  allow(dispatcher, TABLE_ACTIONS, table.tableArn);
  allow(dispatcher, ["kms:Sign", "kms:GetPublicKey"], identity.signingKey.keyArn);
  allow(dispatcher, ["secretsmanager:GetSecretValue"], identity.bootstrapSecret.secretArn);
  return dispatcher;
}
