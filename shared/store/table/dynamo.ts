import { DynamoDBClient, type DynamoDBClientConfig, TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactGetCommand,
  TransactWriteCommand,
} from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import { Problem } from "../../domain/problems.ts";
import { getBounds } from "./dynamo-rules.ts";
import type { ItemKey } from "./keys.ts";
import {
  ConditionFailed,
  Contention,
  type Expectation,
  type Item,
  type ItemPage,
  OutcomeUnknown,
  type Range,
  type Table,
  Unread,
  type Write,
} from "./table.ts";
import { TABLE } from "./table-schema.ts";

/** Connection to the table. Without an endpoint it is the DynamoDB of the region. */
export interface Connection {
  readonly table: string;
  readonly endpoint?: string;
  readonly region?: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** Receives the capacity units of every call. DynamoDB reports them only if this is given. */
  readonly onCapacity?: (operation: string, units: number) => void;
}

/** Milliseconds within which a call connects. */
const CONNECT_MS = 500;

/** Creates the client of a connection. It repeats no request: `retry.ts` does. */
export function createClient(connection: Connection, connectionTimeout: number = CONNECT_MS): DynamoDBClient {
  const { endpoint, region, credentials } = connection;
  const config: DynamoDBClientConfig = {
    maxAttempts: 1,
    requestHandler: { connectionTimeout, requestTimeout: 10_000, throwOnRequestTimeout: true },
    ...(endpoint !== undefined && { endpoint }),
    ...(region !== undefined && { region }),
    ...(credentials && { credentials }),
  };
  return new DynamoDBClient(config);
}

/** One table for calls with different deadlines. */
export interface TableConnector {
  /** Returns the table of one call. Requests are cancelled at `deadline`, and none is sent after it. */
  connect(deadline: number): Table;
}

/** Connects to DynamoDB or a service with its protocol. `now` is in milliseconds since the epoch. */
export function createDynamoConnector(connection: Connection, now: () => number): TableConnector {
  const options = { marshallOptions: { removeUndefinedValues: true } };
  const client = DynamoDBDocumentClient.from(createClient(connection), options);
  return {
    connect: (deadline) => createTableWithTimeouts(client, connection, (most) => createTimeout(deadline - now(), most)),
  };
}

/** Connects to a table without deadlines, for work that is limited in another way. */
export function createDynamoTable(connection: Connection): Table {
  return createDynamoConnector(connection, () => 0).connect(Number.POSITIVE_INFINITY);
}

/** Shortest timeout of a call to the store. A shorter one would cut off normal answers. */
const MIN_TIMEOUT_MS = 500;
/** Longest timeout of a read. A read on a dead connection is repeated on another one. */
const MAX_READ_MS = 5_000;

interface Timeout {
  readonly abortSignal?: AbortSignal;
}

/** Chooses the timeout of a call: half of the time left, so that its outcome can be resolved, at most `most`. */
function createTimeout(left: number, most: number): Timeout {
  if (left === Number.POSITIVE_INFINITY) return {};
  if (left <= 0) throw new Problem("out_of_time", "the call ran out of time; try again", { retryAfter: 1 });
  const share = Math.min(most, Math.max(MIN_TIMEOUT_MS, left / 2));
  return { abortSignal: AbortSignal.timeout(Math.ceil(Math.min(left, share))) };
}

interface Capacity {
  readonly CapacityUnits?: number | undefined;
}

interface DynamoCalls {
  readonly client: DynamoDBDocumentClient;
  readonly TableName: string;
  readonly options: { readonly ReturnConsumedCapacity?: "TOTAL" };
  count(operation: string, capacity: Capacity | readonly Capacity[] | undefined): void;
  startTimeout(most: number): Timeout;
}

function createTableWithTimeouts(
  client: DynamoDBDocumentClient,
  { table: TableName, onCapacity }: Connection,
  startTimeout: DynamoCalls["startTimeout"],
): Table {
  const calls: DynamoCalls = {
    client,
    TableName,
    options: onCapacity ? { ReturnConsumedCapacity: "TOTAL" } : {},
    count: (operation, capacity) => {
      for (const one of capacity === undefined ? [] : [capacity].flat())
        onCapacity?.(operation, one.CapacityUnits ?? 0);
    },
    startTimeout,
  };
  return { ...createReads(calls), ...createWrites(calls) };
}

type Reads = Pick<Table, "get" | "batchGet" | "query" | "transactGet">;

function createReads({ client, TableName, options, count, startTimeout }: DynamoCalls): Reads {
  const startRead = (): Timeout => startTimeout(MAX_READ_MS);
  return {
    get: async (key) => {
      const command = new GetCommand({ TableName, Key: toKey(key), ConsistentRead: true, ...options });
      const answer = await callDynamo(() => client.send(command, startRead()));
      count("get", answer.ConsumedCapacity);
      return answer.Item as Item | undefined;
    },
    batchGet: async (keys) => {
      const RequestItems = { [TableName]: { Keys: keys.map(toKey), ConsistentRead: true } };
      const command = new BatchGetCommand({ RequestItems, ...options });
      const answer = await callDynamo(() => client.send(command, startRead()));
      count("batchGet", answer.ConsumedCapacity);
      const items = (answer.Responses?.[TableName] ?? []) as Item[];
      const left = (answer.UnprocessedKeys?.[TableName]?.Keys ?? []) as unknown as readonly ItemKey[];
      if (left.length > 0) throw new Unread(items, left);
      return items;
    },
    query: async (range) => {
      const command = new QueryCommand({ TableName, ...toQueryInput(range, options) });
      const answer = await callDynamo(() => client.send(command, startRead()));
      count("query", answer.ConsumedCapacity);
      const items = (answer.Items ?? []) as Item[];
      const more = answer.LastEvaluatedKey?.[TABLE.sortKey] as string | undefined;
      return { items, ...(more !== undefined && { more }) } satisfies ItemPage;
    },
    transactGet: async (keys) => {
      const TransactItems = keys.map((key) => ({ Get: { Key: toKey(key), TableName } }));
      const command = new TransactGetCommand({ TransactItems, ...options });
      const answer = await callDynamo(() => client.send(command, startRead()));
      count("transactGet", answer.ConsumedCapacity);
      return (answer.Responses ?? []).map((one) => one.Item as Item | undefined);
    },
  };
}

type Writes = Pick<Table, "transactWrite" | "write" | "batchPut" | "batchDelete">;

function createWrites({ client, TableName, options, count, startTimeout }: DynamoCalls): Writes {
  const startWrite = (): Timeout => startTimeout(Number.POSITIVE_INFINITY);
  const sendBatch = async (requests: Record<string, unknown>[]): Promise<readonly BatchRequest[]> => {
    const command = new BatchWriteCommand({ RequestItems: { [TableName]: requests as BatchRequest[] }, ...options });
    const answer = await callDynamo(() => client.send(command, startWrite()));
    count("batchWrite", answer.ConsumedCapacity);
    return (answer.UnprocessedItems?.[TableName] ?? []) as BatchRequest[];
  };
  return {
    transactWrite: async (writes) => {
      const TransactItems = writes.map((write) => toTransactItem(TableName, write));
      const command = new TransactWriteCommand({ TransactItems, ...options });
      const answer = await callDynamo(() => client.send(command, startWrite()));
      count("transactWrite", answer.ConsumedCapacity);
    },
    write: async (write) => {
      const condition = { ...options, ...toConditionInput(write.expect) };
      if ("check" in write) throw new Error("a check is possible only in a transaction");
      const answer = await callDynamo(() =>
        "put" in write
          ? client.send(new PutCommand({ TableName, Item: write.put, ...condition }), startWrite())
          : client.send(new DeleteCommand({ TableName, Key: toKey(write.delete), ...condition }), startWrite()),
      );
      count("write", answer.ConsumedCapacity);
    },
    batchPut: async (items) => {
      const left = await sendBatch(items.map((Item) => ({ PutRequest: { Item } })));
      return left.map((one) => one.PutRequest?.Item as Item);
    },
    batchDelete: async (keys) => {
      const left = await sendBatch(keys.map((key) => ({ DeleteRequest: { Key: toKey(key) } })));
      return left.map((one) => one.DeleteRequest?.Key as unknown as ItemKey);
    },
  };
}

interface BatchRequest {
  readonly PutRequest?: { Item: Record<string, unknown> };
  readonly DeleteRequest?: { Key: Record<string, unknown> };
}

function toQueryInput(range: Range, options: object) {
  const names: Record<string, string> = { "#pk": TABLE.partitionKey };
  const values: Record<string, string> = { ":pk": range.pk };
  const bounds = getBounds(range);
  let condition = "#pk = :pk";
  if (range.prefix !== undefined) {
    names["#sk"] = TABLE.sortKey;
    values[":prefix"] = range.prefix;
    condition += " AND begins_with(#sk, :prefix)";
  } else if (bounds) {
    names["#sk"] = TABLE.sortKey;
    values[":from"] = bounds.from;
    values[":to"] = bounds.to;
    condition += " AND #sk BETWEEN :from AND :to";
  }
  return {
    ...(range.limit !== undefined && { Limit: range.limit }),
    ConsistentRead: true,
    ...(range.descending && { ScanIndexForward: false }),
    ...(range.after !== undefined && { ExclusiveStartKey: { pk: range.pk, sk: range.after } }),
    ...options,
    KeyConditionExpression: condition,
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
  };
}

function toConditionInput(expect: Expectation) {
  if ("anything" in expect) return {};
  if ("absent" in expect) {
    return {
      ConditionExpression: "attribute_not_exists(#pk)",
      ExpressionAttributeNames: { "#pk": TABLE.partitionKey },
    };
  }
  if ("absentOrExpired" in expect) {
    return {
      ConditionExpression: "attribute_not_exists(#pk) OR #expires < :now",
      ExpressionAttributeNames: { "#pk": TABLE.partitionKey, "#expires": TABLE.timeToLive },
      ExpressionAttributeValues: { ":now": expect.absentOrExpired },
    };
  }
  const orAbsent = "absentOrEqual" in expect;
  const conditions = Object.entries(orAbsent ? expect.absentOrEqual : expect.equal);
  const equal = conditions.map((_, i) => `#a${i} = :a${i}`).join(" AND ");
  const names = Object.fromEntries(conditions.map(([name], i) => [`#a${i}`, name]));
  return {
    ConditionExpression: orAbsent ? `attribute_not_exists(#pk) OR (${equal})` : equal,
    ExpressionAttributeNames: orAbsent ? { "#pk": TABLE.partitionKey, ...names } : names,
    ExpressionAttributeValues: Object.fromEntries(conditions.map(([, value], i) => [`:a${i}`, value])),
  };
}

/** Returns the members of a key alone: an item is a key by its type, but DynamoDB refuses it. */
function toKey({ pk, sk }: ItemKey) {
  return { pk, sk };
}

function toTransactItem(TableName: string, w: Write): Record<"Put" | "Delete" | "ConditionCheck", never> {
  const condition = {
    TableName,
    ...toConditionInput(w.expect),
    ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const,
  };
  const item =
    "put" in w
      ? { Put: { Item: w.put, ...condition } }
      : "delete" in w
        ? { Delete: { Key: toKey(w.delete), ...condition } }
        : { ConditionCheck: { Key: toKey(w.check), ...condition } };
  // The types of the document client require all three members of the union.
  return item as unknown as Record<"Put" | "Delete" | "ConditionCheck", never>;
}

const CONTENDED_ERRORS = new Set([
  "ThrottlingException",
  "ProvisionedThroughputExceededException",
  "RequestLimitExceeded",
  "TransactionConflictException",
  "TransactionInProgressException",
]);
const REFUSED_ERRORS = new Set(["ValidationException", "ResourceNotFoundException", "AccessDeniedException"]);

async function callDynamo<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    throw translateError(error);
  }
}

function translateError(error: unknown): unknown {
  if (!(error instanceof Error)) return new OutcomeUnknown(error);
  if (error instanceof Problem) return error;
  if (error instanceof TransactionCanceledException) return translateCancellation(error);
  if (error.name === "ConditionalCheckFailedException") return new ConditionFailed([true], [undefined]);
  if (CONTENDED_ERRORS.has(error.name)) return new Contention(!error.name.startsWith("Transaction"));
  return REFUSED_ERRORS.has(error.name) ? error : new OutcomeUnknown(error);
}

function translateCancellation(error: TransactionCanceledException): Error {
  const reasons = error.CancellationReasons ?? [];
  const faults = reasons.map((r) => r.Code === "ConditionalCheckFailed");
  if (faults.some(Boolean)) {
    return new ConditionFailed(
      faults,
      reasons.map((r) => r.Item && (unmarshall(r.Item) as Item)),
    );
  }
  const codes = new Set(reasons.map((r) => r.Code));
  if (codes.has("ValidationError") || codes.has("ItemCollectionSizeLimitExceeded")) return error;
  return new Contention(!codes.has("TransactionConflict"));
}
