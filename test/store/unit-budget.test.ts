import { expect, test } from "vitest";
import type { UnitStep } from "../../bench/unit-step.ts";
import { UNIT_STEPS } from "../../bench/unit-steps.ts";
import { measureUnits, unitFaults } from "../../bench/units.ts";
import { ACTIONS } from "../support/actions.ts";

/** The steps of one run that are off their budget. */
const faultsOfOneRun = async (): Promise<readonly string[]> =>
  (await measureUnits()).flatMap(([step, row]) => unitFaults(step, row));

test("every call costs exactly its budget", async () => {
  const isChain = (fault: string): boolean => fault.includes(": sequence ");
  const faults = await faultsOfOneRun();
  // On a busy machine a chain may count a call that did not wait for it, but not every time.
  const again = faults.some(isChain) ? await faultsOfOneRun() : [];
  const lasting = faults.filter((fault) => !isChain(fault) || again.includes(fault));
  expect(lasting, lasting.join("\n")).toEqual([]);
});

test("every action on models has a budget", () => {
  const budgeted = new Set(UNIT_STEPS.map(({ action }) => action));
  const onModels = ACTIONS.filter(({ group }) => group === "model").map(({ group, name }) => `${group}/${name}`);
  expect(onModels.filter((name) => !budgeted.has(name))).toEqual([]);
});

test("a call that costs one unit more or less is a fault", () => {
  // The list is not empty, which the test above would tell.
  const step = UNIT_STEPS[0] as UnitStep;
  const { action, variant, write, read, sequence } = step;
  expect(unitFaults(step, { action, variant, write, read, sequence })).toEqual([]);
  expect(unitFaults(step, { action, variant, write: write + 1, read, sequence })).toHaveLength(1);
  expect(unitFaults(step, { action, variant, write, read: read - 1, sequence })).toHaveLength(1);
});
