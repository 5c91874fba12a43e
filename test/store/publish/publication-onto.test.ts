import { describe, expect, test } from "vitest";
import type { Controls } from "../../../shared/actions/contract/call.ts";
import { LIMITS, SWEEP } from "../../../shared/domain/limits.ts";
import { type LogEntry, toLogEntry } from "../../../shared/store/log/log.ts";
import { sweep } from "../../../shared/store/sweep/sweep.ts";
import { logKey, objectsPartition, releaseKey, STAGINGS } from "../../../shared/store/table/keys.ts";
import type { Item } from "../../../shared/store/table/table.ts";
import { checkModel, partition } from "../support/check-model.ts";
import type { Rule } from "../support/fault-plan.ts";
import type { TableTrace } from "../support/fault-table.ts";
import { largeDocument, runs, TYPES, typeKey } from "../support/large-writes.ts";
import { type FaultyWorld, openFaultyWorld } from "../support/scenes.ts";
import { type Caller, type Outcome, writtenBody } from "../support/service-over.ts";
import { listLeftovers, sweepAll } from "../support/swept.ts";

/** A world with a model that large writes work on. */
interface Scene extends FaultyWorld {
  readonly model: string;
  /** Objects in the model at first. */
  readonly size: number;
}

const CRM = { modelRef: "key:crm" };

async function newScene(): Promise<Scene> {
  const faulty = await openFaultyWorld();
  const { id: model } = await faulty.world.run("model/import", { content: largeDocument("crm") });
  const size = (await faulty.opened.items()).filter(({ pk }) => pk.startsWith(`model#${model}#`)).length;
  return { ...faulty, model, size };
}

/** The log of the model. */
async function log({ opened, model }: Scene): Promise<readonly LogEntry[]> {
  return (await partition(opened.table, logKey(model, 0).pk)).map(toLogEntry);
}

/** Descriptions of the types by key. */
async function types({ world }: Scene): Promise<Record<string, string | undefined>> {
  const { items } = await world.run("model/type_list", CRM);
  return Object.fromEntries(items.map((t: { key: string; description?: string }) => [t.key, t.description]));
}

/** The many types, each with this description. */
const many = (value: string) => Object.fromEntries(Array.from({ length: TYPES }, (_, i) => [typeKey(i), value]));
/** The other types of the scene. */
const ALWAYS = { integer: undefined, string: undefined, unused: undefined };

function describeMany(caller: Caller, payload: object, controls?: Partial<Controls>): Promise<Outcome> {
  return caller.call("test_describe_many", { ...CRM, ...payload }, controls);
}

/** Somebody else does something right before the publishing transaction. */
const beforePublishing = (act: () => Promise<unknown>, times = 1): Rule => ({
  match: { operation: "transactWrite", key: /^stagings\|/ },
  do: { before: act },
  times,
});

/** Items of objects written by batches since the plan was armed. */
function staged({ table }: Scene): readonly string[] {
  return table.trace.flatMap(({ operation, keys }) =>
    operation === "batchPut"
      ? keys.filter((key) => key.startsWith("model#")).map((key) => key.split("|")[1] ?? "")
      : [],
  );
}

/** The staging record of the generation that is being written. */
async function openStaging({ opened }: Scene): Promise<Item> {
  const open = (await partition(opened.table, STAGINGS)).find(({ state }) => state === "open");
  if (!open) throw new Error("nothing is staged");
  return open;
}

/** Expects that the items of the model agree with its log. */
async function sound({ opened, model }: Scene): Promise<void> {
  expect(await checkModel(opened.table, model)).toEqual([]);
}

/** Expects that the items agree with the log, and that nothing is left once all is swept. */
async function cleanAfterSweep(scene: Scene): Promise<void> {
  await scene.table.settle();
  await sound(scene);
  await sweepAll(scene.opened.table, scene.clock);
  expect(listLeftovers(await scene.opened.items())).toEqual([]);
  await sound(scene);
}

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

/** Given up at once, so that the sweeper need not wait until the writer counts as gone. */
async function expectGivenUp(scene: Scene): Promise<void> {
  const states = (await partition(scene.opened.table, STAGINGS)).map(({ state }) => state);
  expect(states).not.toContain("open");
  expect(states).toContain("closed");
}

describe("a publication during which other commits succeed", () => {
  const rename = (scene: Scene, value: string) => async (): Promise<void> => {
    writtenBody(await scene.quiet.call("entity_update_name", { ...CRM, entityRef: "key:order", value }));
  };

  test("includes unrelated ones, and does not start again", async () => {
    const scene = await newScene();
    const others = async (): Promise<void> => {
      await rename(scene, "Orders")();
      writtenBody(await scene.quiet.call("entity_create", { ...CRM, entityKey: "supplier" }));
      writtenBody(await scene.quiet.call("entity_delete", { ...CRM, entityRef: "key:empty" }));
      writtenBody(await scene.quiet.call("entity_update_key", { ...CRM, entityRef: "key:order", value: "sale" }));
    };
    scene.table.arm({ rules: [beforePublishing(others)] });
    const control = { idempotencyKey: "overtaken" };
    const outcome = await describeMany(scene.caller, { value: "Overtaken", makes: "made" }, control);
    expect(writtenBody(outcome).revision).toBe(6);
    expect(outcome.answer?.etag).toBe(`${scene.model}-6`);
    expect((await describeMany(scene.caller, { value: "Overtaken", makes: "made" }, control)).answer).toMatchObject({
      replayed: true,
      body: { revision: 6 },
    });
    expect(runs.get("Overtaken")).toBe(1);
    const once = staged(scene);
    expect(once.slice(-2).sort()).toEqual(["entity#sale", "entity#supplier"]);
    expect(once).toHaveLength(scene.size + 1 + 2);
    const { entities } = await scene.world.run("model/model_export", CRM);
    const concerned = entities.filter(({ key }: { key: string }) => key !== "person");
    expect(concerned.map(({ key, name }: { key: string; name?: string }) => [key, name])).toEqual([
      ["customer", "Customers"],
      ["sale", "Orders"],
      ["supplier", undefined],
    ]);
    expect(await types(scene)).toEqual({ ...ALWAYS, ...many("Overtaken"), made: "Overtaken" });
    const last = (await log(scene)).at(-1);
    expect(last).toMatchObject({ revision: 6, snapshotAt: 1 });
    await cleanAfterSweep(scene);
  });

  test("stages once, however often it decides", async () => {
    const scene = await newScene();
    let other = 0;
    const others = async (): Promise<void> => {
      other += 1;
      writtenBody(await scene.quiet.call("type_create", { ...CRM, typeKey: `other-${other}` }));
      writtenBody(
        await scene.quiet.call("type_update_description", { ...CRM, typeRef: "key:t03", value: `x${other}` }),
      );
    };
    scene.table.arm({ rules: [beforePublishing(others, 4)] });
    const body = writtenBody(await scene.caller.call("test_reset_all", { ...CRM, value: "Reset" }));
    expect(body.revision).toBe(10);
    expect(runs.get("Reset")).toBe(5);
    expect(staged(scene)).toHaveLength(scene.size - 1);
    const snapshots = new Set(
      scene.table.trace.flatMap(({ operation, keys }) =>
        operation === "batchPut" ? keys.filter((key) => key.startsWith("blob#")) : [],
      ),
    );
    // The publication wrote one snapshot, and one blob of changes for each decision.
    expect(snapshots.size).toBe(1 + 5);
    expect(await types(scene)).toEqual({ integer: undefined, string: undefined, ...many("Reset") });
    await cleanAfterSweep(scene);
  });

  test("of a new model leaves nothing that it staged before it decided again", async () => {
    const scene = await newScene();
    const { table, caller } = scene;
    table.arm({
      rules: [
        { match: { operation: "transactWrite", key: /^stagings\|/ }, do: "conflict", times: 4 },
        { match: { operation: "transactGet", key: /^stagings\|/ }, do: { before: rename(scene, "Orders") } },
      ],
    });
    const { id } = writtenBody(await caller.call("model_copy", { ...CRM, modelNewKey: "copy" }));
    const blobs = new Set(table.trace.flatMap(({ keys }) => keys.filter((key) => key.startsWith("blob#"))));
    expect(blobs.size).toBe(2);
    await cleanAfterSweep(scene);
    expect(await checkModel(scene.opened.table, id)).toEqual([]);
  });

  test("finds its key taken by one of them", async () => {
    const scene = await newScene();
    const other = async (): Promise<void> =>
      void writtenBody(await scene.quiet.call("type_create", { ...CRM, typeKey: "made" }));
    scene.table.arm({ rules: [beforePublishing(other)] });
    const { problem } = await describeMany(scene.caller, { value: "Taken", makes: "made" });
    expect(problem?.code).toBe("key_taken");
    await expectGivenUp(scene);
    await cleanAfterSweep(scene);
  });

  test("with If-Match does not happen", async () => {
    const scene = await newScene();
    scene.table.arm({ rules: [beforePublishing(rename(scene, "Orders"))] });
    const control = { ifMatch: [{ ledgerId: scene.model, revision: 1 }] };
    const { problem } = await describeMany(scene.caller, { value: "Pinned" }, control);
    expect(problem).toMatchObject({ code: "precondition_failed" });
    expect((await log(scene)).map(({ generation }) => generation)).toHaveLength(2);
    await expectGivenUp(scene);
    await cleanAfterSweep(scene);
  });

  test("is given up if the call then decides to write nothing", async () => {
    const scene = await newScene();
    // The other call makes the same changes.
    const other = async (): Promise<void> => void writtenBody(await describeMany(scene.quiet, { value: "Same" }));
    scene.table.arm({ rules: [beforePublishing(other)] });
    const body = writtenBody(await describeMany(scene.caller, { value: "Same" }));
    expect(body).toMatchObject({ revision: 2, changed: false });
    expect(runs.get("Same")).toBe(3);
    await expectGivenUp(scene);
    await cleanAfterSweep(scene);
  });

  test("ends with not_found if the model is deleted, and is swept", async () => {
    for (const touching of [false, true]) {
      const scene = await newScene();
      let touched = false;
      const deleted = async (): Promise<void> => {
        touched = touching;
        if (touching) writtenBody(await scene.quiet.call("type_delete", { ...CRM, typeRef: "key:t08" }));
        else writtenBody(await scene.quiet.call("model_delete", CRM));
      };
      const deletedLater = async (): Promise<void> => {
        if (!touched) return;
        touched = false;
        writtenBody(await scene.quiet.call("model_delete", CRM));
      };
      const later: Rule = {
        match: { operation: "query", key: new RegExp(`^log#${scene.model}`) },
        do: { before: deletedLater },
        times: Number.POSITIVE_INFINITY,
      };
      scene.table.arm({ rules: [beforePublishing(deleted), later] });
      const { problem } = await describeMany(scene.caller, { value: "Deleted" });
      expect(problem?.code).toBe("not_found");
      // Given up at once, not after a quarter of an hour.
      expect(
        (await partition(scene.opened.table, STAGINGS)).map(({ state }) => state).filter((s) => s === "open"),
      ).toEqual([]);
      await cleanAfterSweep(scene);
    }
  });
});
