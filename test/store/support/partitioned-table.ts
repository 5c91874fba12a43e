import { countItemBytes, countWriteUnits } from "../../../shared/store/table/dynamo-rules.ts";
import type { ItemKey } from "../../../shared/store/table/keys.ts";
import type { RetryBudget } from "../../../shared/store/table/retry.ts";
import { Contention, getWriteKey, type Item, type Table, type Write } from "../../../shared/store/table/table.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** The throughput of a table's partitions, and the time that calls take. */
export interface Partitioning {
  /** Write units a second that one partition takes; DynamoDB's are 1,000. */
  readonly unitsPerSecond?: number;
  /** Seconds for which it keeps what was not used. */
  readonly keeps?: number;
  /** True where what it takes comes back at once with every new second, and not bit by bit. */
  readonly bySecond?: boolean;
  /** Milliseconds that every call takes. */
  readonly callMs?: number;
}

type Partition = Record<"units" | "at" | "used" | "first" | "requests" | "refused", number>;

/** Puts DynamoDB's limit of a partition before a table: what is more is answered as left over, or throttled. */
export function partitioned(inner: Table, time: Pick<VirtualTime, "runtime" | "outside">, options: Partitioning = {}) {
  const { unitsPerSecond = 1_000, keeps = 1, bySecond = false, callMs = 8 } = options;
  const { now, sleep } = time.runtime;
  const partitions = new Map<string, Partition>();

  const partitionOf = (pk: string): Partition => {
    const unused = { units: unitsPerSecond * keeps, at: now(), used: 0, first: now(), requests: 0, refused: 0 };
    const partition = partitions.get(pk) ?? unused;
    partitions.set(pk, partition);
    const second = (at: number) => (bySecond ? Math.floor(at / 1_000) : at / 1_000);
    const more = (second(now()) - second(partition.at)) * unitsPerSecond;
    partition.units = Math.min(unitsPerSecond * keeps, partition.units + more);
    partition.at = now();
    return partition;
  };

  /** True where the partition takes so many units; as DynamoDB it lets one write go below what is left. */
  const takes = (pk: string, units: number) => {
    const partition = partitionOf(pk);
    if (partition.units <= 0) return false;
    partition.units -= units;
    partition.used += units;
    return true;
  };

  const counted = (keys: readonly ItemKey[], left: readonly ItemKey[]) => {
    for (const pk of new Set(keys.map((key) => key.pk))) {
      const partition = partitionOf(pk);
      partition.requests += 1;
      if (left.some((key) => key.pk === pk)) partition.refused += 1;
    }
  };

  const called = async <T>(work: () => Promise<T>): Promise<T> => {
    await sleep(callMs);
    return time.outside(work);
  };

  const batch = <T extends ItemKey>(
    rows: readonly T[],
    unitsOf: (row: T) => number,
    write: (taken: readonly T[]) => Promise<readonly T[]>,
  ): Promise<readonly T[]> =>
    called(async () => {
      const taken = rows.filter((row) => takes(row.pk, unitsOf(row)));
      const left = rows.filter((row) => !taken.includes(row));
      counted(rows, left);
      if (taken.length === 0) throw new Contention(true);
      return [...left, ...(await write(taken))];
    });

  const single = (writes: readonly Write[], factor: number, send: () => Promise<void>): Promise<void> =>
    called(async () => {
      const keys = writes.map(getWriteKey);
      const full = keys.filter(({ pk }) => partitionOf(pk).units <= 0);
      counted(keys, full);
      if (full.length > 0) throw new Contention(true);
      for (const [i, one] of writes.entries())
        takes(keys[i]?.pk ?? "", factor * ("put" in one ? unitsOfItem(one.put) : 1));
      return send();
    });

  const limited: Table = {
    get: (key) => called(() => inner.get(key)),
    batchGet: (keys) => called(() => inner.batchGet(keys)),
    query: (range) => called(() => inner.query(range)),
    transactGet: (keys) => called(() => inner.transactGet(keys)),
    write: (one) => single([one], 1, () => inner.write(one)),
    transactWrite: (writes) => single(writes, 2, () => inner.transactWrite(writes)),
    batchPut: (items) => batch(items, unitsOfItem, inner.batchPut),
    // The size of an item that is deleted is not known here; most are small.
    batchDelete: (keys) => batch(keys, () => 1, inner.batchDelete),
  };
  return {
    ...limited,
    /** Lists the writes to partitions with the prefix: units, duration in ms, requests, incomplete requests. */
    use: (prefix: string) =>
      [...partitions]
        .filter(([pk]) => pk.startsWith(prefix))
        .map(([, { used, at, first, requests, refused }]) => ({ units: used, ms: at - first, requests, refused })),
  };
}

/** Takes all retry tokens that are left and returns their number. */
export function takeAll(budget: RetryBudget): number {
  let tokens = 0;
  while (budget.take()) tokens += 1;
  return tokens;
}

const unitsOfItem = (item: Item): number => countWriteUnits(0, countItemBytes(item));
