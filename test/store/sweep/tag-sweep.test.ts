import { beforeEach, describe, expect, test } from "vitest";
import { SWEEP } from "../../../shared/domain/limits.ts";
import { sweep } from "../../../shared/store/sweep/sweep.ts";
import { idsPartition, objectsPartition, SWEEPS, TAGS } from "../../../shared/store/table/keys.ts";
import { seedOf } from "../../support/chance.ts";
import { openTable, type TestTable } from "../../support/table.ts";
import { createWorld, type World } from "../../support/world.ts";
import { checkModel, partition } from "../support/check-model.ts";
import { createFaultTable, type FaultTable } from "../support/fault-table.ts";
import { quickAmbient } from "../support/quick-ambient.ts";
import { sceneDocument } from "../support/scene.ts";
import { sweepAll } from "../support/swept.ts";

let opened: TestTable;
let world: World;
let table: FaultTable;
let clock: ReturnType<typeof quickAmbient>;
let models: readonly string[];

/** Two models whose attributes are marked with two tags of a group each, with another global tag and a local one. */
beforeEach(async () => {
  opened = await openTable();
  world = await createWorld({ table: opened.table });
  table = createFaultTable(opened.table);
  clock = quickAmbient(new Date().toISOString());
  const tagGroups = [
    { key: "doomed", tags: [{ key: "a" }, { key: "b" }] },
    { key: "privacy", tags: [{ key: "kept" }, { key: "personal" }] },
  ];
  const refs = tagGroups.flatMap(({ key, tags }) => tags.map((tag) => `key:${key}/${tag.key}`));
  const attributes = Array.from({ length: 12 }, (_, i) => ({
    ...{ key: `a${i}`, type: "key:string", optional: true, tags: [...refs, "key:draft", "key:reviewed"] },
  }));
  const made: string[] = [];
  for (const key of ["one", "two"]) {
    const scene = sceneDocument(key);
    const entities = [...scene.entities, { key: "marked", attributes, primaryKey: [] }];
    made.push((await world.run("model/import", { content: { ...scene, entities, tagGroups } })).id);
  }
  models = made;
});

const MARKED = ["doomed/a", "doomed/b", "draft", "privacy/kept", "privacy/personal", "reviewed"];

async function shownOn(key: string): Promise<readonly string[]> {
  const on = { modelRef: `key:${key}`, entityRef: "key:marked", attributeRef: "key:a3" };
  const { tags } = await world.run("model/entity_attribute_get", on);
  return tags.map((tag: { key: string }) => tag.key);
}

async function deleteAllSorts(): Promise<void> {
  await world.run("tag/tag_group_delete", { tagGroupRef: "key:doomed" });
  await world.run("tag/tag_global_delete", { tagRef: "key:privacy/personal" });
  await world.run("tag/tag_local_delete", { modelRef: "key:one", tagRef: "key:draft" });
  // The deletions were made by the real clock.
  clock.advance(60_000);
}

async function expectSwept(): Promise<void> {
  const ledger = await partition(opened.table, objectsPartition(TAGS.model, TAGS.generation));
  expect(ledger.map(({ sk }) => sk.split("#").at(-1))).toEqual(["kept", "privacy"]);
  expect(await partition(opened.table, idsPartition(TAGS.model, TAGS.generation))).toHaveLength(2);
  expect(await partition(opened.table, SWEEPS)).toEqual([]);
  for (const id of models) expect(await checkModel(opened.table, id)).toEqual([]);
  expect(await shownOn("one")).toEqual(["privacy/kept", "reviewed"]);
  expect(await shownOn("two")).toEqual(["draft", "privacy/kept", "reviewed"]);
}

test("deleted tags are invisible at once, and those of a group are swept next", async () => {
  expect(await shownOn("one")).toEqual(MARKED);
  await deleteAllSorts();
  expect(await shownOn("one")).toEqual(["privacy/kept", "reviewed"]);
  expect(await shownOn("two")).toEqual(["draft", "privacy/kept", "reviewed"]);
  expect(await sweep(table, clock)).toEqual({ closed: 0, notes: 1, items: 2 });
  clock.advance(SWEEP.secondLookMs + 1);
  expect(await sweep(table, clock)).toEqual({ closed: 0, notes: 1, items: 0 });
  await expectSwept();
});

for (const fault of ["kill", "kill-after", "lose", "lose-answer"] as const) {
  test(`the sweeper of tags completes with the next run after "${fault}" at any call, without a visible difference`, async () => {
    await deleteAllSorts();
    let struck = 0;
    for (let nth = 1; nth < 100; nth++) {
      // A read without an answer is asked for three times.
      table.arm({ rules: [{ match: { nth }, do: fault, times: 3 }] });
      await sweep(table, clock).catch((error: unknown) => expect(error).toBeInstanceOf(Error));
      const met = table.trace.length >= nth;
      await table.settle();
      if (!met) break;
      struck += 1;
      expect(await shownOn("one")).toEqual(["privacy/kept", "reviewed"]);
      expect(await shownOn("two")).toEqual(["draft", "privacy/kept", "reviewed"]);
      if (nth % 3 === 0) clock.advance(SWEEP.secondLookMs / 2);
    }
    expect(struck).toBeGreaterThan(5);
    await sweepAll(table, clock);
    await expectSwept();
  });
}

describe("the sweeper of tags", () => {
  test("completes on a table that accepts only some of its writes", async () => {
    await deleteAllSorts();
    const seed = seedOf("sweep of tags");
    table.arm({ random: { seed, rate: 0.4, faults: ["throttle", "conflict", "half", "none-taken", "repeat"] } });
    // A write of a single item is left to the next round.
    for (let rounds = 0; rounds < 30; rounds++) await sweep(table, clock).catch(() => undefined);
    expect(table.trace.filter(({ fault }) => fault !== undefined).length, `seed ${seed}`).toBeGreaterThan(3);
    await table.settle();
    await sweepAll(table, clock);
    await expectSwept();
  });

  test("may run three times at once", async () => {
    await deleteAllSorts();
    await Promise.all([sweep(table, clock), sweep(table, clock), sweep(table, clock)]);
    clock.advance(SWEEP.secondLookMs + 1);
    await Promise.all([sweep(table, clock), sweep(table, clock), sweep(table, clock)]);
    await sweepAll(table, clock);
    await expectSwept();
  });
});
