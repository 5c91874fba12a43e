import { describe, expect, test } from "vitest";
import { Contention, type Item, Unread } from "../../shared/store/table/table.ts";
import { runtimeAt } from "../support/runtime.ts";
import { createSimulatedTable, type TableOptions } from "./support/simulated-table.ts";

const ABSENT = { absent: true } as const;
const item = (sk: string, more: object = {}): Item => ({ pk: "p", sk, v: 1, ...more });

/** A table with a clock that the test moves, and what a query of its one partition shows. */
function newTable(options: Partial<TableOptions> = {}) {
  const clock = runtimeAt("2027-03-01T12:00:00Z");
  const simulated = createSimulatedTable({ now: clock.now, ...options });
  const shown = (): readonly string[] => simulated.query({ pk: "p" }).items.map(({ sk }) => sk);
  return { clock, simulated, shown };
}

describe("a simulated table", () => {
  test("shows the previous items until then, deleted ones too, and to batches of gets like to queries", () => {
    const { clock, simulated, shown } = newTable();
    for (const sk of ["a", "b"]) simulated.write({ put: item(sk, { n: 1 }), expect: ABSENT });
    const writes = [
      { put: item("a", { n: 2 }), expect: { equal: { n: 1 } } },
      { delete: { pk: "p", sk: "b" }, expect: { equal: { n: 1 } } },
    ];
    simulated.transactWrite(writes, [10, 10]);
    expect(simulated.query({ pk: "p" }).items).toEqual([item("a", { n: 1 }), item("b", { n: 1 })]);
    expect(simulated.batchGet([{ pk: "p", sk: "a" }])).toEqual([item("a", { n: 1 })]);
    clock.advance(10);
    expect(shown()).toEqual(["a"]);
    expect(simulated.batchGet([{ pk: "p", sk: "a" }])).toEqual([item("a", { n: 2 })]);
  });

  test("accepts as many units of a partition as it has in a second, and of a batch the rest", () => {
    const { clock, simulated } = newTable({ capacity: { reads: 2, writes: 3 } });
    const items = ["a", "b", "c", "d"].map((sk) => item(sk));
    expect(simulated.batchPut(items)).toEqual([item("d")]);
    expect(() => simulated.batchPut([item("d")])).toThrow(new Contention(true));
    const other = { ...item("a"), pk: "other" };
    expect(simulated.batchPut([other])).toEqual([]);
    try {
      simulated.batchGet(items.map(({ pk, sk }) => ({ pk, sk })));
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(Unread);
      expect((error as Unread).items).toEqual(items.slice(0, 2));
      expect((error as Unread).left.map(({ sk }) => sk)).toEqual(["c", "d"]);
    }
    clock.advance(400);
    expect(simulated.batchPut([item("d")])).toEqual([]);
  });
});
