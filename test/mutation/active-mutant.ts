import { beforeAll } from "vitest";

/** Name under which instrumented code finds the mutant that is active. */
const NAMESPACE = "__stryker__";

// Processes and workers that a test starts run the same instrumented files, and read the variable.
beforeAll(() => {
  const { activeMutant } = (globalThis as { [NAMESPACE]?: { activeMutant?: string } })[NAMESPACE] ?? {};
  if (activeMutant === undefined) delete process.env.__STRYKER_ACTIVE_MUTANT__;
  else process.env.__STRYKER_ACTIVE_MUTANT__ = activeMutant;
});
