import type { ItemKey } from "./keys.ts";
import type { Expectation, Item, Range } from "./table.ts";
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

/**
 * Counts the read units of a strongly consistent read of one item, or of all items of one Query. An absent item costs
 * one.
 */
export function countReadUnits(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / DYNAMO.readUnitBytes));
}

/**
 * Counts the write units of one write. The larger of the item's bytes before and after counts; 0 means no item. A check
 * and a failed condition cost what the existing item costs.
 */
export function countWriteUnits(before: number, after: number): number {
  return Math.max(1, Math.ceil(Math.max(before, after) / DYNAMO.writeUnitBytes));
}

/**
 * Counts the keys that one batch of reads answers: those before the answer exceeds 16 MB. `bytesOfEach` has the bytes
 * of each requested item, 0 for an absent one.
 */
export function countAnsweredKeys(bytesOfEach: readonly number[]): number {
  let bytes = 0;
  const last = bytesOfEach.findIndex((one) => {
    bytes += one;
    return bytes > DYNAMO.batchGetBytes;
  });
  return last < 0 ? bytesOfEach.length : last;
}

/** One page of a Query. */
interface TakenPage<T> {
  readonly rows: readonly T[];
  /** Bytes of the rows that were read. */
  readonly bytes: number;
  /**
   * True if the page ended before the range did, or exactly at `limit` rows: DynamoDB does not check for another row.
   */
  readonly more: boolean;
}

/** Takes the first page of `rows`: at most a megabyte and at most `limit` rows. Reads one row more than it returns. */
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
 * Counts the bytes of an item as DynamoDB does: names and values in UTF-8, an overhead for lists and maps, two digits
 * of a number per byte. Members that are `undefined` are not stored.
 */
export function countItemBytes(item: Readonly<Record<string, unknown>>): number {
  const known = itemBytes.get(item);
  if (known !== undefined) return known;
  const bytes = countMembersBytes(item, 0);
  itemBytes.set(item, bytes);
  return bytes;
}

/** Bytes of counted items. An item does not change any more, and one commit counts it several times. */
const itemBytes = new WeakMap<Readonly<Record<string, unknown>>, number>();

/** Counts the bytes of members with their names, and `perMember` bytes more for each of them. */
function countMembersBytes(members: Readonly<Record<string, unknown>>, perMember: number): number {
  let bytes = 0;
  for (const name in members) {
    const value = members[name];
    if (value === undefined) continue;
    bytes += perMember + Buffer.byteLength(name);
    bytes += typeof value === "string" ? Buffer.byteLength(value) : countValueBytes(value);
  }
  return bytes;
}

/** Counts the bytes of a key without an item. */
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
  return bytes + countMembersBytes(value as Readonly<Record<string, unknown>>, MEMBER_BYTES);
}

/**
 * Counts the bytes of a number: one for each pair of digits on both sides of the point, one for the exponent, one for a
 * minus sign.
 */
function countNumberBytes(value: number): number {
  if (value === 0) return 1;
  const sign = value < 0 ? 1 : 0;
  const [digits = "", exponent] = Math.abs(value).toExponential().split("e");
  const count = digits.length === 1 ? 1 : digits.length - 1;
  // With an even exponent the first digit forms a pair alone.
  const pairs = Number(exponent) % 2 === 0 ? 1 + Math.ceil((count - 1) / 2) : Math.ceil(count / 2);
  return sign + pairs + 1;
}

/** First and last sort key of a range, both included. */
export interface Bounds {
  readonly from: string;
  readonly to: string;
}

/**
 * Returns the bounds of a range; undefined for a range with a prefix or without bounds. An absent `from` or `to`
 * becomes the lowest or highest sort key of the service.
 */
export function getBounds({ prefix, from, to }: Pick<Range, "prefix" | "from" | "to">): Bounds | undefined {
  if (prefix !== undefined || (from === undefined && to === undefined)) return undefined;
  return { from: from ?? " ", to: to ?? "~" };
}

/** Compares sort keys by their UTF-8 bytes. Returns a negative number if `a` comes first. */
export function compareSortKeys(a: string, b: string): number {
  const both = Math.min(a.length, b.length);
  for (let i = 0; i < both; i++) {
    const order = rankUnit(a.charCodeAt(i)) - rankUnit(b.charCodeAt(i));
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Ranks a UTF-16 unit in UTF-8 order: surrogate pairs come after all other characters. */
function rankUnit(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x2800 : unit;
}

/** Returns true if the stored item meets the expectation of a write. Expired items still count as stored. */
export function meetsExpectation(expected: Expectation, found: Item | undefined): boolean {
  if ("anything" in expected) return true;
  if ("absent" in expected) return found === undefined;
  if ("equal" in expected) return found !== undefined && hasAll(found, expected.equal);
  if (found === undefined) return true;
  if ("absentOrEqual" in expected) return hasAll(found, expected.absentOrEqual);
  const expires = found[TABLE.timeToLive];
  // DynamoDB does not order values of different types.
  return typeof expires === "number" && expires < expected.absentOrExpired;
}

function hasAll(item: Item, values: Readonly<Record<string, string | number>>): boolean {
  return Object.entries(values).every(([name, value]) => Object.hasOwn(item, name) && item[name] === value);
}
