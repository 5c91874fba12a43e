import fc from "fast-check";
import type { ItemKey } from "../../../shared/store/table/keys.ts";
import type { Expectation, Item, Range, Write } from "../../../shared/store/table/table.ts";
import type { TableCall } from "./outcome.ts";
import { isUnaligned } from "./unaligned-numbers.ts";

/** Few keys, so that calls meet: prefixes of each other, and some whose order in UTF-8 is not that in UTF-16. */
const PARTITIONS = ["a", "a#", "é"];
const SORT_KEYS = ["k", "k0", "k1", "k1#", "k10", "l", "z~", "é", "\uffff", "😀", "\0"];

const sortKey = fc.constantFrom(...SORT_KEYS);
const key: fc.Arbitrary<ItemKey> = fc.record({ pk: fc.constantFrom(...PARTITIONS), sk: sortKey });

const text = fc.oneof(fc.string({ unit: "grapheme", maxLength: 12 }), fc.constantFrom("", "t", "u", "1"));
const number = fc
  .oneof(
    fc.constantFrom(0, -0, 1, 2, 100, 1_010, 0.5, 12.3, -7, 1e-130, 1e14),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }),
  )
  // Stores differ in the bytes of some, which shows at the edges of units alone.
  .filter((n) => n === 0 || (Math.abs(n) > 1e-130 && !isUnaligned(n)));
const bytes = fc.uint8Array({ maxLength: 20 });
const scalar = fc.oneof(text, number, fc.boolean(), fc.constant(null), bytes, fc.constant(undefined));
const name = fc.oneof(
  fc.constantFrom("n", "s", "b", "x y", "é", "#", "size"),
  text.filter((t) => t !== "" && t !== "__proto__"),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 3, depthSize: "small" }, scalar, fc.array(tie("value"), { maxLength: 3 }), tie("map")),
  map: fc.dictionary(
    name.filter((n) => n !== "constructor"),
    tie("value"),
    { maxKeys: 3, noNullPrototype: true },
  ),
}));

/** Bytes of filler: mostly none, around the edges of units, and so many that a few items fill a page. */
const filler = fc.oneof(
  { weight: 12, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.integer({ min: 900, max: 1_100 }) },
  { weight: 2, arbitrary: fc.integer({ min: 3_900, max: 4_200 }) },
  { weight: 1, arbitrary: fc.constantFrom(100_000, 200_000, 262_144, 409_000, 409_600) },
);

/** Members that rarely spoil an item, so that no store takes it. */
const spoilt = fc.oneof(
  { weight: 60, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<object>(
      { pk: "" },
      { sk: "" },
      { sk: "é".repeat(513) },
      { pk: "x".repeat(2_049) },
      { n: 1e-140 },
      { deep: JSON.parse(`${"[".repeat(33)}${"]".repeat(33)}`) },
    ),
  },
);

const item: fc.Arbitrary<Item> = fc
  .tuple(
    key,
    fc.record(
      { n: number, s: text, expiresAt: fc.oneof(fc.integer({ min: 0, max: 20 }), text), more: value },
      { requiredKeys: [] },
    ),
    filler,
    spoilt,
  )
  .map(([place, members, length, wrong]) => ({
    ...place,
    v: 1,
    ...members,
    ...(length > 0 && { f: "x".repeat(length) }),
    ...wrong,
  }));

const values = fc.record(
  { n: fc.constantFrom(0, 1, 2, 100), s: fc.constantFrom("t", "u", "1", "") },
  { requiredKeys: [] },
);
const expectation: fc.Arbitrary<Expectation> = fc.oneof(
  fc.constant({ anything: true } as const),
  fc.constant({ absent: true } as const),
  values.map((equal) => ({ equal: { v: 1, ...equal } })),
  values.map((equal) => ({ absentOrEqual: { v: 1, ...equal } })),
  fc.integer({ min: 0, max: 20 }).map((absentOrExpired) => ({ absentOrExpired })),
);

const put = fc.record({ put: item, expect: expectation });
const remove = fc.record({ delete: key, expect: expectation });
const check = fc.record({ check: key, expect: expectation.filter((one) => !("anything" in one)) });
const write: fc.Arbitrary<Write> = fc.oneof(put, remove, check);

const bound = fc.oneof(sortKey, fc.constantFrom(" ", "~"));
const range: fc.Arbitrary<Range> = fc.record(
  {
    pk: fc.constantFrom(...PARTITIONS),
    prefix: fc.constantFrom("k", "k1", "é", "\uffff", "😀"),
    from: bound,
    to: bound,
    after: sortKey,
    limit: fc.integer({ min: 1, max: 12 }),
    descending: fc.boolean(),
  },
  { requiredKeys: ["pk"] },
);

const call: fc.Arbitrary<TableCall> = fc.oneof(
  fc.record({ op: fc.constant("get"), asked: key }),
  fc.record({ op: fc.constant("query"), asked: range }),
  fc.record({ op: fc.constant("batchGet"), asked: fc.array(key, { maxLength: 8 }) }),
  fc.record({ op: fc.constant("transactGet"), asked: fc.array(key, { maxLength: 4 }) }),
  fc.record({ op: fc.constant("transactWrite"), asked: fc.array(write, { maxLength: 6 }) }),
  fc.record({ op: fc.constant("write"), asked: fc.oneof(put, remove) }),
  fc.record({ op: fc.constant("batchPut"), asked: fc.array(item, { maxLength: 8 }) }),
  fc.record({ op: fc.constant("batchDelete"), asked: fc.array(key, { maxLength: 4 }) }),
) as fc.Arbitrary<TableCall>;

export const calls: fc.Arbitrary<readonly TableCall[]> = fc.array(call, { minLength: 4, maxLength: 24, size: "max" });

export const PLACES: readonly ItemKey[] = PARTITIONS.flatMap((pk) => SORT_KEYS.map((sk) => ({ pk, sk })));
