import type { Ambient, Call } from "../../actions/contract/call.ts";
import type { Commit } from "../../actions/contract/store.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { AnyObject } from "../../domain/model/objects.ts";
import { Problem } from "../../domain/problems.ts";
import { countItemUnits } from "../table/batch-writes.ts";
import { type Partition, toObjectItem } from "../table/items.ts";

/*
 * The rule by which writing a whole model becomes a job. All objects of a generation lie in one partition, which takes
 * `partitionUnits` write units a second: one for each object, and one more for every further kilobyte of it. The time
 * predicted from this must be no longer than `callStagingMs`, and must leave `handOverMs` of the call; else a worker
 * has to do it, and nothing is staged before. A table that turns out to be slower is noticed while it is written to, as
 * long as `handOverMs` are left.
 */

/** Writing so many objects takes longer than the call has. */
export class TooLong extends Error {
  readonly objects: number;

  constructor(objects: number) {
    super(`${objects} objects take too long for a call`);
    this.objects = objects;
  }
}

/** Milliseconds of writing before the rest is estimated. */
const ESTIMATE_AFTER_MS = 2_000;

/** The time that one attempt of a call has for writing a generation. */
export interface StagingTime {
  /**
   * Called before anything is staged: `TooLong` where it is predicted not to fit the call, or `too_large` where no job can
   * do it either.
   */
  check(units: number, objects: number): void;
  /** A function that takes the share that is written, from 0 to 1. `TooLong` where the rest will not fit the call. */
  trackProgress(objects: number): (share: number) => Promise<void>;
}

/** The staging time of an attempt that begins now. A job has all of its worker's time. */
export function createStagingTime(ambient: Pick<Ambient, "now">, { job, orJob }: Commit, call: Call): StagingTime {
  const left = (): number => call.deadline - LIMITS.handOverMs - ambient.now();
  return {
    check: (units, objects) => {
      if (job && objects <= LIMITS.objectsPerJob) return;
      if (job) throw createTooManyProblem(objects);
      const ms = (units / LIMITS.partitionUnits) * 1_000;
      if (ms <= Math.min(LIMITS.callStagingMs, left())) return;
      throw orJob ? new TooLong(objects) : createTooSlowProblem(ms);
    },
    trackProgress: (objects) => {
      const began = ambient.now();
      return async (share) => {
        await job?.lease.progress(Math.floor(objects * share), objects);
        const elapsed = ambient.now() - began;
        if (!orJob || share === 0 || elapsed < ESTIMATE_AFTER_MS) return;
        if ((elapsed / share) * (1 - share) > left()) throw new TooLong(objects);
      };
    },
  };
}

/** The write units of a model's objects, of which each takes one for every kilobyte that it begins. */
export function countObjectUnits(partition: Partition, objects: ReadonlyMap<string, AnyObject>): number {
  let units = 0;
  for (const object of objects.values()) units += countItemUnits(toObjectItem(partition, object, object.revision));
  return units;
}

function createTooManyProblem(objects: number): Problem {
  return new Problem(
    "too_large",
    `one job may write ${LIMITS.objectsPerJob} objects; this one has ${objects}: split the model`,
  );
}

function createTooSlowProblem(ms: number): Problem {
  const seconds = Math.ceil(ms / 1_000);
  const most = LIMITS.callStagingMs / 1_000;
  return new Problem(
    "too_large",
    `writing the whole model takes about ${seconds} s, and one call may take ${most} s for that: split the change`,
  );
}
