import type { ItemKey } from "../keys.ts";
import type { Expectation, Item, Range, Write } from "../table.ts";
import { TABLE } from "../table-schema.ts";
import { checkItem, checkKey, checkKeyPart, checkValue } from "./check-item.ts";
import { keyBytes } from "./item-bytes.ts";
import { DYNAMO } from "./limits.ts";
import { type Bounds, boundsOf, compareSortKeys } from "./sort-keys.ts";
import { ValidationException } from "./validation-exception.ts";

/** The bytes of the item that a single write leaves; `ValidationException` for a write that DynamoDB does not take. */
export function checkWrite(write: Write): number {
  if ("check" in write) throw new Error("a check stands only in a transaction");
  return checkAnyWrite(write);
}

/** The bytes of the items that the writes of a transaction leave; `ValidationException` for one that DynamoDB does not take. */
export function checkTransactWrite(writes: readonly Write[]): readonly number[] {
  checkCount(writes.length, DYNAMO.transactionItems, "operations of a transaction");
  checkDistinct(writes.map(keyOf), "A transaction cannot include multiple operations on one item");
  const sizes = writes.map(checkAnyWrite);
  const all = writes.reduce((sum, write, i) => sum + ("put" in write ? (sizes[i] ?? 0) : keyBytes(keyOf(write))), 0);
  if (all > DYNAMO.transactionBytes) {
    throw new ValidationException(`A transaction of ${all} bytes is above the limit of ${DYNAMO.transactionBytes}`);
  }
  return sizes;
}

/** `ValidationException` for keys that one transaction cannot read. */
export function checkTransactGet(keys: readonly ItemKey[]): void {
  checkCount(keys.length, DYNAMO.transactionItems, "operations of a transaction");
  checkKeys(keys, "A transaction cannot include multiple operations on one item");
}

/** `ValidationException` for items that together are more than one transaction reads. */
export function checkTransactGetBytes(bytes: number): void {
  if (bytes <= DYNAMO.transactionBytes) return;
  throw new ValidationException(`A transaction that reads ${bytes} bytes is above ${DYNAMO.transactionBytes}`);
}

/** `ValidationException` for keys that one batch of reads cannot ask for. */
export function checkBatchGet(keys: readonly ItemKey[]): void {
  checkCount(keys.length, DYNAMO.batchGetKeys, "keys of a batch");
  checkKeys(keys, "The keys of a batch contain duplicates");
}

/** The bytes of each item; `ValidationException` for items that one batch of writes does not take. */
export function checkBatchPut(items: readonly Item[]): readonly number[] {
  checkCount(items.length, DYNAMO.batchWriteItems, "items of a batch");
  checkDistinct(items, "The keys of a batch contain duplicates");
  return items.map(checkItem);
}

/** `ValidationException` for keys that one batch of deletes does not take. */
export function checkBatchDelete(keys: readonly ItemKey[]): void {
  checkCount(keys.length, DYNAMO.batchWriteItems, "items of a batch");
  checkKeys(keys, "The keys of a batch contain duplicates");
}

/** `ValidationException` for a range that no Query takes, such as one that begins after its end. */
export function checkRange(range: Range): void {
  const { pk, prefix, from, to, after, limit } = range;
  checkKeyPart(TABLE.partitionKey, pk, DYNAMO.partitionKeyBytes);
  for (const part of [prefix, from, to, after]) {
    if (part !== undefined) checkKeyPart(TABLE.sortKey, part, DYNAMO.sortKeyBytes);
  }
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 1)) {
    throw new ValidationException(`A limit of ${limit} is no whole number above 0`);
  }
  const bounds = boundsOf(range);
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
  checkKey(keyOf(write));
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
    if (one === undefined) throw new ValidationException("A condition compares with a value that is not there");
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

function keyOf(write: Write): ItemKey {
  return "put" in write ? write.put : "delete" in write ? write.delete : write.check;
}
