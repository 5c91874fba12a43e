import { RemovalPolicy } from "aws-cdk-lib";
import { AttributeType, BillingMode, type ITable, Table } from "aws-cdk-lib/aws-dynamodb";
import type { Construct } from "constructs";
import { TABLE } from "../shared/store/table/table-schema.ts";

/** The name and ARN of the table that the functions of the stack work on. */
export type ServiceTable = Pick<ITable, "tableArn" | "tableName">;

/** One table on demand, 35 days of recovery, kept when the stack is deleted. Replicas would split transactions. */
export function createTable(scope: Construct): ServiceTable {
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

/** Imports an existing table, which the stack neither changes nor deletes. */
export function importTable(scope: Construct, name: string): ServiceTable {
  return Table.fromTableName(scope, "ExistingTable", name);
}
