import type { Ambient } from "../../actions/contract/call.ts";
import { LIMITS } from "../../domain/limits.ts";
import { problemOf, type RetryPolicy, spendRetryToken } from "./retry.ts";
import { Contended } from "./table.ts";

/** Batches under way at once; one alone while the partition takes nothing. */
export const MOST_LANES = 8;
/** Units a second that every batch adds to the rate when it is taken whole. */
const MORE = 5;
/** Factor by which the rate shrinks after a batch that was not taken whole. */
const LESS = 0.95;
/** Lowest rate, in units a second. */
const LEAST = 25;
/** Milliseconds without progress after which the partition counts as throttled and each attempt costs a token. */
const BREATH_MS = 2_000;
/** Milliseconds without progress after which the writer gets a problem. */
const STALLED_MS = 20_000;

/**
 * The speed at which a partition is written to. The rate is free until the partition leaves items over; then it starts
 * at that of a DynamoDB partition, grows by addition while whole batches are taken, and shrinks by a factor otherwise.
 * While the partition takes anything, writing goes on.
 */
export interface Pace {
  /** Waits until a batch of so many write units may be sent. */
  enter(units: number): Promise<Lane>;
}

/** The right to send one batch. */
export interface Lane {
  /**
   * Gives the lane back, after a pause where nothing was taken; `refusal` is the reason. `throttled` where that goes on
   * for too long, or no token is left for another attempt.
   */
  leave(rows: number, taken: number, refusal?: Contended): Promise<void>;
  /** Gives the lane back at once, for a batch that was not sent or had no definite answer. */
  abandon(): void;
}

/** The pace of a partition that has not been written to. */
export function createPace(ambient: Pick<Ambient, "now" | "sleep">, policy: RetryPolicy): Pace {
  const queue: (() => void)[] = [];
  let busy = 0;
  let rate = Number.POSITIVE_INFINITY;
  /** Time at which the next batch may be sent, in milliseconds since the epoch. */
  let nextAt = 0;
  let slowedAt = Number.NEGATIVE_INFINITY;
  let stalledAt: number | undefined;
  let fruitless = 0;
  let paid = false;

  const admit = (): void => {
    while (queue.length > 0 && busy < (fruitless > 0 ? 1 : MOST_LANES)) {
      busy += 1;
      queue.shift()?.();
    }
  };

  const slowDown = (began: number): void => {
    // Of the batches under way together one is enough to learn from, and a partition that takes nothing gets fewer
    // attempts anyway.
    if (began < slowedAt || fruitless > 0) return;
    rate = Number.isFinite(rate) ? Math.max(LEAST, rate * LESS) : LIMITS.partitionUnits;
    slowedAt = ambient.now();
  };

  const progressed = (): void => {
    policy.budget.earn(paid);
    paid = false;
    stalledAt = undefined;
    fruitless = 0;
  };

  const stalled = async (refusal: Contended): Promise<void> => {
    stalledAt ??= ambient.now();
    const stalledFor = ambient.now() - stalledAt;
    if (stalledFor >= STALLED_MS) throw problemOf(refusal);
    fruitless += 1;
    if (stalledFor < BREATH_MS) return policy.pause(Math.min(fruitless, 3));
    if (refusal.throttled) {
      spendRetryToken(policy, refusal);
      paid = true;
    }
    await policy.pause(fruitless);
  };

  const begin = (): Lane => {
    const began = ambient.now();
    const abandon = (): void => {
      busy -= 1;
      admit();
    };
    return {
      abandon,
      leave: async (rows, taken, refusal = new Contended(true)) => {
        if (taken === rows) rate += MORE;
        else slowDown(began);
        try {
          if (taken > 0) progressed();
          else await stalled(refusal);
        } finally {
          abandon();
        }
      },
    };
  };

  return {
    enter: async (units) => {
      await new Promise<void>((resolve) => {
        queue.push(resolve);
        admit();
      });
      const now = ambient.now();
      const at = Math.max(now, nextAt);
      nextAt = at + (units / rate) * 1_000;
      if (at > now) await ambient.sleep(at - now);
      return begin();
    },
  };
}
