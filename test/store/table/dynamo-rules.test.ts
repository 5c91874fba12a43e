import { expect, test } from "vitest";
import {
  checkBatchGet,
  checkItem,
  checkRange,
  checkTransactGetBytes,
  checkWrite,
  countItemBytes,
  ValidationException,
} from "../../../shared/store/table/dynamo-rules.ts";
import type { Item } from "../../../shared/store/table/table.ts";

// `test/conformance` compares the rules of limits, conditions, pages and units with those of DynamoDB's implementations.

const item = (more: object = {}): Item => ({ pk: "p", sk: "s", v: 1, ...more });

function isTaken(check: () => unknown) {
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
])("%j has %i bytes", (value, bytes) => expect(countItemBytes({ a: value })).toBe(1 + bytes));

test.each<[string, object, object]>([
  ["with the largest number", { a: Number.MAX_SAFE_INTEGER }, { a: 2 ** 53 }],
  ["whose key is text", { a: 1 }, { pk: 1 }],
  ["without a value", { a: undefined }, { a: Number.NaN }],
  ["with bytes", { a: new Uint8Array() }, { a: new Date(0) }],
  ["with a map", { a: { b: 1 } }, { a: { constructor: 1 } }],
  ["with a name that the SDK keeps", { proto: 1 }, JSON.parse('{"__proto__":1}')],
  ["with null", { a: null }, { a: () => 1 }],
])("an item %s is accepted, and one more is not", (_, taken, refused) => {
  expect(isTaken(() => checkItem(item(taken)))).toBe(true);
  expect(isTaken(() => checkItem(item(refused)))).toBe(false);
});

test.each<[string, () => unknown, () => unknown]>([
  [
    "a time",
    () => checkWrite({ put: item(), expect: { absentOrExpired: 0 } }),
    () => checkWrite({ put: item(), expect: { absentOrExpired: Number.NaN } }),
  ],
  ["4 MB read in one", () => checkTransactGetBytes(4_194_304), () => checkTransactGetBytes(4_194_305)],
  ["a key", () => checkBatchGet([{ pk: "p", sk: "0" }]), () => checkBatchGet([])],
  ["a whole limit", () => checkRange({ pk: "p", limit: 2 }), () => checkRange({ pk: "p", limit: 1.5 })],
  [
    "bounds in order",
    () => checkRange({ pk: "p", from: "\uffff", to: "😀" }),
    () => checkRange({ pk: "p", from: "😀", to: "\uffff" }),
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
