import { beforeEach, describe, expect, test } from "vitest";
import { SWEEP } from "../../../shared/domain/limits.ts";
import { createStaging, toStagingItem, toSweepItem } from "../../../shared/store/log/stagings.ts";
import { sweep } from "../../../shared/store/sweep/sweep.ts";
import { logKey, STAGINGS, SWEEPS } from "../../../shared/store/table/keys.ts";
import type { Item } from "../../../shared/store/table/table.ts";
import { openTable, type TestTable } from "../../support/table.ts";
import { createWorld, type World } from "../../support/world.ts";
import { partition } from "../support/check-model.ts";
import { createFaultTable } from "../support/fault-table.ts";
import { quickAmbient } from "../support/quick-ambient.ts";
import { sceneDocument } from "../support/scene.ts";

let opened: TestTable;
let world: World;
let clock: ReturnType<typeof quickAmbient>;

beforeEach(async () => {
  opened = await openTable();
  world = await createWorld({ table: opened.table });
  clock = quickAmbient(new Date().toISOString());
});

async function put(items: readonly Item[]): Promise<void> {
  for (let at = 0; at < items.length; at += 25) await opened.table.batchPut(items.slice(at, at + 25));
}

describe("the sweeper", () => {
  test("completes all other notes if one fails, and reports it in the end", async () => {
    const { id } = await world.run("model/import", { content: sceneDocument("broken") });
    const entry = await opened.table.get(logKey(id, 1));
    if (!entry) throw new Error("there is no log");
    await put([{ ...entry, snapshot: "lost" }]);
    for (const key of ["one", "two", "three"]) {
      await world.run("model/import", { content: sceneDocument(key) });
      await world.run("model/entity_delete", { modelRef: `key:${key}`, entityRef: "key:empty" });
      await world.run("model/model_delete", { modelRef: `key:${key}` });
    }
    // The first of all notes: a snapshot of what cannot be read.
    const poison = toSweepItem(
      { model: id, generation: "", snapshot: { revision: 1, blob: "b" }, round: 2 },
      0,
      "poison",
    );
    await put([poison]);
    clock.advance(SWEEP.generationMs + 60_000);
    await expect(sweep(opened.table, clock)).rejects.toThrow("blob lost is missing");
    clock.advance(SWEEP.secondLookMs + 1);
    await expect(sweep(opened.table, clock)).rejects.toThrow("blob lost is missing");
    expect((await partition(opened.table, SWEEPS)).map(({ sk }) => sk)).toEqual([poison.sk]);
    expect((await opened.items()).filter(({ pk }) => pk.startsWith("model#") && !pk.includes(id))).toEqual([]);
  });

  test("stops if nothing succeeds any more", async () => {
    const notes = Array.from({ length: 40 }, (_, i) =>
      toSweepItem({ model: clock.newId(), generation: clock.newId(), round: 1 }, i, `note-${i}`),
    );
    await put(notes);
    const table = createFaultTable(opened.table);
    table.arm({ rules: [{ match: { operation: "query", key: /^log#/ }, do: "lose", times: 1_000 }] });
    await expect(sweep(table, clock)).rejects.toThrow();
    // Each read of a log is tried three times.
    expect(table.trace.filter(({ keys }) => keys.some((key) => key.startsWith("log#")))).toHaveLength(5 * 3);
    expect(await partition(opened.table, SWEEPS)).toHaveLength(notes.length);
  });

  test("reads all staging records, for any number of them", async () => {
    const blobs = Array.from({ length: 40 }, () => clock.newId());
    const stagings = Array.from({ length: 900 }, () =>
      toStagingItem(createStaging({ generation: clock.newId(), model: clock.newId(), blobs }, clock.now())),
    );
    await put(stagings);
    expect((await opened.table.query({ pk: STAGINGS })).more).toBeDefined();
    clock.advance(SWEEP.stagingMs + 1);
    expect(await sweep(opened.table, clock)).toMatchObject({ closed: stagings.length });
  });
});
