import type { DynamoDBClient, SendOptions } from "./dynamodb-client.ts";
import {
  BatchGetItem$,
  BatchWriteItem$,
  DeleteItem$,
  GetItem$,
  type KeyNodes,
  marshallInput,
  type OperationSchema,
  PutItem$,
  Query$,
  TransactGetItems$,
  TransactWriteItems$,
  unmarshallOutput,
} from "./internals.js";

/** All members of an object hold values. */
const ITEM: KeyNodes = {};
const WRITES = { "*": { "*": { PutRequest: { Item: ITEM }, DeleteRequest: { Key: ITEM } } } };
const KEYS = { "*": { Keys: { "*": ITEM } } };
const CONDITION = { ExpressionAttributeValues: ITEM };

/** The class of a command: its operation, and where its input and output hold values. */
function commandOf(schema: OperationSchema, inputNodes: KeyNodes, outputNodes: KeyNodes) {
  return class {
    readonly schema = schema;
    readonly inputNodes = inputNodes;
    readonly outputNodes = outputNodes;
    readonly input: object;

    constructor(input: object) {
      this.input = input;
    }
  };
}

export const GetCommand = commandOf(GetItem$, { Key: ITEM }, { Item: ITEM });
export const BatchGetCommand = commandOf(
  BatchGetItem$,
  { RequestItems: KEYS },
  { Responses: { "*": { "*": ITEM } }, UnprocessedKeys: KEYS },
);
export const QueryCommand = commandOf(
  Query$,
  { ExclusiveStartKey: ITEM, ...CONDITION },
  { Items: { "*": ITEM }, LastEvaluatedKey: ITEM },
);
export const TransactGetCommand = commandOf(
  TransactGetItems$,
  { TransactItems: { "*": { Get: { Key: ITEM } } } },
  { Responses: { "*": { Item: ITEM } } },
);
export const PutCommand = commandOf(PutItem$, { Item: ITEM, ...CONDITION }, {});
export const DeleteCommand = commandOf(DeleteItem$, { Key: ITEM, ...CONDITION }, {});
export const BatchWriteCommand = commandOf(BatchWriteItem$, { RequestItems: WRITES }, { UnprocessedItems: WRITES });
export const TransactWriteCommand = commandOf(
  TransactWriteItems$,
  {
    TransactItems: {
      "*": {
        ConditionCheck: { Key: ITEM, ...CONDITION },
        Put: { Item: ITEM, ...CONDITION },
        Delete: { Key: ITEM, ...CONDITION },
      },
    },
  },
  {},
);

type Command = InstanceType<ReturnType<typeof commandOf>>;

/** For `DynamoDBDocumentClient` of `@aws-sdk/lib-dynamodb`: the client with values as JavaScript has them. */
export class DynamoDBDocumentClient {
  readonly #client: DynamoDBClient;
  readonly #marshallOptions: object;

  private constructor(client: DynamoDBClient, { marshallOptions = {} }: { readonly marshallOptions?: object }) {
    this.#client = client;
    this.#marshallOptions = { convertTopLevelContainer: true, ...marshallOptions };
  }

  static from(client: DynamoDBClient, options: { readonly marshallOptions?: object } = {}): DynamoDBDocumentClient {
    return new DynamoDBDocumentClient(client, options);
  }

  async send({ schema, input, inputNodes, outputNodes }: Command, options: SendOptions = {}): Promise<object> {
    const output = await this.#client.run(schema, marshallInput(input, inputNodes, this.#marshallOptions), options);
    return unmarshallOutput(output, outputNodes, { convertWithoutMapWrapper: true });
  }
}
