import { type AttributeValue, ScanCommand } from "@aws-sdk/client-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import { type Connection, createClient } from "../table/dynamo.ts";
import type { Item } from "../table/table.ts";
import { TABLE } from "../table/table-schema.ts";

/**
 * Calls `onItem` once for each item of a table, with its key, format and expiry alone. Operators may scan, the service
 * may not.
 */
export type ScanTable = (onItem: (item: Item) => void) => Promise<void>;

/** Parts of the table that are read at once. */
const SEGMENTS = 4;

/** A scan of the whole table, strongly consistent per page. */
export function createScan(connection: Connection): ScanTable {
  const client = createClient(connection);
  const names = { "#pk": TABLE.partitionKey, "#sk": TABLE.sortKey, "#v": "v", "#expires": TABLE.timeToLive };
  const segment = async (number: number, onItem: (item: Item) => void): Promise<void> => {
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
