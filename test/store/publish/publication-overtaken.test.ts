import { describe, expect, test } from "vitest";
import { STAGINGS } from "../../../shared/store/table/keys.ts";
import { checkModel, partition } from "../support/check-model.ts";
import type { Rule } from "../support/fault-plan.ts";
import { runs } from "../support/large-writes.ts";
import {
  ALWAYS,
  beforePublishing,
  CRM,
  cleanAfterSweep,
  describeMany,
  log,
  many,
  newScene,
  type Scene,
  staged,
  types,
} from "../support/publication-scene.ts";
import { writtenBody } from "../support/service-over.ts";

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

  test("decides again after one that changes objects it read or writes, and writes only the difference", async () => {
    const scene = await newScene();
    const others = async (): Promise<void> => {
      writtenBody(await scene.quiet.call("type_update_name", { ...CRM, typeRef: "key:t07", value: "Seven" }));
      writtenBody(await scene.quiet.call("type_delete", { ...CRM, typeRef: "key:t08" }));
      await rename(scene, "Orders")();
    };
    scene.table.arm({ rules: [beforePublishing(others)] });
    const body = writtenBody(await describeMany(scene.caller, { value: "Decided", makes: "made" }));
    expect(body.revision).toBe(5);
    expect(runs.get("Decided")).toBe(2);
    const once = staged(scene);
    expect(once.slice(scene.size + 1).sort()).toEqual(["entity#order", "type#t07"]);
    const { t08: _, ...rest } = many("Decided");
    expect(await types(scene)).toEqual({ ...ALWAYS, ...rest, made: "Decided" });
    expect(await scene.world.run("model/type_get", { ...CRM, typeRef: "key:t07" })).toMatchObject({ name: "Seven" });
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

  test("includes another publication too", async () => {
    const scene = await newScene();
    const other = async (): Promise<void> => {
      writtenBody(await describeMany(scene.quiet, { value: "First", makes: "first" }));
      writtenBody(await scene.quiet.call("type_create", { ...CRM, typeKey: "between" }));
    };
    scene.table.arm({ rules: [beforePublishing(other)] });
    writtenBody(await describeMany(scene.caller, { value: "Second", makes: "second" }));
    expect(await types(scene)).toEqual({
      ...ALWAYS,
      ...many("Second"),
      first: "First",
      second: "Second",
      between: undefined,
    });
    expect(await log(scene)).toHaveLength(4);
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

  test("is not published in part if a write of the difference has no answer", async () => {
    for (const operation of ["batchPut", "batchDelete"] as const) {
      for (const fault of ["lose", "lose-answer", { applyLater: 5 }] as const) {
        const scene = await newScene();
        const other = async (): Promise<void> => {
          scene.table.arm({ rules: [{ match: { operation, key: /^model#/ }, do: fault }] });
          writtenBody(await scene.quiet.call("entity_update_key", { ...CRM, entityRef: "key:order", value: "sale" }));
        };
        scene.table.arm({ rules: [beforePublishing(other)] });
        const body = writtenBody(await describeMany(scene.caller, { value: "Spoilt" }));
        expect(body.revision).toBe(3);
        const generations = new Set(
          scene.table.trace.flatMap(({ keys }) => keys.filter((key) => key.startsWith("stagings|"))),
        );
        expect(generations.size).toBe(2);
        await cleanAfterSweep(scene);
      }
    }
  });
});
