import type { ItemKey } from "./keys.ts";
import type { Expectation, Item, Range } from "./table.ts";
import { TABLE } from "./table-schema.ts";

/** The limits of DynamoDB itself, as AWS documents them. Those the service keeps, which lie below, are in `LIMITS`. */
export const DYNAMO = {
  partitionKeyBytes: 2_048,
  sortKeyBytes: 1_024,
  attributeNameBytes: 65_535,
  itemBytes: 400 * 1_024,
  /** Lists and maps inside one another, the attribute itself included. */
  nesting: 32,
  /** Significant digits of a number. */
  digits: 38,
  /** Exponents a number other than 0 may have in scientific notation. */
  leastExponent: -130,
  mostExponent: 125,
  transactionItems: 100,
  transactionBytes: 4 * 1_024 * 1_024,
  batchGetKeys: 100,
  /** Most bytes of one answer of BatchGetItem; the keys left over are asked for again. */
  batchGetBytes: 16 * 1_024 * 1_024,
  batchWriteItems: 25,
  /** Most bytes that one Query reads. */
  pageBytes: 1_024 * 1_024,
  /** Bytes that a read unit and a write unit pay for. */
  readUnitBytes: 4_096,
  writeUnitBytes: 1_024,
} as const;

/** Factor between the units of a call in a transaction and those of the call alone. */
export const TRANSACTION_FACTOR = 2;

/** Read units of a strongly consistent read: of one item, or of all that one Query read. An absent item costs one. */
export function countReadUnits(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / DYNAMO.readUnitBytes));
}

/**
 * Write units of a write to one item, by its bytes before and after it, 0 where there is none: the larger counts. A check,
 * and a write whose condition fails, cost what the item there costs; DynamoDB does not tell the latter.
 */
export function countWriteUnits(before: number, after: number): number {
  return Math.max(1, Math.ceil(Math.max(before, after) / DYNAMO.writeUnitBytes));
}

/**
 * Number of keys of a batch of reads that are answered: those before the item that would make the answer larger than 16
 * MB. `bytesOfEach` has the bytes of each item asked for, 0 where there is none.
 */
export function countAnsweredKeys(bytesOfEach: readonly number[]): number {
  let bytes = 0;
  const last = bytesOfEach.findIndex((one) => {
    bytes += one;
    return bytes > DYNAMO.batchGetBytes;
  });
  return last < 0 ? bytesOfEach.length : last;
}

/** The page of one Query over the rows in its range. */
interface TakenPage<T> {
  readonly rows: readonly T[];
  /** Bytes of the rows that were read. */
  readonly bytes: number;
  /** True where the page ended before the range did, or exactly at `limit` rows: DynamoDB does not look further. */
  readonly more: boolean;
}

/** The first page of `rows`: as many as fit a megabyte, and at most `limit`. It asks for one row more than it takes. */
export function takePage<T>(rows: Iterable<T>, bytesOf: (row: T) => number, limit?: number): TakenPage<T> {
  const taken: T[] = [];
  let bytes = 0;
  for (const row of rows) {
    const one = bytesOf(row);
    if (bytes + one > DYNAMO.pageBytes) return { rows: taken, bytes, more: true };
    taken.push(row);
    bytes += one;
    if (taken.length === limit) return { rows: taken, bytes, more: true };
  }
  return { rows: taken, bytes, more: false };
}

/**
 * Bytes DynamoDB counts for an item: names and values in UTF-8, a little for every list and map, and two digits of a
 * number in a byte. Members that are `undefined` are not stored and count nothing.
 */
export function countItemBytes(item: Readonly<Record<string, unknown>>): number {
  let bytes = 0;
  for (const name in item) {
    const value = item[name];
    if (value !== undefined) bytes += Buffer.byteLength(name) + countValueBytes(value);
  }
  return bytes;
}

/** Bytes DynamoDB counts for a key where no item comes with it. */
export function countKeyBytes({ pk, sk }: ItemKey): number {
  return "pk".length + Buffer.byteLength(pk) + "sk".length + Buffer.byteLength(sk);
}

const CONTAINER_BYTES = 3;
const MEMBER_BYTES = 1;

function countValueBytes(value: unknown): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  if (typeof value === "number") return countNumberBytes(value);
  if (value === null || typeof value === "boolean") return 1;
  if (value instanceof Uint8Array) return value.byteLength;
  let bytes = CONTAINER_BYTES;
  if (Array.isArray(value)) {
    for (const one of value) if (one !== undefined) bytes += MEMBER_BYTES + countValueBytes(one);
    return bytes;
  }
  const members = value as Readonly<Record<string, unknown>>;
  for (const name in members) {
    const one = members[name];
    if (one !== undefined) bytes += MEMBER_BYTES + Buffer.byteLength(name) + countValueBytes(one);
  }
  return bytes;
}

/** Bytes of a number: one for two digits, in pairs on both sides of the point; one for the exponent, and one for a minus sign. */
function countNumberBytes(value: number): number {
  if (value === 0) return 1;
  const sign = value < 0 ? 1 : 0;
  const [digits = "", exponent] = Math.abs(value).toExponential().split("e");
  const count = digits.length === 1 ? 1 : digits.length - 1;
  // With an even exponent the first digit has a pair of its own.
  const pairs = Number(exponent) % 2 === 0 ? 1 + Math.ceil((count - 1) / 2) : Math.ceil(count / 2);
  return sign + pairs + 1;
}

/** The first and the last sort key of a range, both included. */
export interface Bounds {
  readonly from: string;
  readonly to: string;
}

/**
 * The bounds a range names, undefined where it names a prefix or none. One without `from` begins with the lowest sort key
 * of ours, one without `to` ends with the highest.
 */
export function getBounds({ prefix, from, to }: Pick<Range, "prefix" | "from" | "to">): Bounds | undefined {
  if (prefix !== undefined || (from === undefined && to === undefined)) return undefined;
  return { from: from ?? " ", to: to ?? "~" };
}

/** The order of sort keys, which is that of the bytes of their UTF-8: below 0 where `a` comes first. */
export function compareSortKeys(a: string, b: string): number {
  const both = Math.min(a.length, b.length);
  for (let i = 0; i < both; i++) {
    const order = rankUnit(a.charCodeAt(i)) - rankUnit(b.charCodeAt(i));
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** The rank of a UTF-16 unit in the order of UTF-8, where characters of two halves come after all others. */
function rankUnit(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x2800 : unit;
}

/** True where `found`, the item in the table, is as a write expects it; expired items are still there. */
export function meetsExpectation(expected: Expectation, found: Item | undefined): boolean {
  if ("anything" in expected) return true;
  if ("absent" in expected) return found === undefined;
  if ("equal" in expected) return found !== undefined && hasAll(found, expected.equal);
  if (found === undefined) return true;
  if ("absentOrEqual" in expected) return hasAll(found, expected.absentOrEqual);
  const expires = found[TABLE.timeToLive];
  // Values of different types are never in an order.
  return typeof expires === "number" && expires < expected.absentOrExpired;
}

function hasAll(item: Item, values: Readonly<Record<string, string | number>>): boolean {
  return Object.entries(values).every(([name, value]) => Object.hasOwn(item, name) && item[name] === value);
}
