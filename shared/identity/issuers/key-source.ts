import { LIMITS } from "../../domain/limits.ts";
import { Problem } from "../../domain/problems.ts";
import type { ExternalKey, KeySet } from "./key-set.ts";

/**
 * Finds a key of one issuer by its `kid`: undefined where the issuer has none of it, `unavailable` where that cannot be
 * known.
 */
export type KeySource = (kid: string) => Promise<ExternalKey | undefined>;

/** The loader and the clock of a key source. */
export interface KeySourceTerms {
  /** Fetches the keys; any failure counts as the issuer being away. */
  readonly load: () => Promise<KeySet>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Keeps the keys of one issuer. They are fetched anew at a certain age and used a while longer where that fails. A `kid`
 * that is not among them has them fetched too, but seldom and on an allowance of its own, so that a flood of invented
 * ones holds up neither the fetch that is due nor a key that is really new. Nothing is remembered of the unknown ones.
 */
export function createKeySource({ load, now }: KeySourceTerms): KeySource {
  let held: { readonly keys: KeySet; readonly at: number } | undefined;
  let underWay: Promise<void> | undefined;
  let isReached = false;
  let triedAt = Number.NEGATIVE_INFINITY;
  let triedForKidAt = Number.NEGATIVE_INFINITY;

  /** A moment in the future counts as long ago: the clock was set back, and nothing is known of the time between. */
  const isWithin = (moment: number, seconds: number): boolean => {
    const age = now() - moment;
    return age >= 0 && age < seconds * 1000;
  };
  const usable = (): KeySet | undefined => (held && isWithin(held.at, LIMITS.keySetMaxSeconds) ? held.keys : undefined);

  async function fetchOnce(): Promise<void> {
    const at = now();
    try {
      held = { keys: await load(), at };
      isReached = true;
    } catch {
      isReached = false;
    }
  }

  function refresh(): Promise<void> {
    underWay ??= fetchOnce().finally(() => {
      underWay = undefined;
    });
    return underWay;
  }

  return async (kid) => {
    let hasLooked = false;
    if (!held || !isWithin(held.at, LIMITS.keySetSeconds)) {
      const isDue = !isWithin(triedAt, LIMITS.keySetRetrySeconds);
      if (isDue) triedAt = now();
      hasLooked = isDue;
      await (isDue ? refresh() : underWay);
    }
    const found = usable()?.get(kid);
    if (found) return found;
    if (!hasLooked && usable()) {
      const isDue = !isWithin(triedForKidAt, LIMITS.keySetRetrySeconds);
      if (isDue) triedForKidAt = now();
      await (isDue ? refresh() : underWay);
    }
    const late = usable()?.get(kid);
    if (late) return late;
    if (!isReached || !usable()) throw away();
    return undefined;
  };
}

function away(): Problem {
  return new Problem("unavailable", "The keys of the token's issuer cannot be had at the moment; try again", {
    retryAfter: LIMITS.keySetRetrySeconds,
  });
}
