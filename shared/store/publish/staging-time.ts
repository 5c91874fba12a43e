import type { RecordedCall, Runtime } from "../../actions/contract/call.ts";
import type { Commit } from "../../actions/contract/store.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { AnyObject } from "../../domain/model/objects.ts";
import { Problem } from "../../domain/problems.ts";
import { countItemUnits } from "../table/batch-writes.ts";
import { type Partition, toObjectItem } from "../table/items.ts";

/*
 * Rule for turning the write of a whole model into a job. All objects of a generation are in one partition, which
 * accepts `partitionUnits` write units per second. Each object costs one unit per started kilobyte. The predicted time
 * must not exceed `callStagingMs`, and must leave `handOverMs` of the call. Otherwise a worker does it, and nothing is
 * staged before. If the table turns out to be slower, this is detected during writing as long as `handOverMs` are left.
 */

/** Writing the objects takes longer than the call has. */
export class TooLong extends Error {
  readonly objects: number;

  constructor(objects: number) {
    super(`${objects} objects take too long for a call`);
    this.objects = objects;
  }
}

/** Milliseconds of writing before the rest is estimated. */
const ESTIMATE_AFTER_MS = 2_000;

/** Time limit of one attempt to write a generation. */
export class StagingTime {
  readonly #runtime: Pick<Runtime, "now">;
  readonly #commit: Commit;
  readonly #deadline: number;

  constructor(runtime: Pick<Runtime, "now">, commit: Commit, call: RecordedCall) {
    this.#runtime = runtime;
    this.#commit = commit;
    this.#deadline = call.deadline - LIMITS.handOverMs;
  }

  /** Checks the predicted time. Throws `TooLong` for a call, `too_large` if a job cannot do it either. */
  check(units: number, objects: number): void {
    const { job, orJob } = this.#commit;
    if (job && objects <= LIMITS.objectsPerJob) return;
    if (job) throw createTooManyProblem(objects);
    const ms = (units / LIMITS.partitionUnits) * 1_000;
    if (ms <= Math.min(LIMITS.callStagingMs, this.#deadline - this.#runtime.now())) return;
    throw orJob ? new TooLong(objects) : createTooSlowProblem(ms);
  }

  /** Returns a function for the written share, from 0 to 1. It throws `TooLong` if the rest will exceed the call. */
  trackProgress(objects: number): (share: number) => Promise<void> {
    const { job, orJob } = this.#commit;
    const start = this.#runtime.now();
    return async (share) => {
      await job?.lease.progress(Math.floor(objects * share), objects);
      const now = this.#runtime.now();
      const duration = now - start;
      if (!orJob || share === 0 || duration < ESTIMATE_AFTER_MS) return;
      if ((duration / share) * (1 - share) > this.#deadline - now) throw new TooLong(objects);
    };
  }
}

/** Counts the write units of objects: one per started kilobyte of each. */
export function countObjectUnits(partition: Partition, objects: ReadonlyMap<string, AnyObject>): number {
  let units = 0;
  for (const object of objects.values()) units += countItemUnits(toObjectItem(partition, object, object.revision));
  return units;
}

function createTooManyProblem(objects: number): Problem {
  return new Problem(
    "too_large",
    `one job may write ${LIMITS.objectsPerJob} objects, but this one has ${objects}; split the model`,
  );
}

function createTooSlowProblem(ms: number): Problem {
  const seconds = Math.ceil(ms / 1_000);
  const most = LIMITS.callStagingMs / 1_000;
  return new Problem(
    "too_large",
    `writing the whole model takes about ${seconds} s, but one call may take ${most} s; split the change`,
  );
}
