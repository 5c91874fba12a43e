import { type AttributeValue, ScanCommand } from "@aws-sdk/client-dynamodb";
import { type Connection, createClient } from "../../../shared/store/dynamo.ts";

/** Every item of a table as one line of text each: two equal dumps mean that nothing was written between. */
export type Dump = () => Promise<ReadonlySet<string>>;

/** Reads the whole table of a connection, again and again. */
export function createDump(connection: Connection): Dump {
  const client = createClient(connection);
  return async () => {
    const lines = new Set<string>();
    let from: Record<string, AttributeValue> | undefined;
    do {
      const page = await client.send(
        new ScanCommand({
          TableName: connection.table,
          ConsistentRead: true,
          ...(from && { ExclusiveStartKey: from }),
        }),
      );
      for (const item of page.Items ?? []) lines.add(JSON.stringify(item, inOrder));
      from = page.LastEvaluatedKey;
    } while (from);
    return lines;
  };
}

/** Bytes as base64, and the members of a map in order, which DynamoDB does not keep. */
function inOrder(_: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
