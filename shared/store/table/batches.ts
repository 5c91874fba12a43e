import { itemBytes } from "./dynamo-rules/item-bytes.ts";
import { writeUnits } from "./dynamo-rules/units.ts";
import type { ItemKey } from "./keys.ts";
import { MOST_LANES, type Pace } from "./pace.ts";
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
  pace: Pace,
  written?: (count: number) => Promise<void>,
): Promise<void> {
  let count = 0;
  await inBatches(items, unitsOf, pace, async (batch) => {
    const left = await table.batchPut(batch);
    count += batch.length - left.length;
    await written?.(count);
    return left;
  });
}

/** Deletes items of a partition that nobody reads any more, at its pace. */
export async function deleteAll(table: Table, keys: readonly ItemKey[], pace: Pace): Promise<void> {
  // Most items are small; the pace finds the cost of larger ones.
  await inBatches(
    keys,
    () => 1,
    pace,
    (batch) => table.batchDelete(batch),
  );
}

/** The write units of a new item. */
export function unitsOf(item: Item): number {
  return writeUnits(0, itemBytes(item));
}

/** Sends rows in batches, several at once. After a failure nothing more is sent: when it is thrown, nothing is under way. */
async function inBatches<T>(
  rows: Iterable<T>,
  units: (row: T) => number,
  pace: Pace,
  send: (batch: readonly T[]) => Promise<readonly T[]>,
): Promise<void> {
  const batches = batchesOf(rows, units);
  const failures: unknown[] = [];
  const lane = async (): Promise<void> => {
    try {
      for (const batch of batches) {
        await untilTaken(batch, units, pace, send, () => failures.length > 0);
      }
    } catch (error) {
      failures.push(error);
    }
  };
  await Promise.all(Array.from({ length: MOST_LANES }, lane));
  if (failures.length > 0) throw failures[0];
}

/** Rows in batches, each made when it is asked for. */
function* batchesOf<T>(rows: Iterable<T>, units: (row: T) => number): Generator<readonly T[]> {
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
async function untilTaken<T>(
  batch: readonly T[],
  units: (row: T) => number,
  pace: Pace,
  send: (batch: readonly T[]) => Promise<readonly T[]>,
  hasFailed: () => boolean,
): Promise<void> {
  for (let left = batch; left.length > 0; ) {
    const lane = await pace.enter(left.reduce((sum, row) => sum + units(row), 0));
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
    await lane.leave(rows, refusal ? 0 : rows - left.length, refusal);
  }
}
