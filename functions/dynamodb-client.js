/**
 * For `@aws-sdk/client-dynamodb`: what the document client and the table need of it. The package's own index exports its
 * files of errors and schemas whole, and a file that is replaced can only be exported name by name.
 */
// biome-ignore lint/performance/noBarrelFile: it stands for the index of a package
export * from "../node_modules/@aws-sdk/client-dynamodb/dist-es/commands/index.js";
export { DynamoDB } from "../node_modules/@aws-sdk/client-dynamodb/dist-es/DynamoDB.js";
export { DynamoDBClient } from "../node_modules/@aws-sdk/client-dynamodb/dist-es/DynamoDBClient.js";
export { TransactionCanceledException } from "../node_modules/@aws-sdk/client-dynamodb/dist-es/models/errors.js";
