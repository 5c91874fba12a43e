import type { Ambient } from "../../actions/contract/call.ts";
import { LIMITS } from "../../domain/limits.ts";
import { countItemBytes, countWriteUnits } from "./dynamo-rules.ts";
import type { ItemKey } from "./keys.ts";
import { type RetryPolicy, spendRetryToken, toRetryProblem } from "./retry.ts";
import { Contended, type Item, type Table } from "./table.ts";

/** Items one batch call may hold; the limit of BatchWriteItem. */
const BATCH = 25;
/** Write units after which a batch takes no more items: items that a partition leaves over are sent once more. */
const BATCH_UNITS = 100;

/**
 * Writes items that nobody can see yet, as fast as `pace` finds that their partition takes them. Items that DynamoDB
 * says it did not take are sent again; a batch without a definite answer fails with `OutcomeUnknown`, because sent
 * again it could later overwrite a newer item. `written` gets the number written so far.
 */
export async function putAll(
  table: Table,
  items: Iterable<Item>,
  pace: Throttle,
  written?: (count: number) => Promise<void>,
): Promise<void> {
  let count = 0;
  await sendInBatches(items, countItemUnits, pace, async (batch) => {
    const left = await table.batchPut(batch);
    count += batch.length - left.length;
    await written?.(count);
    return left;
  });
}

/** Deletes items of a partition that nobody reads any more, at its pace. */
export async function deleteAll(table: Table, keys: readonly ItemKey[], pace: Throttle): Promise<void> {
  // Most items are small; the pace finds the cost of larger ones.
  await sendInBatches(
    keys,
    () => 1,
    pace,
    (batch) => table.batchDelete(batch),
  );
}

/** The write units of a new item. */
export function countItemUnits(item: Item): number {
  return countWriteUnits(0, countItemBytes(item));
}

/** Sends rows in batches, several at once. After a failure nothing more is sent: when it is thrown, nothing is under way. */
async function sendInBatches<T>(
  rows: Iterable<T>,
  units: (row: T) => number,
  pace: Throttle,
  send: (batch: readonly T[]) => Promise<readonly T[]>,
): Promise<void> {
  const batches = toBatches(rows, units);
  const failures: unknown[] = [];
  const lane = async (): Promise<void> => {
    try {
      for (const batch of batches) {
        await sendUntilTaken(batch, units, pace, send, () => failures.length > 0);
      }
    } catch (error) {
      failures.push(error);
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_BATCHES }, lane));
  if (failures.length > 0) throw failures[0];
}

/** Rows in batches, each made when it is asked for. */
function* toBatches<T>(rows: Iterable<T>, units: (row: T) => number): Generator<readonly T[]> {
  let batch: T[] = [];
  let sum = 0;
  for (const row of rows) {
    const more = units(row);
    if (batch.length === BATCH || (batch.length > 0 && sum + more > BATCH_UNITS)) {
      yield batch;
      batch = [];
      sum = 0;
    }
    batch.push(row);
    sum += more;
  }
  if (batch.length > 0) yield batch;
}

/** Sends a batch, and the rows left over, until all are taken or another lane has failed. */
async function sendUntilTaken<T>(
  batch: readonly T[],
  units: (row: T) => number,
  pace: Throttle,
  send: (batch: readonly T[]) => Promise<readonly T[]>,
  hasFailed: () => boolean,
): Promise<void> {
  for (let left = batch; left.length > 0; ) {
    const lane = await pace.acquire(left.reduce((sum, row) => sum + units(row), 0));
    if (hasFailed()) return lane.abandon();
    const rows = left.length;
    let refusal: Contended | undefined;
    try {
      left = await send(left);
    } catch (error) {
      if (!(error instanceof Contended)) {
        lane.abandon();
        throw error;
      }
      refusal = error;
    }
    await lane.release(rows, refusal ? 0 : rows - left.length, refusal);
  }
}

/** Batches under way at once; one alone while the partition takes nothing. */
export const MAX_CONCURRENT_BATCHES = 8;
/** Units a second that every batch adds to the rate when it is taken whole. */
const RATE_INCREASE = 5;
/** Factor by which the rate shrinks after a batch that was not taken whole. */
const RATE_FACTOR = 0.95;
/** Lowest rate, in units a second. */
const MIN_RATE = 25;
/** Milliseconds without progress after which the partition counts as throttled and each attempt costs a token. */
const FREE_STALL_MS = 2_000;
/** Milliseconds without progress after which the writer gets a problem. */
const STALLED_MS = 20_000;

/**
 * The speed at which a partition is written to. The rate is free until the partition leaves items over; then it starts
 * at that of a DynamoDB partition, grows by addition while whole batches are taken, and shrinks by a factor otherwise.
 * While the partition takes anything, writing goes on.
 */
export interface Throttle {
  /** Waits until a batch of so many write units may be sent. */
  acquire(units: number): Promise<Permit>;
}

/** The right to send one batch. */
interface Permit {
  /**
   * Gives the lane back, after a pause where nothing was taken; `refusal` is the reason. `throttled` where that goes on
   * for too long, or no token is left for another attempt.
   */
  release(rows: number, taken: number, refusal?: Contended): Promise<void>;
  /** Gives the lane back at once, for a batch that was not sent or had no definite answer. */
  abandon(): void;
}

/** The pace of a partition that has not been written to. */
export function createThrottle(ambient: Pick<Ambient, "now" | "sleep">, policy: RetryPolicy): Throttle {
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
    while (queue.length > 0 && busy < (fruitless > 0 ? 1 : MAX_CONCURRENT_BATCHES)) {
      busy += 1;
      queue.shift()?.();
    }
  };

  const slowDown = (began: number): void => {
    // Of the batches under way together one is enough to learn from, and a partition that takes nothing gets fewer
    // attempts anyway.
    if (began < slowedAt || fruitless > 0) return;
    rate = Number.isFinite(rate) ? Math.max(MIN_RATE, rate * RATE_FACTOR) : LIMITS.partitionUnits;
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
    if (stalledFor >= STALLED_MS) throw toRetryProblem(refusal);
    fruitless += 1;
    if (stalledFor < FREE_STALL_MS) return policy.pause(Math.min(fruitless, 3));
    if (refusal.throttled) {
      spendRetryToken(policy, refusal);
      paid = true;
    }
    await policy.pause(fruitless);
  };

  const begin = (): Permit => {
    const began = ambient.now();
    const abandon = (): void => {
      busy -= 1;
      admit();
    };
    return {
      abandon,
      release: async (rows, taken, refusal = new Contended(true)) => {
        if (taken === rows) rate += RATE_INCREASE;
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
    acquire: async (units) => {
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
