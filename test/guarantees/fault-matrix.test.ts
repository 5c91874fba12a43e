import { beforeAll, describe, expect, test } from "vitest";
import { logPartition } from "../../shared/store/keys.ts";
import { checkModel, partition } from "../store/support/check-model.ts";
import type { Fault } from "../store/support/fault-plan.ts";
import { createFaultSeam } from "../store/support/fault-seam.ts";
import { quickAmbient } from "../store/support/quick-ambient.ts";
import { sceneDocument, WRITE_CASES, type WriteCase } from "../store/support/scene.ts";
import { type Outcome, serviceOver, writtenBody } from "../store/support/service-over.ts";
import { type OpenTable, openTable } from "../store/support/table.ts";
import { createWorld, type World } from "../support/world.ts";

/** Every fault a single storage call can meet. */
const FAULTS: readonly (readonly [name: string, fault: Fault])[] = [
  ["fails", "lose"],
  ["answer lost", "lose-answer"],
  ["throttled", "throttle"],
  ["conflict", "conflict"],
  ["slow", { slow: 3 }],
  ["applied later", { applyLater: 2 }],
];
/** The quick run takes the two that hide what happened; `METACTION_MATRIX=all` takes every one. */
const CHOSEN = process.env.METACTION_MATRIX === "all" ? FAULTS : FAULTS.filter((_, i) => i === 1 || i === 5);
const GIVEN_UP = new Set(["unavailable", "out_of_time", "contention", "throttled"]);

let table: OpenTable;
let world: World;
let scenes = 0;

beforeAll(async () => {
  table = await openTable();
  world = await createWorld({ seam: table.seam });
});

interface Struck {
  readonly first: Outcome;
  readonly second: Outcome;
  readonly calls: number;
  readonly effects: number;
  readonly faults: readonly string[];
}

/** One write under a fault at its nth storage call, then once more with the same idempotency key and no fault. */
async function strike(one: WriteCase, nth: number, fault: Fault | undefined): Promise<Struck> {
  scenes += 1;
  const key = `matrix-${scenes}`;
  await world.run("model/import", { content: sceneDocument(key) });
  const { id } = await world.run("model/model_get", { modelRef: `key:${key}` });
  const seam = createFaultSeam(table.seam);
  const clock = quickAmbient();
  const payload = one.payload(key, `${key}-new`);
  const controls = { idempotencyKey: `k-${scenes}` };
  seam.arm({ rules: fault ? [{ match: { nth }, do: fault }] : [] });
  const first = await serviceOver(world, seam, clock).call(one.name, payload, controls);
  const calls = seam.trace.length;
  await seam.settle();
  const second = await serviceOver(world, table.seam, clock).call(one.name, payload, controls);
  const made = second.answer ? writtenBody(second).id : id;
  const ledger = one.begins ? made : id;
  const requests = new Set([first.request, second.request]);
  const log = await partition(table.seam, logPartition(ledger));
  return {
    first,
    second,
    calls,
    effects: log.filter(({ request }) => requests.has(String(request))).length,
    faults: await checkModel(table.seam, ledger),
  };
}

const rows: string[] = [];

describe.concurrent("every write, with every fault at every storage call it makes, repeated with the same key", () => {
  for (const one of WRITE_CASES) {
    test(`${one.name} answers right or not at all, and has exactly one effect in the end`, async () => {
      const { calls } = await strike(one, 0, undefined);
      const wrong: string[] = [];
      const cells: string[] = [];
      for (const [name, fault] of CHOSEN) {
        let right = 0;
        for (let nth = 1; nth <= calls; nth++) {
          const { first, second, effects, faults } = await strike(one, nth, fault);
          const said = first.problem?.code ?? "ok";
          const same = !first.answer || JSON.stringify(first.answer.body) === JSON.stringify(second.answer?.body);
          if (said === "ok" ? same : GIVEN_UP.has(said)) right += 1;
          else wrong.push(`${name} at call ${nth}: ${said}, then another answer`);
          if (!second.answer) wrong.push(`${name} at call ${nth}: the repeat ended in ${second.problem?.code}`);
          if (effects !== 1) wrong.push(`${name} at call ${nth}: ${effects} effects`);
          if (faults.length > 0) wrong.push(`${name} at call ${nth}: ${faults.join("; ")}`);
        }
        cells.push(`${name} ${right}/${calls}`);
      }
      rows.push(`${one.name.padEnd(36)} ${cells.join("  ")}`);
      expect(wrong).toEqual([]);
    });
  }
});

test("the matrix has a row for every write", () => {
  console.log(rows.sort().join("\n"));
  expect(rows).toHaveLength(WRITE_CASES.length);
});
