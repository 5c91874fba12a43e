import { expect, test } from "vitest";
import { findUnitFaults, measureUnits } from "../../bench/units.ts";
import { findWarmFaults, measureWarm } from "../../bench/warm.ts";
import { ACTIONS } from "../support/actions.ts";
import type { UnitStep } from "./unit-budget/unit-step.ts";
import { UNIT_STEPS } from "./unit-budget/unit-steps.ts";

/** Returns the faults of a run. On a busy machine one run may count a call as sequential that is not; two runs may not. */
async function findLasting(run: () => Promise<readonly string[]>, isChain: RegExp): Promise<readonly string[]> {
  const faults = await run();
  const again = faults.some((fault) => isChain.test(fault)) ? await run() : [];
  return faults.filter((fault) => !isChain.test(fault) || again.includes(fault));
}

test("every call costs exactly its budget", async () => {
  const run = async () => (await measureUnits()).flatMap(([step, row]) => findUnitFaults(step, row));
  expect(await findLasting(run, /: sequence /)).toEqual([]);
});

test("a warm process pays at most the costs of a cold one, and one unit in one request for a cached read", async () => {
  expect(await findLasting(async () => findWarmFaults(await measureWarm()), /sequence|calls/)).toEqual([]);
});

test("every action on models has a budget", () => {
  const budgeted = new Set(UNIT_STEPS.map(({ action }) => action));
  const onModels = ACTIONS.filter(({ group }) => group === "model").map(({ group, name }) => `${group}/${name}`);
  expect(onModels.filter((name) => !budgeted.has(name))).toEqual([]);
});

test("a call with other costs than its budget is found, and a cached read with more requests than for the log", () => {
  const step = UNIT_STEPS.find(({ action }) => action === "model/entity_get") as UnitStep;
  const { action, variant, write, read, sequence } = step;
  const cold = { action, variant, write, read, sequence };
  expect(findUnitFaults(step, cold)).toEqual([]);
  expect(findUnitFaults(step, { ...cold, write: cold.write + 1 })).toHaveLength(1);
  expect(findUnitFaults(step, { ...cold, read: cold.read - 1 })).toHaveLength(1);
  const warm = { ...cold, read: 1, sequence: 1 };
  expect(findWarmFaults([{ step, cold, warm }])).toEqual([]);
  expect(findWarmFaults([{ step, cold, warm: { ...warm, read: 2 } }])).toHaveLength(1);
  expect(findWarmFaults([{ step, cold, warm: { ...cold, sequence: 4 } }])).toHaveLength(2);
});
