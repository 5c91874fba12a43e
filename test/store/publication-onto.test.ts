import { describe, expect, test } from "vitest";
import { LIMITS, SWEEP } from "../../shared/domain/limits.ts";
import { sweep } from "../../shared/store/sweep/sweep.ts";
import { objectsPartition, releaseKey, STAGINGS, SWEEPS } from "../../shared/store/table/keys.ts";
import type { Item } from "../../shared/store/table/table.ts";
import { partition } from "./support/check-model.ts";
import { TYPES } from "./support/large-writes.ts";
import {
  ALWAYS,
  beforePublishing,
  CRM,
  cleanAfterSweep,
  describeMany,
  log,
  many,
  newStage,
  openStaging,
  sound,
  types,
} from "./support/publication-stage.ts";
import { writtenBody } from "./support/service-over.ts";
import { sweepAll } from "./support/swept.ts";

describe("a publication onto a model", () => {
  test("holds what was there and what was changed, under the same ids", async () => {
    const stage = await newStage();
    const { world } = stage;
    const before = await world.run("model/model_export", CRM);
    const outcome = await describeMany(stage.caller, { value: "New", makes: "made", removes: "customer" });
    expect(outcome.answer?.etag).toBe(`${stage.model}-2`);
    expect(writtenBody(outcome)).toMatchObject({ id: stage.model, revision: 2, changed: true });
    expect(await types(stage)).toEqual({ ...ALWAYS, ...many("New"), made: "New" });
    const after = await world.run("model/model_export", CRM);
    const entities = before.entities.filter(({ key }: { key: string }) => key !== "customer");
    expect(after.entities).toEqual(entities);
    for (const { id, key } of after.types) {
      expect(await world.run("model/type_get", { ...CRM, typeRef: `id:${id}` })).toMatchObject({ id, key });
    }
    const gone = before.entities.find(({ key }: { key: string }) => key === "customer");
    expect((await world.problem("model/entity_get", { ...CRM, entityRef: `id:${gone.id}` })).code).toBe("not_found");
    writtenBody(await stage.caller.call("type_update_key", { ...CRM, typeRef: "key:made", value: "made-2" }));
    await cleanAfterSweep(stage);
  });

  test("keeps the generation it replaces for a day, and no longer", async () => {
    const stage = await newStage();
    const [first] = await log(stage);
    const pk = objectsPartition(stage.model, String(first?.generation));
    const old = await partition(stage.opened.table, pk);
    writtenBody(await describeMany(stage.caller, { value: "New" }));
    stage.clock.advance(SWEEP.generationMs - 1_000);
    await sweep(stage.opened.table, stage.clock);
    expect(await partition(stage.opened.table, pk)).toEqual(old);
    stage.clock.advance(2_000);
    await sweep(stage.opened.table, stage.clock);
    expect(await partition(stage.opened.table, pk)).toEqual([]);
    await sound(stage);
  });

  test("happens by itself where one transaction is too small, and else does not", async () => {
    const stage = await newStage();
    writtenBody(await describeMany(stage.caller, { value: "Few", small: "yes" }));
    writtenBody(await describeMany(stage.caller, { value: "Many", small: "yes", count: "60" }));
    const generations = (await log(stage)).map(({ generation }) => generation);
    expect(generations[1]).toBe(generations[0]);
    expect(generations[2]).not.toBe(generations[1]);
    expect(Object.values(await types(stage)).filter((value) => value === "Many")).toHaveLength(TYPES + 60);
    await cleanAfterSweep(stage);
  });

  test("of more objects than a call may write is refused before anything is written", async () => {
    const stage = await newStage();
    stage.table.arm({});
    const { problem } = await describeMany(stage.caller, {
      value: "Few",
      small: "yes",
      count: String(LIMITS.objectsPerCall),
    });
    expect(problem?.code).toBe("too_large");
    expect(stage.table.trace.filter(({ operation }) => /write|Put|Delete/i.test(operation))).toEqual([]);
  });

  test("that would take a key is refused and leaves nothing; so does its dry run", async () => {
    const stage = await newStage();
    stage.table.arm({});
    for (const [name, payload] of [
      ["test_describe_many", { value: "x", makes: "new,unused" }],
      ["test_rename_types", { from: "t00,t01", to: "t02,other" }],
    ] as const) {
      for (const dryRun of [true, false]) {
        const { problem } = await stage.caller.call(name, { ...CRM, ...payload }, { dryRun });
        expect(problem).toMatchObject({
          code: "key_taken",
          message: expect.stringContaining("is taken by another type"),
        });
      }
    }
    expect(stage.table.trace.filter(({ operation }) => /write|Put|Delete/i.test(operation))).toEqual([]);
  });

  test("may take keys that it frees itself", async () => {
    const stage = await newStage();
    const ids = await stage.world.run("model/type_list", CRM);
    const idOf = (key: string): string => ids.items.find((t: { key: string }) => t.key === key).id;
    writtenBody(await stage.caller.call("test_rename_types", { ...CRM, from: "t00,t01,t02", to: "t01,t02,t00" }));
    for (const [from, to] of [
      ["t00", "t01"],
      ["t01", "t02"],
      ["t02", "t00"],
    ] as const) {
      expect((await stage.world.run("model/type_get", { ...CRM, typeRef: `key:${to}` })).id).toBe(idOf(from));
      expect((await stage.world.run("model/type_get", { ...CRM, typeRef: `id:${idOf(from)}` })).key).toBe(to);
    }
    await cleanAfterSweep(stage);
  });

  test("releases a version and shows it in the list of models", async () => {
    const stage = await newStage();
    writtenBody(await describeMany(stage.caller, { value: "New", version: "1.0.0" }));
    expect(await stage.world.run("model/model_list")).toMatchObject([{ key: "crm", version: "1.0.0" }]);
    expect(await stage.opened.table.get(releaseKey(stage.model, "1.0.0"))).toMatchObject({ revision: 2 });
    await cleanAfterSweep(stage);
  });

  test("writes its answer down, also for a twin that was slower", async () => {
    const stage = await newStage();
    const control = { idempotencyKey: "once" };
    const twin = async (): Promise<unknown> => describeMany(stage.quiet, { value: "New", makes: "made" }, control);
    stage.table.arm({ rules: [beforePublishing(twin)] });
    const outcome = await describeMany(stage.caller, { value: "New", makes: "made" }, control);
    expect(outcome.answer).toMatchObject({ replayed: true, body: { revision: 2 } });
    const again = await describeMany(stage.caller, { value: "New", makes: "made" }, control);
    expect(again.answer).toMatchObject({ replayed: true, body: outcome.answer?.body });
    expect(await log(stage)).toHaveLength(2);
    await cleanAfterSweep(stage);
  });

  test("happens once when its answer is lost, and when it is applied later", async () => {
    for (const fault of ["lose", "lose-answer", { applyLater: 3 }, { applyLater: 8 }, { applyLater: 30 }] as const) {
      const stage = await newStage();
      stage.table.arm({ rules: [{ ...beforePublishing(async () => undefined), do: fault }] });
      const body = writtenBody(await describeMany(stage.caller, { value: "New", makes: "made" }));
      await stage.table.settle();
      expect(body).toMatchObject({ revision: 2, changed: true });
      expect(await log(stage)).toHaveLength(2);
      await cleanAfterSweep(stage);
    }
  });
});

describe("a slow publication", () => {
  test("shows that it lives", async () => {
    const stage = await newStage();
    let record: Item | undefined;
    const waiting = async (): Promise<void> => {
      stage.clock.advance(SWEEP.stagingMs / 10);
      await sweep(stage.opened.table, stage.clock);
      record = await openStaging(stage);
    };
    stage.table.arm({
      rules: [{ match: { operation: "batchPut", key: /^model#/ }, do: { before: waiting }, times: 40 }],
    });
    const { problem } = await describeMany(stage.caller, { value: "Slow", count: "500" });
    // By its clock it was much too late for its caller, but nobody took its generation.
    expect(problem?.code ?? "ok").toMatch(/ok|contention|out_of_time/);
    expect(record).toMatchObject({ state: "open", epoch: 1 });
    await cleanAfterSweep(stage);
  });

  test("whose record was closed does not happen, and begins anew", async () => {
    const stage = await newStage();
    let closed: Item | undefined;
    const closing = async (): Promise<void> => {
      closed = await openStaging(stage);
      await stage.opened.table.write({
        put: { ...closed, state: "closed", epoch: 2 },
        expect: { equal: { state: "open" } },
      });
    };
    stage.table.arm({ rules: [beforePublishing(closing)] });
    writtenBody(await describeMany(stage.caller, { value: "Anew" }));
    expect((await log(stage)).map(({ generation }) => generation)).not.toContain(closed?.sk);
    expect(await types(stage)).toEqual({ ...ALWAYS, ...many("Anew") });
    await sound(stage);
  });
});

test("a long read is not disturbed by a publication", async () => {
  const stage = await newStage();
  const exported = async (): Promise<unknown> => (await stage.quiet.call("model_export", CRM)).answer;
  for (let nth = 2; ; nth++) {
    const right = [await exported()];
    let published = false;
    const other = async (): Promise<void> => {
      published = true;
      writtenBody(await describeMany(stage.quiet, { value: `During ${nth}`, makes: `made-${nth}` }));
      right.push(await exported());
    };
    stage.table.arm({
      pageRows: 10,
      rules: [{ match: { operation: ["query", "transactGet"], key: /^(model|log)#/, nth }, do: { before: other } }],
    });
    const { answer } = await stage.caller.call("model_export", CRM);
    const pages = stage.table.trace.filter(({ keys }) => keys[0]?.startsWith("model#")).length;
    expect(right).toContainEqual(answer);
    if (!published) break;
    // It went on where it was.
    expect(pages).toBeLessThanOrEqual(12 + nth);
  }
  await stage.table.settle();
  await sound(stage);
});

test("the notes and stagings of publications go with time", async () => {
  const stage = await newStage();
  for (const value of ["one", "two", "three"]) writtenBody(await describeMany(stage.caller, { value }));
  await sweepAll(stage.opened.table, stage.clock);
  expect(await partition(stage.opened.table, STAGINGS)).toEqual([]);
  expect(await partition(stage.opened.table, SWEEPS)).toEqual([]);
  await sound(stage);
});
