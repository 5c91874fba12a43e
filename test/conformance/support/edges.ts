import { countItemBytes } from "../../../shared/store/table/dynamo-rules.ts";
import type { Item, Range, Write } from "../../../shared/store/table/table.ts";
import type { TableCall } from "./outcome.ts";

const ANYTHING = { anything: true } as const;
const place = (sk: string) => ({ pk: "a", sk });
const sk = (i: number) => `k${String(i).padStart(2, "0")}`;
const item = (key: string, more: object = {}): Item => ({ ...place(key), v: 1, ...more });
const put = (one: Item): TableCall => ({ op: "write", asked: { put: one, expect: ANYTHING } });
const query = (range: Partial<Range>): TableCall => ({ op: "query", asked: { pk: "a", ...range } });
const transact = (...asked: readonly Write[]): TableCall => ({ op: "transactWrite", asked });
/** An item of exactly so many bytes. */
const sized = (key: string, bytes: number): Item =>
  item(key, { f: "x".repeat(bytes - countItemBytes(item(key, { f: "" }))) });
/** Items of so many bytes each, a batch of them at a time. */
const many = (count: number, bytes: number): readonly TableCall[] => {
  const all = Array.from({ length: count }, (_, i) => sized(sk(i), bytes));
  return Array.from({ length: Math.ceil(count / 20) }, (_, i) => ({
    op: "batchPut",
    asked: all.slice(i * 20, i * 20 + 20),
  }));
};
const keys = (count: number) => Array.from({ length: count }, (_, i) => place(sk(i)));
const MEGABYTES_4 = 4 * 1024 * 1024;
const inside = (levels: number, wrap: (value: unknown) => unknown): unknown =>
  levels === 0 ? "" : wrap(inside(levels - 1, wrap));

/** Sequences at the edges of DynamoDB's limits, by what they are about; each begins with an empty table. */
export const EDGES: Readonly<Record<string, readonly TableCall[]>> = {
  "an item of 400 kB, and one byte more": [put(sized("k", 409_600)), put(sized("k", 409_601)), query({})],
  "a whole kilobyte costs one unit": [put(sized("k", 1_024)), put(sized("k", 1_025)), put(sized("k", 1_024))],
  "four kilobytes are read for one unit": [
    put(sized("k", 4_096)),
    put(sized("l", 4_097)),
    { op: "get", asked: place("k") },
    { op: "get", asked: place("l") },
    { op: "transactGet", asked: [place("k"), place("l")] },
    { op: "batchGet", asked: [place("k"), place("l"), place("m")] },
    query({}),
    { op: "batchDelete", asked: [place("k"), place("m")] },
  ],
  "a transaction pays for what was there, and a check for what is": [
    put(sized("k", 5_000)),
    transact({ check: place("k"), expect: { equal: { v: 1 } } }),
    transact({ put: item("k"), expect: ANYTHING }, { delete: place("l"), expect: ANYTHING }),
    transact({ put: sized("k", 3_000), expect: { equal: { v: 1 } } }),
    transact({ delete: place("k"), expect: { equal: { v: 1 } } }),
  ],
  "an item in the place of its key": [
    put(item("k", { f: 1 })),
    { op: "get", asked: item("k") },
    { op: "batchGet", asked: [item("k"), item("l")] },
    { op: "transactGet", asked: [item("k"), item("l")] },
    transact({ check: item("k"), expect: { equal: { v: 1 } } }),
    transact({ delete: item("k"), expect: ANYTHING }),
    { op: "write", asked: { delete: item("l"), expect: ANYTHING } },
    { op: "batchDelete", asked: [item("k")] },
  ],
  "keys that are empty or too long": ["", "é".repeat(513), `${"é".repeat(512)}`].flatMap((key): TableCall[] => [
    put(item(key)),
    { op: "get", asked: place(key) },
    { op: "batchGet", asked: [place(key)] },
    { op: "batchDelete", asked: [place(key)] },
    { op: "transactGet", asked: [place(key)] },
    transact({ put: item(key), expect: ANYTHING }),
    query({ prefix: key }),
    query({ from: key }),
    query({ pk: key }),
  ]),
  "partition keys": [
    put({ ...item("k"), pk: "" }),
    put({ ...item("k"), pk: "x".repeat(2_048) }),
    put({ ...item("k"), pk: "x".repeat(2_049) }),
    query({ pk: "x".repeat(2_049) }),
    { op: "batchDelete", asked: [{ pk: "x".repeat(2_048), sk: "k" }] },
  ],
  "sort keys whose order in UTF-8 is not that in UTF-16": [
    { op: "batchPut", asked: ["😀", "\uffff", "\uffff😀", "é", "k"].map((key) => item(key)) },
    ...[{}, { descending: true }, { prefix: "\uffff" }, { from: "é", to: "\uffff" }, { after: "\uffff😀" }].map(query),
    { op: "batchDelete", asked: ["😀", "\uffff", "\uffff😀", "é", "k"].map(place) },
  ],
  numbers: [0, -0, 1e-130, 1e-131, 5e-324, Number.MAX_SAFE_INTEGER, -123.456, 0.1].flatMap((n): TableCall[] => [
    put(item("k", { n })),
    { op: "get", asked: place("k") },
  ]),
  "numbers whose digits lie askew": [0.015, 120, 4.4e-94].flatMap((n): TableCall[] => {
    const bare = sized("k", 1_024 - "n".length - 2);
    return [put({ ...bare, n }), put({ ...bare, sk: "l", n: 0.15 })];
  }),
  "names and texts": [
    put(item("k", { "": 1 })),
    put(item("k", { s: "a\ud800" })),
    put(
      item("k", { s: "", b: new Uint8Array(), list: [], map: {}, gone: undefined, holes: [1, undefined, [undefined]] }),
    ),
    { op: "get", asked: place("k") },
  ],
  "levels inside one another": [31, 32].flatMap((levels): TableCall[] => [
    put(item("k", { a: inside(levels, (a) => ({ a })) })),
    put(item("k", { a: inside(levels, (a) => [a]) })),
    transact(
      { put: item("k", { a: inside(levels, (a) => [a]) }), expect: ANYTHING },
      { check: place("l"), expect: { equal: { v: 1 } } },
    ),
  ]),
  conditions: [
    put(item("k", { n: 5, s: "t", expiresAt: 10 })),
    ...[
      { absent: true } as const,
      { equal: { n: 5, s: "t" } },
      { equal: { n: "5" } },
      { equal: { s: "" } },
      { equal: { other: 1 } },
      { equal: { toString: "x" } },
      { equal: {} },
      { absentOrEqual: {} },
      { absentOrEqual: { n: 6 } },
      { absentOrExpired: 10 },
      { absentOrExpired: 11 },
    ].flatMap((expect): TableCall[] => [
      { op: "write", asked: { put: item("k", { n: 5, s: "t", expiresAt: 10 }), expect } },
      transact({ put: item("l"), expect: ANYTHING }, { check: place("k"), expect }),
      { op: "write", asked: { put: item("absent"), expect } },
      { op: "batchDelete", asked: [place("absent"), place("l")] },
    ]),
    transact({ check: place("k"), expect: ANYTHING }),
    { op: "write", asked: { put: item("k", { expiresAt: "9" }), expect: { absentOrExpired: 11 } } },
    { op: "write", asked: { put: item("k"), expect: { absentOrExpired: 11 } } },
  ],
  "a refused transaction tells what is in the way": [
    put(item("k", { n: 1, b: new Uint8Array([1, 2, 3]) })),
    transact(
      { put: item("l"), expect: { equal: { v: 1 } } },
      { put: item("m"), expect: { absent: true } },
      { delete: place("k"), expect: { equal: { n: 2 } } },
    ),
    query({}),
  ],
  "how many fit a transaction or a batch": [
    { op: "transactWrite", asked: [] },
    ...[100, 101].map((count) => transact(...keys(count).map((key) => ({ put: { ...key, v: 1 }, expect: ANYTHING })))),
    { op: "transactGet", asked: [] },
    { op: "transactGet", asked: keys(100) },
    { op: "transactGet", asked: keys(101) },
    { op: "batchGet", asked: keys(100) },
    { op: "batchGet", asked: keys(101) },
    ...[0, 25, 26].map((count): TableCall => ({ op: "batchPut", asked: keys(count).map((key) => ({ ...key, v: 1 })) })),
    ...[0, 25, 26].map((count): TableCall => ({ op: "batchDelete", asked: keys(count) })),
    ...[1, 2, 3].map((i): TableCall => ({ op: "batchDelete", asked: keys(100).slice(i * 25, i * 25 + 25) })),
  ],
  "one item twice": [
    { op: "transactGet", asked: [place("k"), place("k")] },
    { op: "batchGet", asked: [place("k"), place("k")] },
    { op: "batchPut", asked: [item("k"), item("k")] },
    { op: "batchDelete", asked: [place("k"), place("k")] },
    transact({ put: item("k"), expect: ANYTHING }, { delete: place("k"), expect: ANYTHING }),
    transact({ put: item("k"), expect: ANYTHING }, { check: place("k"), expect: { equal: { v: 1 } } }),
  ],
  "four megabytes in a transaction, and one byte more": [0, 1].flatMap((more): TableCall[] => [
    transact(...Array.from({ length: 10 }, (_, i) => ({ put: sized(sk(i), 400_000), expect: ANYTHING })), {
      put: sized("k10", MEGABYTES_4 - 4_000_000 + more),
      expect: ANYTHING,
    }),
    { op: "batchDelete", asked: keys(11) },
  ]),
  "four megabytes read in a transaction": [
    ...many(11, 400_000),
    { op: "transactGet", asked: keys(10) },
    { op: "transactGet", asked: keys(11) },
    { op: "batchDelete", asked: keys(11) },
  ],
  "sixteen megabytes in a batch of reads": [
    ...many(60, 399_000),
    { op: "batchGet", asked: keys(42) },
    { op: "batchGet", asked: keys(60) },
    ...[0, 1, 2].map((i): TableCall => ({ op: "batchDelete", asked: keys(60).slice(i * 20, i * 20 + 20) })),
  ],
  "pages of a megabyte": [
    ...many(12, 104_857),
    query({}),
    query({ after: sk(9) }),
    query({ descending: true }),
    query({ limit: 3 }),
    ...many(12, 104_858),
    query({}),
    ...many(6, 262_144),
    query({ limit: 4 }),
    query({ to: sk(3) }),
    query({ limit: 5 }),
    { op: "batchDelete", asked: keys(12) },
  ],
  ranges: [
    { op: "batchPut", asked: keys(10).map((key) => ({ ...key, v: 1 })) },
    query({ limit: 10 }),
    query({ limit: 9 }),
    query({ from: sk(3), to: sk(6), descending: true, after: sk(5), limit: 2 }),
    query({ from: sk(3), to: sk(6), after: sk(6) }),
    query({ from: sk(3), to: sk(6), descending: true, after: sk(3) }),
    query({ from: sk(6), to: sk(3) }),
    query({ from: sk(3), to: sk(3) }),
    query({ from: sk(3), after: sk(2) }),
    query({ prefix: "k0", after: "a" }),
    query({ prefix: "k0", after: "k0" }),
    query({ after: "é".repeat(513) }),
    query({ limit: 0 }),
    query({ limit: -1 }),
    { op: "batchDelete", asked: keys(10) },
  ],
};
