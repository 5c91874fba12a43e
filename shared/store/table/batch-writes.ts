import type { Runtime } from "../../actions/contract/call.ts";
import { LIMITS } from "../../domain/limits.ts";
import { countItemBytes, countWriteUnits } from "./dynamo-rules.ts";
import type { ItemKey } from "./keys.ts";
import { type RetryPolicy, spendRetryToken, toRetryProblem } from "./retry.ts";
import { Contended, type Item, type Table } from "./table.ts";

/** Items of one batch call, the limit of BatchWriteItem. */
const BATCH = 25;
/** Write units after which a batch takes no more items. Items that the partition rejects are sent again. */
const BATCH_UNITS = 100;

/**
 * Writes items that nobody can see yet, at the rate that `throttle` allows. Sends items again that DynamoDB reports as
 * unprocessed. A batch without a definite answer fails with `OutcomeUnknown`: a repeat could overwrite a newer item
 * later. `onWritten` gets the number of items written so far.
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

/** Deletes items of a partition that nobody reads any more, at the rate that `throttle` allows. */
export async function deleteAll(table: Table, keys: readonly ItemKey[], pace: Throttle): Promise<void> {
  // Most items are small. The throttle adapts to larger ones.
  await sendInBatches(
    keys,
    () => 1,
    pace,
    (batch) => table.batchDelete(batch),
  );
}

/** Counts the write units of a new item. */
export function countItemUnits(item: Item): number {
  return countWriteUnits(0, countItemBytes(item));
}

/** Sends rows in batches, several at a time. Stops after a failure, and throws it when no batch is under way. */
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

/** Splits rows into batches lazily. */
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

/** Sends a batch, then its unprocessed rows, until all are accepted or another worker has failed. */
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

/** Number of batches under way at the same time. While the partition accepts nothing it is one. */
export const MAX_CONCURRENT_BATCHES = 8;
/** Units per second added to the rate for each batch that is accepted completely. */
const RATE_INCREASE = 5;
/** Factor applied to the rate after a batch that was not accepted completely. */
const RATE_FACTOR = 0.95;
/** Lowest rate, in units a second. */
const MIN_RATE = 25;
/** Milliseconds without progress after which each attempt costs a retry token. */
const FREE_STALL_MS = 2_000;
/** Milliseconds without progress after which the write fails. */
const STALLED_MS = 20_000;

/**
 * Rate limiter for the writes to one partition. The rate is unlimited until the partition rejects items. Then it starts
 * at the rate of a DynamoDB partition, grows by addition, and shrinks by a factor. Writing continues while the
 * partition accepts anything.
 */
export interface Throttle {
  /** Waits until a batch of so many write units may be sent. */
  acquire(units: number): Promise<Permit>;
}

/** Permission to send one batch. */
interface Permit {
  /**
   * Returns the permit, after a pause if nothing was accepted. Throws `throttled` when that lasts too long or no retry
   * token is left. `refusal` is the reason.
   */
  release(rows: number, taken: number, refusal?: Contended): Promise<void>;
  /** Returns the permit at once: the batch was not sent, or it had no definite answer. */
  abandon(): void;
}

/** Creates the throttle of a partition without earlier writes. */
export function createThrottle(ambient: Pick<Runtime, "now" | "sleep">, policy: RetryPolicy): Throttle {
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
    // One of several concurrent batches is enough to adapt the rate. A partition that accepts nothing gets fewer
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
