import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { createFolder } from "../support/temporary-folder.ts";

/** What instrumented code reads and writes: the active mutant, and how often each mutant ran by test. */
interface Instrumentation {
  readonly activeMutant?: string;
  readonly currentTestId?: string;
  mutantCoverage?: { readonly perTest: Record<string, Record<string, number>>; readonly static: object };
}

const instrumentation = (globalThis as { __stryker__?: Instrumentation }).__stryker__ ?? {};
const covered: { test: string; file: string }[] = [];

// Processes and workers read which mutant is active; in the run without one, they write which mutants they ran.
beforeAll(() => {
  delete process.env.__STRYKER_ACTIVE_MUTANT__;
  delete process.env.COVERED_MUTANTS;
  if (instrumentation.activeMutant !== undefined) process.env.__STRYKER_ACTIVE_MUTANT__ = instrumentation.activeMutant;
});
beforeEach(() => {
  const { activeMutant, currentTestId } = instrumentation;
  if (activeMutant !== undefined || currentTestId === undefined) return;
  const file = join(createFolder(), "covered.txt");
  covered.push({ test: currentTestId, file });
  process.env.COVERED_MUTANTS = file;
});
afterEach(addCoverage);
// A process may end after the test that started it.
afterAll(addCoverage);

/** Adds the mutants that other processes ran to those of the tests that started them. */
function addCoverage() {
  for (const { test, file } of covered.filter(({ file }) => existsSync(file))) {
    instrumentation.mutantCoverage ??= { perTest: {}, static: {} };
    const counts = { ...instrumentation.mutantCoverage.perTest[test] };
    for (const id of readFileSync(file, "utf8").split("\n").filter(Boolean)) counts[id] = (counts[id] ?? 0) + 1;
    instrumentation.mutantCoverage.perTest[test] = counts;
    rmSync(file);
  }
}
