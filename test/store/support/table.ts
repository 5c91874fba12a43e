import { ScanCommand } from "@aws-sdk/client-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import { ensureTable } from "../../../shared/store/create-table.ts";
import { type Connection, createClient, createDynamoSeam } from "../../../shared/store/dynamo.ts";
import type { Item, Seam } from "../../../shared/store/seam.ts";
import { freshConnection } from "../../support/table.ts";

/** A table of the test's own with a way to see all of it, which the service never has. */
export interface OpenTable {
  readonly connection: Connection;
  readonly seam: Seam;
  items(): Promise<readonly Item[]>;
}

export async function openTable(onCapacity?: Connection["onCapacity"]): Promise<OpenTable> {
  const connection = freshConnection(onCapacity);
  await ensureTable(connection);
  const client = createClient(connection);
  return {
    connection,
    seam: createDynamoSeam(connection),
    items: async () => {
      const items: Item[] = [];
      let start: Record<string, never> | undefined;
      do {
        const page = await client.send(
          new ScanCommand({
            TableName: connection.table,
            ConsistentRead: true,
            ...(start && { ExclusiveStartKey: start }),
          }),
        );
        items.push(...(page.Items ?? []).map((item) => unmarshall(item) as Item));
        start = page.LastEvaluatedKey as Record<string, never> | undefined;
      } while (start);
      return items;
    },
  };
}
