import { describe, expect, test } from "vitest";
import {
  checkBatchDelete,
  checkBatchGet,
  checkBatchPut,
  checkItem,
  checkRange,
  checkTransactGet,
  checkTransactGetBytes,
  checkTransactWrite,
  checkWrite,
  compareSortKeys,
  countAnsweredKeys,
  countItemBytes,
  countReadUnits,
  countWriteUnits,
  meetsExpectation,
  takePage,
  ValidationException,
} from "../../../shared/store/table/dynamo-rules.ts";
import type { Item, Write } from "../../../shared/store/table/table.ts";

const ANYTHING = { anything: true } as const;
const keys = (count: number) => Array.from({ length: count }, (_, i) => ({ pk: "p", sk: `${i}` }));
const item = (more: object = {}): Item => ({ pk: "p", sk: "s", v: 1, ...more });
const puts = (count: number, bytes = 100): Write[] =>
  keys(count).map((key) => {
    const bare = { ...key, v: 1, f: "" };
    return { put: { ...bare, f: "x".repeat(bytes - countItemBytes(bare)) }, expect: ANYTHING };
  });
const inside = (levels: number, wrap: (value: unknown) => unknown): unknown =>
  levels === 0 ? "" : wrap(inside(levels - 1, wrap));

/** Runs a check and tells whether it let the call through. */
function isTaken(check: () => unknown): boolean {
  try {
    check();
    return true;
  } catch (error) {
    if (error instanceof ValidationException) return false;
    throw error;
  }
}

// Measured on two implementations by the filler with which a write goes from one unit to two.
test.each<[unknown, number]>([
  [0, 1],
  [1, 2],
  [-1, 3],
  [12, 2],
  [123, 3],
  [1_010, 3],
  [1_001, 3],
  [100, 2],
  [1_200, 2],
  [0.1, 2],
  [0.12, 2],
  [1.5, 3],
  [12.3, 3],
  [0.0123, 3],
  [1e-100, 2],
  [0.12345678901234566, 10],
  [true, 1],
  [null, 1],
  ["äö", 4],
  ["😀", 4],
  [new Uint8Array(5), 5],
  [[], 3],
  [["a", "bc"], 8],
  [{ k: "a", kk: "bc" }, 11],
  [{ k: { k: ["a", 1] } }, 18],
  [[1, undefined, 22, 333], 13],
  [{ gone: undefined }, 3],
])("%j has %i bytes", (value, bytes) => {
  expect(countItemBytes({ a: value })).toBe(1 + bytes);
});

describe("an item", () => {
  test.each<[string, object, object]>([
    ["of 400 kB", { f: "x".repeat(409_600 - 10) }, { f: "x".repeat(409_601 - 10) }],
    ["with a partition key of 2,048 bytes", { pk: "é".repeat(1_024) }, { pk: `${"é".repeat(1_024)}x` }],
    ["with a sort key of 1,024 bytes", { sk: "é".repeat(512) }, { sk: `${"é".repeat(512)}x` }],
    ["with 31 maps in one another", { a: inside(31, (a) => ({ a })) }, { a: inside(32, (a) => ({ a })) }],
    ["with 31 lists in one another", { a: inside(31, (a) => [a]) }, { a: inside(32, (a) => [a]) }],
    ["with the largest number", { a: Number.MAX_SAFE_INTEGER }, { a: 2 ** 53 }],
    ["with the smallest number", { a: 1e-130 }, { a: 1e-131 }],
    ["with texts that are empty, and keys that are not", { a: "" }, { sk: "" }],
    ["whose key is text", { a: 1 }, { pk: 1 }],
    ["without a value", { a: undefined }, { a: Number.NaN }],
    ["with bytes", { a: new Uint8Array() }, { a: new Date(0) }],
    ["with a surrogate pair", { a: "😀" }, { a: "\ud83d" }],
    ["with a name", { constructor_: 1 }, { "": 1 }],
    ["with a map", { a: { b: 1 } }, { a: { constructor: 1 } }],
    ["with a name that the SDK keeps", { proto: 1 }, JSON.parse('{"__proto__":1}')],
    ["with null", { a: null }, { a: () => 1 }],
  ])("%s is accepted, and one more is not", (_, taken, refused) => {
    expect(isTaken(() => checkItem(item(taken)))).toBe(true);
    expect(isTaken(() => checkItem(item(refused)))).toBe(false);
  });
});

const check = (expect: Write["expect"]): Write => ({ check: { pk: "p", sk: "c" }, expect });
const MEGABYTES_4 = 4_194_304;

test.each<[string, () => unknown, () => unknown]>([
  ["100 writes in a transaction", () => checkTransactWrite(puts(100)), () => checkTransactWrite(puts(101))],
  ["one write in a transaction", () => checkTransactWrite(puts(1)), () => checkTransactWrite([])],
  [
    "different items in a transaction",
    () => checkTransactWrite([...puts(1), check({ absent: true })]),
    () => checkTransactWrite([...puts(1), { delete: { pk: "p", sk: "0" }, expect: ANYTHING }]),
  ],
  [
    "a transaction of 4 MB",
    () => checkTransactWrite([...puts(10, 400_000), ...puts(11, MEGABYTES_4 - 4_000_000).slice(10)]),
    () => checkTransactWrite([...puts(10, 400_000), ...puts(11, MEGABYTES_4 - 4_000_000 + 1).slice(10)]),
  ],
  [
    "a check with a condition",
    () => checkTransactWrite([check({ equal: { v: 1 } })]),
    () => checkTransactWrite([check(ANYTHING)]),
  ],
  [
    "a condition",
    () => checkWrite({ put: item(), expect: { absentOrEqual: { v: 1 } } }),
    () => checkWrite({ put: item(), expect: { absentOrEqual: {} } }),
  ],
  [
    "a time",
    () => checkWrite({ put: item(), expect: { absentOrExpired: 0 } }),
    () => checkWrite({ put: item(), expect: { absentOrExpired: Number.NaN } }),
  ],
  ["100 reads in a transaction", () => checkTransactGet(keys(100)), () => checkTransactGet(keys(101))],
  ["4 MB read in one", () => checkTransactGetBytes(MEGABYTES_4), () => checkTransactGetBytes(MEGABYTES_4 + 1)],
  ["100 keys in a batch", () => checkBatchGet(keys(100)), () => checkBatchGet(keys(101))],
  ["each key once", () => checkBatchGet(keys(2)), () => checkBatchGet([...keys(1), ...keys(1)])],
  [
    "25 items in a batch",
    () => checkBatchPut(keys(25).map((key) => ({ ...key, v: 1 }))),
    () => checkBatchPut(keys(26).map((key) => ({ ...key, v: 1 }))),
  ],
  ["25 deletes in a batch", () => checkBatchDelete(keys(25)), () => checkBatchDelete(keys(26))],
  ["a limit", () => checkRange({ pk: "p", limit: 1 }), () => checkRange({ pk: "p", limit: 0 })],
  ["a whole limit", () => checkRange({ pk: "p", limit: 2 }), () => checkRange({ pk: "p", limit: 1.5 })],
  ["a prefix", () => checkRange({ pk: "p", prefix: "a" }), () => checkRange({ pk: "p", prefix: "" })],
  [
    "bounds in order",
    () => checkRange({ pk: "p", from: "\uffff", to: "😀" }),
    () => checkRange({ pk: "p", from: "😀", to: "\uffff" }),
  ],
  [
    "a start inside the bounds",
    () => checkRange({ pk: "p", from: "b", after: "b" }),
    () => checkRange({ pk: "p", from: "b", after: "a" }),
  ],
  [
    "a start inside the prefix",
    () => checkRange({ pk: "p", prefix: "b", after: "bx" }),
    () => checkRange({ pk: "p", prefix: "b", after: "c" }),
  ],
])("%s: accepted, and one more is not", (_, taken, refused) => {
  expect(isTaken(taken)).toBe(true);
  expect(isTaken(refused)).toBe(false);
});

test.each<[Write["expect"], object | undefined, boolean]>([
  [ANYTHING, undefined, true],
  [{ absent: true }, undefined, true],
  [{ absent: true }, {}, false],
  [{ equal: { n: 5, s: "t" } }, { n: 5, s: "t" }, true],
  [{ equal: { n: 5 } }, { n: "5" }, false],
  [{ equal: { n: 5 } }, {}, false],
  [{ equal: { n: 5 } }, undefined, false],
  [{ equal: { toString: "x" } }, {}, false],
  [{ absentOrEqual: { n: 5 } }, undefined, true],
  [{ absentOrEqual: { n: 5 } }, { n: 6 }, false],
  [{ absentOrExpired: 100 }, undefined, true],
  [{ absentOrExpired: 100 }, { expiresAt: 100 }, false],
  [{ absentOrExpired: 101 }, { expiresAt: 100 }, true],
  [{ absentOrExpired: 101 }, { expiresAt: "1" }, false],
  [{ absentOrExpired: 101 }, {}, false],
])("the expectation %j of %j: %s", (expected, found, met) => {
  expect(meetsExpectation(expected, found && item(found))).toBe(met);
});

test("sort keys are in the order of UTF-8, not of UTF-16", () => {
  const texts = [
    "k",
    "k\0",
    "k0",
    "z~",
    "é",
    "éa",
    "\ud7ff",
    "\ue000",
    "\uffff",
    "\uffff😀",
    "😀",
    "😀\uffff",
    "\u{10ffff}",
  ];
  const byBytes = texts.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  expect(texts.toReversed().sort(compareSortKeys)).toEqual(byBytes);
  expect(byBytes).not.toEqual(texts.toSorted());
  expect(compareSortKeys("é", "é")).toBe(0);
});

test("units are started kilobytes, and an absent item costs one", () => {
  expect([0, 1, 4_096, 4_097].map(countReadUnits)).toEqual([1, 1, 1, 2]);
  expect([
    countWriteUnits(0, 0),
    countWriteUnits(0, 1_024),
    countWriteUnits(1_025, 1),
    countWriteUnits(1, 2_049),
  ]).toEqual([1, 1, 2, 3]);
  // 42 items of 399 kB are the most that fit an answer of 16 MB.
  expect([42, 43, 60].map((count) => countAnsweredKeys(Array(count).fill(399_000)))).toEqual([42, 42, 42]);
});

test("a page ends before the item that would make it larger than a megabyte, and at a limit", () => {
  const rows = Array.from({ length: 5 }, () => 262_144);
  const bytesOf = (bytes: number) => bytes;
  expect(takePage(rows, bytesOf)).toEqual({ rows: rows.slice(0, 4), bytes: 1_048_576, more: true });
  expect(takePage(rows.slice(0, 4), bytesOf)).toMatchObject({ more: false });
  expect(takePage(rows.slice(0, 2), bytesOf, 2)).toEqual({ rows: rows.slice(0, 2), bytes: 524_288, more: true });
  expect(takePage(rows.slice(0, 2), bytesOf, 3)).toMatchObject({ more: false });
  expect(takePage([], bytesOf, 1)).toEqual({ rows: [], bytes: 0, more: false });
});
