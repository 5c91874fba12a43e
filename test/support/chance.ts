export interface Chance {
  /** A number from 0 up to 1, without 1. */
  next(): number;
  /** True with that probability. */
  happens(probability: number): boolean;
  /** A whole number from 0 up to `below`, without it. */
  below(below: number): number;
  pick<T>(all: readonly T[]): T;
  /** One of the keys, each as often as its weight says. */
  weighted<T>(weights: readonly (readonly [T, number])[]): T;
}

/** Mulberry32: the same numbers for the same seed on every machine. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    happens: (probability) => next() < probability,
    pick: (all) => {
      const one = all[below(all.length)];
      if (one === undefined) throw new Error("nothing to pick from");
      return one;
    },
    weighted: (weights) => {
      let left = next() * weights.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [one, weight] of weights) {
        left -= weight;
        if (left < 0) return one;
      }
      const last = weights.at(-1);
      if (!last) throw new Error("nothing to weigh");
      return last[0];
    },
  };
}

/** Prints and returns the seed of a random test: METACTION_SEED, a random one for `new`, 1 by default. */
export function seedOf(test: string): number {
  const isNew = process.env.METACTION_SEED === "new";
  const seed = isNew ? Math.floor(Math.random() * 2 ** 31) + 1 : countOfRun("METACTION_SEED", 1);
  process.stdout.write(`${test}: METACTION_SEED=${seed}\n`);
  return seed;
}

/** A setting of the run that is a whole number above 0. */
export function countOfRun(name: string, otherwise: number): number {
  const given = Number(process.env[name]);
  return Number.isSafeInteger(given) && given > 0 ? given : otherwise;
}
