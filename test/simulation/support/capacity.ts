import { countReadUnits } from "../../../shared/store/table/dynamo-rules.ts";
import { Contention } from "../../../shared/store/table/table.ts";

/** Units a partition takes in a second. */
export interface Capacity {
  readonly reads: number;
  readonly writes: number;
}

/** The units that DynamoDB takes of one partition in a second. */
export const PARTITION_CAPACITY: Capacity = { reads: 3_000, writes: 1_000 };

/** Creates a meter of units by partition. Throws `Contention` for a partition whose capacity of a second is used. */
export function createMeter(capacity: Capacity | undefined, now: () => number) {
  const reads = capacity ? createBuckets(capacity.reads, now) : BOTTOMLESS;
  const writes = capacity ? createBuckets(capacity.writes, now) : BOTTOMLESS;
  return {
    /** Bytes read by one request, which cost `factor` times as much as alone. */
    read: (pk: string, bytes: number, factor = 1) => reads.take(pk, factor * countReadUnits(bytes)),
    /** 0 where a read of a batch is not taken. */
    readOfBatch: (pk: string, bytes: number) => {
      const units = countReadUnits(bytes);
      return reads.has(pk, units) ? reads.take(pk, units) : 0;
    },
    write: writes.take,
    /** The units of each write of a transaction: all of them, or none. */
    transact: (all: readonly (readonly [pk: string, units: number])[]) => {
      const units = new Map<string, number>();
      for (const [pk, needed] of all) units.set(pk, (units.get(pk) ?? 0) + needed);
      for (const [pk, needed] of units) writes.check(pk, needed);
      let taken = 0;
      for (const [pk, needed] of units) taken += writes.take(pk, needed);
      return taken;
    },
  };
}

type Buckets = ReturnType<typeof createBuckets>;

const BOTTOMLESS: Buckets = { has: () => true, check: () => undefined, take: (_, units) => units };

function createBuckets(perSecond: number, now: () => number) {
  const buckets = new Map<string, { left: number; at: number }>();
  const filled = (pk: string) => {
    const moment = now();
    const bucket = buckets.get(pk) ?? { left: perSecond, at: moment };
    buckets.set(pk, bucket);
    bucket.left = Math.min(perSecond, bucket.left + ((moment - bucket.at) * perSecond) / 1_000);
    bucket.at = moment;
    return bucket;
  };
  // A request that needs more than a second's worth waits for a full bucket, and empties it for longer.
  const has = (pk: string, units: number) => filled(pk).left >= Math.min(units, perSecond);
  const check = (pk: string, units: number) => {
    if (!has(pk, units)) throw new Contention(true);
  };
  return {
    has,
    check,
    take: (pk: string, units: number) => {
      check(pk, units);
      filled(pk).left -= units;
      return units;
    },
  };
}
