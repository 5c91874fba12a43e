import { afterEach, describe, expect, test } from "vitest";
import { SWEEP } from "../../../shared/domain/limits.ts";
import { createStaging, type SweepNote, toStagingItem, toSweepItem } from "../../../shared/store/log/stagings.ts";
import { sweep } from "../../../shared/store/sweep/sweep.ts";
import { logKey, objectsPartition, STAGINGS, SWEEPS, TAGS } from "../../../shared/store/table/keys.ts";
import { FORMAT, type Item } from "../../../shared/store/table/table.ts";
import { createChance } from "../../support/chance.ts";
import { getItem, partition, putItems } from "../support/check-model.ts";
import { type Fault, scatterWrites } from "../support/fault-plan.ts";
import { Killed } from "../support/fault-table.ts";
import type { JobCaller } from "../support/job-callers.ts";
import { sceneDocument } from "../support/scene.ts";
import { useFaultyWorld } from "../support/scenes.ts";
import { writtenBody } from "../support/service-over.ts";
import { listLeftovers, sweepAll } from "../support/swept.ts";

// Some tests set the clock of this world, which starts at the present time.
const faulty = useFaultyWorld({ start: new Date().toISOString() });

afterEach(() => faulty.expectSound());

const runSweep = () => sweep(faulty.table, faulty.clock);
const call = (...asked: Parameters<JobCaller["call"]>) => faulty.caller.call(...asked);
const list = (pk: string): Promise<Item[]> => partition(faulty.opened.table, pk);

interface Scene {
  readonly id: string;
  readonly generation: string;
  readonly customer: string;
}

async function newScene(key: string, attributes = 60): Promise<Scene> {
  const scene = sceneDocument(key);
  const more = Array.from({ length: attributes }, (_, i) => ({ key: `a${i}`, type: "key:string", optional: true }));
  const entities = scene.entities.map((e) =>
    e.key === "customer" ? { ...e, attributes: [...e.attributes, ...more] } : e,
  );
  const { id } = writtenBody(await call("import", { content: { ...scene, entities } }));
  const [log] = await list(`log#${id}`);
  const customer = await call("entity_get", { modelRef: `key:${key}`, entityRef: "key:customer" });
  return { id, generation: String(log?.generation), customer: (customer.answer?.body as { id: string }).id };
}

async function ownedBy({ id, generation, customer }: Scene): Promise<number> {
  const objects = await list(objectsPartition(id, generation));
  return objects.filter(({ sk }) => sk.startsWith(`attribute#${customer}#`)).length;
}

const deleteCustomer = async (key: string) =>
  writtenBody(await call("entity_delete", { modelRef: `key:${key}`, entityRef: "key:customer" }));

const put = (items: readonly Item[]): Promise<void> => putItems(faulty.opened.table, items);

describe("a deletion", () => {
  test("of an entity is visible at once, and its contents are swept next, and again after 20 minutes", async () => {
    const scene = await newScene("crm");
    await deleteCustomer("crm");
    expect(await ownedBy(scene)).toBe(63);
    const { answer } = await call("model_export", { modelRef: "key:crm" });
    expect(answer?.body).toMatchObject({ entities: [{ key: "empty" }, { key: "order" }, { key: "person" }] });
    // The attributes and a business key.
    expect(await runSweep()).toEqual({ closed: 0, notes: 1, items: 64 });
    expect(await ownedBy(scene)).toBe(0);
    expect(await runSweep()).toMatchObject({ notes: 0 });
    faulty.clock.advance(SWEEP.secondLookMs + 1);
    expect(await runSweep()).toMatchObject({ notes: 1, items: 0 });
    expect(await list(SWEEPS)).toEqual([]);
  });

  test("of a model is visible at once, its objects are kept for a day, its log and releases forever", async () => {
    const scene = await newScene("crm");
    writtenBody(await call("model_delete", { modelRef: "key:crm" }));
    expect((await call("model_get", { modelRef: "key:crm" })).problem?.code).toBe("not_found");
    expect((await call("model_get", { modelRef: `id:${scene.id}` })).problem?.code).toBe("not_found");
    expect((await call("model_list")).answer?.body).toEqual([]);
    faulty.clock.advance(SWEEP.generationMs - 60_000);
    await runSweep();
    expect(await ownedBy(scene)).toBe(63);
    await sweepAll(faulty.table, faulty.clock);
    expect(listLeftovers(await faulty.opened.items())).toEqual([]);
    expect(await list(`log#${scene.id}`)).toHaveLength(2);
    expect(await list(`release#${scene.id}`)).toHaveLength(1);
    // The snapshot belongs to the log.
    expect(await list(`blob#${scene.generation}`)).toHaveLength(1);
  });

  test("with attributes that are not all visible as deleted notes the sweep too", async () => {
    const scene = await newScene("crm", 5);
    const on = { modelRef: "key:crm", entityRef: "key:customer" };
    faulty.table.arm({ rules: [scatterWrites(1, 1_000, true, 2)] });
    for (const attribute of ["a0", "a1"])
      writtenBody(await call("entity_attribute_delete", { ...on, attributeRef: `key:${attribute}` }));
    await deleteCustomer("crm");
    await faulty.table.settle();
    await sweepAll(faulty.table, faulty.clock);
    expect(await ownedBy(scene)).toBe(0);
  });

  test("does not affect a reader that began before, even with a sweep between its pages", async () => {
    await newScene("crm", 10);
    const before = (await call("model_export", { modelRef: "key:crm" })).answer?.body;
    const leaving = async () => {
      writtenBody(await faulty.quiet.call("model_delete", { modelRef: "key:crm" }));
      await sweep(faulty.opened.table, faulty.clock);
    };
    const match = { operation: "query", key: /^model#/, nth: 2 } as const;
    faulty.table.arm({ pageRows: 5, rules: [{ match, do: { before: leaving } }] });
    const { answer, problem } = await call("model_export", { modelRef: "key:crm" });
    // Either moment is right, a mixture is not.
    expect(problem?.code ?? answer?.body).toEqual(problem ? "not_found" : before);
  });
});

describe("the sweeper", () => {
  const faults: readonly Fault[] = ["kill", "kill-after", "lose", "lose-answer", "throttle", "conflict"];
  test.each(
    faults,
  )('completes with the next run after "%s" at any call, without harm to existing objects', async (fault) => {
    for (const key of ["crm", "gone"]) await newScene(key, 30);
    await call("tag/tag_group_create", { key: "doomed" });
    for (const key of ["a", "b"]) await call("tag/tag_global_create", { groupRef: "key:doomed", key });
    writtenBody(await call("tag/tag_group_delete", { tagGroupRef: "key:doomed" }));
    const tags = objectsPartition(TAGS.model, TAGS.generation);
    expect(await list(tags)).toHaveLength(2);
    await deleteCustomer("crm");
    writtenBody(await call("model_delete", { modelRef: "key:gone" }));
    // An import that died leaves a generation to give up.
    faulty.table.arm({ rules: [{ match: { operation: "transactWrite" }, do: "kill" }] });
    await expect(call("import", { content: sceneDocument("dead") })).rejects.toThrow(Killed);
    await faulty.table.settle();
    faulty.clock.advance(SWEEP.generationMs + 1);
    for (let nth = 1; nth < 100; nth++) {
      faulty.table.arm({ rules: [{ match: { nth }, do: fault }] });
      await runSweep().catch((error: unknown) => expect(error).toBeInstanceOf(Error));
      const struck = faulty.table.trace.length >= nth;
      await faulty.table.settle();
      if (nth % 3 === 0) faulty.clock.advance(SWEEP.secondLookMs / 2);
      if (!struck) break;
    }
    await sweepAll(faulty.table, faulty.clock);
    // The blob of a generation that died is looked for in the tests of publication.
    expect(listLeftovers(await faulty.opened.items()).filter((left) => !left.startsWith("blob#"))).toEqual([]);
    expect(await list(tags)).toEqual([]);
  });

  test("deletes nothing of other owners", async () => {
    await newScene("crm", 3);
    const on = { modelRef: "key:crm", entityRef: "key:order" };
    writtenBody(await call("business_key_create", { ...on, key: "number", participants: [] }));
    await deleteCustomer("crm");
    await runSweep();
    const { answer } = await call("business_key_list", { modelRef: "key:crm" });
    expect(answer?.body).toMatchObject({ items: [{ key: "number" }] });
  });

  test("may run twice at once", async () => {
    for (const key of ["crm", "gone"]) await newScene(key);
    await deleteCustomer("crm");
    writtenBody(await call("model_delete", { modelRef: "key:gone" }));
    faulty.clock.advance(SWEEP.generationMs + 1);
    await Promise.all([runSweep(), runSweep(), runSweep()]);
    faulty.clock.advance(SWEEP.secondLookMs + 1);
    await Promise.all([runSweep(), runSweep(), runSweep()]);
    expect(listLeftovers(await faulty.opened.items())).toEqual([]);
  });

  test("finds late writes in its second run", async () => {
    const scene = await newScene("crm", 3);
    await deleteCustomer("crm");
    await runSweep();
    const at = { pk: objectsPartition(scene.id, scene.generation), sk: `attribute#${scene.customer}#late` };
    const fields = { key: "late", type: "x", optional: true, order: 1, revision: 1 };
    await put([{ ...at, v: FORMAT, id: faulty.clock.newId(), owner: scene.customer, ...fields }]);
    expect(await ownedBy(scene)).toBe(1);
    faulty.clock.advance(SWEEP.secondLookMs + 1);
    await runSweep();
    expect(await ownedBy(scene)).toBe(0);
  });

  test("keeps changed items, and returns to them", async () => {
    const scene = await newScene("crm", 3);
    await deleteCustomer("crm");
    const at = { pk: objectsPartition(scene.id, scene.generation), sk: `attribute#${scene.customer}#a0` };
    const changing = async () => {
      const item = await faulty.opened.table.get(at);
      if (item) await faulty.opened.table.batchPut([{ ...item, revision: 77 }]);
    };
    faulty.table.arm({ rules: [{ match: { operation: "write", key: /#a0$/ }, do: { before: changing } }] });
    await runSweep();
    expect(await ownedBy(scene)).toBe(1);
    faulty.clock.advance(SWEEP.secondLookMs + 1);
    await runSweep();
    expect(await ownedBy(scene)).toBe(0);
  });

  test("stops on request, also between the pages of one note, and continues from there", async () => {
    const scene = await newScene("crm");
    await deleteCustomer("crm");
    expect(await sweep(faulty.table, faulty.clock, () => false)).toEqual({ closed: 0, notes: 0, items: 0 });
    faulty.table.arm({ pageRows: 5 });
    let looks = 0;
    expect(await sweep(faulty.table, faulty.clock, () => ++looks < 4)).toMatchObject({ notes: 0 });
    expect(await ownedBy(scene)).toBeGreaterThan(0);
    expect(await runSweep()).toMatchObject({ notes: 1 });
    expect(await ownedBy(scene)).toBe(0);
  });

  test("completes all other notes if one fails, and reports it in the end", async () => {
    const { id } = await faulty.world.run("model/import", { content: sceneDocument("broken") });
    const entry = await getItem(faulty.opened.table, logKey(id, 1));
    await put([{ ...entry, snapshot: "lost" }]);
    for (const key of ["one", "two", "three"]) {
      await faulty.world.run("model/import", { content: sceneDocument(key) });
      await faulty.world.run("model/entity_delete", { modelRef: `key:${key}`, entityRef: "key:empty" });
      await faulty.world.run("model/model_delete", { modelRef: `key:${key}` });
    }
    // The first of all notes: a snapshot of what cannot be read.
    const snapshot = { revision: 1, blob: "b" };
    const poison = toSweepItem({ model: id, generation: "", snapshot, round: 2 }, 0, "poison");
    await put([poison]);
    faulty.clock.advance(SWEEP.generationMs + 60_000);
    await expect(sweep(faulty.opened.table, faulty.clock)).rejects.toThrow("blob lost is missing");
    faulty.clock.advance(SWEEP.secondLookMs + 1);
    await expect(sweep(faulty.opened.table, faulty.clock)).rejects.toThrow("blob lost is missing");
    expect((await list(SWEEPS)).map(({ sk }) => sk)).toEqual([poison.sk]);
    expect((await faulty.opened.items()).filter(({ pk }) => pk.startsWith("model#") && !pk.includes(id))).toEqual([]);
    await put([entry]);
  });

  test("stops if nothing succeeds any more", async () => {
    const notes = Array.from({ length: 40 }, (_, i) =>
      toSweepItem({ model: faulty.clock.newId(), generation: faulty.clock.newId(), round: 1 }, i, `note-${i}`),
    );
    await put(notes);
    faulty.table.arm({ rules: [{ match: { operation: "query", key: /^log#/ }, do: "lose", times: 1_000 }] });
    await expect(runSweep()).rejects.toThrow();
    // Each read of a log is tried three times.
    expect(faulty.table.trace.filter(({ keys }) => keys.some((key) => key.startsWith("log#")))).toHaveLength(5 * 3);
    expect(await list(SWEEPS)).toHaveLength(notes.length);
  });

  test("reads all staging records, for any number of them", async () => {
    const { newId, now } = faulty.clock;
    // One long name makes records as large as many names do, and is one partition to sweep.
    const blobs = [newId().repeat(40)];
    const stagings = Array.from({ length: 900 }, () =>
      toStagingItem(createStaging({ generation: newId(), model: newId(), blobs }, now())),
    );
    await put(stagings);
    expect((await faulty.opened.table.query({ pk: STAGINGS })).more).toBeDefined();
    faulty.clock.advance(SWEEP.stagingMs + 1);
    expect(await sweep(faulty.opened.table, faulty.clock)).toMatchObject({ closed: stagings.length });
  });
});

test("a sweep note of an existing generation or owner, as in a restored table, is harmless", async () => {
  const { id: model } = await faulty.world.run("model/import", { content: sceneDocument("crm") });
  const [log] = await list(`log#${model}`);
  const generation = String(log?.generation);
  const { id: owner } = await faulty.world.run("model/entity_get", { modelRef: "key:crm", entityRef: "key:customer" });
  const notes: SweepNote[] = [
    { model, generation, owner, round: 1 },
    { model, generation, round: 1 },
    { model, generation, blobs: [generation], round: 1 },
  ];
  const before = await list(objectsPartition(model, generation));
  for (const [i, note] of notes.entries()) {
    await put([toSweepItem(note, faulty.clock.now() - 1, `note-${i}`)]);
    expect(await sweep(faulty.opened.table, faulty.clock)).toMatchObject({ items: 0 });
    expect(await list(objectsPartition(model, generation))).toEqual(before);
  }
  await sweepAll(faulty.table, faulty.clock);
  expect(await list(`blob#${generation}`)).toHaveLength(1);
});

test("a large snapshot of an unpublished generation is swept completely", async () => {
  const chance = createChance(1);
  // Letters by chance, which hardly compress: 6.3 MB of them are twelve chunks, more than two looks at one page.
  const letters = () => Array.from({ length: 90_000 }, () => String.fromCharCode(0x30 + chance.below(64))).join("");
  const types = Array.from({ length: 70 }, (_, i) => ({ key: `t${i}`, description: letters() }));
  const scene = sceneDocument("dead");
  faulty.table.arm({ rules: [{ match: { operation: "transactWrite" }, do: "kill" }] });
  await expect(call("import", { content: { ...scene, types: [...scene.types, ...types] } })).rejects.toThrow(Killed);
  await faulty.table.settle();
  expect((await faulty.opened.items()).filter(({ pk }) => pk.startsWith("blob#")).length).toBeGreaterThan(9);
  await sweepAll(faulty.table, faulty.clock);
  expect(listLeftovers(await faulty.opened.items())).toEqual([]);
});
