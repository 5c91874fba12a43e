import {
  type AttributeValue,
  CreateTableCommand,
  DescribeTableCommand,
  ResourceInUseException,
  ResourceNotFoundException,
  ScanCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import { type Connection, createClient, createDynamoConnector, type TableConnector } from "./dynamo.ts";
import type { Item } from "./table.ts";
import { TABLE } from "./table-schema.ts";

/** Milliseconds within which work connects that no caller waits for, also on a busy machine. */
const PATIENT_CONNECT_MS = 10_000;

/** Returns the connector of a table, which is created first if it does not exist. */
export async function connectTable(connection: Connection, now: () => number): Promise<TableConnector> {
  await ensureTable(connection);
  return createDynamoConnector(connection, now);
}

/** Creates the table if it does not exist, and waits for it. Returns true if created. */
export async function ensureTable(connection: Connection): Promise<boolean> {
  const client = createClient(connection, PATIENT_CONNECT_MS);
  const target = { TableName: connection.table };
  try {
    await client.send(new DescribeTableCommand(target));
    return false;
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
  }
  try {
    await client.send(
      new CreateTableCommand({
        ...target,
        BillingMode: "PAY_PER_REQUEST",
        AttributeDefinitions: [
          { AttributeName: TABLE.partitionKey, AttributeType: "S" },
          { AttributeName: TABLE.sortKey, AttributeType: "S" },
        ],
        KeySchema: [
          { AttributeName: TABLE.partitionKey, KeyType: "HASH" },
          { AttributeName: TABLE.sortKey, KeyType: "RANGE" },
        ],
      }),
    );
  } catch (error) {
    // Another process created it at the same time.
    if (!(error instanceof ResourceInUseException)) throw error;
  }
  await waitUntilTableExists({ client, maxWaitTime: 60 }, target);
  const TimeToLiveSpecification = { AttributeName: TABLE.timeToLive, Enabled: true };
  await client.send(new UpdateTimeToLiveCommand({ ...target, TimeToLiveSpecification }));
  return true;
}

/** Calls `onItem` once for each item, with its key, format and expiry only. The service itself never scans. */
export type ScanTable = (onItem: (item: Item) => void) => Promise<void>;

const SEGMENTS = 4;

/** Creates a scan of the whole table, strongly consistent per page. */
export function createScan(connection: Connection): ScanTable {
  const client = createClient(connection, PATIENT_CONNECT_MS);
  const names = { "#pk": TABLE.partitionKey, "#sk": TABLE.sortKey, "#v": "v", "#expires": TABLE.timeToLive };
  const segment = async (number: number, onItem: (item: Item) => void) => {
    let from: Record<string, AttributeValue> | undefined;
    do {
      const page = await client.send(
        new ScanCommand({
          TableName: connection.table,
          ConsistentRead: true,
          ProjectionExpression: Object.keys(names).join(", "),
          ExpressionAttributeNames: names,
          Segment: number,
          TotalSegments: SEGMENTS,
          ...(from && { ExclusiveStartKey: from }),
        }),
      );
      for (const item of page.Items ?? []) onItem(unmarshall(item) as Item);
      from = page.LastEvaluatedKey;
    } while (from);
  };
  return async (onItem) => {
    await Promise.all(Array.from({ length: SEGMENTS }, (_, number) => segment(number, onItem)));
  };
}
