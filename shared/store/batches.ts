import type { ItemKey } from "./keys.ts";
import { MOST_REPEATS, type RetryPolicy, spendRetryToken, toldOf } from "./retry.ts";
import { Busy, type Item, type Seam } from "./seam.ts";

/** Items one batch call may hold; the limit of BatchWriteItem. */
const BATCH = 25;
/** Batches under way at once. */
const LANES = 8;

/**
 * Writes items that nobody can see yet. What DynamoDB says it did not take is sent again; a batch without a definite
 * answer fails with `Lost`, because sent again it could later overwrite a newer item. `written` is told how many there are.
 */
export async function putAll(
  seam: Seam,
  items: readonly Item[],
  waiting: RetryPolicy,
  written?: (count: number) => Promise<void>,
): Promise<void> {
  let count = 0;
  await inBatches(items, waiting, async (batch) => {
    const left = await seam.batchPut(batch);
    count += batch.length - left.length;
    await written?.(count);
    return left;
  });
}

/** Deletes items of a partition that nobody reads any more. */
export async function deleteAll(seam: Seam, keys: readonly ItemKey[], waiting: RetryPolicy): Promise<void> {
  await inBatches(keys, waiting, (batch) => seam.batchDelete(batch));
}

async function inBatches<T>(
  all: readonly T[],
  waiting: RetryPolicy,
  send: (batch: readonly T[]) => Promise<readonly T[]>,
): Promise<void> {
  let next = 0;
  let failed = false;
  const lane = async (): Promise<void> => {
    // After a failure nothing more is sent: what was under way ends, and then everything has.
    while (next < all.length && !failed) {
      const batch = all.slice(next, next + BATCH);
      next += BATCH;
      try {
        await untilTaken(batch, waiting, send);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const lanes = Array.from({ length: Math.min(LANES, Math.ceil(all.length / BATCH)) }, lane);
  const ended = await Promise.allSettled(lanes);
  for (const one of ended) if (one.status === "rejected") throw one.reason;
}

async function untilTaken<T>(
  batch: readonly T[],
  waiting: RetryPolicy,
  send: (batch: readonly T[]) => Promise<readonly T[]>,
): Promise<void> {
  let left = batch;
  let paid = false;
  for (let repeats = 0; ; repeats++) {
    const before = left.length;
    try {
      left = await send(left);
      if (left.length < before) waiting.budget.earn(paid);
      if (left.length === 0) return;
    } catch (error) {
      if (!(error instanceof Busy)) throw error;
      if (repeats >= MOST_REPEATS) throw toldOf(error);
    }
    if (repeats >= MOST_REPEATS) throw toldOf(new Busy(true));
    // What is taken bit by bit goes on as fast as the table takes it.
    paid = left.length === before;
    if (paid) spendRetryToken(waiting);
    await waiting.pause(repeats);
  }
}
