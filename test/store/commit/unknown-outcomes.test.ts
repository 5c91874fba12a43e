import { beforeAll, describe, expect, test } from "vitest";
import { logPartition } from "../../../shared/store/table/keys.ts";
import { openTable, type TestTable } from "../../support/table.ts";
import { createWorld, type World } from "../../support/world.ts";
import { partition } from "../support/check-model.ts";
import type { Plan } from "../support/fault-plan.ts";
import { createFaultTable } from "../support/fault-table.ts";
import { quickAmbient } from "../support/quick-ambient.ts";
import { sceneDocument } from "../support/scene.ts";
import { type Outcome, serviceOver, writtenBody } from "../support/service-over.ts";

let opened: TestTable;
let world: World;
let models = 0;
beforeAll(async () => {
  opened = await openTable();
  world = await createWorld({ table: opened.table });
});

/** A new model with the scene; its key. */
async function newScene(): Promise<string> {
  models += 1;
  const modelKey = `scene-${models}`;
  await world.run("model/import", { content: sceneDocument(modelKey) });
  return modelKey;
}

function told(outcome: Outcome): string {
  return outcome.problem ? outcome.problem.code : "ok";
}

test("a write without an answer of the table ends in time, with an unknown outcome", async () => {
  const key = await newScene();
  const table = createFaultTable(opened.table);
  const caller = serviceOver(world, table, quickAmbient());
  table.arm({ rules: [{ match: { operation: "transactWrite" }, do: "lose", times: 1_000 }] });
  const { problem } = await caller.call("type_create", { modelRef: `key:${key}`, typeKey: "date" });
  expect(problem?.code).toBe("out_of_time");
});

test("a write without an answer is not reported as repeatable, though later requests fail too", async () => {
  const key = await newScene();
  const table = createFaultTable(opened.table);
  const caller = serviceOver(world, table, quickAmbient());
  table.arm({
    rules: [
      { match: { operation: "transactWrite" }, do: { applyLater: 1_000 } },
      // Reads are lost from the second attempt on.
      { match: { operation: "get", key: /^models\|/, nth: 2 }, do: "lose", times: 1_000 },
      { match: { operation: "query", key: /^log#/, nth: 2 }, do: "lose", times: 1_000 },
      { match: { operation: "transactGet", key: /^log#/, nth: 2 }, do: "lose", times: 1_000 },
    ],
  });
  const outcome = await caller.call("type_create", { modelRef: `key:${key}`, typeKey: "date" });
  await table.settle();
  const { items } = await world.run("model/type_list", { modelRef: `key:${key}` });
  expect(items.map((type: { key: string }) => type.key)).toContain("date");
  expect(told(outcome)).toBe("out_of_time");
});

describe("a commit that succeeds long after its timeout", () => {
  /** Runs a write whose commit is applied only when its second attempt begins, just before a stranger does something. */
  async function overtaken(name: string, payload: object, stranger: (key: string) => Promise<unknown>) {
    const key = await newScene();
    const table = createFaultTable(opened.table);
    const caller = serviceOver(world, table, quickAmbient());
    const byKey = { ...payload, modelRef: `key:${key}` };
    table.arm({
      rules: [
        // The first read after the commit looks for it in the log and does not find it; the next opens the model again.
        { match: { operation: "transactWrite" }, do: { applyLater: 2 } },
        { match: { operation: "get", key: /^models\|/, nth: 2 }, do: { before: () => stranger(key) } },
      ],
    });
    const outcome = await caller.call(name, byKey);
    await table.settle();
    const { id } = await world.run("model/model_get", { modelRef: byKey.modelRef });
    const log = await partition(opened.table, logPartition(id));
    return { key, outcome, effects: log.filter(({ request }) => request === outcome.request).length };
  }

  test("is not repeated over an object that another call created at its key since", async () => {
    const { key, outcome, effects } = await overtaken("entity_delete", { entityRef: "key:customer" }, (scene) =>
      world.run("model/entity_create", { modelRef: `key:${scene}`, entityKey: "customer", name: "The stranger's" }),
    );
    expect(told(outcome)).toBe("ok");
    expect(effects).toBe(1);
    const left = await world.run("model/entity_get", { modelRef: `key:${key}`, entityRef: "key:customer" });
    expect(left.name).toBe("The stranger's");
  });

  test("is not repeated over another call's changes since", async () => {
    const { key, outcome, effects } = await overtaken(
      "entity_update_name",
      { entityRef: "key:customer", value: "Mine" },
      (scene) =>
        world.run("model/entity_update_name", { modelRef: `key:${scene}`, entityRef: "key:customer", value: "Later" }),
    );
    expect(told(outcome)).toBe("ok");
    expect(effects).toBe(1);
    const left = await world.run("model/entity_get", { modelRef: `key:${key}`, entityRef: "key:customer" });
    expect(left.name).toBe("Later");
  });

  test("is answered as a change, not as unchanged", async () => {
    const { outcome } = await overtaken(
      "entity_update_name",
      { entityRef: "key:customer", value: "Mine" },
      async () => undefined,
    );
    expect(writtenBody(outcome)).toMatchObject({ changed: true, revision: 2 });
  });

  test("is answered as done if the second attempt finds its own work", async () => {
    const { outcome, effects } = await overtaken("type_create", { typeKey: "date" }, async () => undefined);
    expect(writtenBody(outcome)).toMatchObject({ changed: true, revision: 2 });
    expect(effects).toBe(1);
  });

  test("is answered as the call's own if its record becomes visible before the other items", async () => {
    for (const inTheWay of [
      // The second attempt is refused what it reads, and the record is all that is left to ask for.
      { match: { operation: "query", key: /^log#/, nth: 2 }, do: "lose", times: 100 },
      // The second attempt writes, and finds the record there.
      undefined,
    ] as const) {
      const key = await newScene();
      const table = createFaultTable(opened.table);
      const caller = serviceOver(world, table, quickAmbient());
      const arrives = { do: { before: () => table.settle() } };
      table.arm({
        rules: [
          { match: { operation: "transactWrite" }, do: { applyLater: 1_000 } },
          ...(inTheWay ? [inTheWay, { match: { operation: "get", key: /^idempotency#/, nth: 2 }, ...arrives }] : []),
          ...(inTheWay ? [] : [{ match: { operation: "transactWrite", nth: 2 }, ...arrives }]),
        ],
      } as Plan);
      const payload = { modelRef: `key:${key}`, typeKey: "date" };
      const { answer } = await caller.call("type_create", payload, { idempotencyKey: key });
      expect(answer).toMatchObject({ body: { changed: true, revision: 2 } });
      expect(answer?.replayed).toBeUndefined();
      const again = await caller.call("type_create", payload, { idempotencyKey: key });
      expect(again.answer?.replayed).toBe(true);
    }
  });
});
