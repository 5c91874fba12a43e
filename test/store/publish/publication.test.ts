import { afterEach, describe, expect, test } from "vitest";
import { SWEEP } from "../../../shared/domain/limits.ts";
import { sweep } from "../../../shared/store/sweep/sweep.ts";
import { blobPartition, idsPartition, objectsPartition, STAGINGS } from "../../../shared/store/table/keys.ts";
import { partition } from "../support/check-model.ts";
import type { Fault, Rule } from "../support/fault-plan.ts";
import { largeDocument } from "../support/large-writes.ts";
import { useFaultyWorld } from "../support/scenes.ts";
import { type Outcome, writtenBody } from "../support/service-over.ts";

const scene = useFaultyWorld();

afterEach(() => scene.expectSwept());

async function importModel(rules: readonly Rule[] = []): Promise<Outcome> {
  scene.table.arm({ rules });
  return scene.caller.call("import", { content: largeDocument("source"), modelKey: "made" });
}

async function readModel(): Promise<unknown> {
  const { answer, problem } = await scene.quiet.call("model_export", { modelRef: "key:made" });
  const { types, entities } = Object(answer?.body);
  return problem?.code ?? { types: types.length, entities: entities.length };
}

const WHOLE = { types: 43, entities: 4 };

describe("a publication", () => {
  test("with a taken key leaves nothing behind", async () => {
    await scene.world.run("model/import", { content: largeDocument("made") });
    expect(await importModel()).toMatchObject({ problem: { code: "key_taken" } });
  });

  test.each<Fault>([
    "lose",
    "lose-answer",
    { applyLater: 6 },
  ])("never publishes a generation with a batch without a definite answer: %j", async (fault) => {
    const { id } = writtenBody(await importModel([{ match: { operation: "batchPut", nth: 2 }, do: fault }]));
    const written = new Set(
      scene.table.trace.flatMap(({ operation, keys }) =>
        operation === "batchPut" ? keys.filter((k) => k.startsWith("model#")).map((k) => k.split(/[#|]/)[2]) : [],
      ),
    );
    expect(written.size).toBe(2);
    const [log] = await partition(scene.opened.table, `log#${id}`);
    expect([...written].at(-1)).toBe(log?.generation);
    await scene.expectSound();
  });

  test("is not undone when the client below sent its first record twice", async () => {
    const outcome = await importModel([{ match: { operation: "write" }, do: "repeat" }]);
    expect(writtenBody(outcome)).toMatchObject({ revision: 1, changed: true });
  });

  test("of a writer that seemed dead does not happen: the sweeper closed its record", async () => {
    let generation = "";
    const sweeping = async () => {
      const [staging] = await partition(scene.opened.table, STAGINGS);
      generation = String(staging?.sk);
      scene.clock.advance(SWEEP.stagingMs + 1);
      await sweep(scene.opened.table, scene.clock);
    };
    const outcome = await importModel([{ match: { operation: "transactWrite" }, do: { before: sweeping } }]);
    const logs = (await scene.opened.items()).filter(({ pk }) => pk.startsWith("log#"));
    expect(logs.filter((item) => item.generation === generation)).toEqual([]);
    // Too late by its own clock as well, so it may give up; if it did not, it published another generation.
    const said = outcome.problem?.code ?? "ok";
    expect(["ok", "unavailable", "out_of_time"]).toContain(said);
    expect(await readModel()).toEqual(said === "ok" ? WHOLE : "not_found");
  });

  test.each([
    "batchPut",
    "write",
    "transactWrite",
  ] as const)("whose %s is throttled repeatedly ends in a problem with Retry-After", async (operation) => {
    const outcome = await importModel([{ match: { operation }, do: "throttle", times: 10_000 }]);
    expect(outcome).toMatchObject({ problem: { code: "throttled" } });
    expect(await readModel()).toBe("not_found");
  });

  test("does not continue forever while batches are accepted by half at most", async () => {
    const none: Rule = { match: { operation: "batchPut" }, do: "none-taken", times: 3_000 };
    const begun = scene.clock.now();
    expect(await importModel([none])).toMatchObject({ problem: { code: "throttled" } });
    expect(scene.clock.now() - begun).toBeLessThan(60_000);
  });

  test("publishes the staged objects, snapshot included", async () => {
    const { id } = writtenBody(await importModel());
    const [log] = await partition(scene.opened.table, `log#${id}`);
    const generation = String(log?.generation);
    const { types, entities, relationships, businessKeys, localTags } = largeDocument("source");
    const attributes = [...entities, ...relationships].flatMap((owner) => owner.attributes);
    const withIds = [types, entities, relationships, businessKeys, localTags].flat().length;
    const objects = await partition(scene.opened.table, objectsPartition(id, generation));
    expect(objects).toHaveLength(1 + withIds + attributes.length);
    expect(await partition(scene.opened.table, idsPartition(id, generation))).toHaveLength(withIds);
    expect(await partition(scene.opened.table, blobPartition(String(log?.snapshot)))).toHaveLength(1);
    const exported = await scene.world.run("model/model_export", { modelRef: "key:made" });
    const withoutIds = JSON.parse(JSON.stringify(exported, (name, value) => (name === "id" ? undefined : value)));
    expect(withoutIds).toEqual({ ...largeDocument("made"), types: types.toSorted((a, b) => (a.key < b.key ? -1 : 1)) });
  });
});
