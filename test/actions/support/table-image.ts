import { type AttributeValue, BatchWriteItemCommand, ScanCommand } from "@aws-sdk/client-dynamodb";
import { type Connection, createClient } from "../../../shared/store/dynamo.ts";
import { seenKey } from "../../../shared/store/keys.ts";

type RawItem = Record<string, AttributeValue>;

/** Every item of a table by a line of text that tells all of it: two images of the same lines are the same bytes. */
export type TableImage = ReadonlyMap<string, RawItem>;

/** A table looked at, and put back, beside the service. */
export interface TableImages {
  /** Reads the whole table, but for the notes of who called when. */
  take(): Promise<TableImage>;
  /** Writes and deletes what makes the table, as it is `now`, what it was. */
  putBack(was: TableImage, now: TableImage): Promise<void>;
}

export function imagesOf(connection: Connection): TableImages {
  const client = createClient(connection);
  const { table: TableName } = connection;
  return {
    take: async () => {
      const image = new Map<string, RawItem>();
      let from: RawItem | undefined;
      do {
        const page = await client.send(
          new ScanCommand({ TableName, ConsistentRead: true, ...(from && { ExclusiveStartKey: from }) }),
        );
        for (const item of page.Items ?? []) if (!isSeen(item)) image.set(JSON.stringify(item, inOrder), item);
        from = page.LastEvaluatedKey;
      } while (from);
      return image;
    },
    putBack: async (was, now) => {
      const back = [...was].filter(([line]) => !now.has(line)).map(([, item]) => item);
      const kept = new Set([...was.values()].map(placeOf));
      const gone = [...now.values()].filter((item) => !kept.has(placeOf(item)));
      const requests = [
        ...back.map((Item) => ({ PutRequest: { Item } })),
        ...gone.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } as RawItem } })),
      ];
      for (let i = 0; i < requests.length; i += 25) {
        const RequestItems = { [TableName]: requests.slice(i, i + 25) };
        const { UnprocessedItems } = await client.send(new BatchWriteItemCommand({ RequestItems }));
        if (Object.keys(UnprocessedItems ?? {}).length > 0) throw new Error("the table was not put back");
      }
    },
  };
}

/** True for the note that an actor called, which any call may leave, whatever it is told. */
function isSeen({ sk }: RawItem): boolean {
  return sk?.S?.startsWith(seenKey("").sk) ?? false;
}

function placeOf({ pk, sk }: RawItem): string {
  return JSON.stringify([pk, sk]);
}

/** Bytes as base64, and the members of a map in order, which DynamoDB does not keep. */
function inOrder(_: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
