import { describe, expect, test } from "vitest";
import { ANOMALIES } from "./support/checker-anomalies.ts";
import { violations } from "./support/checker-check.ts";
import { historyOf, simulate } from "./support/checker-simulation.ts";

const SEEDS = Array.from({ length: 40 }, (_, i) => i + 1);
/** Histories spoilt in each way. */
const SPOILT = 5;

test(`finds nothing in ${SEEDS.length} histories as a faultless service gives them`, () => {
  for (const seed of SEEDS) {
    const good = simulate(seed);
    expect(good.log.length).toBeGreaterThan(20);
    expect(violations(historyOf(good)), `seed ${seed}`).toEqual([]);
  }
});

describe("the checker catches", () => {
  test.each(Object.entries(ANOMALIES))(`%s, ${SPOILT} times`, (_, spoil) => {
    const spoilt = SEEDS.flatMap((seed) => {
      const bad = spoil(simulate(seed), seed);
      return bad ? [{ seed, bad }] : [];
    }).slice(0, SPOILT);
    expect(spoilt.length).toBe(SPOILT);
    for (const { seed, bad } of spoilt) expect(violations(historyOf(bad)).length, `seed ${seed}`).toBeGreaterThan(0);
  });
});

test("takes no more than a few seconds for 20,000 calls", () => {
  const one = simulate(1);
  const began = performance.now();
  for (let i = 0; i < 20_000 / one.ops.length; i++) violations(historyOf(one));
  expect(performance.now() - began).toBeLessThan(15_000);
});
