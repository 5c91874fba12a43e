import { describe, expect, test } from "vitest";
import type { ModelDocument } from "../../../shared/domain/document/document.ts";
import { SWEEP } from "../../../shared/domain/limits.ts";
import { sweep } from "../../../shared/store/sweep/sweep.ts";
import { blobPartition, idsPartition, objectsPartition, STAGINGS } from "../../../shared/store/table/keys.ts";
import type { Item } from "../../../shared/store/table/table.ts";
import { openTable, type TestTable } from "../../support/table.ts";
import { createWorld, type World } from "../../support/world.ts";
import { checkAll, checkModel, partition } from "../support/check-model.ts";
import type { Fault, Rule } from "../support/fault-plan.ts";
import { createFaultTable, type FaultTable, Killed } from "../support/fault-table.ts";
import { itemsTable } from "../support/items-table.ts";
import { quickAmbient } from "../support/quick-ambient.ts";
import { sceneDocument } from "../support/scene.ts";
import { type Caller, type Outcome, serviceOver, writtenBody } from "../support/service-over.ts";
import { listLeftovers, sweepAll } from "../support/swept.ts";

interface Scene {
  readonly opened: TestTable;
  readonly world: World;
  readonly table: FaultTable;
  readonly clock: ReturnType<typeof quickAmbient>;
  readonly caller: Caller;
}

async function newScene(): Promise<Scene> {
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

async function begin(scene: Scene, name: string, rules: readonly Rule[]): Promise<Outcome | "killed"> {
  scene.table.arm({ rules });
  const payload = BEGINNINGS[name]?.(largeDocument("source")) ?? {};
  try {
    return await scene.caller.call(name, payload);
  } catch (error) {
    if (error instanceof Killed) return "killed";
    throw error;
  }
}

/** Codes and counts of everything a reader sees of the model that was to be made. */
async function seenOf({ world }: Scene): Promise<unknown> {
  const rows: { key: string; id: string }[] = await world.run("model/model_list");
  const row = rows.find(({ key }) => key === "made");
  const document = row && (await world.run("model/model_export", { modelRef: "key:made" }));
  return document
    ? { types: document.types.length, entities: document.entities.length }
    : (await world.problem("model/model_export", { modelRef: "key:made" })).code;
}

async function stagedGeneration({ opened }: Scene): Promise<string> {
  const [staging] = await partition(opened.table, STAGINGS);
  if (!staging) throw new Error("nothing is staged");
  return staging.sk;
}

/** Log entries that name a generation. */
async function namesInLogs({ opened }: Scene, generation: string): Promise<readonly Item[]> {
  return (await opened.items()).filter((item) => item.pk.startsWith("log#") && item.generation === generation);
}

const WHOLE = { types: 43, entities: 4 };

describe.concurrent("a process that dies while it creates a model", () => {
  for (const name of Object.keys(BEGINNINGS)) {
    for (const fault of ["kill", "kill-after"] as const) {
      test(`by ${name}, ${fault === "kill" ? "before" : "after"} any storage call: all of it exists or nothing, without leftovers`, async () => {
        const scene = await newScene();
        await scene.world.run("model/import", { content: largeDocument("source") });
        const wrong: string[] = [];
        for (let nth = 1; ; nth++) {
          const outcome = await begin(scene, name, [{ match: { nth }, do: fault }]);
          const committed = scene.table.trace.some((c) => c.operation === "transactWrite" && c.fault !== "kill");
          await scene.table.settle();
          const seen = await seenOf(scene);
          const wanted = committed || outcome !== "killed" ? WHOLE : "not_found";
          if (JSON.stringify(seen) !== JSON.stringify(wanted)) wrong.push(`call ${nth}: ${JSON.stringify(seen)}`);
          // The key is free at once; what was made goes again, so that the next round finds the same.
          if (seen === "not_found")
            writtenBody(await scene.caller.call(name, BEGINNINGS[name]?.(largeDocument("source"))));
          await scene.world.run("model/model_delete", { modelRef: "key:made" });
          await sweepAll(scene.table, scene.clock);
          const left = listLeftovers(await scene.opened.items());
          if (left.length > 0) wrong.push(`call ${nth}: ${left.length} items left, such as ${left[0]}`);
          if (outcome !== "killed") break;
        }
        const items = await scene.opened.items();
        expect(await checkAll(itemsTable(items), items)).toEqual([]);
        expect(wrong).toEqual([]);
      });
    }
  }
});

describe("a publication", () => {
  test("with a taken key leaves nothing behind", async () => {
    const scene = await newScene();
    await scene.world.run("model/import", { content: largeDocument("made") });
    expect(await begin(scene, "import", [])).toMatchObject({ problem: { code: "key_taken" } });
    await sweepAll(scene.table, scene.clock);
    expect(listLeftovers(await scene.opened.items())).toEqual([]);
  });

  test("sends the unprocessed items of a batch again", async () => {
    const scene = await newScene();
    const half: Rule = { match: { operation: "batchPut" }, do: "half", times: 3 };
    writtenBody((await begin(scene, "import", [half])) as Outcome);
    expect(await seenOf(scene)).toEqual(WHOLE);
    const { id } = await scene.world.run("model/model_get", { modelRef: "key:made" });
    expect(await checkModel(scene.opened.table, id)).toEqual([]);
  });

  test("never publishes a generation with a batch without a definite answer", async () => {
    for (const fault of ["lose", "lose-answer", { applyLater: 6 }] satisfies Fault[]) {
      const scene = await newScene();
      const outcome = await begin(scene, "import", [{ match: { operation: "batchPut", nth: 2 }, do: fault }]);
      const { id } = writtenBody(outcome as Outcome);
      const written = new Set(
        scene.table.trace.flatMap(({ operation, keys }) =>
          operation === "batchPut" ? keys.filter((k) => k.startsWith("model#")).map((k) => k.split(/[#|]/)[2]) : [],
        ),
      );
      expect(written.size).toBe(2);
      const [log] = await partition(scene.opened.table, `log#${id}`);
      expect([...written].at(-1)).toBe(log?.generation);
      expect(await checkModel(scene.opened.table, id)).toEqual([]);
      await scene.table.settle();
      expect(await checkModel(scene.opened.table, id)).toEqual([]);
    }
  });

  test("stops staging when a batch has no definite answer: the call writes nothing more into that generation", async () => {
    const scene = await newScene();
    const document = largeDocument("made");
    const types = Array.from({ length: 600 }, (_, i) => ({ key: `x${i}` }));
    scene.table.arm({ rules: [{ match: { operation: "batchPut" }, do: "lose" }] });
    const { answer } = await scene.caller.call("import", {
      content: { ...document, types: [...document.types, ...types] },
    });
    expect(answer).toBeDefined();
    const batches = scene.table.trace.filter(({ operation }) => operation === "batchPut");
    const spoilt = batches.filter(({ keys }) => keys[0]?.split(/[#|]/)[2] === batches[0]?.keys[0]?.split(/[#|]/)[2]);
    // Only the batches that were under way when the first one failed wrote to the abandoned generation.
    expect(spoilt.length).toBeLessThanOrEqual(8);
  });

  test("is not undone when the client below sent its first record twice", async () => {
    const scene = await newScene();
    const outcome = await begin(scene, "import", [{ match: { operation: "write" }, do: "repeat" }]);
    expect(writtenBody(outcome as Outcome)).toMatchObject({ revision: 1, changed: true });
  });

  test("of a writer that seemed dead does not happen: the sweeper closed its record", async () => {
    const scene = await newScene();
    let generation = "";
    const sweeping = async (): Promise<void> => {
      generation = await stagedGeneration(scene);
      scene.clock.advance(SWEEP.stagingMs + 1);
      await sweep(scene.opened.table, scene.clock);
    };
    const outcome = await begin(scene, "import", [{ match: { operation: "transactWrite" }, do: { before: sweeping } }]);
    expect(await namesInLogs(scene, generation)).toEqual([]);
    // Too late by its own clock as well, so it may give up; if it did not, it published another generation.
    const said = outcome === "killed" ? outcome : (outcome.problem?.code ?? "ok");
    expect(["ok", "unavailable", "out_of_time"]).toContain(said);
    expect(await seenOf(scene)).toEqual(said === "ok" ? WHOLE : "not_found");
    await sweepAll(scene.table, scene.clock);
    expect(listLeftovers(await scene.opened.items())).toEqual([]);
  });

  test("by a writer that continues after the sweep of its generation does not happen, and its late writes are swept", async () => {
    const scene = await newScene();
    let generation = "";
    const sweepTwice = async (): Promise<void> => {
      generation = await stagedGeneration(scene);
      scene.clock.advance(SWEEP.stagingMs + 1);
      await sweep(scene.opened.table, scene.clock);
      await sweep(scene.opened.table, scene.clock);
    };
    // The whole writer sleeps: a batch that goes on would show that it lives.
    let swept: Promise<void> | undefined;
    const asleep = async (): Promise<void> => {
      swept ??= sweepTwice();
      await swept;
    };
    await begin(scene, "import", [{ match: { operation: "batchPut" }, do: { before: asleep }, times: 8 }]);
    expect(await namesInLogs(scene, generation)).toEqual([]);
    await sweepAll(scene.table, scene.clock);
    expect(listLeftovers(await scene.opened.items())).toEqual([]);
  });

  test("that is throttled repeatedly ends in a problem with Retry-After", async () => {
    for (const operation of ["batchPut", "write", "transactWrite"] as const) {
      const scene = await newScene();
      const outcome = await begin(scene, "import", [{ match: { operation }, do: "throttle", times: 10_000 }]);
      expect(outcome).toMatchObject({ problem: { code: "throttled" } });
      expect(await seenOf(scene)).toBe("not_found");
    }
  });

  test("does not continue forever while batches are accepted by half at most", async () => {
    const scene = await newScene();
    const none: Rule = { match: { operation: "batchPut" }, do: "none-taken", times: 3_000 };
    const begun = scene.clock.now();
    const outcome = await begin(scene, "import", [none]);
    expect(outcome).toMatchObject({ problem: { code: "throttled" } });
    expect(scene.clock.now() - begun).toBeLessThan(60_000);
  });

  test("publishes the staged objects, snapshot included", async () => {
    const scene = await newScene();
    const { id } = writtenBody((await begin(scene, "import", [])) as Outcome);
    const [log] = await partition(scene.opened.table, `log#${id}`);
    const generation = String(log?.generation);
    const { types, entities, relationships, businessKeys, localTags } = largeDocument("source");
    const attributes = [...entities, ...relationships].flatMap((owner) => owner.attributes);
    const withIds = [types, entities, relationships, businessKeys, localTags].flat().length;
    const objects = await partition(scene.opened.table, objectsPartition(id, generation));
    expect(objects).toHaveLength(1 + withIds + attributes.length);
    expect(await partition(scene.opened.table, idsPartition(id, generation))).toHaveLength(withIds);
    expect(await partition(scene.opened.table, blobPartition(String(log?.snapshot)))).toHaveLength(1);
    const before = { ...largeDocument("source") };
    const { id: _, key: __, ...exported } = await scene.world.run("model/model_export", { modelRef: "key:made" });
    const { key: ___, ...wanted } = before;
    const withoutIds = JSON.parse(JSON.stringify(exported, (name, value) => (name === "id" ? undefined : value)));
    const sorted = [...wanted.types].sort((a, b) => (a.key < b.key ? -1 : 1));
    expect(withoutIds).toEqual({ ...wanted, types: sorted });
  });
});
