import { RemovalPolicy } from "aws-cdk-lib";
import { AttributeType, BillingMode, Table } from "aws-cdk-lib/aws-dynamodb";
import type { Construct } from "constructs";
import { TABLE } from "../shared/store/table.ts";

/**
 * The one table: on demand, 35 days of point-in-time recovery, protected against deletion and kept when the stack goes.
 * A table of one region and no global table: replicas would not see a transaction as one step.
 */
export function createTable(scope: Construct): Table {
  return new Table(scope, "Table", {
    partitionKey: { name: TABLE.partitionKey, type: AttributeType.STRING },
    sortKey: { name: TABLE.sortKey, type: AttributeType.STRING },
    timeToLiveAttribute: TABLE.timeToLive,
    billingMode: BillingMode.PAY_PER_REQUEST,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true, recoveryPeriodInDays: 35 },
    deletionProtection: true,
    removalPolicy: RemovalPolicy.RETAIN,
  });
}
