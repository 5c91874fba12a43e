import type { ItemKey } from "./keys.ts";
import { type Expectation, getWriteKey, type Item, type Range, type Write } from "./table.ts";
import { TABLE } from "./table-schema.ts";

/** Limits of DynamoDB, as documented by AWS. The lower limits of the service are in `LIMITS`. */
export const DYNAMO = {
  partitionKeyBytes: 2_048,
  sortKeyBytes: 1_024,
  attributeNameBytes: 65_535,
  itemBytes: 400 * 1_024,
  /** Nested lists and maps, including the attribute itself. */
  nesting: 32,
  /** Significant digits of a number. */
  digits: 38,
  /** Exponents of a number other than 0 in scientific notation. */
  leastExponent: -130,
  mostExponent: 125,
  transactionItems: 100,
  transactionBytes: 4 * 1_024 * 1_024,
  batchGetKeys: 100,
  /** Bytes of one answer of BatchGetItem. The remaining keys have to be requested again. */
  batchGetBytes: 16 * 1_024 * 1_024,
  batchWriteItems: 25,
  /** Bytes that one Query reads. */
  pageBytes: 1_024 * 1_024,
  /** Bytes that one read unit and one write unit cover. */
  readUnitBytes: 4_096,
  writeUnitBytes: 1_024,
} as const;

/** Factor of the units of a call inside a transaction. */
export const TRANSACTION_FACTOR = 2;

/** Counts the read units of a strongly consistent read of one item or one Query. An absent item costs one. */
export function countReadUnits(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / DYNAMO.readUnitBytes));
}

/** Counts the write units of one write by the larger of the item's bytes before and after; 0 means no item. */
export function countWriteUnits(before: number, after: number): number {
  return Math.max(1, Math.ceil(Math.max(before, after) / DYNAMO.writeUnitBytes));
}

/** Counts the keys that one batch of reads answers: those before the answer exceeds 16 MB. */
export function countAnsweredKeys(bytesOfEach: readonly number[]): number {
  let bytes = 0;
  const last = bytesOfEach.findIndex((one) => {
    bytes += one;
    return bytes > DYNAMO.batchGetBytes;
  });
  return last < 0 ? bytesOfEach.length : last;
}

interface TakenPage<T> {
  readonly rows: readonly T[];
  readonly bytes: number;
  /** True if the page ended before the range did, or exactly at `limit` rows, as in DynamoDB. */
  readonly more: boolean;
}

/** Takes the first page of `rows`: at most a megabyte and at most `limit` rows. */
export function takePage<T>(rows: Iterable<T>, bytesOf: (row: T) => number, limit?: number): TakenPage<T> {
  const items: T[] = [];
  let bytes = 0;
  for (const row of rows) {
    const one = bytesOf(row);
    if (bytes + one > DYNAMO.pageBytes) return { rows: items, bytes, more: true };
    items.push(row);
    bytes += one;
    if (items.length === limit) return { rows: items, bytes, more: true };
  }
  return { rows: items, bytes, more: false };
}

/** Counts the bytes of an item as DynamoDB does, once. Throws `ValidationException` for what cannot be stored. */
export function countItemBytes(item: Readonly<Record<string, unknown>>): number {
  const weight = weights.get(item);
  if (weight !== undefined) return weight;
  const bytes = weighMembers(item, 0);
  weights.set(item, bytes);
  return bytes;
}

/** Counts the bytes of a list inside an item, once. */
export function countListBytes(list: readonly unknown[]): number {
  const bytes = weighList(list, 1);
  weights.set(list, bytes);
  return bytes;
}

const weights = new WeakMap<object, number>();

/** Characters that a name may have, regardless of their bytes. */
const MAX_PLAIN_NAME = Math.floor(DYNAMO.attributeNameBytes / 3);
const CONTAINER_BYTES = 3;
const MEMBER_BYTES = 1;

/** Weighs members with their names. `depth` counts the lists and maps around them. */
function weighMembers(members: Readonly<Record<string, unknown>>, depth: number) {
  let bytes = 0;
  for (const name in members) {
    const value = members[name];
    if (value === undefined) continue;
    if (name === "" || name === "__proto__" || name.length > MAX_PLAIN_NAME) checkName(name);
    bytes += weighText(name) + weighValue(value, depth + 1) + (depth > 0 ? MEMBER_BYTES : 0);
  }
  return bytes;
}

function checkName(name: string) {
  if (name === "") throw new ValidationException("The name of an attribute may not be empty");
  // The AWS SDK drops this member silently.
  if (name === "__proto__") throw new ValidationException("The name of an attribute may not be __proto__");
  if (Buffer.byteLength(name) > DYNAMO.attributeNameBytes) {
    throw new ValidationException(`The name of an attribute is longer than ${DYNAMO.attributeNameBytes} bytes`);
  }
}

function weighText(text: string) {
  if (!text.isWellFormed()) throw createHalfPairError();
  return Buffer.byteLength(text);
}

function createHalfPairError(): ValidationException {
  return new ValidationException("A text contains half of a surrogate pair");
}

function weighValue(value: unknown, depth: number) {
  if (typeof value === "string") return weighText(value);
  if (typeof value === "number") return weighNumber(value);
  if (value === null || typeof value === "boolean") return 1;
  if (value instanceof Uint8Array) return value.byteLength;
  if (depth >= DYNAMO.nesting) throw new ValidationException(`More than ${DYNAMO.nesting} nested levels`);
  if (Array.isArray(value)) return weights.get(value) ?? weighList(value, depth);
  if (!isPlain(value)) throw new ValidationException(`A ${typeof value} of this kind cannot be stored`);
  return CONTAINER_BYTES + weighMembers(value, depth);
}

function weighList(list: readonly unknown[], depth: number) {
  let bytes = CONTAINER_BYTES;
  for (const one of list) if (one !== undefined) bytes += MEMBER_BYTES + weighValue(one, depth + 1);
  return bytes;
}

/** Returns true for a value that the AWS SDK treats as a map. It decides by the name of the constructor. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const { constructor: type } = value as { constructor?: { name?: unknown } };
  return !type || type.name === "Object";
}

/** Counts a number as DynamoDB does: two digits per byte around the point, the exponent, a minus sign. */
function weighNumber(value: number) {
  // The AWS SDK rejects numbers beyond these, because they lose precision.
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    throw new ValidationException(`The number ${value} cannot be stored exactly`);
  }
  if (value === 0) return 1;
  if (Math.abs(value) < 10 ** DYNAMO.leastExponent) {
    throw new ValidationException(`The magnitude of ${value} is smaller than the supported range`);
  }
  const sign = value < 0 ? 1 : 0;
  const [digits = "", exponent] = Math.abs(value).toExponential().split("e");
  const count = digits.length === 1 ? 1 : digits.length - 1;
  // With an even exponent the first digit forms a pair alone.
  const pairs = Number(exponent) % 2 === 0 ? 1 + Math.ceil((count - 1) / 2) : Math.ceil(count / 2);
  return sign + pairs + 1;
}

/** Counts the bytes of a key without an item. */
export function countKeyBytes({ pk, sk }: ItemKey): number {
  return "pk".length + Buffer.byteLength(pk) + "sk".length + Buffer.byteLength(sk);
}

/** First and last sort key of a range, both included. */
export interface Bounds {
  readonly from: string;
  readonly to: string;
}

/** Returns the bounds of a range, if it has any and no prefix. */
export function getBounds({ prefix, from, to }: Pick<Range, "prefix" | "from" | "to">): Bounds | undefined {
  if (prefix !== undefined || (from === undefined && to === undefined)) return undefined;
  return { from: from ?? " ", to: to ?? "~" };
}

/** Compares sort keys by their UTF-8 bytes. */
export function compareSortKeys(a: string, b: string): number {
  const both = Math.min(a.length, b.length);
  for (let i = 0; i < both; i++) {
    const order = rankUnit(a.charCodeAt(i)) - rankUnit(b.charCodeAt(i));
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Ranks a UTF-16 unit in UTF-8 order: surrogate pairs come after all other characters. */
function rankUnit(unit: number) {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x2800 : unit;
}

/** Returns true if the stored item meets the expectation of a write. Expired items still count as stored. */
export function meetsExpectation(condition: Expectation, item: Item | undefined): boolean {
  if ("anything" in condition) return true;
  if ("absent" in condition) return item === undefined;
  if ("equal" in condition) return item !== undefined && hasAll(item, condition.equal);
  if (item === undefined) return true;
  if ("absentOrEqual" in condition) return hasAll(item, condition.absentOrEqual);
  const expires = item[TABLE.timeToLive];
  // DynamoDB does not order values of different types.
  return typeof expires === "number" && expires < condition.absentOrExpired;
}

function hasAll(item: Item, values: Readonly<Record<string, string | number>>) {
  for (const name in values) if (!Object.hasOwn(item, name) || item[name] !== values[name]) return false;
  return true;
}

/** Checks a single write and returns its bytes. Throws `ValidationException`. */
export function checkWrite(write: Write): number {
  if ("check" in write) throw new Error("a check is possible only in a transaction");
  return checkAnyWrite(write);
}

/** Checks the writes of a transaction, returns their bytes. Throws `ValidationException`. */
export function checkTransactWrite(writes: readonly Write[]): readonly number[] {
  checkCount(writes.length, DYNAMO.transactionItems, "operations of a transaction");
  checkDistinct(writes.map(getWriteKey), "A transaction cannot include multiple operations on one item");
  const sizes = writes.map(checkAnyWrite);
  let all = 0;
  for (const [i, write] of writes.entries()) {
    all += "put" in write ? (sizes[i] ?? 0) : countKeyBytes(getWriteKey(write));
  }
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

/** Checks a batch of writes, returns their bytes. Throws `ValidationException`. */
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

/** Throws `ValidationException` for a range that Query rejects. */
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

function isInside(sortKey: string, prefix: string | undefined, bounds: Bounds | undefined) {
  if (prefix !== undefined) return sortKey.startsWith(prefix);
  return !bounds || (compareSortKeys(bounds.from, sortKey) <= 0 && compareSortKeys(sortKey, bounds.to) <= 0);
}

function checkAnyWrite(write: Write) {
  checkExpectation(write.expect, "check" in write);
  if ("put" in write) return checkItem(write.put);
  checkKey(getWriteKey(write));
  return 0;
}

function checkExpectation(condition: Expectation, isNeeded: boolean) {
  if ("anything" in condition) {
    if (isNeeded) throw new ValidationException("A check needs a condition");
    return;
  }
  if ("absent" in condition) return;
  const operands =
    "absentOrExpired" in condition
      ? [condition.absentOrExpired]
      : Object.values("equal" in condition ? condition.equal : condition.absentOrEqual);
  if (operands.length === 0) throw new ValidationException("A condition may not be empty");
  for (const one of operands) {
    if (one === undefined) throw new ValidationException("A condition compares with an absent value");
    weighValue(one, 1);
  }
}

function checkCount(count: number, most: number, noun: string) {
  if (count >= 1 && count <= most) return;
  throw new ValidationException(`There have to be 1 to ${most} ${noun}, not ${count}`);
}

function checkKeys(keys: readonly ItemKey[], sentence: string) {
  for (const key of keys) checkKey(key);
  checkDistinct(keys, sentence);
}

function checkDistinct(keys: readonly ItemKey[], sentence: string) {
  const keysByPartition = new Map<string, Set<string>>();
  for (const { pk, sk } of keys) {
    const inPartition = keysByPartition.get(pk) ?? new Set();
    if (inPartition.has(sk)) throw new ValidationException(sentence);
    keysByPartition.set(pk, inPartition.add(sk));
  }
}

/** Checks an item as DynamoDB does and returns its bytes. Throws `ValidationException`. */
export function checkItem(item: Readonly<Record<string, unknown>>): number {
  checkKey(item as unknown as ItemKey);
  const bytes = countItemBytes(item);
  if (bytes > DYNAMO.itemBytes) {
    throw new ValidationException(`Item size ${bytes} is above the maximum of ${DYNAMO.itemBytes} bytes`);
  }
  return bytes;
}

/** Throws `ValidationException` for an invalid key. */
export function checkKey({ pk, sk }: ItemKey): void {
  checkKeyPart(TABLE.partitionKey, pk, DYNAMO.partitionKeyBytes);
  checkKeyPart(TABLE.sortKey, sk, DYNAMO.sortKeyBytes);
}

function checkKeyPart(name: string, value: unknown, most: number) {
  if (typeof value !== "string") throw new ValidationException(`The key ${name} has to be a string`);
  if (value === "") throw new ValidationException(`The key ${name} may not be an empty string`);
  // A UTF-16 unit has at most three bytes in UTF-8.
  if (value.length * 3 > most && Buffer.byteLength(value) > most) {
    throw new ValidationException(`The key ${name} is longer than ${most} bytes`);
  }
  if (!value.isWellFormed()) throw createHalfPairError();
}

/** Error of a request that DynamoDB rejects, named as in the AWS SDK. */
export class ValidationException extends Error {
  override readonly name = "ValidationException";
}
