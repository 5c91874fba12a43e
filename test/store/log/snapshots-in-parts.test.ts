import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LIMITS } from "../../../shared/domain/limits.ts";
import type { AnyObject } from "../../../shared/domain/model/objects.ts";
import { ListBlob, readList, toBlobItems, toListItems } from "../../../shared/store/log/blobs.ts";
import { type LogEntry, toLogEntry, toLogItem } from "../../../shared/store/log/log.ts";
import { readObjectsAfter, readObjectsInOrder } from "../../../shared/store/log/object-streams.ts";
import {
  LogBroken,
  loadObjectsAfter,
  requireEntry,
  toPointer,
  toSnapshotValue,
} from "../../../shared/store/log/replay.ts";
import { blobPartition, snapshotKey, TAGS } from "../../../shared/store/table/keys.ts";
import { type Item, readItems, type Table } from "../../../shared/store/table/table.ts";
import { countOfRun, createChance, seedOf } from "../../support/chance.ts";
import { freshTable } from "../../support/table.ts";
import { createWorld } from "../../support/world.ts";
import { pastHistory } from "../support/past-history.ts";
import { sceneDocument } from "../support/scene.ts";

const { snapshotCommits } = LIMITS;

beforeAll(() => {
  // The limit is so small that every history passes some of its snapshots.
  Object.assign(LIMITS, { snapshotCommits: 7 });
});

afterAll(() => {
  Object.assign(LIMITS, { snapshotCommits });
});

async function all<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const row of rows) list.push(row);
  return list;
}

async function keep(table: Table, items: Iterable<Item>): Promise<void> {
  for (const item of items) expect(await table.batchPut([item])).toEqual([]);
}

describe("a list in a blob", () => {
  const { next: draw } = createChance(seedOf("snapshots-in-parts"));
  const noise = (length: number): string =>
    Array.from({ length }, () => String.fromCharCode(33 + Math.floor(draw() * 90))).join("");
  const small = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ i, text: noise(20), tags: ["é]", "},{"] }));
  const lists: Readonly<Record<string, readonly object[]>> = {
    ...Object.fromEntries([0, 1, 99, 100, 101, 200, 201].map((count) => [`${count} elements`, small(count)])),
    "elements that are long": Array.from({ length: 12 }, (_, i) => ({ i, text: noise(260_000) })),
    "many elements that are not short": Array.from({ length: 400 }, (_, i) => ({ i, text: noise(5_000) })),
    "very many elements": small(30_000),
  };

  for (const [what, list] of Object.entries(lists)) {
    test(`that is written element by element equals the blob of the whole list, and is read back: ${what}`, async () => {
      const whole = toBlobItems("list", list);
      const blob = new ListBlob("list");
      const items = [...list.flatMap((element) => [...blob.add(element)]), ...blob.end()];
      expect(items.map(({ sk }) => sk)).toEqual(whole.map(({ sk }) => sk));
      for (const [i, { bytes }] of items.entries())
        expect(Buffer.compare(bytes as Buffer, whole[i]?.bytes as Buffer)).toBe(0);
      const table = await freshTable();
      await keep(table, items);
      expect(await all(readList(table, "list"))).toEqual(list);
    });
  }

  test("with a missing or changed part is an error, and not a shorter list", async () => {
    const table = await freshTable();
    await expect(all(readList(table, "nowhere"))).rejects.toThrow("is missing");
    const items = [...toListItems("torn", lists["many elements that are not short"] ?? [])];
    expect(items.length).toBeGreaterThan(2);
    await keep(table, items.slice(0, -1));
    await expect(all(readList(table, "torn"))).rejects.toThrow("torn");
    const [first, ...others] = items;
    const bytes = Buffer.from(first?.bytes as Uint8Array);
    // The spoilt byte lies in the middle of the compressed part.
    bytes[5_000] = (bytes[5_000] ?? 0) ^ 1;
    await keep(table, [{ ...first, bytes } as Item, ...others]);
    await expect(all(readList(table, "torn"))).rejects.toThrow();
    await keep(table, toBlobItems("value", { no: "list" }));
    await expect(all(readList(table, "value"))).rejects.toThrow("not a complete list");
  });
});

describe("a past state read in order", () => {
  const HISTORIES = countOfRun("METACTION_HISTORIES", 3);

  test("equals the state read as a whole, and the sweeper's snapshot is byte for byte that of the whole", {
    timeout: 60_000 + HISTORIES * 20_000,
  }, async () => {
    const first = seedOf("past-in-order");
    const tally = { states: 0, objects: 0, snapshots: 0 };
    for (let seed = first; seed < first + HISTORIES; seed++) {
      const history = await pastHistory(createChance(seed));
      await history.go(60);
      const { table } = history.world;
      for (const ledger of [TAGS.model, ...history.models.keys()]) {
        const states = new Map<number, readonly AnyObject[]>();
        for await (const item of readItems(table, { pk: `log#${ledger}` })) {
          const entry = toLogEntry(item);
          if (entry.state === "deleted") continue;
          const whole = toSnapshotValue((await loadObjectsAfter(table, ledger, entry)).values());
          expect(
            await all(readObjectsInOrder(table, ledger, entry)),
            `seed ${seed}, ${ledger} at ${entry.revision}`,
          ).toEqual(whole);
          states.set(entry.revision, whole);
          tally.states += 1;
          tally.objects += whole.length;
        }
        for (const item of await all(readItems(table, { pk: snapshotKey(ledger, 0).pk }))) {
          const { revision, blob } = toPointer(item);
          const written = await all(readItems(table, { pk: blobPartition(blob) }));
          const wanted = toBlobItems(blob, states.get(revision));
          expect(written.map(bytesOf), `seed ${seed}, ${ledger} at ${revision}`).toEqual(wanted.map(bytesOf));
          tally.snapshots += 1;
        }
      }
    }
    process.stdout.write(`snapshots-in-parts: ${JSON.stringify(tally)}\n`);
    expect(tally.objects).toBeGreaterThan(tally.states);
    expect(tally.snapshots).toBeGreaterThan(0);
  });

  test("omits the objects of a deleted owner, though nothing else changed them", async () => {
    const table = await freshTable();
    const world = await createWorld({ table });
    const { id } = await world.run("model/import", { content: sceneDocument("m") });
    await world.run("model/entity_delete", { modelRef: "key:m", entityRef: "key:customer" });
    const { revision } = await world.run("model/model_update_name", { modelRef: "key:m", name: "Later" });
    const newest = await requireEntry(table, id, revision);
    const whole = toSnapshotValue((await loadObjectsAfter(table, id, newest)).values());
    const before = toSnapshotValue((await loadObjectsAfter(table, id, await requireEntry(table, id, 1))).values());
    // More than the entity itself is gone.
    expect(before.length - whole.length).toBeGreaterThan(1);
    expect(await all(readObjectsInOrder(table, id, newest))).toEqual(whole);
    expect(toSnapshotValue(await all(readObjectsAfter(table, id, newest)))).toEqual(whole);
  });

  const bytesOf = ({ bytes }: Item): string => Buffer.from(bytes as Uint8Array).toString("base64");
  const facts = {
    operation: "o",
    time: "2026-01-01T00:00:00.000Z",
    channel: "http",
    request: "r",
    actions: [],
    tags: 0,
  };
  const entry = (revision: number, more: Partial<LogEntry>): LogEntry => ({
    ...{ revision, ...facts, key: "m", generation: "g", state: "live", ...more },
  });

  test("is in order although the snapshot was not written in order, at any length", async () => {
    const table = await freshTable();
    const { next: draw } = createChance(seedOf("unsorted"));
    const count = 45_000;
    const types = Array.from({ length: count }, (_, i) => ({ kind: "type", id: `i${i}`, key: `t${i}`, revision: 1 }));
    const shuffled = types.map((type) => ({ type, at: draw() })).sort((a, b) => a.at - b.at);
    await keep(
      table,
      toListItems(
        "unsorted",
        shuffled.map(({ type }) => type),
      ),
    );
    const first = entry(1, { snapshot: "unsorted" });
    const [gone, named] = [types[7], types[40_000]];
    const second = entry(2, {
      touched: [
        { does: "delete", kind: "type", id: "i7", at: "type#t7", base: 1, before: { id: "i7", key: "t7" } },
        {
          does: "update",
          kind: "type",
          id: "i40000",
          at: "type#t40000",
          base: 1,
          before: { name: null },
          after: { name: "N" },
        },
      ],
    });
    await keep(table, [toLogItem("m", first), toLogItem("m", second)]);
    const wanted = types
      .filter((type) => type !== gone)
      .map((type) => (type === named ? { ...type, name: "N", revision: 2 } : type));
    expect(await all(readObjectsInOrder(table, "m", second))).toEqual(
      toSnapshotValue(wanted as unknown as AnyObject[]),
    );
  });

  test("from a broken log is refused before any part of the answer", async () => {
    const table = await freshTable();
    const type = { kind: "type", id: "i", key: "t", revision: 1 };
    await keep(table, toListItems("s", [type]));
    const touched = [
      { does: "update", kind: "type", id: "i", at: "type#t", base: 5, before: {}, after: { name: "N" } },
    ] as const;
    await keep(table, [toLogItem("m", entry(1, { snapshot: "s" })), toLogItem("m", entry(2, { touched }))]);
    const rows = readObjectsInOrder(table, "m", entry(2, { touched }));
    await expect(rows.next()).rejects.toThrow(LogBroken);
  });
});
