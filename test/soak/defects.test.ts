import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BANK } from "./support/bank.ts";
import type { Suite } from "./support/defect.ts";
import { type Copy, copyRepository } from "./support/defect-copy.ts";
import { findFailedAssertion, runSuites } from "./support/defect-run.ts";

/** Names or beginnings of names, separated by commas. Default: all defects. */
const CHOSEN = process.env.METACTION_DEFECTS?.split(",");
const DEFECTS = CHOSEN ? BANK.filter(({ name }) => CHOSEN.some((chosen) => name.startsWith(chosen))) : BANK;
const MINUTES = 60_000;

const formatSuite = ({ file, tests }: Suite) => (tests === undefined ? file : `${file} "${tests}"`);
const say = (line: string) => process.stdout.write(`${line}\n`);

describe("a copy of the service", () => {
  /** Copies that no test uses: two at first, which the project's `maxConcurrency` keeps busy. */
  const copies: Copy[] = [];
  /** True if the suites pass without a defect. Otherwise a failure with a defect proves nothing. */
  let isSound = false;

  beforeAll(async () => {
    copies.push(await copyRepository(), await copyRepository());
  }, MINUTES);

  afterAll(() => Promise.all(copies.map((copy) => copy.remove())));

  test("has a defect for every chosen name", () => expect(DEFECTS, `Unknown defects: ${CHOSEN}`).not.toEqual([]));

  test("passes every suite without a defect", { timeout: 15 * MINUTES }, async () => {
    const suites = DEFECTS.flatMap(({ caughtBy }) => caughtBy);
    const whole = suites.filter(({ tests }) => tests === undefined);
    const parts = suites.filter(({ file }) => !whole.some((one) => one.file === file));
    for (const some of [whole, parts].filter(({ length }) => length > 0)) {
      const run = await runSuites(String(copies[0]?.folder), some, false);
      say(`no defect: ${run.passed} tests passed, ${run.failed.length} failed, ${run.seconds.toFixed(1)} s`);
      expect(run.broken).toEqual([]);
      expect(run.failed).toEqual([]);
      expect(run.passed).toBeGreaterThan(0);
    }
    isSound = true;
  });

  test.concurrent.each(DEFECTS)("fails with the defect $name", { timeout: 15 * MINUTES }, async (defect) => {
    expect(isSound, "the suites fail without a defect already").toBe(true);
    const copy = copies.pop() as Copy;
    try {
      await copy.plant(defect);
      for (const suite of defect.caughtBy) {
        const run = await runSuites(copy.folder, [suite], true);
        const caught = findFailedAssertion(run);
        const how = caught ? `caught by "${caught.test}"` : "NOT CAUGHT";
        say(`${defect.name}: ${formatSuite(suite)}: ${how} in ${run.seconds.toFixed(1)} s`);
        expect(run.passed + run.failed.length, `no test of ${formatSuite(suite)} ran`).toBeGreaterThan(0);
        expect(run.broken, "suites that do not even run prove nothing").toEqual([]);
        const passing = `${run.passed} tests of ${formatSuite(suite)} pass`;
        expect(caught, `${passing}, and these fail of themselves: ${JSON.stringify(run.failed)}`).toBeDefined();
      }
    } finally {
      await copy.restore();
      copies.push(copy);
    }
  });
});
