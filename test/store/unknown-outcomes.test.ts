import { beforeAll, describe, expect, test } from "vitest";
import { realAmbient } from "../support/ambient.ts";
import { createWorld, type World } from "../support/world.ts";
import { checkAll } from "./support/check-model.ts";
import type { Fault } from "./support/fault-plan.ts";
import { createFaultSeam } from "./support/fault-seam.ts";
import { itemsSeam } from "./support/items-seam.ts";
import { quickAmbient } from "./support/quick-ambient.ts";
import { sceneDocument, WRITE_CASES, type WriteCase } from "./support/scene.ts";
import { type Outcome, serviceOver, writtenBody } from "./support/service-over.ts";
import { type OpenTable, openTable } from "./support/table.ts";

/** Faults after which the call has to succeed all the same, wherever they strike. */
const PASSING: readonly Fault[] = ["throttle", "conflict"];
/** Faults after which it may give up when they strike a read, but never when they strike a write. */
const UNCERTAIN: readonly Fault[] = ["lose", "lose-answer", { applyLater: 1 }, { applyLater: 2 }, { applyLater: 4 }];
const GIVEN_UP = new Set(["unavailable", "out_of_time", "contention", "throttled"]);

let table: OpenTable;
let world: World;
let models = 0;

beforeAll(async () => {
  table = await openTable();
  world = await createWorld({ seam: table.seam });
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
  const seam = createFaultSeam(table.seam);
  const caller = serviceOver(world, seam, quickAmbient());
  seam.arm({ rules: nth && fault ? [{ match: { nth }, do: fault }] : [] });
  const outcome = await caller.call(one.name, one.payload(key, `${key}-new`));
  const struck = seam.trace.find((call) => call.nth === nth);
  await seam.settle();
  return { outcome, struck, trace: seam.trace };
}

function told(outcome: Outcome): string {
  return outcome.problem ? outcome.problem.code : "ok";
}

describe.concurrent("every write with a fault at every storage call", () => {
  for (const one of WRITE_CASES) {
    test(`${one.name} has exactly one effect, or at most one when it says that it failed`, async () => {
      const plain = await strike(one);
      const calls = plain.trace.length;
      expect(told(plain.outcome)).toBe("ok");
      expect(calls).toBeGreaterThan(1);
      const wrong: string[] = [];
      const requests = new Map<string, boolean>();
      for (const fault of [...PASSING, ...UNCERTAIN]) {
        for (let nth = 1; nth <= calls; nth++) {
          const label = `${JSON.stringify(fault)} at call ${nth}`;
          const { outcome, struck } = await strike(one, nth, fault).catch((error: unknown) => {
            throw new Error(`${one.name}: ${label}: ${error}`, { cause: error });
          });
          const writing = struck?.operation.startsWith("transactWrite") || struck?.operation === "write";
          const code = told(outcome);
          if (PASSING.includes(fault) && code !== "ok") wrong.push(`${label} (${struck?.operation}): ${code}`);
          if (writing && code !== "ok") wrong.push(`${label} (${struck?.operation}): ${code}`);
          if (code !== "ok" && !GIVEN_UP.has(code)) wrong.push(`${label} (${struck?.operation}): ${code}`);
          if (code === "ok" && !writtenBody(outcome).changed) wrong.push(`${label}: answered that nothing changed`);
          requests.set(outcome.request, code === "ok");
        }
      }
      const items = await table.items();
      const effects = Map.groupBy(
        items.filter(({ pk }) => pk.startsWith("log#")),
        (item) => String(item.request),
      );
      for (const [request, succeeded] of requests) {
        const times = effects.get(request)?.length ?? 0;
        if (succeeded ? times !== 1 : times > 1) wrong.push(`${times} effects of a call that ${succeeded}`);
      }
      expect(wrong).toEqual([]);
    });
  }
});

test("after all of them every model agrees with its log", async () => {
  const items = await table.items();
  expect(items.length).toBeGreaterThan(1_000);
  expect(await checkAll(itemsSeam(items), items)).toEqual([]);
});

test("a write that nobody answers ends in time, and says so", async () => {
  const key = await newScene();
  const seam = createFaultSeam(table.seam);
  const caller = serviceOver(world, seam, quickAmbient());
  seam.arm({ rules: [{ match: { operation: "transactWrite" }, do: "lose", times: 1_000 }] });
  const { problem } = await caller.call("type_create", { modelRef: `key:${key}`, typeKey: "date" });
  expect(problem?.code).toBe("out_of_time");
  expect(realAmbient.now()).toBeGreaterThan(0);
});
