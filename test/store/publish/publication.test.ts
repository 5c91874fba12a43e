import { describe, expect, test } from "vitest";
import { SWEEP } from "../../../shared/domain/limits.ts";
import { sweep } from "../../../shared/store/sweep/sweep.ts";
import { blobPartition, idsPartition, objectsPartition, STAGINGS } from "../../../shared/store/table/keys.ts";
import type { Item } from "../../../shared/store/table/table.ts";
import { checkModel, partition } from "../support/check-model.ts";
import type { Fault, Rule } from "../support/fault-plan.ts";
import { largeDocument } from "../support/large-writes.ts";
import { type FaultyWorld, openFaultyWorld } from "../support/scenes.ts";
import { type Outcome, writtenBody } from "../support/service-over.ts";
import { listLeftovers, sweepAll } from "../support/swept.ts";

/** Imports a model that takes several batches to stage. */
async function importModel({ table, caller }: FaultyWorld, rules: readonly Rule[] = []): Promise<Outcome> {
  table.arm({ rules });
  return caller.call("import", { content: largeDocument("source"), modelKey: "made" });
}

/** Codes and counts of everything a reader sees of the model that was to be made. */
async function seenOf({ world }: FaultyWorld): Promise<unknown> {
  const rows: { key: string; id: string }[] = await world.run("model/model_list");
  const row = rows.find(({ key }) => key === "made");
  const document = row && (await world.run("model/model_export", { modelRef: "key:made" }));
  return document
    ? { types: document.types.length, entities: document.entities.length }
    : (await world.problem("model/model_export", { modelRef: "key:made" })).code;
}

async function stagedGeneration({ opened }: FaultyWorld): Promise<string> {
  const [staging] = await partition(opened.table, STAGINGS);
  if (!staging) throw new Error("nothing is staged");
  return staging.sk;
}

/** Log entries that name a generation. */
async function namesInLogs({ opened }: FaultyWorld, generation: string): Promise<readonly Item[]> {
  return (await opened.items()).filter((item) => item.pk.startsWith("log#") && item.generation === generation);
}

const WHOLE = { types: 43, entities: 4 };

describe("a publication", () => {
  test("with a taken key leaves nothing behind", async () => {
    const scene = await openFaultyWorld();
    await scene.world.run("model/import", { content: largeDocument("made") });
    expect(await importModel(scene)).toMatchObject({ problem: { code: "key_taken" } });
    await sweepAll(scene.table, scene.clock);
    expect(listLeftovers(await scene.opened.items())).toEqual([]);
  });

  test("never publishes a generation with a batch without a definite answer", async () => {
    for (const fault of ["lose", "lose-answer", { applyLater: 6 }] satisfies Fault[]) {
      const scene = await openFaultyWorld();
      const outcome = await importModel(scene, [{ match: { operation: "batchPut", nth: 2 }, do: fault }]);
      const { id } = writtenBody(outcome);
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

  test("is not undone when the client below sent its first record twice", async () => {
    const scene = await openFaultyWorld();
    const outcome = await importModel(scene, [{ match: { operation: "write" }, do: "repeat" }]);
    expect(writtenBody(outcome)).toMatchObject({ revision: 1, changed: true });
  });

  test("of a writer that seemed dead does not happen: the sweeper closed its record", async () => {
    const scene = await openFaultyWorld();
    let generation = "";
    const sweeping = async (): Promise<void> => {
      generation = await stagedGeneration(scene);
      scene.clock.advance(SWEEP.stagingMs + 1);
      await sweep(scene.opened.table, scene.clock);
    };
    const outcome = await importModel(scene, [{ match: { operation: "transactWrite" }, do: { before: sweeping } }]);
    expect(await namesInLogs(scene, generation)).toEqual([]);
    // Too late by its own clock as well, so it may give up; if it did not, it published another generation.
    const said = outcome.problem?.code ?? "ok";
    expect(["ok", "unavailable", "out_of_time"]).toContain(said);
    expect(await seenOf(scene)).toEqual(said === "ok" ? WHOLE : "not_found");
    await sweepAll(scene.table, scene.clock);
    expect(listLeftovers(await scene.opened.items())).toEqual([]);
  });

  test("that is throttled repeatedly ends in a problem with Retry-After", async () => {
    for (const operation of ["batchPut", "write", "transactWrite"] as const) {
      const scene = await openFaultyWorld();
      const outcome = await importModel(scene, [{ match: { operation }, do: "throttle", times: 10_000 }]);
      expect(outcome).toMatchObject({ problem: { code: "throttled" } });
      expect(await seenOf(scene)).toBe("not_found");
    }
  });

  test("does not continue forever while batches are accepted by half at most", async () => {
    const scene = await openFaultyWorld();
    const none: Rule = { match: { operation: "batchPut" }, do: "none-taken", times: 3_000 };
    const begun = scene.clock.now();
    const outcome = await importModel(scene, [none]);
    expect(outcome).toMatchObject({ problem: { code: "throttled" } });
    expect(scene.clock.now() - begun).toBeLessThan(60_000);
  });

  test("publishes the staged objects, snapshot included", async () => {
    const scene = await openFaultyWorld();
    const { id } = writtenBody(await importModel(scene));
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
