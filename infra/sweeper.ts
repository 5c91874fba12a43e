import { Duration } from "aws-cdk-lib";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction as LambdaTarget } from "aws-cdk-lib/aws-events-targets";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import { allow, createFunction } from "./function.ts";

const EVERY = Duration.minutes(15);

/** Notes and stagings are put and deleted as they were read; dead generations go in batches. */
const TABLE_ACTIONS = ["dynamodb:Query", "dynamodb:PutItem", "dynamodb:DeleteItem", "dynamodb:BatchWriteItem"];

/** The function that deletes what commits left behind, every 15 minutes. A run that failed is made up for by the next. */
export function createSweeper(scope: Construct, table: Table): LambdaFunction {
  const sweeper = createFunction(scope, "Sweeper", {
    name: "sweeper",
    description: "Deletes replaced generations, abandoned stagings and the children of removed objects",
    // Less than the schedule's period: no two runs at once.
    timeout: EVERY.minus(Duration.minutes(1)),
    environment: { METACTION_TABLE: table.tableName },
  });
  sweeper.configureAsyncInvoke({ retryAttempts: 0 });
  allow(sweeper, TABLE_ACTIONS, table.tableArn);
  new Rule(scope, "SweeperSchedule", {
    description: "Runs the sweeper of Metaction",
    schedule: Schedule.rate(EVERY),
    targets: [new LambdaTarget(sweeper, { retryAttempts: 0 })],
  });
  return sweeper;
}
