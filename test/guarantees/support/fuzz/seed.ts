import { countOfRun, seedOf } from "../../../support/chance.ts";

/**
 * The settings of a fuzz run: METACTION_SEED chooses its inputs, METACTION_FUZZ_RUNS how many there are in all files
 * together.
 */
export interface FuzzRun {
  readonly seed: number;
  readonly runs: number;
}

const DEFAULT_RUNS = 2_000;

/** The run the environment asks for. */
export function fuzzRun(title: string): FuzzRun {
  return { seed: seedOf(title), runs: countOfRun("METACTION_FUZZ_RUNS", DEFAULT_RUNS) };
}

/** The part of all inputs that a suite takes, at least `least`. */
export function share(run: FuzzRun, part: number, least = 25): number {
  return Math.max(least, Math.round(run.runs * part));
}
