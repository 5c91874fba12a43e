import { randomUUID } from "node:crypto";
import { ScanCommand } from "@aws-sdk/client-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import { inject } from "vitest";
import { openSqliteTable, type SqliteTable } from "../../local/sqlite/table.ts";
import {
  type Connection,
  createClient,
  createDynamoConnector,
  type TableConnector,
} from "../../shared/store/table/dynamo.ts";
import { createScan, ensureTable, type ScanTable } from "../../shared/store/table/dynamo-admin.ts";
import { createRetryingTable, createRetryPolicy } from "../../shared/store/table/retry.ts";
import type { Item, Table } from "../../shared/store/table/table.ts";
import { realRuntime } from "./runtime.ts";

/** A table of the test's own, with ways to see all of it, which the service never has. */
export interface TestTable {
  /** The name of the table, which nobody outside may see. */
  readonly name: string;
  /** The table of calls without a deadline. */
  readonly table: Table;
  readonly connector: TableConnector;
  readonly scan: ScanTable;
  items(): Promise<readonly Item[]>;
  readonly searches?: SqliteTable["searches"];
}

type OnCapacity = Connection["onCapacity"];

/** True where the tests of this run keep their tables in DynamoDB rather than in SQLite in memory. */
const ON_DYNAMO = process.env.METACTION_TEST_STORE === "dynamodb" || Boolean(process.env.METACTION_DYNAMODB_ENDPOINT);

/** An empty table of the test's own, on the store of the run. */
export function openTable(onCapacity?: OnCapacity, now: () => number = Date.now): Promise<TestTable> {
  return ON_DYNAMO ? openDynamoTable(onCapacity, now) : openTableInMemory(onCapacity, now);
}

/** The table of an empty table of the test's own. */
export async function freshTable(onCapacity?: OnCapacity): Promise<Table> {
  return (await openTable(onCapacity)).table;
}

/** A connection to the DynamoDB of the tests, with a table that does not exist yet. */
export function freshConnection(onCapacity?: OnCapacity): Connection {
  return {
    table: `test-${randomUUID()}`,
    endpoint: inject("endpoint"),
    region: "local",
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
    ...(onCapacity && { onCapacity }),
  };
}

export async function openTableInMemory(onCapacity: OnCapacity, now: () => number): Promise<TestTable> {
  const connector = openSqliteTable({ ...(onCapacity && { onCapacity }) }, now);
  const items = async (): Promise<readonly Item[]> => {
    const all: Item[] = [];
    await connector.scan((item) => all.push(item));
    return all;
  };
  return {
    name: `test-${randomUUID()}`,
    table: connector.connect(Number.POSITIVE_INFINITY),
    connector,
    scan: connector.scan,
    searches: connector.searches,
    items,
  };
}

export async function openDynamoTable(onCapacity: OnCapacity, now: () => number): Promise<TestTable> {
  const connection = freshConnection(onCapacity);
  await ensureTable(connection);
  const connector = createDynamoConnector(connection, now);
  return {
    name: connection.table,
    table: repeatReads(connector.connect(Number.POSITIVE_INFINITY)),
    connector,
    scan: createScan(connection),
    items: () => readAllItems(connection),
  };
}

/** Repeats reads as the service does: a busy machine may find no connection within the timeout of the client. */
function repeatReads(table: Table): Table {
  const { get, query, transactGet } = createRetryingTable(table, createRetryPolicy(realRuntime));
  return { ...table, get, query, transactGet };
}

/** Reads every item of a table. */
export async function readAllItems(connection: Connection): Promise<readonly Item[]> {
  const client = createClient(connection);
  const items: Item[] = [];
  let from: Record<string, never> | undefined;
  do {
    const asked = { TableName: connection.table, ConsistentRead: true, ...(from && { ExclusiveStartKey: from }) };
    const page = await client.send(new ScanCommand(asked));
    items.push(...(page.Items ?? []).map((item) => unmarshall(item) as Item));
    from = page.LastEvaluatedKey as Record<string, never> | undefined;
  } while (from);
  return items;
}
