import type { Runtime } from "../../actions/contract/call.ts";
import { LIMITS } from "../../domain/limits.ts";
import { countItemBytes, countWriteUnits } from "./dynamo-rules.ts";
import type { ItemKey } from "./keys.ts";
import { type RetryPolicy, spendRetryToken, toRetryProblem } from "./retry.ts";
import { Contention, type Item, type Table } from "./table.ts";

/** Items of one batch call, the limit of BatchWriteItem. */
const BATCH = 25;
/** Write units after which a batch takes no more items. Items that the partition rejects are sent again. */
const BATCH_UNITS = 100;

/** Writes invisible items at the rate of `throttle`. Throws `OutcomeUnknown`: a repeat could overwrite a newer item. */
export async function putAll(
  table: Table,
  items: Iterable<Item>,
  throttle: Throttle,
  onWritten?: (count: number) => Promise<void>,
): Promise<void> {
  let count = 0;
  await sendInBatches(items, countItemUnits, throttle, async (batch) => {
    const left = await table.batchPut(batch);
    count += batch.length - left.length;
    await onWritten?.(count);
    return left;
  });
}

/** Deletes items that nobody reads any more, at the rate of `throttle`. */
export async function deleteAll(table: Table, keys: readonly ItemKey[], throttle: Throttle): Promise<void> {
  // Most items are small. The throttle adapts to larger ones.
  await sendInBatches(
    keys,
    () => 1,
    throttle,
    (batch) => table.batchDelete(batch),
  );
}

/** Counts the write units of a new item. */
export function countItemUnits(item: Item): number {
  return countWriteUnits(0, countItemBytes(item));
}

async function sendInBatches<T>(
  rows: Iterable<T>,
  units: (row: T) => number,
  throttle: Throttle,
  send: (batch: readonly T[]) => Promise<readonly T[]>,
) {
  const batches = toBatches(rows, units);
  const failures: unknown[] = [];
  const work = async () => {
    try {
      for (const batch of batches) {
        await sendUntilAccepted(batch, units, throttle, send, () => failures.length > 0);
      }
    } catch (error) {
      failures.push(error);
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_BATCHES }, work));
  if (failures.length > 0) throw failures[0];
}

function* toBatches<T>(rows: Iterable<T>, units: (row: T) => number): Generator<readonly T[]> {
  let batch: T[] = [];
  let sum = 0;
  for (const row of rows) {
    const cost = units(row);
    if (batch.length === BATCH || (batch.length > 0 && sum + cost > BATCH_UNITS)) {
      yield batch;
      batch = [];
      sum = 0;
    }
    batch.push(row);
    sum += cost;
  }
  if (batch.length > 0) yield batch;
}

async function sendUntilAccepted<T>(
  batch: readonly T[],
  units: (row: T) => number,
  throttle: Throttle,
  send: (batch: readonly T[]) => Promise<readonly T[]>,
  hasFailed: () => boolean,
) {
  for (let left = batch; left.length > 0; ) {
    const permit = await throttle.acquire(left.reduce((sum, row) => sum + units(row), 0));
    if (hasFailed()) return permit.abandon();
    const rows = left.length;
    let refusal: Contention | undefined;
    try {
      left = await send(left);
    } catch (error) {
      if (!(error instanceof Contention)) {
        permit.abandon();
        throw error;
      }
      refusal = error;
    }
    await permit.release(rows, refusal ? 0 : rows - left.length, refusal);
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

interface Permit {
  /** Returns the permit, after a pause if nothing was accepted. Throws `throttled` if that lasts too long. */
  release(rows: number, successes: number, refusal?: Contention): Promise<void>;
  /** Returns the permit at once: the batch was not sent, or it had no definite answer. */
  abandon(): void;
}

/** Rate limiter of a partition: unlimited until a rejection, then growing by addition and shrinking by a factor. */
export class Throttle {
  readonly #runtime: Pick<Runtime, "now" | "sleep">;
  readonly #policy: RetryPolicy;
  readonly #queue: (() => void)[] = [];
  #busy = 0;
  #rate = Number.POSITIVE_INFINITY;
  /** Time at which the next batch may be sent, in milliseconds since the epoch. */
  #nextAt = 0;
  #slowedAt = Number.NEGATIVE_INFINITY;
  #stalledAt: number | undefined;
  #fruitless = 0;
  #isTokenSpent = false;

  constructor(runtime: Pick<Runtime, "now" | "sleep">, policy: RetryPolicy) {
    this.#runtime = runtime;
    this.#policy = policy;
  }

  async acquire(units: number): Promise<Permit> {
    await new Promise<void>((resolve) => {
      this.#queue.push(resolve);
      this.#admit();
    });
    const now = this.#runtime.now();
    const at = Math.max(now, this.#nextAt);
    this.#nextAt = at + (units / this.#rate) * 1_000;
    if (at > now) await this.#runtime.sleep(at - now);
    return this.#createPermit();
  }

  #createPermit(): Permit {
    const start = this.#runtime.now();
    const abandon = () => {
      this.#busy -= 1;
      this.#admit();
    };
    return {
      abandon,
      release: async (rows, successes, refusal = new Contention(true)) => {
        if (successes === rows) this.#rate += RATE_INCREASE;
        else this.#slowDown(start);
        try {
          if (successes > 0) this.#noteProgress();
          else await this.#noteStall(refusal);
        } finally {
          abandon();
        }
      },
    };
  }

  #admit(): void {
    while (this.#queue.length > 0 && this.#busy < (this.#fruitless > 0 ? 1 : MAX_CONCURRENT_BATCHES)) {
      this.#busy += 1;
      this.#queue.shift()?.();
    }
  }

  #slowDown(start: number): void {
    // One of several concurrent batches is enough to adapt the rate. A partition that accepts nothing gets fewer
    // attempts anyway.
    if (start < this.#slowedAt || this.#fruitless > 0) return;
    const isLimited = Number.isFinite(this.#rate);
    this.#rate = isLimited ? Math.max(MIN_RATE, this.#rate * RATE_FACTOR) : LIMITS.partitionUnits;
    this.#slowedAt = this.#runtime.now();
  }

  #noteProgress(): void {
    this.#policy.budget.earn(this.#isTokenSpent);
    this.#isTokenSpent = false;
    this.#stalledAt = undefined;
    this.#fruitless = 0;
  }

  /** Pauses after a batch of which nothing was accepted. Throws when the partition has been stalled for too long. */
  async #noteStall(refusal: Contention): Promise<void> {
    this.#stalledAt ??= this.#runtime.now();
    const stalledFor = this.#runtime.now() - this.#stalledAt;
    if (stalledFor >= STALLED_MS) throw toRetryProblem(refusal);
    this.#fruitless += 1;
    if (stalledFor < FREE_STALL_MS) return this.#policy.pause(Math.min(this.#fruitless, 3));
    if (refusal.throttled) {
      spendRetryToken(this.#policy, refusal);
      this.#isTokenSpent = true;
    }
    await this.#policy.pause(this.#fruitless);
  }
}
