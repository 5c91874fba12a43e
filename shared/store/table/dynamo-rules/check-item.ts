import type { ItemKey } from "../keys.ts";
import { TABLE } from "../table-schema.ts";
import { itemBytes } from "./item-bytes.ts";
import { DYNAMO } from "./limits.ts";
import { ValidationException } from "./validation-exception.ts";

/**
 * The bytes of an item that DynamoDB takes. `ValidationException` for any other: a key that is empty or too long, a value
 * that cannot be stored, lists and maps too deep, more than 400 kB.
 */
export function checkItem(item: Readonly<Record<string, unknown>>): number {
  checkKey(item as unknown as ItemKey);
  checkMembers(item, 0);
  const bytes = itemBytes(item);
  if (bytes > DYNAMO.itemBytes) {
    throw new ValidationException(`Item size ${bytes} is above the maximum of ${DYNAMO.itemBytes} bytes`);
  }
  return bytes;
}

/** `ValidationException` for a key that is no text, empty, or too long. */
export function checkKey({ pk, sk }: ItemKey): void {
  checkKeyPart(TABLE.partitionKey, pk, DYNAMO.partitionKeyBytes);
  checkKeyPart(TABLE.sortKey, sk, DYNAMO.sortKeyBytes);
}

/** `ValidationException` for one part of a key that is no text, empty, or longer than `most` bytes. */
export function checkKeyPart(name: string, value: unknown, most: number): void {
  if (typeof value !== "string") throw new ValidationException(`The key ${name} has to be a string`);
  if (value === "") throw new ValidationException(`The key ${name} may not be an empty string`);
  // No text has more bytes than three for each of its characters.
  if (value.length * 3 > most && Buffer.byteLength(value) > most) {
    throw new ValidationException(`The key ${name} is longer than ${most} bytes`);
  }
  checkText(value);
}

function checkMembers(members: Readonly<Record<string, unknown>>, depth: number): void {
  for (const name in members) {
    const value = members[name];
    if (value === undefined) continue;
    checkName(name);
    checkValue(value, depth + 1);
  }
}

function checkName(name: string): void {
  if (name === "") throw new ValidationException("The name of an attribute may not be empty");
  // The AWS SDK drops it without a word.
  if (name === "__proto__") throw new ValidationException("The name of an attribute may not be __proto__");
  if (name.length * 3 > DYNAMO.attributeNameBytes && Buffer.byteLength(name) > DYNAMO.attributeNameBytes) {
    throw new ValidationException(`The name of an attribute is longer than ${DYNAMO.attributeNameBytes} bytes`);
  }
  checkText(name);
}

/** `ValidationException` for a value that cannot be stored, `depth` lists and maps inside the item. */
export function checkValue(value: unknown, depth = 1): void {
  if (typeof value === "string") checkText(value);
  else if (typeof value === "number") checkNumber(value);
  else if (value !== null && typeof value !== "boolean" && !(value instanceof Uint8Array)) checkContainer(value, depth);
}

function checkContainer(value: unknown, depth: number): void {
  if (depth >= DYNAMO.nesting) throw new ValidationException(`More than ${DYNAMO.nesting} nested levels`);
  if (Array.isArray(value)) {
    for (const one of value) if (one !== undefined) checkValue(one, depth + 1);
    return;
  }
  if (!isPlain(value)) throw new ValidationException(`A ${typeof value} of this kind cannot be stored`);
  checkMembers(value as Readonly<Record<string, unknown>>, depth);
}

/** True for a value that the AWS SDK takes for a map; it goes by the name of the constructor. */
function isPlain(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { constructor: made } = value as { constructor?: { name?: unknown } };
  return !made || made.name === "Object";
}

function checkText(text: string): void {
  if (!text.isWellFormed()) throw new ValidationException("A text holds half of a surrogate pair");
}

function checkNumber(value: number): void {
  // Beyond these the AWS SDK refuses a number, because it could not be read back as the same one.
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    throw new ValidationException(`${value} is no number that can be stored exactly`);
  }
  if (value !== 0 && Math.abs(value) < 10 ** DYNAMO.leastExponent) {
    throw new ValidationException(`The magnitude of ${value} is smaller than the supported range`);
  }
}
