import type { Plan } from "./schedule.ts";

/** The result of running a plan: the sentences of what is wrong, and the calls and faults that were part of it. */
export interface Trial {
  readonly faults: readonly string[];
  readonly made: readonly string[];
  readonly struck: readonly string[];
}

/** Leaves out calls in ever smaller parts, then faults, while the run still fails and `goOn` returns true. */
export async function shrunken(plan: Plan, run: (plan: Plan) => Promise<Trial>, goOn: () => boolean): Promise<Plan> {
  let best = plan;
  let trial = await run(plan);
  const tried = async (candidate: Plan): Promise<boolean> => {
    if (!goOn()) return false;
    const other = await run(candidate);
    if (other.faults.length === 0) return false;
    best = candidate;
    trial = other;
    return true;
  };
  for (let size = Math.ceil(trial.made.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < trial.made.length; ) {
      const left = trial.made.slice(at, at + size);
      const isLess = await tried({ ...best, skipped: new Set([...best.skipped, ...left]) });
      if (!isLess) at += size;
    }
  }
  for (const fault of trial.struck.toReversed()) await tried({ ...best, spared: new Set([...best.spared, fault]) });
  return best;
}
