import { beforeAll, describe, expect, test } from "vitest";
import type { Fault } from "../store/support/fault-plan.ts";
import { createFaultTable } from "../store/support/fault-table.ts";
import { quickRuntime } from "../store/support/quick-runtime.ts";
import { freshTable } from "../support/table.ts";
import { codeOf, createWorld, type World } from "../support/world.ts";
import { MATRIX_CASES, type MatrixCase } from "./support/matrix/cases.ts";
import { faultsOf, type Struck, strike } from "./support/matrix/strike.ts";

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

let world: World;

beforeAll(async () => {
  world = await createWorld();
});

function struckBy(nth: number, fault: Fault | undefined): Struck {
  const table = createFaultTable(world.table);
  table.arm({ rules: fault ? [{ match: { nth }, do: fault }] : [] });
  return { table, calls: () => table.trace.length, settle: table.settle };
}

const rows: string[] = [];

async function strikeEverywhere(one: MatrixCase) {
  const { calls } = await strike(world, one, () => struckBy(0, undefined));
  const wrong: string[] = [];
  const cells: string[] = [];
  for (const [i, [name, fault]] of CHOSEN.entries()) {
    let right = 0;
    let struck = 0;
    for (let nth = 1; nth <= calls; nth++) {
      if (!ALL && nth % CHOSEN.length !== i) continue;
      struck += 1;
      const faults = faultsOf(await strike(world, one, () => struckBy(nth, fault)));
      if (faults.length === 0) right += 1;
      wrong.push(...faults.map((what) => `${name} at call ${nth}: ${what}`));
    }
    cells.push(`${name} ${right}/${struck}`);
  }
  rows.push(`${one.title.padEnd(44)} ${cells.join("  ")}`);
  expect(wrong).toEqual([]);
}

const TITLE = "answers right or not at all, and has exactly one effect in the end";

const CALL_BY_CALL = { timeout: ALL ? 900_000 : 180_000 };

describe("every write, with every fault at each of its storage calls, repeated with the same key", CALL_BY_CALL, () => {
  describe.concurrent("in a model", () => {
    for (const one of MATRIX_CASES.filter(({ shared }) => !shared))
      test(`${one.title} ${TITLE}`, () => strikeEverywhere(one));
  });

  describe("in the tags of all models", () => {
    for (const one of MATRIX_CASES.filter(({ shared }) => shared))
      test(`${one.title} ${TITLE}`, () => strikeEverywhere(one));
  });
});

test("the matrix has a row for every write", () => {
  console.log(rows.sort().join("\n"));
  expect(rows).toHaveLength(MATRIX_CASES.length);
});

const COMMITS = { operation: "transactWrite", key: /^log#/ } as const;
const READS = { operation: "query", key: /^log#/ } as const;

test.each([
  ["throttled", COMMITS, "throttle"],
  ["contention", COMMITS, "conflict"],
  ["unavailable", READS, "lose"],
  ["out_of_time", COMMITS, "lose"],
] as const)("while the table keeps failing, a write ends with %s, and takes effect once when sent again", async (code, match, fault) => {
  const table = createFaultTable(await freshTable());
  const own = await createWorld({ table, runtime: quickRuntime(), cachedObjects: 0 });
  await own.run("model/model_create", { key: "m", name: "M" });
  const payload = { modelRef: "key:m", typeKey: "t" };
  const write = () => own.answer("model/type_create", payload, own.people.admin, { idempotencyKey: "once" });
  const countTypes = async () => (await own.run("model/type_list", { modelRef: "key:m" })).items.length;
  table.arm({ rules: [{ match, times: Number.POSITIVE_INFINITY, do: fault }] });
  expect(await codeOf(write())).toBe(code);
  await table.settle();
  expect(await countTypes()).toBe(0);
  await write();
  expect(await countTypes()).toBe(1);
});
