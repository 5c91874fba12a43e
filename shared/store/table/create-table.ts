import {
  CreateTableCommand,
  DescribeTableCommand,
  ResourceInUseException,
  ResourceNotFoundException,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import { type Connection, createClient } from "./dynamo.ts";
import { TABLE } from "./table-schema.ts";

/** Creates the table where it does not exist yet and waits until it can be used; answers whether it was made. */
export async function ensureTable(connection: Connection): Promise<boolean> {
  const client = createClient(connection);
  const named = { TableName: connection.table };
  try {
    await client.send(new DescribeTableCommand(named));
    return false;
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
  }
  try {
    await client.send(
      new CreateTableCommand({
        ...named,
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
    // Somebody else was faster, which is as good.
    if (!(error instanceof ResourceInUseException)) throw error;
  }
  await waitUntilTableExists({ client, maxWaitTime: 60 }, named);
  const TimeToLiveSpecification = { AttributeName: TABLE.timeToLive, Enabled: true };
  await client.send(new UpdateTimeToLiveCommand({ ...named, TimeToLiveSpecification }));
  return true;
}
