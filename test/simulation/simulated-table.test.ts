import { describe, expect, test } from "vitest";
import { readOperation } from "../../shared/store/log/log.ts";
import { logKey, summaryKey } from "../../shared/store/table/keys.ts";
import { ConditionFailed, Contended, type Item, Unread } from "../../shared/store/table/table.ts";
import { ambientAt } from "../support/ambient.ts";
import { directTable } from "./support/direct-table.ts";
import { createSimulatedTable, type TableOptions } from "./support/simulated-table.ts";
import { createTimeline } from "./support/timeline.ts";

const ABSENT = { absent: true } as const;
const item = (sk: string, more: object = {}): Item => ({ pk: "p", sk, v: 1, ...more });

/** A table with a clock that the test moves, and what a query of its one partition shows. */
function newTable(options: Partial<TableOptions> = {}) {
  const clock = ambientAt("2027-03-01T12:00:00Z");
  const simulated = createSimulatedTable({ now: clock.now, ...options });
  const shown = (): readonly string[] => simulated.query({ pk: "p" }).items.map(({ sk }) => sk);
  return { clock, simulated, shown };
}

describe("a simulated table", () => {
  test("shows the items of a transaction to queries one after the other, and to a single get at once", () => {
    const { clock, simulated, shown } = newTable();
    simulated.transactWrite(
      ["a", "b", "c"].map((sk) => ({ put: item(sk), expect: ABSENT })),
      [30, 10, 20],
    );
    expect(simulated.get({ pk: "p", sk: "a" })).toEqual(item("a"));
    const seen = [shown()];
    for (let i = 0; i < 3; i++) {
      clock.advance(10);
      seen.push(shown());
    }
    expect(seen).toEqual([[], ["b"], ["b", "c"], ["a", "b", "c"]]);
  });

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

  test("refuses every other writer, and a transaction that reads, while a transaction holds a row", () => {
    const { clock, simulated } = newTable();
    const key = { pk: "p", sk: "a" };
    simulated.transactWrite([{ put: item("a"), expect: ABSENT }], [10]);
    const attempts = [
      () => simulated.transactGet([key]),
      () => simulated.transactWrite([{ check: key, expect: { equal: { v: 1 } } }]),
      () => simulated.batchPut([item("a")]),
      () => simulated.write({ delete: key, expect: { anything: true } }),
    ];
    for (const attempt of attempts) expect(attempt).toThrow(new Contended(false));
    clock.advance(10);
    for (const attempt of attempts) expect(attempt).not.toThrow();
  });

  test("writes nothing of a transaction with a failed condition, and reports the condition", () => {
    const { simulated, shown } = newTable();
    simulated.write({ put: item("a", { n: 1 }), expect: ABSENT });
    const writes = ["b", "a"].map((sk) => ({ put: item(sk), expect: ABSENT }));
    try {
      simulated.transactWrite(writes);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(ConditionFailed);
      expect(error).toMatchObject({ failed: [false, true], found: [undefined, item("a", { n: 1 })] });
    }
    expect(shown()).toEqual(["a"]);
  });

  test("stores copies, which neither writers nor readers can change", () => {
    const { simulated } = newTable();
    const list = ["one"];
    simulated.write({ put: item("a", { list, gone: undefined }), expect: ABSENT });
    list.push("two");
    const found = simulated.get({ pk: "p", sk: "a" });
    expect(found).toStrictEqual(item("a", { list: ["one"] }));
    expect(() => (found?.list as string[]).push("two")).toThrow(TypeError);
  });

  test("accepts as many units of a partition as it has in a second, and of a batch the rest", () => {
    const { clock, simulated } = newTable({ capacity: { reads: 2, writes: 3 } });
    const items = ["a", "b", "c", "d"].map((sk) => item(sk));
    expect(simulated.batchPut(items)).toEqual([item("d")]);
    expect(() => simulated.batchPut([item("d")])).toThrow(new Contended(true));
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

test("the operation of a revision is reported once the row of its model is visible to everybody", async () => {
  const { clock, simulated } = newTable();
  const log = { ...logKey("m", 1), v: 1, operation: "mine", key: "crm" };
  const row = { ...summaryKey("crm"), v: 1 };
  simulated.transactWrite(
    [log, row].map((put) => ({ put, expect: ABSENT })),
    [0, 20],
  );
  const table = directTable(simulated);
  await expect(readOperation(table, "m", 1)).rejects.toThrow(new Contended(false));
  clock.advance(20);
  expect(await readOperation(table, "m", 1)).toBe("mine");
  expect(await readOperation(table, "m", 2)).toBeUndefined();
});

describe("a timeline", () => {
  test("executes events in the order of their times, each after its causes", async () => {
    const timeline = createTimeline(1_000);
    const order: string[] = [];
    const take = async (name: string, ticks: number): Promise<void> => {
      for (let i = 0; i < ticks; i++) await Promise.resolve();
      order.push(`${name} at ${timeline.now()}`);
    };
    timeline.at(1_020, () => void take("third", 0));
    timeline.at(1_010, () => void take("first", 50));
    timeline.at(1_010, () => void take("second", 0));
    await timeline.run(() => false);
    expect(order).toEqual(["first at 1010", "second at 1010", "third at 1020"]);
  });
});
