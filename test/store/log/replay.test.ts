import { describe, expect, test } from "vitest";
import type { AnyObject } from "../../../shared/domain/model/objects.ts";
import { toListItems } from "../../../shared/store/log/blobs.ts";
import { type LogEntry, readNewestEntries, toLogItem } from "../../../shared/store/log/log.ts";
import { readObjectsAfter, readObjectsInOrder } from "../../../shared/store/log/object-streams.ts";
import {
  applyEntry,
  LogBroken,
  loadObjectsAfter,
  type Objects,
  requireEntry,
  toSnapshotValue,
} from "../../../shared/store/log/replay.ts";
import { logKey } from "../../../shared/store/table/keys.ts";
import type { Table } from "../../../shared/store/table/table.ts";
import { createChance, seedOf } from "../../support/chance.ts";
import { freshTable } from "../../support/table.ts";
import { createWorld } from "../../support/world.ts";
import { getItem } from "../support/check-model.ts";
import { sceneDocument } from "../support/scene.ts";

const toEntry = (revision: number, more: Partial<LogEntry>): LogEntry => ({
  ...{ revision, operation: "o", time: "2026-01-01T00:00:00.000Z", channel: "http", request: "r", actions: [] },
  ...{ tags: 0, key: "m", generation: "g", state: "live", ...more },
});

describe("a past state read as a whole", () => {
  const replay = async (table: Table, id: string, revision?: number): Promise<Objects> => {
    const [newest] = await readNewestEntries(table, id, 1);
    return loadObjectsAfter(table, id, await requireEntry(table, id, revision ?? newest?.revision ?? 0));
  };

  test("is read from a log of many pages", async () => {
    const { table, run } = await createWorld();
    const { id } = await run("model/import", { content: sceneDocument("long") });
    for (let i = 0; i < 9; i++) await run("model/model_update_name", { modelRef: "key:long", name: `Name ${i}` });
    const small: Table = { ...table, query: (range) => table.query({ ...range, limit: 2 }) };
    expect(await replay(small, id, 7)).toEqual(await replay(table, id, 7));
    expect((await replay(small, id)).get("model")).toMatchObject({ name: "Name 8", revision: 10 });
  });

  test("is refused if the log has a gap or an entry that does not fit", async () => {
    const { table, run } = await createWorld();
    const { id } = await run("model/model_create", { key: "m", name: "M" });
    for (const name of ["N", "O"]) await run("model/model_update_name", { modelRef: "key:m", name });
    const second = await getItem(table, logKey(id, 2));
    await table.batchDelete([logKey(id, 2)]);
    await expect(replay(table, id)).rejects.toThrow(LogBroken);
    const [change] = second.changes as readonly object[];
    await table.batchPut([{ ...second, changes: [{ ...change, before: { name: "another" } }] }]);
    await expect(replay(table, id)).rejects.toThrow(/its name was another/);
    await table.batchPut([second]);
    expect((await replay(table, id)).get("model")).toMatchObject({ name: "O" });
  });

  test("has the changes of one commit at once: two objects may exchange their keys", () => {
    const type = (id: string, key: string): AnyObject => ({ kind: "type", id, key, revision: 1 });
    const objects: Objects = new Map([
      ["type#a", type("1", "a")],
      ["type#b", type("2", "b")],
    ]);
    const renamed = (id: string, from: string, to: string) => {
      const places = { at: `type#${to}`, from: `type#${from}`, base: 1 };
      return { does: "update", kind: "type", id, ...places, before: { key: from }, after: { id, key: to } } as const;
    };
    const swap = { ...toEntry(2, {}), changes: [renamed("1", "a", "b"), renamed("2", "b", "a")] };
    expect(applyEntry(objects, swap)).toEqual([]);
    expect([...objects].sort()).toEqual([
      ["type#a", { ...type("2", "a"), revision: 2 }],
      ["type#b", { ...type("1", "b"), revision: 2 }],
    ]);
    expect(applyEntry(objects, { ...toEntry(3, {}), changes: [{ ...renamed("1", "b", "a"), base: 2 }] })).toEqual([
      "the sort key type#a is taken",
    ]);
  });
});

// `past-properties.test.ts` compares both ways to read a past state for random histories.
describe("a past state read in order", () => {
  test("omits the objects of a deleted owner, though nothing else changed them", async () => {
    const { table, run } = await createWorld();
    const { id } = await run("model/import", { content: sceneDocument("m") });
    await run("model/entity_delete", { modelRef: "key:m", entityRef: "key:customer" });
    const { revision } = await run("model/model_update_name", { modelRef: "key:m", name: "Later" });
    const newest = await requireEntry(table, id, revision);
    const whole = toSnapshotValue((await loadObjectsAfter(table, id, newest)).values());
    const before = toSnapshotValue((await loadObjectsAfter(table, id, await requireEntry(table, id, 1))).values());
    // More than the entity itself is gone.
    expect(before.length - whole.length).toBeGreaterThan(1);
    expect(await Array.fromAsync(readObjectsInOrder(table, id, newest))).toEqual(whole);
    expect(toSnapshotValue(await Array.fromAsync(readObjectsAfter(table, id, newest)))).toEqual(whole);
  });

  test("is in order although the snapshot was not written in order, at any length", async () => {
    const table = await freshTable();
    const { next: draw } = createChance(seedOf("unsorted"));
    const toType = (_: unknown, i: number): AnyObject => ({ kind: "type", id: `i${i}`, key: `t${i}`, revision: 1 });
    const types = Array.from({ length: 45_000 }, toType);
    const shuffled = types.map((type) => ({ type, at: draw() })).sort((a, b) => a.at - b.at);
    const unsorted = shuffled.map(({ type }) => type);
    for (const item of toListItems("unsorted", unsorted)) await table.batchPut([item]);
    const at = (i: number) => ({ kind: "type", id: `i${i}`, at: `type#t${i}`, base: 1 }) as const;
    const first = toEntry(1, { snapshot: "unsorted" });
    const second = toEntry(2, {
      touched: [
        { does: "delete", ...at(7), before: { id: "i7", key: "t7" } },
        { does: "update", ...at(40_000), before: { name: null }, after: { name: "N" } },
      ],
    });
    await table.batchPut([toLogItem("m", first), toLogItem("m", second)]);
    const wanted = types
      .filter(({ id }) => id !== "i7")
      .map((type) => (type.id === "i40000" ? { ...type, name: "N", revision: 2 } : type));
    expect(await Array.fromAsync(readObjectsInOrder(table, "m", second))).toEqual(toSnapshotValue(wanted));
  });

  test("from a broken log is refused before any part of the answer", async () => {
    const table = await freshTable();
    const place = { kind: "type", id: "i", at: "type#t" } as const;
    const touched = [{ does: "update", ...place, base: 5, before: {}, after: { name: "N" } }] as const;
    const entries = [toEntry(1, { snapshot: "s" }), toEntry(2, { touched })];
    const snapshot = toListItems("s", [{ kind: "type", id: "i", key: "t", revision: 1 }]);
    await table.batchPut([...snapshot, ...entries.map((entry) => toLogItem("m", entry))]);
    await expect(readObjectsInOrder(table, "m", toEntry(2, { touched })).next()).rejects.toThrow(LogBroken);
  });
});
