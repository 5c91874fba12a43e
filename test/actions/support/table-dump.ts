import { type AttributeValue, ScanCommand } from "@aws-sdk/client-dynamodb";
import { type Connection, createClient } from "../../../shared/store/dynamo.ts";

/** Every item of a table as one text, in the order of the keys: two equal dumps mean that nothing was written between. */
export async function dumpTable(connection: Connection): Promise<string> {
  const client = createClient(connection);
  const lines: string[] = [];
  let from: Record<string, AttributeValue> | undefined;
  do {
    const page = await client.send(
      new ScanCommand({ TableName: connection.table, ConsistentRead: true, ...(from && { ExclusiveStartKey: from }) }),
    );
    for (const item of page.Items ?? []) lines.push(lineOf(item));
    from = page.LastEvaluatedKey;
  } while (from);
  client.destroy();
  return lines.sort().join("\n");
}

/** One item; the key stands first, so that lines sort by it, and bytes are base64. */
function lineOf(item: Record<string, AttributeValue>): string {
  const { pk, sk, ...others } = item;
  const members = Object.entries(others).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([pk?.S, sk?.S, ...members], (_, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value,
  );
}
