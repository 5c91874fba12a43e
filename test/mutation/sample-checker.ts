import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { type Checker, CheckStatus } from "@stryker-mutator/api/check";
import { declareFactoryPlugin, PluginKind } from "@stryker-mutator/api/plugin";
import { formatMutant, toMutant } from "./mutants.ts";

/** File with the formatted mutants of the sample, as a JSON list, from the working folder. */
export const SAMPLE_FILE = "reports/sample.json";

/** Lets Stryker test the mutants of the sample only: a range of its option `mutate` contains others too. */
function createSampleChecker(): Checker {
  const sample = new Set(JSON.parse(readFileSync(SAMPLE_FILE, "utf8")) as readonly string[]);
  const isInSample = (mutant: Parameters<typeof toMutant>[0]) =>
    sample.has(formatMutant(toMutant({ ...mutant, fileName: relative(process.cwd(), mutant.fileName) })));
  return {
    init: async () => undefined,
    check: async (mutants) =>
      Object.fromEntries(
        mutants.map((mutant) => [
          mutant.id,
          isInSample(mutant)
            ? { status: CheckStatus.Passed }
            : { status: CheckStatus.CompileError, reason: "not in the sample" },
        ]),
      ),
  };
}
createSampleChecker.inject = [] as const;

export const strykerPlugins = [declareFactoryPlugin(PluginKind.Checker, "sample", createSampleChecker)];
