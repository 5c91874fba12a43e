import { beforeAll, describe, expect, test } from "vitest";
import { TAGS_LEDGER } from "../../shared/actions/ledgers.ts";
import { Problem } from "../../shared/domain/problems.ts";
import { logPartition } from "../../shared/store/keys.ts";
import { checkModel, partition } from "../store/support/check-model.ts";
import type { Fault } from "../store/support/fault-plan.ts";
import { createFaultSeam } from "../store/support/fault-seam.ts";
import { quickAmbient } from "../store/support/quick-ambient.ts";
import { readyScene, sceneDocument } from "../store/support/scene.ts";
import { type Outcome, serviceOver } from "../store/support/service-over.ts";
import { openTable, type TestTable } from "../support/table.ts";
import { createWorld, type World } from "../support/world.ts";
import { MATRIX_CASES, type MatrixCase } from "./support/matrix-cases.ts";

/** Every fault a single storage call can meet. */
const FAULTS: readonly (readonly [name: string, fault: Fault])[] = [
  ["fails", "lose"],
  ["answer lost", "lose-answer"],
  ["throttled", "throttle"],
  ["conflict", "conflict"],
  ["slow", { slow: 3 }],
  ["applied later", { applyLater: 2 }],
];
/** The quick run takes the two that hide what happened, call by call in turns; `METACTION_MATRIX=all` takes every one. */
const ALL = process.env.METACTION_MATRIX === "all";
const CHOSEN = ALL ? FAULTS : FAULTS.filter((_, i) => i === 1 || i === 5);
const GIVEN_UP = new Set(["unavailable", "out_of_time", "contention", "throttled"]);

let table: TestTable;
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
  /** How often each ledger tells of the call. */
  readonly effects: readonly number[];
  readonly faults: readonly string[];
}

/** One write under a fault at its nth storage call, then once more with the same idempotency key and no fault. */
async function strike(one: MatrixCase, nth: number, fault: Fault | undefined): Promise<Struck> {
  scenes += 1;
  const key = `matrix-${scenes}`;
  await world.run("model/import", { content: sceneDocument(key) });
  const { id } = await world.run("model/model_get", { modelRef: `key:${key}` });
  await readyScene(one.title, key, (action, payload) => world.run(`model/${action}`, payload));
  await patiently(() => world.run("tag/tag_group_create", { key }));
  await patiently(() => world.run("tag/tag_global_create", { groupRef: `key:${key}`, key: "personal" }));
  const seam = createFaultSeam(table.seam);
  const clock = quickAmbient();
  const payload = one.payload(key);
  const controls = { idempotencyKey: key };
  seam.arm({ rules: fault ? [{ match: { nth }, do: fault }] : [] });
  const first = await serviceOver(world, seam, clock).call(one.action, payload, controls);
  const calls = seam.trace.length;
  await seam.settle();
  const second = await serviceOver(world, table.seam, clock).call(one.action, payload, controls);
  const ledgers = one.ledgers(second.answer, id);
  const requests = new Set([first.request, second.request]);
  const logs = await Promise.all(ledgers.map((ledger) => partition(table.seam, logPartition(ledger))));
  const effects = logs.map((log) => log.filter(({ request }) => requests.has(String(request))).length);
  const faults = (await Promise.all(ledgers.map((ledger) => faultsIn(ledger)))).flat();
  return { first, second, calls, effects, faults };
}

async function faultsIn(ledger: string): Promise<readonly string[]> {
  const faults = await checkModel(table.seam, ledger);
  // The tags of all models lie in a ledger that is none.
  if (ledger === TAGS_LEDGER) return faults.filter((fault) => fault !== "there is no model object");
  return faults;
}

/** The scenes of all rows are made at the same time, and their groups belong to one ledger. */
async function patiently(make: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await make();
      return;
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== "contention") throw error;
    }
  }
}

const rows: string[] = [];

async function strikeEverywhere(one: MatrixCase): Promise<void> {
  const { calls } = await strike(one, 0, undefined);
  const wrong: string[] = [];
  const cells: string[] = [];
  for (const [i, [name, fault]] of CHOSEN.entries()) {
    let right = 0;
    let struck = 0;
    for (let nth = 1; nth <= calls; nth++) {
      if (!ALL && nth % CHOSEN.length !== i) continue;
      struck += 1;
      const { first, second, effects, faults } = await strike(one, nth, fault);
      const said = first.problem?.code ?? "ok";
      const same = !first.answer || JSON.stringify(first.answer.body) === JSON.stringify(second.answer?.body);
      if (said === "ok" ? same : GIVEN_UP.has(said)) right += 1;
      else wrong.push(`${name} at call ${nth}: ${said}, then another answer`);
      if (!second.answer) wrong.push(`${name} at call ${nth}: the repeat ended in ${second.problem?.code}`);
      if (effects.length === 0 || effects.some((n) => n !== 1))
        wrong.push(`${name} at call ${nth}: ${effects} effects`);
      if (faults.length > 0) wrong.push(`${name} at call ${nth}: ${faults.join("; ")}`);
    }
    cells.push(`${name} ${right}/${struck}`);
  }
  rows.push(`${one.title.padEnd(44)} ${cells.join("  ")}`);
  expect(wrong).toEqual([]);
}

const TITLE = "answers right or not at all, and has exactly one effect in the end";

const CALL_BY_CALL = { timeout: ALL ? 900_000 : 180_000 };

describe(
  "every write, with every fault at every storage call it makes, repeated with the same key",
  CALL_BY_CALL,
  () => {
    describe.concurrent("in a model", () => {
      for (const one of MATRIX_CASES.filter(({ shared }) => !shared))
        test(`${one.title} ${TITLE}`, () => strikeEverywhere(one));
    });

    describe("in the tags that all models share", () => {
      for (const one of MATRIX_CASES.filter(({ shared }) => shared))
        test(`${one.title} ${TITLE}`, () => strikeEverywhere(one));
    });
  },
);

test("the matrix has a row for every write", () => {
  console.log(rows.sort().join("\n"));
  expect(rows).toHaveLength(MATRIX_CASES.length);
});
