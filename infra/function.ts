import { type Duration, RemovalPolicy } from "aws-cdk-lib";
import { Effect, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  ApplicationLogLevel,
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
} from "aws-cdk-lib/aws-lambda";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import { bundleToFolder, type FunctionName, getHandlerSetting } from "../functions/bundle.ts";
import { TABLE } from "../shared/store/table/table-schema.ts";
import type { ServiceTable } from "./table.ts";

export interface FunctionSettings {
  readonly name: FunctionName;
  readonly description: string;
  readonly timeout: Duration;
  /** 512 by default; the CPU grows with it, to one whole at 1,769. */
  readonly memoryMegabytes?: number;
  readonly environment: Readonly<Record<string, string>>;
}

/** Creates a Node 24 function on arm64 whose role may only write its own log. */
export function createFunction(scope: Construct, id: string, settings: FunctionSettings): LambdaFunction {
  const logGroup = new LogGroup(scope, `${id}Log`, {
    retention: RetentionDays.THREE_MONTHS,
    // The audit log is in the table; this log may go with the stack.
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const role = new Role(scope, `${id}Role`, {
    description: `What the ${settings.name} of Metaction may do`,
    assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
  });
  logGroup.grantWrite(role);
  return new LambdaFunction(scope, id, {
    description: settings.description,
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    handler: getHandlerSetting(settings.name),
    code: Code.fromAsset(bundleToFolder(settings.name)),
    memorySize: settings.memoryMegabytes ?? 512,
    timeout: settings.timeout,
    environment: { ...settings.environment },
    role,
    logGroup,
    loggingFormat: LoggingFormat.JSON,
    applicationLogLevelV2: ApplicationLogLevel.INFO,
    // START, END and REPORT of every call would cost more than the call; the same figures are metrics.
    systemLogLevelV2: SystemLogLevel.WARN,
  });
}

/** Allows a function these actions on this one resource. */
export function allow(grantee: LambdaFunction, actions: readonly string[], resource: string): void {
  grantee.addToRolePolicy(new PolicyStatement({ actions: [...actions], resources: [resource] }));
}

/** The actions of the requests of the store: no Scan, and no administration of tables. */
const STORE_ACTIONS = [
  "dynamodb:GetItem",
  "dynamodb:BatchGetItem",
  "dynamodb:Query",
  "dynamodb:PutItem",
  "dynamodb:DeleteItem",
  "dynamodb:BatchWriteItem",
  "dynamodb:ConditionCheckItem",
];

/** Allows a function to run actions on this table. */
export function allowStore(grantee: LambdaFunction, table: ServiceTable): void {
  allow(grantee, STORE_ACTIONS, table.tableArn);
}

/** Forbids a function to write the public keys, with which it could sign in as anyone. */
export function denyPublicKeys(grantee: LambdaFunction, table: ServiceTable): void {
  grantee.addToRolePolicy(
    new PolicyStatement({
      effect: Effect.DENY,
      actions: ["dynamodb:PutItem", "dynamodb:DeleteItem", "dynamodb:BatchWriteItem"],
      resources: [table.tableArn],
      conditions: { "ForAnyValue:StringEquals": { "dynamodb:LeadingKeys": [TABLE.publicKeys] } },
    }),
  );
}

/** Passes the name of the worker to a function, and allows it to invoke the worker. */
export function allowJobs(grantee: LambdaFunction, worker: LambdaFunction): void {
  grantee.addEnvironment("METACTION_WORKER", worker.functionName);
  allow(grantee, ["lambda:InvokeFunction"], worker.functionArn);
}
