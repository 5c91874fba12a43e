/** What a run of the fuzz is: METACTION_SEED chooses its inputs, METACTION_FUZZ_RUNS how many there are in all files together. */
export interface FuzzRun {
  readonly seed: number;
  readonly runs: number;
}

const DEFAULT_RUNS = 2_000;

/** The run the environment asks for; a seed that nobody gave is drawn by chance and told, so that the run can be repeated. */
export function fuzzRun(title: string): FuzzRun {
  const seed = positive(process.env.METACTION_SEED) ?? Math.floor(Math.random() * 2 ** 31) + 1;
  const runs = positive(process.env.METACTION_FUZZ_RUNS) ?? DEFAULT_RUNS;
  process.stdout.write(`${title}: METACTION_SEED=${seed} METACTION_FUZZ_RUNS=${runs}\n`);
  return { seed, runs };
}

/** The part of all inputs that a suite takes, at least `least`. */
export function share(run: FuzzRun, part: number, least = 25): number {
  return Math.max(least, Math.round(run.runs * part));
}

function positive(text: string | undefined): number | undefined {
  const number = Number(text);
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}
