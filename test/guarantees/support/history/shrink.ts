import type { ClockedWorld } from "./clocked-world.ts";
import type { Step } from "./plan.ts";
import { type Difference, runHistory } from "./run.ts";

/** The smallest history found that still parts service and reference. */
export interface Smallest {
  readonly steps: readonly Step[];
  readonly difference: Difference;
}

const MOST_TRIES = 150;
const LONGER_THAN_A_KEY_LIVES = 49 * 3_600_000;

/** Leaves out steps for as long as the rest still fails (delta debugging: halves first, single steps last). */
export async function shrink(world: ClockedWorld, steps: readonly Step[], found: Difference): Promise<Smallest> {
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

/** A history as lines of text, with the seed that makes it again. */
export function print({ steps, difference }: Smallest, seed: number): string {
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
