import { describe, expect, test } from "vitest";
import type { ModelDocument } from "../../shared/domain/document.ts";
import { SWEEP } from "../../shared/domain/limits.ts";
import { sweep } from "../../shared/store/sweep/sweep.ts";
import { blobPartition, idsPartition, objectsPartition, STAGINGS } from "../../shared/store/table/keys.ts";
import type { Item } from "../../shared/store/table/table.ts";
import { openTable, type TestTable } from "../support/table.ts";
import { createWorld, type World } from "../support/world.ts";
import { checkAll, checkModel, partition } from "./support/check-model.ts";
import type { Fault, Rule } from "./support/fault-plan.ts";
import { createFaultTable, type FaultTable, Killed } from "./support/fault-table.ts";
import { itemsTable } from "./support/items-table.ts";
import { quickAmbient } from "./support/quick-ambient.ts";
import { sceneDocument } from "./support/scene.ts";
import { type Caller, type Outcome, serviceOver, writtenBody } from "./support/service-over.ts";
import { leftOver, sweepAll } from "./support/swept.ts";

interface Stage {
  readonly opened: TestTable;
  readonly world: World;
  readonly table: FaultTable;
  readonly clock: ReturnType<typeof quickAmbient>;
  readonly caller: Caller;
}

async function newStage(): Promise<Stage> {
  const opened = await openTable();
  const world = await createWorld({ table: opened.table });
  const table = createFaultTable(opened.table);
  const clock = quickAmbient();
  return { opened, world, table, clock, caller: serviceOver(world, table, clock) };
}

/** The scene with so many types more that it takes several batches to stage. */
function largeDocument(key: string): ModelDocument {
  const more = Array.from({ length: 40 }, (_, i) => ({ key: `t${String(i).padStart(2, "0")}` }));
  const scene = sceneDocument(key);
  return { ...scene, types: [...scene.types, ...more] };
}

const BEGINNINGS: { readonly [name: string]: (source: ModelDocument) => object } = {
  import: (source) => ({ content: source, modelKey: "made" }),
  model_copy: (source) => ({ modelRef: `key:${source.key}`, modelNewKey: "made" }),
};

async function begin(stage: Stage, name: string, rules: readonly Rule[]): Promise<Outcome | "killed"> {
  stage.table.arm({ rules });
  const payload = BEGINNINGS[name]?.(largeDocument("source")) ?? {};
  try {
    return await stage.caller.call(name, payload);
  } catch (error) {
    if (error instanceof Killed) return "killed";
    throw error;
  }
}

/** Codes and counts of everything a reader sees of the model that was to be made. */
async function seenOf({ world }: Stage): Promise<unknown> {
  const rows: { key: string; id: string }[] = await world.run("model/model_list");
  const row = rows.find(({ key }) => key === "made");
  const document = row && (await world.run("model/model_export", { modelRef: "key:made" }));
  return document
    ? { types: document.types.length, entities: document.entities.length }
    : (await world.problem("model/model_export", { modelRef: "key:made" })).code;
}

async function stagedGeneration({ opened }: Stage): Promise<string> {
  const [staging] = await partition(opened.table, STAGINGS);
  if (!staging) throw new Error("nothing is staged");
  return staging.sk;
}

/** Log entries that name a generation. */
async function namesInLogs({ opened }: Stage, generation: string): Promise<readonly Item[]> {
  return (await opened.items()).filter((item) => item.pk.startsWith("log#") && item.generation === generation);
}

const WHOLE = { types: 43, entities: 4 };

describe.concurrent("a process that dies while it makes a model", () => {
  for (const name of Object.keys(BEGINNINGS)) {
    for (const fault of ["kill", "kill-after"] as const) {
      test(`by ${name}, ${fault === "kill" ? "before" : "after"} any storage call: all of it is there or nothing, and nothing is left`, async () => {
        const stage = await newStage();
        await stage.world.run("model/import", { content: largeDocument("source") });
        const wrong: string[] = [];
        for (let nth = 1; ; nth++) {
          const outcome = await begin(stage, name, [{ match: { nth }, do: fault }]);
          const committed = stage.table.trace.some((c) => c.operation === "transactWrite" && c.fault !== "kill");
          await stage.table.settle();
          const seen = await seenOf(stage);
          const wanted = committed || outcome !== "killed" ? WHOLE : "not_found";
          if (JSON.stringify(seen) !== JSON.stringify(wanted)) wrong.push(`call ${nth}: ${JSON.stringify(seen)}`);
          // The key is free at once; what was made goes again, so that the next round finds the same.
          if (seen === "not_found")
            writtenBody(await stage.caller.call(name, BEGINNINGS[name]?.(largeDocument("source"))));
          await stage.world.run("model/model_delete", { modelRef: "key:made" });
          await sweepAll(stage.table, stage.clock);
          const left = leftOver(await stage.opened.items());
          if (left.length > 0) wrong.push(`call ${nth}: ${left.length} items left, such as ${left[0]}`);
          if (outcome !== "killed") break;
        }
        const items = await stage.opened.items();
        expect(await checkAll(itemsTable(items), items)).toEqual([]);
        expect(wrong).toEqual([]);
      });
    }
  }
});

describe("a publication", () => {
  test("whose key is taken leaves nothing behind", async () => {
    const stage = await newStage();
    await stage.world.run("model/import", { content: largeDocument("made") });
    expect(await begin(stage, "import", [])).toMatchObject({ problem: { code: "key_taken" } });
    await sweepAll(stage.table, stage.clock);
    expect(leftOver(await stage.opened.items())).toEqual([]);
  });

  test("sends again what a batch did not take", async () => {
    const stage = await newStage();
    const half: Rule = { match: { operation: "batchPut" }, do: "half", times: 3 };
    writtenBody((await begin(stage, "import", [half])) as Outcome);
    expect(await seenOf(stage)).toEqual(WHOLE);
    const { id } = await stage.world.run("model/model_get", { modelRef: "key:made" });
    expect(await checkModel(stage.opened.table, id)).toEqual([]);
  });

  test("never publishes a generation in which a batch had no definite answer", async () => {
    for (const fault of ["lose", "lose-answer", { applyLater: 6 }] satisfies Fault[]) {
      const stage = await newStage();
      const outcome = await begin(stage, "import", [{ match: { operation: "batchPut", nth: 2 }, do: fault }]);
      const { id } = writtenBody(outcome as Outcome);
      const written = new Set(
        stage.table.trace.flatMap(({ operation, keys }) =>
          operation === "batchPut" ? keys.filter((k) => k.startsWith("model#")).map((k) => k.split(/[#|]/)[2]) : [],
        ),
      );
      expect(written.size).toBe(2);
      const [log] = await partition(stage.opened.table, `log#${id}`);
      expect([...written].at(-1)).toBe(log?.generation);
      expect(await checkModel(stage.opened.table, id)).toEqual([]);
      await stage.table.settle();
      expect(await checkModel(stage.opened.table, id)).toEqual([]);
    }
  });

  test("stops staging when a batch has no definite answer: the call writes nothing more into that generation", async () => {
    const stage = await newStage();
    const document = largeDocument("made");
    const types = Array.from({ length: 600 }, (_, i) => ({ key: `x${i}` }));
    stage.table.arm({ rules: [{ match: { operation: "batchPut" }, do: "lose" }] });
    const { answer } = await stage.caller.call("import", {
      content: { ...document, types: [...document.types, ...types] },
    });
    expect(answer).toBeDefined();
    const batches = stage.table.trace.filter(({ operation }) => operation === "batchPut");
    const spoilt = batches.filter(({ keys }) => keys[0]?.split(/[#|]/)[2] === batches[0]?.keys[0]?.split(/[#|]/)[2]);
    // Those that were under way when the first one failed, and no others.
    expect(spoilt.length).toBeLessThanOrEqual(8);
  });

  test("is not undone when the record that it began was sent twice by the client below", async () => {
    const stage = await newStage();
    const outcome = await begin(stage, "import", [{ match: { operation: "write" }, do: "repeat" }]);
    expect(writtenBody(outcome as Outcome)).toMatchObject({ revision: 1, changed: true });
  });

  test("of a writer thought dead does not happen: the sweeper closed its record", async () => {
    const stage = await newStage();
    let generation = "";
    const sweeping = async (): Promise<void> => {
      generation = await stagedGeneration(stage);
      stage.clock.advance(SWEEP.stagingMs + 1);
      await sweep(stage.opened.table, stage.clock);
    };
    const outcome = await begin(stage, "import", [{ match: { operation: "transactWrite" }, do: { before: sweeping } }]);
    expect(await namesInLogs(stage, generation)).toEqual([]);
    // Too late by its own clock as well, so it may give up; if it did not, it published another generation.
    const said = outcome === "killed" ? outcome : (outcome.problem?.code ?? "ok");
    expect(["ok", "unavailable", "out_of_time"]).toContain(said);
    expect(await seenOf(stage)).toEqual(said === "ok" ? WHOLE : "not_found");
    await sweepAll(stage.table, stage.clock);
    expect(leftOver(await stage.opened.items())).toEqual([]);
  });

  test("by a writer that wakes up after the sweep of its generation does not happen, and what it wrote late is swept", async () => {
    const stage = await newStage();
    let generation = "";
    const sweepTwice = async (): Promise<void> => {
      generation = await stagedGeneration(stage);
      stage.clock.advance(SWEEP.stagingMs + 1);
      await sweep(stage.opened.table, stage.clock);
      await sweep(stage.opened.table, stage.clock);
    };
    // All of the writer sleeps: a batch that goes on would show that it lives.
    let swept: Promise<void> | undefined;
    const asleep = async (): Promise<void> => {
      swept ??= sweepTwice();
      await swept;
    };
    await begin(stage, "import", [{ match: { operation: "batchPut" }, do: { before: asleep }, times: 8 }]);
    expect(await namesInLogs(stage, generation)).toEqual([]);
    await sweepAll(stage.table, stage.clock);
    expect(leftOver(await stage.opened.items())).toEqual([]);
  });

  test("that is refused again and again for want of throughput ends in a problem the caller can act on", async () => {
    for (const operation of ["batchPut", "write", "transactWrite"] as const) {
      const stage = await newStage();
      const outcome = await begin(stage, "import", [{ match: { operation }, do: "throttle", times: 10_000 }]);
      expect(outcome).toMatchObject({ problem: { code: "throttled" } });
      expect(await seenOf(stage)).toBe("not_found");
    }
  });

  test("does not go on for ever while batches are taken by half at most", async () => {
    const stage = await newStage();
    const none: Rule = { match: { operation: "batchPut" }, do: "none-taken", times: 3_000 };
    const begun = stage.clock.now();
    const outcome = await begin(stage, "import", [none]);
    expect(outcome).toMatchObject({ problem: { code: "throttled" } });
    expect(stage.clock.now() - begun).toBeLessThan(60_000);
  });

  test("publishes what it staged, snapshot included", async () => {
    const stage = await newStage();
    const { id } = writtenBody((await begin(stage, "import", [])) as Outcome);
    const [log] = await partition(stage.opened.table, `log#${id}`);
    const generation = String(log?.generation);
    const { types, entities, relationships, businessKeys, localTags } = largeDocument("source");
    const attributes = [...entities, ...relationships].flatMap((owner) => owner.attributes);
    const withIds = [types, entities, relationships, businessKeys, localTags].flat().length;
    const objects = await partition(stage.opened.table, objectsPartition(id, generation));
    expect(objects).toHaveLength(1 + withIds + attributes.length);
    expect(await partition(stage.opened.table, idsPartition(id, generation))).toHaveLength(withIds);
    expect(await partition(stage.opened.table, blobPartition(String(log?.snapshot)))).toHaveLength(1);
    const before = { ...largeDocument("source") };
    const { id: _, key: __, ...exported } = await stage.world.run("model/model_export", { modelRef: "key:made" });
    const { key: ___, ...wanted } = before;
    const withoutIds = JSON.parse(JSON.stringify(exported, (name, value) => (name === "id" ? undefined : value)));
    const sorted = [...wanted.types].sort((a, b) => (a.key < b.key ? -1 : 1));
    expect(withoutIds).toEqual({ ...wanted, types: sorted });
  });
});
