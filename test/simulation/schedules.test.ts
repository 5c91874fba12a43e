import { describe, expect, test } from "vitest";
import { countOfRun, seedOf } from "../support/chance.ts";
import type { Finding } from "./support/main.ts";
import { runSchedules } from "./support/run-schedules.ts";

const SCHEDULES = countOfRun("METACTION_SCHEDULES", 100);
const CLIENTS = 5;
const CALLS = 20;
const MINUTES = 60_000;

const shown = ({ seed, faults, trace }: Finding) =>
  [`METACTION_SEED=${seed} METACTION_SCHEDULES=1`, ...faults, ...trace].join("\n");

describe(`${SCHEDULES} schedules of ${CLIENTS} clients with ${CALLS} calls each, a sweeper, workers and faults`, () => {
  test("have one order of commits that explains every answer, and leave a consistent table", {
    timeout: 120 * MINUTES,
  }, async () => {
    const from = seedOf("schedules");
    const done = await runSchedules({ from, count: SCHEDULES, clients: CLIENTS, calls: CALLS });
    const { schedules, calls, requests, seconds, cpuMs } = done;
    process.stdout.write(
      `${schedules} schedules, ${calls} calls and ${requests} requests in ${seconds.toFixed(1)} s: ` +
        `${((60 * schedules) / seconds).toFixed(0)} schedules a minute, ${(cpuMs / schedules).toFixed(1)} ms of processor each\n`,
    );
    const seeds = done.findings.map(({ seed }) => seed);
    expect(seeds, done.findings.map(shown).join("\n\n")).toEqual([]);
    expect(schedules).toBe(SCHEDULES);
  });
});

test("a seed determines the schedule: it is the same on every machine and after any other schedule", async () => {
  const some = { from: 1_000, count: 2 };
  const apart = await runSchedules({ ...some, workers: 2 });
  const inOneProcess = await runSchedules({ ...some, workers: 1 });
  const others = await runSchedules({ from: 2_000, count: 2, workers: 1 });
  expect(inOneProcess.hash).toBe(apart.hash);
  expect(others.hash).not.toBe(apart.hash);
});
