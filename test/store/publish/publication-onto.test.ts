import { describe, expect, test } from "vitest";
import { LIMITS, SWEEP } from "../../../shared/domain/limits.ts";
import { sweep } from "../../../shared/store/sweep/sweep.ts";
import { objectsPartition, releaseKey, STAGINGS, SWEEPS } from "../../../shared/store/table/keys.ts";
import type { Item } from "../../../shared/store/table/table.ts";
import { partition } from "../support/check-model.ts";
import type { TableTrace } from "../support/fault-table.ts";
import { TYPES } from "../support/large-writes.ts";
import {
  ALWAYS,
  beforePublishing,
  CRM,
  cleanAfterSweep,
  describeMany,
  log,
  many,
  newScene,
  openStaging,
  sound,
  types,
} from "../support/publication-scene.ts";
import { writtenBody } from "../support/service-over.ts";
import { sweepAll } from "../support/swept.ts";

describe("a publication onto a model", () => {
  test("has the previous and the changed objects, with the same ids", async () => {
    const scene = await newScene();
    const { world } = scene;
    const before = await world.run("model/model_export", CRM);
    const outcome = await describeMany(scene.caller, { value: "New", makes: "made", removes: "customer" });
    expect(outcome.answer?.etag).toBe(`${scene.model}-2`);
    expect(writtenBody(outcome)).toMatchObject({ id: scene.model, revision: 2, changed: true });
    expect(await types(scene)).toEqual({ ...ALWAYS, ...many("New"), made: "New" });
    const after = await world.run("model/model_export", CRM);
    const entities = before.entities.filter(({ key }: { key: string }) => key !== "customer");
    expect(after.entities).toEqual(entities);
    for (const { id, key } of after.types) {
      expect(await world.run("model/type_get", { ...CRM, typeRef: `id:${id}` })).toMatchObject({ id, key });
    }
    const gone = before.entities.find(({ key }: { key: string }) => key === "customer");
    expect((await world.problem("model/entity_get", { ...CRM, entityRef: `id:${gone.id}` })).code).toBe("not_found");
    writtenBody(await scene.caller.call("type_update_key", { ...CRM, typeRef: "key:made", value: "made-2" }));
    await cleanAfterSweep(scene);
  });

  test("keeps the generation that it replaces for a day, and no longer", async () => {
    const scene = await newScene();
    const [first] = await log(scene);
    const pk = objectsPartition(scene.model, String(first?.generation));
    const old = await partition(scene.opened.table, pk);
    writtenBody(await describeMany(scene.caller, { value: "New" }));
    scene.clock.advance(SWEEP.generationMs - 1_000);
    await sweep(scene.opened.table, scene.clock);
    expect(await partition(scene.opened.table, pk)).toEqual(old);
    scene.clock.advance(2_000);
    await sweep(scene.opened.table, scene.clock);
    expect(await partition(scene.opened.table, pk)).toEqual([]);
    await sound(scene);
  });

  test("without an answer that may still succeed is left alone: the next attempt stages everything again", async () => {
    const scene = await newScene();
    scene.table.arm({ rules: [{ match: { operation: "transactWrite" }, do: { applyLater: 100 } }] });
    writtenBody(await describeMany(scene.caller, { value: "New" }));
    const { trace } = scene.table;
    const published = trace.findIndex(({ operation }) => operation === "transactWrite");
    const stagedIn = (part: readonly TableTrace[]): readonly string[] =>
      part
        .filter(({ operation }) => operation === "batchPut")
        .flatMap(({ keys }) => keys.filter((key) => key.startsWith("model#")).map((key) => key.split("|")[0] ?? ""));
    const first = new Set(stagedIn(trace.slice(0, published)));
    expect(first.size).toBe(1);
    const later = stagedIn(trace.slice(published));
    expect(later.length).toBeGreaterThan(TYPES);
    expect(later.filter((pk) => first.has(pk))).toEqual([]);
    await scene.table.settle();
    await sound(scene);
  });

  test("is used if one transaction is too small, and only then", async () => {
    const scene = await newScene();
    writtenBody(await describeMany(scene.caller, { value: "Few", small: "yes" }));
    writtenBody(await describeMany(scene.caller, { value: "Many", small: "yes", count: "60" }));
    const generations = (await log(scene)).map(({ generation }) => generation);
    expect(generations[1]).toBe(generations[0]);
    expect(generations[2]).not.toBe(generations[1]);
    expect(Object.values(await types(scene)).filter((value) => value === "Many")).toHaveLength(TYPES + 60);
    await cleanAfterSweep(scene);
  });

  test("of more objects than a call may write is refused before anything is written", async () => {
    const scene = await newScene();
    scene.table.arm({});
    const { problem } = await describeMany(scene.caller, {
      value: "Few",
      small: "yes",
      count: String(LIMITS.objectsPerCall),
    });
    expect(problem?.code).toBe("too_large");
    expect(scene.table.trace.filter(({ operation }) => /write|Put|Delete/i.test(operation))).toEqual([]);
  });

  test("with a taken key is refused without leftovers; so is its dry run", async () => {
    const scene = await newScene();
    scene.table.arm({});
    for (const [name, payload] of [
      ["test_describe_many", { value: "x", makes: "new,unused" }],
      ["test_rename_types", { from: "t00,t01", to: "t02,other" }],
    ] as const) {
      for (const dryRun of [true, false]) {
        const { problem } = await scene.caller.call(name, { ...CRM, ...payload }, { dryRun });
        expect(problem).toMatchObject({
          code: "key_taken",
          message: expect.stringContaining("is already used by another type"),
        });
      }
    }
    expect(scene.table.trace.filter(({ operation }) => /write|Put|Delete/i.test(operation))).toEqual([]);
  });

  test("may take keys that it frees itself", async () => {
    const scene = await newScene();
    const ids = await scene.world.run("model/type_list", CRM);
    const idOf = (key: string): string => ids.items.find((t: { key: string }) => t.key === key).id;
    writtenBody(await scene.caller.call("test_rename_types", { ...CRM, from: "t00,t01,t02", to: "t01,t02,t00" }));
    for (const [from, to] of [
      ["t00", "t01"],
      ["t01", "t02"],
      ["t02", "t00"],
    ] as const) {
      expect((await scene.world.run("model/type_get", { ...CRM, typeRef: `key:${to}` })).id).toBe(idOf(from));
      expect((await scene.world.run("model/type_get", { ...CRM, typeRef: `id:${idOf(from)}` })).key).toBe(to);
    }
    await cleanAfterSweep(scene);
  });

  test("releases a version and shows it in the list of models", async () => {
    const scene = await newScene();
    writtenBody(await describeMany(scene.caller, { value: "New", version: "1.0.0" }));
    expect(await scene.world.run("model/model_list")).toMatchObject([{ key: "crm", version: "1.0.0" }]);
    expect(await scene.opened.table.get(releaseKey(scene.model, "1.0.0"))).toMatchObject({ revision: 2 });
    await cleanAfterSweep(scene);
  });

  test("records its answer, also for a slower concurrent duplicate", async () => {
    const scene = await newScene();
    const control = { idempotencyKey: "once" };
    const twin = async (): Promise<unknown> => describeMany(scene.quiet, { value: "New", makes: "made" }, control);
    scene.table.arm({ rules: [beforePublishing(twin)] });
    const outcome = await describeMany(scene.caller, { value: "New", makes: "made" }, control);
    expect(outcome.answer).toMatchObject({ replayed: true, body: { revision: 2 } });
    const again = await describeMany(scene.caller, { value: "New", makes: "made" }, control);
    expect(again.answer).toMatchObject({ replayed: true, body: outcome.answer?.body });
    expect(await log(scene)).toHaveLength(2);
    await cleanAfterSweep(scene);
  });

  test("happens once if its answer is lost, and if it succeeds later", async () => {
    for (const fault of ["lose", "lose-answer", { applyLater: 3 }, { applyLater: 8 }, { applyLater: 30 }] as const) {
      const scene = await newScene();
      scene.table.arm({ rules: [{ ...beforePublishing(async () => undefined), do: fault }] });
      const body = writtenBody(await describeMany(scene.caller, { value: "New", makes: "made" }));
      await scene.table.settle();
      expect(body).toMatchObject({ revision: 2, changed: true });
      expect(await log(scene)).toHaveLength(2);
      await cleanAfterSweep(scene);
    }
  });
});

describe("a slow publication", () => {
  test("renews its lease", async () => {
    const scene = await newScene();
    let record: Item | undefined;
    const waiting = async (): Promise<void> => {
      scene.clock.advance(SWEEP.stagingMs / 10);
      await sweep(scene.opened.table, scene.clock);
      record = await openStaging(scene);
    };
    scene.table.arm({
      rules: [{ match: { operation: "batchPut", key: /^model#/ }, do: { before: waiting }, times: 40 }],
    });
    const { problem } = await describeMany(scene.caller, { value: "Slow", count: "500" });
    // By its clock the publication was much too late for its caller, but nobody took its generation.
    expect(problem?.code ?? "ok").toMatch(/ok|contention|out_of_time/);
    expect(record).toMatchObject({ state: "open", epoch: 1 });
    await cleanAfterSweep(scene);
  });

  test("with a closed record does not happen, and starts again", async () => {
    const scene = await newScene();
    let closed: Item | undefined;
    const closing = async (): Promise<void> => {
      closed = await openStaging(scene);
      await scene.opened.table.write({
        put: { ...closed, state: "closed", epoch: 2 },
        expect: { equal: { state: "open" } },
      });
    };
    scene.table.arm({ rules: [beforePublishing(closing)] });
    writtenBody(await describeMany(scene.caller, { value: "Anew" }));
    expect((await log(scene)).map(({ generation }) => generation)).not.toContain(closed?.sk);
    expect(await types(scene)).toEqual({ ...ALWAYS, ...many("Anew") });
    await sound(scene);
  });
});

test("a long read is not affected by a publication", async () => {
  const scene = await newScene();
  const exported = async (): Promise<unknown> => (await scene.quiet.call("model_export", CRM)).answer;
  for (let nth = 2; ; nth++) {
    const right = [await exported()];
    let published = false;
    const other = async (): Promise<void> => {
      published = true;
      writtenBody(await describeMany(scene.quiet, { value: `During ${nth}`, makes: `made-${nth}` }));
      right.push(await exported());
    };
    scene.table.arm({
      pageRows: 10,
      rules: [{ match: { operation: ["query", "transactGet"], key: /^(model|log)#/, nth }, do: { before: other } }],
    });
    const { answer } = await scene.caller.call("model_export", CRM);
    const pages = scene.table.trace.filter(({ keys }) => keys[0]?.startsWith("model#")).length;
    expect(right).toContainEqual(answer);
    if (!published) break;
    // The export went on where it was, instead of starting over.
    expect(pages).toBeLessThanOrEqual(12 + nth);
  }
  await scene.table.settle();
  await sound(scene);
});

test("the notes and staging records of publications are swept", async () => {
  const scene = await newScene();
  for (const value of ["one", "two", "three"]) writtenBody(await describeMany(scene.caller, { value }));
  await sweepAll(scene.opened.table, scene.clock);
  expect(await partition(scene.opened.table, STAGINGS)).toEqual([]);
  expect(await partition(scene.opened.table, SWEEPS)).toEqual([]);
  await sound(scene);
});
