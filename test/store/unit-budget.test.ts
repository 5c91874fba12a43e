import { expect, test } from "vitest";
import { findUnitFaults, measureUnits } from "../../bench/units.ts";
import { findWarmFaults, measureWarm } from "../../bench/warm.ts";
import { ACTIONS } from "../support/actions.ts";
import type { UnitStep } from "./unit-budget/unit-step.ts";
import { UNIT_STEPS } from "./unit-budget/unit-steps.ts";

/** The steps of one run that are off their budget. */
const faultsOfOneRun = async (): Promise<readonly string[]> =>
  (await measureUnits()).flatMap(([step, row]) => findUnitFaults(step, row));

test("every call costs exactly its budget", async () => {
  const isChain = (fault: string): boolean => fault.includes(": sequence ");
  const faults = await faultsOfOneRun();
  // On a busy machine a chain may count a call that did not wait for it, but not every time.
  const again = faults.some(isChain) ? await faultsOfOneRun() : [];
  const lasting = faults.filter((fault) => !isChain(fault) || again.includes(fault));
  expect(lasting, lasting.join("\n")).toEqual([]);
});

test("a warm process pays at most the costs of a cold one, and one unit in one request for a cached read", async () => {
  const faults = findWarmFaults(await measureWarm());
  const isChain = (fault: string): boolean => /sequence|calls/.test(fault);
  const again = faults.some(isChain) ? findWarmFaults(await measureWarm()) : [];
  const lasting = faults.filter((fault) => !isChain(fault) || again.includes(fault));
  expect(lasting, lasting.join("\n")).toEqual([]);
});

test("a cached read with more requests than for the log is found", () => {
  const step = UNIT_STEPS.find(({ action }) => action === "model/entity_get") as UnitStep;
  const row = { action: step.action, variant: step.variant, write: 0, read: 3, sequence: 3 };
  const warm = { ...row, read: 1, sequence: 1 };
  expect(findWarmFaults([{ step, cold: row, warm }])).toEqual([]);
  expect(findWarmFaults([{ step, cold: row, warm: { ...warm, read: 2 } }])).toHaveLength(1);
  expect(findWarmFaults([{ step, cold: row, warm: { ...row, sequence: 4 } }])).toHaveLength(2);
});

test("every action on models has a budget", () => {
  const budgeted = new Set(UNIT_STEPS.map(({ action }) => action));
  const onModels = ACTIONS.filter(({ group }) => group === "model").map(({ group, name }) => `${group}/${name}`);
  expect(onModels.filter((name) => !budgeted.has(name))).toEqual([]);
});

test("a call that costs one unit more or less is found", () => {
  // The list is not empty, which the test above would tell.
  const step = UNIT_STEPS[0] as UnitStep;
  const { action, variant, write, read, sequence } = step;
  expect(findUnitFaults(step, { action, variant, write, read, sequence })).toEqual([]);
  expect(findUnitFaults(step, { action, variant, write: write + 1, read, sequence })).toHaveLength(1);
  expect(findUnitFaults(step, { action, variant, write, read: read - 1, sequence })).toHaveLength(1);
});
