import { beforeEach, describe, expect, test } from "vitest";
import { SWEEP } from "../../../shared/domain/limits.ts";
import { createStaging, type SweepNote, toStagingItem, toSweepItem } from "../../../shared/store/log/stagings.ts";
import { sweep } from "../../../shared/store/sweep/sweep.ts";
import { logKey, objectsPartition, STAGINGS, SWEEPS, TAGS } from "../../../shared/store/table/keys.ts";
import { FORMAT, type Item } from "../../../shared/store/table/table.ts";
import { createChance } from "../../support/chance.ts";
import type { TestTable } from "../../support/table.ts";
import type { World } from "../../support/world.ts";
import { checkModel, partition } from "../support/check-model.ts";
import { type FaultTable, Killed } from "../support/fault-table.ts";
import type { JobCaller } from "../support/job-callers.ts";
import { quickAmbient } from "../support/quick-ambient.ts";
import { sceneDocument } from "../support/scene.ts";
import { openFaultyWorld } from "../support/scenes.ts";
import { writtenBody } from "../support/service-over.ts";
import { listLeftovers, sweepAll } from "../support/swept.ts";

let opened: TestTable;
let world: World;
let table: FaultTable;
let clock: ReturnType<typeof quickAmbient>;
let caller: JobCaller;
let quiet: JobCaller;

beforeEach(async () => {
  // Some tests change the world by its own clock, which is the real one.
  ({ opened, world, table, clock, caller, quiet } = await openFaultyWorld(quickAmbient(new Date().toISOString())));
});

interface Scene {
  readonly id: string;
  readonly generation: string;
  readonly customer: string;
}

/** A model with an entity that has many attributes. */
async function newScene(key: string, attributes = 60): Promise<Scene> {
  const scene = sceneDocument(key);
  const more = Array.from({ length: attributes }, (_, i) => ({ key: `a${i}`, type: "key:string", optional: true }));
  const entities = scene.entities.map((e) =>
    e.key === "customer" ? { ...e, attributes: [...e.attributes, ...more] } : e,
  );
  const { id } = writtenBody(await caller.call("import", { content: { ...scene, entities } }));
  const [log] = await partition(opened.table, `log#${id}`);
  const customer = await caller.call("entity_get", { modelRef: `key:${key}`, entityRef: "key:customer" });
  return { id, generation: String(log?.generation), customer: (customer.answer?.body as { id: string }).id };
}

async function ownedBy({ id, generation, customer }: Scene): Promise<number> {
  const objects = await partition(opened.table, objectsPartition(id, generation));
  return objects.filter(({ sk }) => sk.startsWith(`attribute#${customer}#`)).length;
}

const deleteCustomer = async (key: string) =>
  writtenBody(await caller.call("entity_delete", { modelRef: `key:${key}`, entityRef: "key:customer" }));

async function put(items: readonly Item[]): Promise<void> {
  for (let at = 0; at < items.length; at += 25) await opened.table.batchPut(items.slice(at, at + 25));
}

describe("a deletion", () => {
  test("of an entity is visible at once, and its contents are swept next, and again after 20 minutes", async () => {
    const scene = await newScene("crm");
    await deleteCustomer("crm");
    expect(await ownedBy(scene)).toBe(63);
    const { answer } = await caller.call("model_export", { modelRef: "key:crm" });
    expect((answer?.body as { entities: { key: string }[] }).entities.map(({ key }) => key)).toEqual([
      "empty",
      "order",
      "person",
    ]);
    // The attributes and a business key.
    expect(await sweep(table, clock)).toEqual({ closed: 0, notes: 1, items: 64 });
    expect(await ownedBy(scene)).toBe(0);
    expect(await sweep(table, clock)).toMatchObject({ notes: 0 });
    clock.advance(SWEEP.secondLookMs + 1);
    expect(await sweep(table, clock)).toMatchObject({ notes: 1, items: 0 });
    expect(await partition(opened.table, SWEEPS)).toEqual([]);
    expect(await checkModel(opened.table, scene.id)).toEqual([]);
  });

  test("of a model is visible at once, its objects are kept for a day, its log and releases forever", async () => {
    const scene = await newScene("crm");
    writtenBody(await caller.call("model_delete", { modelRef: "key:crm" }));
    expect((await caller.call("model_get", { modelRef: "key:crm" })).problem?.code).toBe("not_found");
    expect((await caller.call("model_get", { modelRef: `id:${scene.id}` })).problem?.code).toBe("not_found");
    expect((await caller.call("model_list")).answer?.body).toEqual([]);
    clock.advance(SWEEP.generationMs - 60_000);
    await sweep(table, clock);
    expect(await ownedBy(scene)).toBe(63);
    await sweepAll(table, clock);
    expect(listLeftovers(await opened.items())).toEqual([]);
    expect(await partition(opened.table, `log#${scene.id}`)).toHaveLength(2);
    expect(await partition(opened.table, `release#${scene.id}`)).toHaveLength(1);
    expect(await checkModel(opened.table, scene.id)).toEqual([]);
    // The snapshot belongs to the log.
    expect(await partition(opened.table, `blob#${scene.generation}`)).toHaveLength(1);
  });

  test("with attributes that are not all visible as deleted notes the sweep too", async () => {
    const scene = await newScene("crm", 5);
    const on = { modelRef: "key:crm", entityRef: "key:customer" };
    table.arm({
      rules: [{ match: { operation: "transactWrite" }, do: { scatter: 1, hold: 1_000, answered: true }, times: 2 }],
    });
    for (const attribute of ["a0", "a1"]) {
      writtenBody(await caller.call("entity_attribute_delete", { ...on, attributeRef: `key:${attribute}` }));
    }
    await deleteCustomer("crm");
    await table.settle();
    expect(await checkModel(opened.table, scene.id)).toEqual([]);
    await sweepAll(table, clock);
    expect(await ownedBy(scene)).toBe(0);
  });

  test("does not affect a reader that began before, even with a sweep between its pages", async () => {
    await newScene("crm", 10);
    const before = (await caller.call("model_export", { modelRef: "key:crm" })).answer?.body;
    const leaving = async (): Promise<void> => {
      writtenBody(await quiet.call("model_delete", { modelRef: "key:crm" }));
      await sweep(opened.table, clock);
    };
    table.arm({
      pageRows: 5,
      rules: [{ match: { operation: "query", key: /^model#/, nth: 2 }, do: { before: leaving } }],
    });
    const { answer, problem } = await caller.call("model_export", { modelRef: "key:crm" });
    // Either moment is right, a mixture is not.
    expect(problem?.code ?? answer?.body).toEqual(problem ? "not_found" : before);
  });
});

describe("the sweeper", () => {
  for (const fault of ["kill", "kill-after", "lose", "lose-answer", "throttle", "conflict"] as const) {
    test(`completes with the next run after "${fault}" at any call, without harm to existing objects`, async () => {
      const scene = await newScene("crm", 30);
      const deleted = await newScene("gone", 30);
      await caller.call("tag/tag_group_create", { key: "doomed" });
      for (const key of ["a", "b"]) await caller.call("tag/tag_global_create", { groupRef: "key:doomed", key });
      writtenBody(await caller.call("tag/tag_group_delete", { tagGroupRef: "key:doomed" }));
      const tags = objectsPartition(TAGS.model, TAGS.generation);
      expect(await partition(opened.table, tags)).toHaveLength(2);
      await deleteCustomer("crm");
      writtenBody(await caller.call("model_delete", { modelRef: "key:gone" }));
      // An import that died leaves a generation to give up.
      table.arm({ rules: [{ match: { operation: "transactWrite" }, do: "kill" }] });
      await expect(caller.call("import", { content: sceneDocument("dead") })).rejects.toThrow(Killed);
      await table.settle();
      clock.advance(SWEEP.generationMs + 1);
      for (let nth = 1; nth < 100; nth++) {
        table.arm({ rules: [{ match: { nth }, do: fault }] });
        await sweep(table, clock).catch((error: unknown) => expect(error).toBeInstanceOf(Error));
        const struck = table.trace.length >= nth;
        await table.settle();
        if (nth % 3 === 0) clock.advance(SWEEP.secondLookMs / 2);
        if (!struck) break;
      }
      await sweepAll(table, clock);
      // The blob of a generation that died is looked for in the tests of publication.
      expect(listLeftovers(await opened.items()).filter((left) => !left.startsWith("blob#"))).toEqual([]);
      expect(await partition(opened.table, tags)).toEqual([]);
      expect(await checkModel(opened.table, scene.id)).toEqual([]);
      expect(await checkModel(opened.table, deleted.id)).toEqual([]);
    });
  }

  test("deletes nothing of other owners", async () => {
    const scene = await newScene("crm", 3);
    const on = { modelRef: "key:crm", entityRef: "key:order" };
    writtenBody(await caller.call("business_key_create", { ...on, key: "number", participants: [] }));
    await deleteCustomer("crm");
    await sweep(table, clock);
    const { answer } = await caller.call("business_key_list", { modelRef: "key:crm" });
    expect(answer?.body).toMatchObject({ items: [{ key: "number" }] });
    expect(await checkModel(opened.table, scene.id)).toEqual([]);
  });

  test("may run twice at once", async () => {
    const scene = await newScene("crm");
    const deleted = await newScene("gone");
    await deleteCustomer("crm");
    writtenBody(await caller.call("model_delete", { modelRef: "key:gone" }));
    clock.advance(SWEEP.generationMs + 1);
    await Promise.all([sweep(table, clock), sweep(table, clock), sweep(table, clock)]);
    clock.advance(SWEEP.secondLookMs + 1);
    await Promise.all([sweep(table, clock), sweep(table, clock), sweep(table, clock)]);
    expect(listLeftovers(await opened.items())).toEqual([]);
    for (const { id } of [scene, deleted]) expect(await checkModel(opened.table, id)).toEqual([]);
  });

  test("finds late writes in its second run", async () => {
    const scene = await newScene("crm", 3);
    await deleteCustomer("crm");
    await sweep(table, clock);
    const late: Item = {
      pk: objectsPartition(scene.id, scene.generation),
      sk: `attribute#${scene.customer}#late`,
      v: FORMAT,
      id: clock.newId(),
      owner: scene.customer,
      key: "late",
      type: "x",
      optional: true,
      order: 1,
      revision: 1,
    };
    await opened.table.batchPut([late]);
    expect(await ownedBy(scene)).toBe(1);
    clock.advance(SWEEP.secondLookMs + 1);
    await sweep(table, clock);
    expect(await ownedBy(scene)).toBe(0);
    expect(await checkModel(opened.table, scene.id)).toEqual([]);
  });

  test("keeps changed items, and returns to them", async () => {
    const scene = await newScene("crm", 3);
    await deleteCustomer("crm");
    const at = { pk: objectsPartition(scene.id, scene.generation), sk: `attribute#${scene.customer}#a0` };
    const changing = async (): Promise<void> => {
      const item = await opened.table.get(at);
      if (item) await opened.table.batchPut([{ ...item, revision: 77 }]);
    };
    table.arm({ rules: [{ match: { operation: "write", key: /#a0$/ }, do: { before: changing } }] });
    await sweep(table, clock);
    expect(await ownedBy(scene)).toBe(1);
    clock.advance(SWEEP.secondLookMs + 1);
    await sweep(table, clock);
    expect(await ownedBy(scene)).toBe(0);
  });

  test("stops on request, and continues from there", async () => {
    await newScene("crm");
    await deleteCustomer("crm");
    expect(await sweep(table, clock, () => false)).toEqual({ closed: 0, notes: 0, items: 0 });
    expect(await sweep(table, clock)).toMatchObject({ notes: 1, items: 64 });
  });

  test("stops between the pages of one note, and continues from there", async () => {
    const scene = await newScene("crm");
    await deleteCustomer("crm");
    table.arm({ pageRows: 5 });
    let looks = 0;
    expect(await sweep(table, clock, () => ++looks < 4)).toMatchObject({ notes: 0 });
    expect(await ownedBy(scene)).toBeGreaterThan(0);
    expect(await sweep(table, clock)).toMatchObject({ notes: 1 });
    expect(await ownedBy(scene)).toBe(0);
  });

  test("keeps the contents of an existing model at any time", async () => {
    const scene = await newScene("crm");
    await sweepAll(table, clock);
    await sweepAll(table, clock);
    expect(await checkModel(opened.table, scene.id)).toEqual([]);
    expect(await ownedBy(scene)).toBe(63);
  });

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

test("a sweep note of an existing generation or owner, as in a restored table, is harmless", async () => {
  const { id: model } = await world.run("model/import", { content: sceneDocument("crm") });
  const [log] = await partition(opened.table, `log#${model}`);
  const generation = String(log?.generation);
  const { id: owner } = await world.run("model/entity_get", { modelRef: "key:crm", entityRef: "key:customer" });
  const notes: SweepNote[] = [
    { model, generation, owner, round: 1 },
    { model, generation, round: 1 },
    { model, generation, blobs: [generation], round: 1 },
  ];
  const before = await partition(opened.table, objectsPartition(model, generation));
  for (const [i, note] of notes.entries()) {
    await opened.table.write({ put: toSweepItem(note, clock.now() - 1, `note-${i}`), expect: { absent: true } });
    expect(await sweep(opened.table, clock)).toMatchObject({ items: 0 });
    expect(await partition(opened.table, objectsPartition(model, generation))).toEqual(before);
  }
  await sweepAll(opened.table, clock);
  expect(await checkModel(opened.table, model)).toEqual([]);
  expect(await partition(opened.table, `blob#${generation}`)).toHaveLength(1);
});

test("a large snapshot of an unpublished generation is swept completely", async () => {
  const chance = createChance(1);
  // Letters by chance, which hardly compress: 6.3 MB of them are twelve chunks, more than two looks at one page.
  const letters = (): string =>
    Array.from({ length: 90_000 }, () => String.fromCharCode(0x30 + chance.below(64))).join("");
  const types = Array.from({ length: 70 }, (_, i) => ({ key: `t${i}`, description: letters() }));
  const scene = sceneDocument("dead");
  const content = { ...scene, types: [...scene.types, ...types] };
  table.arm({ rules: [{ match: { operation: "transactWrite" }, do: "kill" }] });
  await expect(caller.call("import", { content })).rejects.toThrow(Killed);
  await table.settle();
  expect((await opened.items()).filter(({ pk }) => pk.startsWith("blob#")).length).toBeGreaterThan(9);
  await sweepAll(opened.table, clock);
  expect(listLeftovers(await opened.items())).toEqual([]);
});
