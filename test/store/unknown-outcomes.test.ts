import { beforeAll, describe, expect, test } from "vitest";
import { logPartition } from "../../shared/store/table/keys.ts";
import { openTable, type TestTable } from "../support/table.ts";
import { createWorld, type World } from "../support/world.ts";
import { checkAll, partition } from "./support/check-model.ts";
import { type Fault, isWriting } from "./support/fault-plan.ts";
import { createFaultTable } from "./support/fault-table.ts";
import { itemsTable } from "./support/items-table.ts";
import { quickAmbient } from "./support/quick-ambient.ts";
import { readyScene, sceneDocument, WRITE_CASES, type WriteCase } from "./support/scene.ts";
import { type Outcome, serviceOver, writtenBody } from "./support/service-over.ts";

/** Faults after which the call has to succeed all the same, wherever they strike. */
const PASSING: readonly Fault[] = ["throttle", "conflict"];
/** After these it has to succeed as well, because the log tells what became of a write. */
const UNCERTAIN: readonly Fault[] = ["lose", "lose-answer", { applyLater: 2 }, { applyLater: 4 }];
const GIVEN_UP = new Set(["unavailable", "out_of_time", "contention", "throttled"]);

let opened: TestTable;
let world: World;
let models = 0;
/** Every call that was struck, by the id of its request. */
const requests = new Map<string, { readonly label: string; readonly succeeded: boolean }>();

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

/** Runs a write with one fault at its nth storage call, or with none. */
async function strike(one: WriteCase, nth?: number, fault?: Fault) {
  const key = await newScene();
  await readyScene(one.name, key, (action, payload) => world.run(`model/${action}`, payload));
  const table = createFaultTable(opened.table);
  const caller = serviceOver(world, table, quickAmbient());
  table.arm({ rules: nth && fault ? [{ match: { nth }, do: fault }] : [] });
  const outcome = await caller.call(one.name, one.payload(key, `${key}-new`));
  const { trace } = table;
  await table.settle();
  return { outcome, trace };
}

function told(outcome: Outcome): string {
  return outcome.problem ? outcome.problem.code : "ok";
}

describe.concurrent("every write with a fault at every storage call", { timeout: 300_000 }, () => {
  for (const one of WRITE_CASES) {
    test(`${one.name} has exactly one effect, or at most one when it says that it failed`, async () => {
      const plain = await strike(one);
      expect(told(plain.outcome)).toBe("ok");
      expect(plain.trace.length).toBeGreaterThan(0);
      const wrong: string[] = [];
      for (const { nth, operation } of plain.trace) {
        const writing = isWriting(operation);
        for (const fault of writing ? [...PASSING, ...UNCERTAIN] : [...PASSING, "lose" as const]) {
          const label = `${JSON.stringify(fault)} at call ${nth} (${operation})`;
          const { outcome } = await strike(one, nth, fault).catch((error: unknown) => {
            throw new Error(`${one.name}: ${label}: ${error}`, { cause: error });
          });
          const code = told(outcome);
          const mayFail = fault === "lose" && !(operation === "transactWrite");
          if (code !== "ok" && !(mayFail && GIVEN_UP.has(code))) wrong.push(`${label}: ${code}`);
          if (code === "ok" && !writtenBody(outcome).changed) wrong.push(`${label}: answered that nothing changed`);
          requests.set(outcome.request, { label: `${one.name}: ${label}`, succeeded: code === "ok" });
        }
      }
      expect(wrong).toEqual([]);
    });
  }
});

test("after all of them the log has each success once, no failure twice, and every model agrees with its log", async () => {
  const items = await opened.items();
  const entries = items.filter(({ pk }) => pk.startsWith("log#"));
  const effects = Map.groupBy(entries, (item) => String(item.request));
  const wrong: string[] = [];
  for (const [request, { label, succeeded }] of requests) {
    const times = effects.get(request)?.length ?? 0;
    if (succeeded ? times !== 1 : times > 1) wrong.push(`${label}: ${times} effects`);
  }
  expect(requests.size).toBeGreaterThan(300);
  expect(wrong).toEqual([]);
  expect(await checkAll(itemsTable(items), items)).toEqual([]);
});

test("a write that nobody answers ends in time, and says so", async () => {
  const key = await newScene();
  const table = createFaultTable(opened.table);
  const caller = serviceOver(world, table, quickAmbient());
  table.arm({ rules: [{ match: { operation: "transactWrite" }, do: "lose", times: 1_000 }] });
  const { problem } = await caller.call("type_create", { modelRef: `key:${key}`, typeKey: "date" });
  expect(problem?.code).toBe("out_of_time");
});

test("a write that nobody answers does not say that it can be sent again, though afterwards nothing is answered at all", async () => {
  const key = await newScene();
  const table = createFaultTable(opened.table);
  const caller = serviceOver(world, table, quickAmbient());
  table.arm({
    rules: [
      { match: { operation: "transactWrite" }, do: { applyLater: 1_000 } },
      // From the second attempt on.
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

describe("a commit that is applied long after its answer was given up", () => {
  /** Runs a write whose commit is applied only when its second attempt begins, just before a stranger does something. */
  async function overtaken(name: string, payload: object, stranger: (key: string) => Promise<unknown>) {
    const key = await newScene();
    const table = createFaultTable(opened.table);
    const caller = serviceOver(world, table, quickAmbient());
    const byKey = { ...payload, modelRef: `key:${key}` };
    table.arm({
      rules: [
        // One call looks for it in the log and does not find it; the next opens the model again.
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

  test("is not repeated on what a stranger made at the same key since", async () => {
    const { key, outcome, effects } = await overtaken("entity_delete", { entityRef: "key:customer" }, (scene) =>
      world.run("model/entity_create", { modelRef: `key:${scene}`, entityKey: "customer", name: "The stranger's" }),
    );
    expect(told(outcome)).toBe("ok");
    expect(effects).toBe(1);
    const left = await world.run("model/entity_get", { modelRef: `key:${key}`, entityRef: "key:customer" });
    expect(left.name).toBe("The stranger's");
  });

  test("is not repeated over what a stranger changed since", async () => {
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

  test("is answered as the change it was, not as one that was not needed", async () => {
    const { outcome } = await overtaken(
      "entity_update_name",
      { entityRef: "key:customer", value: "Mine" },
      async () => undefined,
    );
    expect(writtenBody(outcome)).toMatchObject({ changed: true, revision: 2 });
  });

  test("is answered as done when the second attempt finds its own work in the way", async () => {
    const { outcome, effects } = await overtaken("type_create", { typeKey: "date" }, async () => undefined);
    expect(writtenBody(outcome)).toMatchObject({ changed: true, revision: 2 });
    expect(effects).toBe(1);
  });
});
