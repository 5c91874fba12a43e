import { describe, expect, test } from "vitest";
import { createCatalogue } from "../../shared/actions/catalogue.ts";
import { PROBLEMS } from "../../shared/domain/problems.ts";
import { pathOf } from "./support/history-calls.ts";
import { countOfRun, seedOfRun } from "./support/history-chance.ts";
import { createLane } from "./support/history-lane.ts";
import { makeHistory } from "./support/history-plan.ts";
import { runHistory } from "./support/history-run.ts";
import { print, shrink } from "./support/history-shrink.ts";
import { createTally } from "./support/history-tally.ts";
import { STATUS_BY_CONTRACT } from "./support/reference-problem.ts";
import { REFERENCE } from "./support/reference-table.ts";

const ACTIONS = createCatalogue().actions;
const HISTORIES = countOfRun("METACTION_HISTORIES", 100);
const STEPS = countOfRun("METACTION_HISTORY_STEPS", 30);
/** Histories that run at the same time, each on a table of its own, so that service and engine both have work. */
const LANES = Math.min(4, HISTORIES);
/** After so many histories that part from the reference a lane gives up. */
const MOST_FAILURES = 3;
const MINUTES = 60_000;

test("the reference knows every action of the service and no other", () => {
  expect(Object.keys(REFERENCE).sort()).toEqual(ACTIONS.map(pathOf).sort());
});

test("every problem code has the status the contract gives it", () => {
  const statuses = Object.fromEntries(Object.entries(PROBLEMS).map(([code, { status }]) => [code, status]));
  expect(statuses).toEqual(STATUS_BY_CONTRACT);
});

describe(`${HISTORIES} random histories of ${STEPS} actions`, () => {
  const tally = createTally();

  test("answer what the reference answers, and leave the state it has", { timeout: 90 * MINUTES }, async () => {
    const first = seedOfRun();
    process.stdout.write(`histories: METACTION_SEED=${first}\n`);
    const began = performance.now();
    const failures: string[] = [];
    const runLane = async (number: number): Promise<void> => {
      const lane = await createLane();
      let failed = 0;
      for (let i = number; i < HISTORIES && failed < MOST_FAILURES; i += LANES) {
        const seed = first + i;
        const steps = makeHistory(seed, STEPS, `h${i} `, ACTIONS);
        const difference = await runHistory(lane, steps, tally.note);
        if (difference) {
          failures.push(print(await shrink(lane, steps, difference), seed));
          failed += 1;
        }
        await lane.clear();
      }
    };
    await Promise.all(Array.from({ length: LANES }, (_, number) => runLane(number)));
    const seconds = (performance.now() - began) / 1000;
    const calls = [...tally.actions.values()].reduce((sum, n) => sum + n, 0);
    process.stdout.write(
      `${calls} calls in ${seconds.toFixed(1)} s, ${(calls / seconds).toFixed(0)} a second\n${tally.table()}\n`,
    );
    expect(failures, failures.join("\n\n")).toEqual([]);
  });

  test("hit every action often enough", () => {
    const least = Math.ceil((100 * HISTORIES) / 2_000 / 2);
    const rare = ACTIONS.map(pathOf).filter(
      (path) => (tally.actions.get(path) ?? 0) < (HISTORIES >= 2_000 ? 100 : least),
    );
    expect(HISTORIES < 50 ? [] : rare).toEqual([]);
  });
});
