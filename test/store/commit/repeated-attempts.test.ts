import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../shared/domain/limits.ts";
import { useScenes } from "../support/scenes.ts";
import { writtenBody } from "../support/service-over.ts";

const scenes = useScenes();
const { newScene } = scenes;

describe("a call with a second attempt", () => {
  test("writes the same objects under the same ids", async () => {
    const { modelRef, table, caller } = await newScene();
    table.arm({ rules: [{ match: { operation: "transactWrite" }, do: "conflict", times: 2 }] });
    writtenBody(await caller.call("type_create", { modelRef, typeKey: "date" }));
    const commits = table.trace.filter(({ operation }) => operation === "transactWrite");
    expect(commits.map(({ keys }) => keys)).toEqual(commits.map(() => commits[0]?.keys));
    expect(commits).toHaveLength(3);
  });

  test("answers the id of the stored object, whenever its first attempt succeeds after all", async () => {
    for (let later = 1; later <= 12; later++) {
      const { modelRef, table, caller } = await newScene();
      table.arm({ rules: [{ match: { operation: "transactWrite" }, do: { applyLater: later } }] });
      const made = writtenBody(await caller.call("entity_create", { modelRef, entityKey: "supplier" }));
      await table.settle();
      const found = await scenes.world.run("model/entity_get", { modelRef, entityRef: "key:supplier" });
      expect(made.id, `applied ${later} calls later`).toBe(found.id);
    }
  });
});

test("a batch that finds the result of its own first attempt reports it as its own, whenever it becomes visible", async () => {
  for (let later = 1; later <= 16; later++) {
    const { modelRef, table, caller } = await newScene();
    table.arm({ rules: [{ match: { operation: "transactWrite" }, do: { applyLater: later } }] });
    const payload = { modelRef, entityRef: "key:order", value: "Three" };
    const entry = { group: "model", action: "entity_update_description", payload };
    const { answer } = await caller.call("batch/batch_run", { actions: [entry] });
    await table.settle();
    expect(answer?.body, `applied ${later} calls later`).toMatchObject({ changed: true });
  }
});

test("a call that finds the result of its own first attempt is not marked as a replay, whenever it becomes visible", async () => {
  for (let later = 1; later <= 12; later++) {
    const { modelRef, table, caller } = await newScene();
    table.arm({ rules: [{ match: { operation: "transactWrite" }, do: { applyLater: later } }] });
    const control = { idempotencyKey: `key ${later}` };
    const { answer } = await caller.call("entity_create", { modelRef, entityKey: "supplier" }, control);
    await table.settle();
    expect(answer, `applied ${later} calls later`).toMatchObject({ body: { changed: true } });
    expect(answer?.replayed, `applied ${later} calls later`).toBeUndefined();
    const again = await caller.call("entity_create", { modelRef, entityKey: "supplier" }, control);
    expect(again.answer).toEqual({ ...answer, replayed: true });
  }
});

describe("a commit that succeeded although its answer was lost", () => {
  test("is answered as done if its second attempt cannot read any more", async () => {
    const { modelRef, table, caller } = await newScene();
    table.arm({
      rules: [
        { match: { operation: "transactWrite" }, do: { applyLater: 3 } },
        // The first time it is the head of the call, the second time that of the next attempt, which the store asks for three times.
        { match: { operation: "query", key: /^log#/, nth: 2 }, do: "lose", times: 3 },
      ],
    });
    const outcome = await caller.call("type_create", { modelRef, typeKey: "date" });
    expect(writtenBody(outcome)).toMatchObject({ changed: true, revision: 2 });
  });

  test("is answered as done by the refusal of its second attempt, without another read", async () => {
    const { modelRef, table, caller } = await newScene();
    table.arm({
      rules: [
        { match: { operation: "transactWrite" }, do: { applyLater: 100 } },
        { match: { operation: "transactWrite", nth: 2 }, do: { before: () => table.settle() } },
      ],
    });
    const outcome = await caller.call("type_create", { modelRef, typeKey: "date" });
    expect(writtenBody(outcome)).toMatchObject({ changed: true, revision: 2 });
    expect(table.trace.at(-1)?.operation).toBe("transactWrite");
  });

  test("is answered as unknown if its second attempt cannot read and it succeeds later", async () => {
    const { modelRef, table, caller } = await newScene();
    table.arm({
      rules: [
        { match: { operation: "transactWrite" }, do: { applyLater: 100 } },
        { match: { operation: "query", key: /^log#/, nth: 2 }, do: "lose", times: 3 },
      ],
    });
    const { problem } = await caller.call("type_create", { modelRef, typeKey: "date" });
    expect(problem?.code).toBe("out_of_time");
    await table.settle();
    expect(await scenes.world.run("model/type_get", { modelRef, typeRef: "key:date" })).toMatchObject({ key: "date" });
  });

  test("is answered as unknown too if the log cannot be read any more", async () => {
    const { modelRef, table, caller } = await newScene();
    table.arm({
      rules: [
        { match: { operation: "transactWrite" }, do: "lose-answer" },
        { match: { operation: ["get", "query", "transactGet"], key: /^log#/, nth: 2 }, do: "lose", times: 1_000 },
      ],
    });
    const { problem } = await caller.call("type_create", { modelRef, typeKey: "date" });
    expect(problem?.code).toBe("out_of_time");
  });

  test("is answered as done if the deadline comes before a second attempt", async () => {
    const { modelRef, table, clock, caller } = await newScene();
    const late = { before: async () => clock.advance(LIMITS.contentionMs) };
    table.arm({
      rules: [
        { match: { operation: "transactWrite" }, do: { applyLater: 2 } },
        { match: { operation: "transactGet", key: /^log#/ }, do: late },
      ],
    });
    const outcome = await caller.call("type_create", { modelRef, typeKey: "date" });
    expect(writtenBody(outcome)).toMatchObject({ changed: true, revision: 2 });
  });
});
