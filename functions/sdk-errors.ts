import { readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const DYNAMODB = "./node_modules/@aws-sdk/client-dynamodb";
const ERRORS = `${DYNAMODB}/dist-es/models/errors.js`;
const DYNAMODB_ERROR = `${DYNAMODB}/dist-es/models/DynamoDBServiceException.js`;
const SDK_ERROR = "./node_modules/@smithy/core/dist-es/submodules/client/smithy-client/exceptions.js";

/** The operations of DynamoDB that a function sends, as its API reference names them. */
export const OPERATIONS: readonly string[] = [
  "BatchGetItem",
  "BatchWriteItem",
  "DeleteItem",
  "GetItem",
  "PutItem",
  "Query",
  "TransactGetItems",
  "TransactWriteItems",
];

/**
 * DynamoDB's errors with a class for those alone that `OPERATIONS` can be refused with; every other name is their base
 * class. Code by file, with the two files that these classes are made of: code that replaces a file imports no others.
 */
export function dynamodbErrors(): readonly (readonly [path: string, code: string])[] {
  const refusals = new Set(OPERATIONS.flatMap(errorsOf));
  const [imports = "", ...classes] = textOf(ERRORS).split(/^(?=export class )/m);
  const nameOf = (declared: string): string => /^export class (\w+) /.exec(declared)?.[1] ?? "";
  const kept = classes.filter((declared) => refusals.has(nameOf(declared)));
  const others = classes.map(nameOf).filter((name) => !refusals.has(name));
  const aliases = others.map((name) => `__BaseException as ${name}`).join(", ");
  const fromError = posix.relative(dirname(DYNAMODB_ERROR), SDK_ERROR);
  return [
    [ERRORS, `${imports}${kept.join("")}export { ${aliases} };\n`],
    [DYNAMODB_ERROR, textOf(DYNAMODB_ERROR).replace('"@smithy/core/client"', `"${fromError}"`)],
    [SDK_ERROR, textOf(SDK_ERROR)],
  ];
}

/** The errors that the SDK documents for an operation. */
function errorsOf(operation: string): readonly string[] {
  const types = textOf(`${DYNAMODB}/dist-types/commands/${operation}Command.d.ts`);
  return [...types.matchAll(/@throws \{@link (\w+)\}/g)].map(([, name]) => name ?? "");
}

function textOf(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}
