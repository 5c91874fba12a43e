import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { PROBLEMS } from "../../shared/domain/problems.ts";
import { ACTIONS } from "../support/actions.ts";
import { countOfRun, seedOf } from "../support/chance.ts";
import { type ClockedWorld, createClockedWorld } from "./support/history/clocked-world.ts";
import { makeHistory, type Step } from "./support/history/plan.ts";
import { createTally, type Difference, runHistory, TRAITS } from "./support/history/run.ts";
import { pathOf } from "./support/history/weights.ts";
import { STATUS_BY_CONTRACT } from "./support/reference/problem.ts";
import { PROVEN_ELSEWHERE, REFERENCE } from "./support/reference/table.ts";

/** The smallest history found that still parts service and reference. */
interface Smallest {
  readonly steps: readonly Step[];
  readonly difference: Difference;
}

const MOST_TRIES = 150;
const LONGER_THAN_A_KEY_LIVES = 49 * 3_600_000;

/** Leaves out steps for as long as the rest still fails (delta debugging: halves first, single steps last). */
async function shrink(world: ClockedWorld, steps: readonly Step[], found: Difference): Promise<Smallest> {
  let smallest: Smallest = { steps: upTo(steps, found), difference: found };
  let tries = 0;
  for (let size = Math.ceil(smallest.steps.length / 2); size >= 1; ) {
    let left = false;
    for (let from = 0; from < smallest.steps.length && tries < MOST_TRIES; ) {
      tries += 1;
      const rest = smallest.steps.filter((_, i) => i < from || i >= from + size);
      const difference = await tryOut(world, rest);
      if (difference) {
        smallest = { steps: upTo(rest, difference), difference };
        left = true;
      } else from += size;
    }
    if (tries >= MOST_TRIES) break;
    if (!left) size = size === 1 ? 0 : Math.ceil(size / 2);
  }
  return smallest;
}

async function tryOut(world: ClockedWorld, steps: readonly Step[]): Promise<Difference | undefined> {
  world.pause(LONGER_THAN_A_KEY_LIVES);
  await world.clear();
  return runHistory(world, steps, () => undefined);
}

/** The steps up to the one that fails; those after it have no part in the failure. */
function upTo(steps: readonly Step[], { step }: Difference): readonly Step[] {
  return step ? steps.filter((s) => s.number <= step.number) : steps;
}

function print({ steps, difference }: Smallest, seed: number): string {
  const lines = steps.map(({ number, pauseMs, call }) => {
    const { action, caller, payload, controls } = call;
    const query = payload.query.length > 0 ? ` query ${JSON.stringify(payload.query)}` : "";
    const pause = pauseMs > 0 ? `after ${pauseMs / 60_000} min: ` : "";
    const pins = Object.keys(controls).length > 0 ? ` with ${JSON.stringify(controls)}` : "";
    return `  ${number}. ${pause}${caller}: ${action} ${JSON.stringify(payload.body)?.slice(0, 600)}${query}${pins}`;
  });
  const repeat = `METACTION_SEED=${seed} METACTION_HISTORIES=1 repeats it`;
  return [`history of seed ${seed} (${repeat}), at its smallest:`, ...lines, `  -> ${difference.what}`].join("\n");
}

const HISTORIES = countOfRun("METACTION_HISTORIES", 100);
const STEPS = countOfRun("METACTION_HISTORY_STEPS", 30);
/** Histories that run at the same time, each on a table of its own, so that service and engine both have work. */
const LANES = Math.min(4, HISTORIES);
/** The number of histories that may part from the reference before a world gives up. */
const MOST_FAILURES = 3;
const MINUTES = 60_000;
const ACTIONS_OF_HISTORIES = ACTIONS.filter((action) => Object.hasOwn(REFERENCE, pathOf(action)));
const REFUSALS = [
  ...["bad_request", "bad_parameters", "bad_precondition", "not_signed_in", "not_allowed", "actor_disabled"],
  ...["not_found", "unknown_action", "key_taken", "still_used", "too_few_roles", "too_many_roles"],
  ...["precondition_failed", "idempotency_key_reused", "source_not_recognised", "invalid_content"],
  ...["version_not_greater", "not_deleted"],
];

test("each action is in the reference model, or has a suite of its own", () => {
  const suitesOf = (path: string) =>
    PROVEN_ELSEWHERE.filter(([actions]) => actions.test(path)).map(([, suite]) => suite);
  for (const path of ACTIONS.map(pathOf))
    expect(Object.hasOwn(REFERENCE, path) ? ["the reference"] : suitesOf(path), path).toHaveLength(1);
  for (const path of Object.keys(REFERENCE)) expect(ACTIONS.map(pathOf)).toContain(path);
  for (const [, suite] of PROVEN_ELSEWHERE) expect(existsSync(suite), suite).toBe(true);
});

test("every problem code has the documented status", () => {
  const statuses = Object.fromEntries(Object.entries(PROBLEMS).map(([code, { status }]) => [code, status]));
  expect(statuses).toEqual(STATUS_BY_CONTRACT);
});

describe(`${HISTORIES} random histories of ${STEPS} actions`, () => {
  const tally = createTally();

  test("answer like the reference model, and have the same final state", { timeout: 90 * MINUTES }, async () => {
    const first = seedOf("histories");
    const began = performance.now();
    const failures: string[] = [];
    const runLane = async (number: number) => {
      // Both ways to search answer the same.
      const world = await createClockedWorld(number % 2 === 1);
      let failed = 0;
      for (let i = number; i < HISTORIES && failed < MOST_FAILURES; i += LANES) {
        const seed = first + i;
        const steps = makeHistory(seed, STEPS, `h${i} `, ACTIONS_OF_HISTORIES);
        const difference = await runHistory(world, steps, tally.note);
        if (difference) {
          failures.push(print(await shrink(world, steps, difference), seed));
          failed += 1;
        }
        await world.clear();
      }
    };
    await Promise.all(Array.from({ length: LANES }, (_, number) => runLane(number)));
    const seconds = (performance.now() - began) / 1000;
    const calls = [...tally.actions.values()].reduce((sum, n) => sum + n, 0);
    process.stdout.write(`${calls} calls in ${seconds.toFixed(1)} s, ${(calls / seconds).toFixed(0)} a second\n`);
    expect(failures, failures.join("\n\n")).toEqual([]);
  });

  test("include every action and every refusal often enough", () => {
    process.stdout.write(`${tally.table()}\n`);
    const share = HISTORIES / 2_000;
    expect(tally.rarer(tally.actions, ACTIONS_OF_HISTORIES.map(pathOf), 100, share)).toEqual([]);
    expect(tally.rarer(tally.codes, [...REFUSALS, ...TRAITS], 10, share)).toEqual([]);
  });
});
