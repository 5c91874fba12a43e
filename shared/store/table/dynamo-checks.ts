import { type Bounds, compareSortKeys, countItemBytes, countKeyBytes, DYNAMO, getBounds } from "./dynamo-rules.ts";
import type { ItemKey } from "./keys.ts";
import type { Expectation, Item, Range, Write } from "./table.ts";
import { TABLE } from "./table-schema.ts";

/**
 * Checks a single write as DynamoDB does. Returns the bytes of the item that is written. Throws `ValidationException`.
 */
export function checkWrite(write: Write): number {
  if ("check" in write) throw new Error("a check is possible only in a transaction");
  return checkAnyWrite(write);
}

/** Checks the writes of a transaction. Returns the bytes of each item that is written. Throws `ValidationException`. */
export function checkTransactWrite(writes: readonly Write[]): readonly number[] {
  checkCount(writes.length, DYNAMO.transactionItems, "operations of a transaction");
  checkDistinct(writes.map(getWriteKey), "A transaction cannot include multiple operations on one item");
  const sizes = writes.map(checkAnyWrite);
  const all = writes.reduce(
    (sum, write, i) => sum + ("put" in write ? (sizes[i] ?? 0) : countKeyBytes(getWriteKey(write))),
    0,
  );
  if (all > DYNAMO.transactionBytes) {
    throw new ValidationException(`A transaction of ${all} bytes is above the limit of ${DYNAMO.transactionBytes}`);
  }
  return sizes;
}

/** Throws `ValidationException` for keys that one transaction cannot read. */
export function checkTransactGet(keys: readonly ItemKey[]): void {
  checkCount(keys.length, DYNAMO.transactionItems, "operations of a transaction");
  checkKeys(keys, "A transaction cannot include multiple operations on one item");
}

/** Throws `ValidationException` for more bytes than one transaction can read. */
export function checkTransactGetBytes(bytes: number): void {
  if (bytes <= DYNAMO.transactionBytes) return;
  throw new ValidationException(`A transaction that reads ${bytes} bytes is above ${DYNAMO.transactionBytes}`);
}

/** Throws `ValidationException` for keys that one batch cannot read. */
export function checkBatchGet(keys: readonly ItemKey[]): void {
  checkCount(keys.length, DYNAMO.batchGetKeys, "keys of a batch");
  checkKeys(keys, "The keys of a batch contain duplicates");
}

/** Checks the items of a batch of writes. Returns the bytes of each item. Throws `ValidationException`. */
export function checkBatchPut(items: readonly Item[]): readonly number[] {
  checkCount(items.length, DYNAMO.batchWriteItems, "items of a batch");
  checkDistinct(items, "The keys of a batch contain duplicates");
  return items.map(checkItem);
}

/** Throws `ValidationException` for keys that one batch cannot delete. */
export function checkBatchDelete(keys: readonly ItemKey[]): void {
  checkCount(keys.length, DYNAMO.batchWriteItems, "items of a batch");
  checkKeys(keys, "The keys of a batch contain duplicates");
}

/** Throws `ValidationException` for a range that Query rejects, for example one that begins after its end. */
export function checkRange(range: Range): void {
  const { pk, prefix, from, to, after, limit } = range;
  checkKeyPart(TABLE.partitionKey, pk, DYNAMO.partitionKeyBytes);
  for (const part of [prefix, from, to, after]) {
    if (part !== undefined) checkKeyPart(TABLE.sortKey, part, DYNAMO.sortKeyBytes);
  }
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 1)) {
    throw new ValidationException(`A limit has to be a positive integer, not ${limit}`);
  }
  const bounds = getBounds(range);
  if (bounds && compareSortKeys(bounds.from, bounds.to) > 0) {
    throw new ValidationException("The upper bound of a range has to be greater than or equal to its lower bound");
  }
  if (after !== undefined && !isInside(after, prefix, bounds)) {
    throw new ValidationException("The starting key is outside the boundaries of the query");
  }
}

function isInside(sortKey: string, prefix: string | undefined, bounds: Bounds | undefined): boolean {
  if (prefix !== undefined) return sortKey.startsWith(prefix);
  return !bounds || (compareSortKeys(bounds.from, sortKey) <= 0 && compareSortKeys(sortKey, bounds.to) <= 0);
}

function checkAnyWrite(write: Write): number {
  checkExpectation(write.expect, "check" in write);
  if ("put" in write) return checkItem(write.put);
  checkKey(getWriteKey(write));
  return 0;
}

function checkExpectation(expected: Expectation, needed: boolean): void {
  if ("anything" in expected) {
    if (needed) throw new ValidationException("A check needs a condition");
    return;
  }
  if ("absent" in expected) return;
  const operands =
    "absentOrExpired" in expected
      ? [expected.absentOrExpired]
      : Object.values("equal" in expected ? expected.equal : expected.absentOrEqual);
  if (operands.length === 0) throw new ValidationException("A condition may not be empty");
  for (const one of operands) {
    if (one === undefined) throw new ValidationException("A condition compares with an absent value");
    checkValue(one);
  }
}

function checkCount(count: number, most: number, of: string): void {
  if (count >= 1 && count <= most) return;
  throw new ValidationException(`There have to be 1 to ${most} ${of}, not ${count}`);
}

function checkKeys(keys: readonly ItemKey[], twice: string): void {
  for (const key of keys) checkKey(key);
  checkDistinct(keys, twice);
}

function checkDistinct(keys: readonly ItemKey[], twice: string): void {
  const seen = new Map<string, Set<string>>();
  for (const { pk, sk } of keys) {
    const inPartition = seen.get(pk) ?? new Set();
    if (inPartition.has(sk)) throw new ValidationException(twice);
    seen.set(pk, inPartition.add(sk));
  }
}

function getWriteKey(write: Write): ItemKey {
  return "put" in write ? write.put : "delete" in write ? write.delete : write.check;
}

/**
 * Checks an item as DynamoDB does and returns its bytes. Throws `ValidationException` for an invalid key, a value that
 * cannot be stored, lists and maps nested too deeply, and more than 400 kB.
 */
export function checkItem(item: Readonly<Record<string, unknown>>): number {
  checkKey(item as unknown as ItemKey);
  checkMembers(item, 0);
  const bytes = countItemBytes(item);
  if (bytes > DYNAMO.itemBytes) {
    throw new ValidationException(`Item size ${bytes} is above the maximum of ${DYNAMO.itemBytes} bytes`);
  }
  return bytes;
}

/** Throws `ValidationException` for a key that is not a string, is empty, or is too long. */
export function checkKey({ pk, sk }: ItemKey): void {
  checkKeyPart(TABLE.partitionKey, pk, DYNAMO.partitionKeyBytes);
  checkKeyPart(TABLE.sortKey, sk, DYNAMO.sortKeyBytes);
}

/** Throws `ValidationException` for a part of a key that is not a string, is empty, or is longer than `most` bytes. */
function checkKeyPart(name: string, value: unknown, most: number): void {
  if (typeof value !== "string") throw new ValidationException(`The key ${name} has to be a string`);
  if (value === "") throw new ValidationException(`The key ${name} may not be an empty string`);
  // A UTF-16 unit has at most three bytes in UTF-8.
  if (value.length * 3 > most && Buffer.byteLength(value) > most) {
    throw new ValidationException(`The key ${name} is longer than ${most} bytes`);
  }
  checkText(value);
}

function checkMembers(members: Readonly<Record<string, unknown>>, depth: number): void {
  for (const name in members) {
    const value = members[name];
    if (value === undefined) continue;
    if (name === "" || name === "__proto__" || name.length > MAX_PLAIN_NAME || !name.isWellFormed()) checkName(name);
    if (typeof value !== "string" || !value.isWellFormed()) checkValue(value, depth + 1);
  }
}

/** Characters that a name may have whatever their bytes. */
const MAX_PLAIN_NAME = Math.floor(DYNAMO.attributeNameBytes / 3);

function checkName(name: string): void {
  if (name === "") throw new ValidationException("The name of an attribute may not be empty");
  // The AWS SDK drops this member silently.
  if (name === "__proto__") throw new ValidationException("The name of an attribute may not be __proto__");
  if (name.length > MAX_PLAIN_NAME && Buffer.byteLength(name) > DYNAMO.attributeNameBytes) {
    throw new ValidationException(`The name of an attribute is longer than ${DYNAMO.attributeNameBytes} bytes`);
  }
  checkText(name);
}

/** Throws `ValidationException` for a value that cannot be stored. `depth` counts the lists and maps around it. */
function checkValue(value: unknown, depth = 1): void {
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

/** Returns true for a value that the AWS SDK treats as a map. It decides by the name of the constructor. */
function isPlain(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { constructor: made } = value as { constructor?: { name?: unknown } };
  return !made || made.name === "Object";
}

function checkText(text: string): void {
  if (!text.isWellFormed()) throw new ValidationException("A text contains half of a surrogate pair");
}

function checkNumber(value: number): void {
  // The AWS SDK rejects numbers beyond these, because they lose precision.
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    throw new ValidationException(`The number ${value} cannot be stored exactly`);
  }
  if (value !== 0 && Math.abs(value) < 10 ** DYNAMO.leastExponent) {
    throw new ValidationException(`The magnitude of ${value} is smaller than the supported range`);
  }
}

/** Error of a request that DynamoDB rejects before it does anything. Named like the error of the AWS SDK. */
export class ValidationException extends Error {
  override readonly name = "ValidationException";
}
