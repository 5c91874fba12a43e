import type { Actions } from "../../client/actions.ts";
import { IMPACTS, type Impact } from "../../shared/domain/differences.ts";
import { createUnknownValueFailure } from "../terminal/failure.ts";

/** The numbers of differences of a comparison or steps of a plan. */
type Counts = Pick<Actions["model"]["model_compare"]["output"], Impact | "verdicts">;

/** Describes the first number that is refused; undefined for none. */
export type FaultFinder = (counts: Counts) => readonly [count: number, what: string] | undefined;

/** Words of `--fail-on`: a class with the more severe ones, or the side that a difference breaks. */
export const FAILURES = [...IMPACTS, "readers", "writers"] as const;

/** Sides that each mode of compatibility protects, as in schema registries. */
const MODES = {
  backward: ["writers"],
  forward: ["readers"],
  full: ["writers", "readers"],
} as const;

/** Ending of the modes that compare with every release. */
export const TRANSITIVE = "_transitive";

export const COMPATIBILITIES = Object.keys(MODES).flatMap((mode) => [mode, mode + TRANSITIVE]);

/** Creates the check of `--fail-on` and `--compatibility`. Throws a usage failure for unknown words. */
export function createFaultFinder(
  getFlag: (name: "fail-on" | "compatibility" | "strict") => string | undefined,
): FaultFinder {
  const [failOn, mode] = [getFlag("fail-on"), getFlag("compatibility")];
  const at = FAILURES.map(String).indexOf(failOn ?? "");
  if (failOn !== undefined && at < 0) throw createUnknownValueFailure(`--fail-on=${failOn}`, failOn, FAILURES);
  if (mode !== undefined && !COMPATIBILITIES.includes(mode)) {
    throw createUnknownValueFailure(`--compatibility=${mode}`, mode, COMPATIBILITIES);
  }
  // A mode is one of the words, checked above.
  const ofMode = mode === undefined ? [] : MODES[mode.replace(TRANSITIVE, "") as keyof typeof MODES];
  const named = FAILURES[at];
  const sides = [...ofMode, ...(named === "readers" || named === "writers" ? [named] : [])];
  const impacts = IMPACTS.slice(0, at < IMPACTS.length ? at + 1 : 0);
  const isStrict = getFlag("strict") === "true";
  return (counts) => {
    const impact = impacts.find((one) => counts[one] > 0);
    if (impact) return [counts[impact], impact];
    for (const side of sides) {
      const { breaks, risk } = counts.verdicts[side];
      if (breaks > 0) return [breaks, `breaking for ${side}`];
      if (isStrict && risk > 0) return [risk, `a risk for ${side}`];
    }
    return undefined;
  };
}
