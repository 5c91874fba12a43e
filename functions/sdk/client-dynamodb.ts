/** For the index of `@aws-sdk/client-dynamodb`: the parts that the table needs. */
// biome-ignore lint/performance/noBarrelFile: it stands for the index of a package
export { DynamoDBClient } from "./dynamodb-client.ts";
export { TransactionCanceledException } from "./internals.js";
