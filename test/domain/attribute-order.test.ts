import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareByOrder, computeOrders, toModelContent } from "../../shared/domain/model/content.ts";
import type { AnyObject, Attribute } from "../../shared/domain/model/objects.ts";
import { toSearchRows } from "../../shared/domain/search/rows.ts";
import { seedOf } from "../support/chance.ts";

const attribute = (key: string, order: number): Attribute => ({
  ...{ kind: "attribute", id: key, key, revision: 1, owner: "e", type: "t", optional: false },
  order,
});

/** The list after a move, and how many of its attributes got another order. */
function moved(all: readonly Attribute[], from: number, to: number, next: () => number) {
  const one = all[from];
  if (!one) throw new Error(`nothing at ${from}`);
  const others = all.filter((other) => other !== one);
  const orders = computeOrders(one, others, to, next);
  const after = all.map((other) => ({ ...other, order: orders.get(other) ?? other.order })).sort(compareByOrder);
  return { wanted: others.toSpliced(to, 0, one).map(({ key }) => key), after, written: orders.size };
}

const keysOf = (all: readonly Attribute[]): readonly string[] => all.map(({ key }) => key);

const ordersBehind = (start: number) => {
  let next = start;
  return () => next++;
};

function numberAbove(value: number): number {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  bits.setBigInt64(0, bits.getBigInt64(0) + 1n);
  return bits.getFloat64(0);
}

describe("a moved attribute", () => {
  const list = [0, 1, 2, 3].map((order) => attribute(String(order), order));

  test.each([
    [3, 1, "0312"],
    [0, 3, "1230"],
    [3, 0, "3012"],
    [1, 2, "0213"],
  ])("from %i to %i is the only one with a new order number", (from, to, wanted) => {
    const result = moved(list, from, to, ordersBehind(1_000));
    expect(keysOf(result.after).join("")).toBe(wanted);
    expect(result.written).toBe(1);
  });

  test.each([
    ["two", [0, 1, numberAbove(1), 2, 3], 2],
    ["the first two", [1, numberAbove(1), 2, 3], 1],
  ])("between %s consecutive numbers renumbers as few neighbours as necessary", (_, orders, to) => {
    const tight = orders.map((order, i) => attribute(String(i), order));
    const result = moved(tight, tight.length - 1, to, ordersBehind(1_000));
    expect(keysOf(result.after)).toEqual(result.wanted);
    expect(result.written).toBe(3);
    expect(result.after.filter((one, i) => i > 0 && one.order === result.after[i - 1]?.order)).toEqual([]);
  });

  test("between the last two numbers renumbers up to the next gap", () => {
    let [value, orders] = [1, [1]];
    for (let i = 0; i < 9; i++) {
      value = numberAbove(value);
      orders = [...orders, value];
    }
    const crowd = [attribute("first", 0), ...orders.map((order, i) => attribute(`c${i}`, order)), attribute("z", 9)];
    const result = moved(crowd, crowd.length - 1, 5, ordersBehind(1_000));
    expect(keysOf(result.after)).toEqual(result.wanted);
    expect(new Set(result.after.map(({ order }) => order)).size).toBe(crowd.length);
  });

  test("has its position after any number of moves, and few others get another number", () => {
    const pattern = fc.constantFrom("anywhere", "into one gap", "behind the one before", "to the front", "to the end");
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 12 }),
        fc.constantFrom(0, 5 * 2 ** 20, 1_000_000 * 2 ** 20),
        fc.array(fc.tuple(pattern, fc.nat(), fc.nat()), { minLength: 1, maxLength: 400, size: "max" }),
        (count, base, moves) => {
          const next = ordersBehind(base + 2 ** 21);
          let all: readonly Attribute[] = Array.from({ length: count }, (_, i) => attribute(`k${i}`, base + i));
          let written = 0;
          for (const [how, a, b] of moves) {
            const last = all.length - 1;
            const places = {
              anywhere: [a % all.length, b % all.length],
              "into one gap": [last, Math.min(1, last)],
              "behind the one before": [a % all.length, Math.min(last, (a % all.length) + 1)],
              "to the front": [last, 0],
              "to the end": [0, last],
            }[how];
            const [from = 0, to = 0] = places;
            const result = moved(all, from, to, next);
            expect(keysOf(result.after)).toEqual(result.wanted);
            all = result.after;
            written += result.written;
          }
          expect(written).toBeLessThanOrEqual(1.5 * moves.length + 3);
        },
      ),
      { numRuns: 150, seed: seedOf("attribute order") },
    );
  });
});

test("a search lists attributes in declared order, for any order numbers", () => {
  const orders = [-(2 ** 40), -2.5, -2, -1e-9, 0, 1e-9, 0.5, 1, 1.5, 10, 2 ** 40, 2 ** 40 + 0.5];
  const base = { revision: 1, key: "m", name: "M" };
  const model = { ...base, kind: "model", id: "m", version: "1.0.0", authority: "system" } as const;
  const entity = { ...base, kind: "entity", id: "e", key: "e", primaryKey: [] } as const;
  const attributes = orders.map((order, i) => attribute(`k${orders.length - i}`, order));
  const content = toModelContent([model, entity, ...attributes.toReversed()] as AnyObject[]);
  if (!content) throw new Error("no model");
  const rows = toSearchRows(content).filter(({ kind }) => kind === "entityAttribute");
  expect(rows.toSorted((a, b) => (a.place < b.place ? -1 : 1)).map(({ key }) => key)).toEqual(keysOf(attributes));
});
