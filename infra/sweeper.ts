import { Duration } from "aws-cdk-lib";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction as LambdaTarget } from "aws-cdk-lib/aws-events-targets";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import { allow, allowJobs, createFunction, denyPublicKeys } from "./function.ts";
import type { ServiceTable } from "./table.ts";

/** Interval at which jobs without a worker are started again, and leftovers deleted. */
export const SWEEP_EVERY = Duration.minutes(5);

/** Time that the event of a run may wait for Lambda, which accepts no shorter time. */
const WAIT = Duration.minutes(1);

/** Reads jobs, heads and owners, writes notes and stagings, deletes unused generations. */
const TABLE_ACTIONS = [
  "dynamodb:GetItem",
  "dynamodb:Query",
  "dynamodb:PutItem",
  "dynamodb:DeleteItem",
  "dynamodb:BatchWriteItem",
];

/** Creates the function that every 5 minutes starts lost jobs and deletes what commits left. */
export function createSweeper(scope: Construct, table: ServiceTable, worker: LambdaFunction): LambdaFunction {
  const sweeper = createFunction(scope, "Sweeper", {
    name: "sweeper",
    description:
      "Starts jobs whose worker is gone; deletes replaced generations, abandoned stagings and the children of removed objects",
    // However long its event waited, a run has ended when the next begins.
    timeout: SWEEP_EVERY.minus(WAIT),
    environment: { METACTION_TABLE: table.tableName },
  });
  sweeper.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: WAIT });
  allow(sweeper, TABLE_ACTIONS, table.tableArn);
  denyPublicKeys(sweeper, table);
  allowJobs(sweeper, worker);
  new Rule(scope, "SweeperSchedule", {
    description: "Runs the sweeper of Metaction",
    schedule: Schedule.rate(SWEEP_EVERY),
    targets: [new LambdaTarget(sweeper, { retryAttempts: 0 })],
  });
  return sweeper;
}
