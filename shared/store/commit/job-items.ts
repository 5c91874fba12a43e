import type { AnswerRecord } from "../../actions/contract/call.ts";
import type { Job, JobState } from "../../actions/contract/jobs.ts";
import type { FinishedJob, JobLease } from "../../actions/contract/store.ts";
import { LIMITS } from "../../domain/limits.ts";
import { Problem } from "../../domain/problems.ts";
import type { StoreContext } from "../read/view.ts";
import { jobKey, jobPartKey } from "../table/keys.ts";
import {
  joinValue,
  type PieceKey,
  type SplitValue,
  type StoredValue,
  splitValue,
  writePieces,
} from "../table/pieces.ts";
import { createNoAnswerProblem } from "../table/retry.ts";
import { FORMAT, type Item, OutcomeUnknown, type Table, type Write } from "../table/table.ts";
import { TABLE } from "../table/table-schema.ts";
import { splitRecord } from "./records.ts";

/** A lease together with the job as stored. */
export interface StoredLease extends JobLease {
  readonly getJob: () => StoredJob;
}

/** Creates the problem of a worker that has lost its job. */
export function createJobEndedProblem(): Problem {
  return new Problem("job_ended", "the job was cancelled, or another worker has it");
}

/** Creates the writes that end a job with its commit and record. Writes large pieces at once. Throws `unavailable`. */
export async function createJobEndWrites(
  { table, runtime }: StoreContext,
  { lease, result }: FinishedJob,
  record: AnswerRecord | undefined,
): Promise<readonly Write[]> {
  const now = runtime.now();
  const job = (lease as StoredLease).getJob();
  const resultParts = splitJobResult(job.id, result, now);
  const progress = { ...job.progress, done: job.progress.total };
  const endedJob: StoredJob = {
    ...{ ...job, state: "done", progress, result: resultParts.value },
    ended: new Date(now).toISOString(),
  };
  const isKept = record !== undefined && record.expiresAt >= now / 1000;
  const recordParts = isKept ? splitRecord(record) : undefined;
  try {
    for (const parts of [resultParts, ...(recordParts ? [recordParts.parts] : [])]) await writePieces(table, parts);
  } catch (error) {
    throw error instanceof OutcomeUnknown ? createNoAnswerProblem() : error;
  }
  // The first worker that ends a job succeeds, even after its lease: a job ends exactly once.
  const running = { equal: { state: "running" } };
  return [
    { put: toJobItem(endedJob, now), expect: running, createProblem: createJobEndedProblem },
    ...(recordParts ? [recordParts.write(Math.floor(now / 1000), job.id)] : []),
  ];
}

/** A job as stored, with its worker's epoch and lease. */
export interface StoredJob extends Omit<Job, "result"> {
  /** Incremented by each worker that takes the job. The writes of a worker require its own epoch. */
  readonly epoch: number;
  /** Milliseconds since the epoch. */
  readonly leaseUntil: number;
  /** Digest of the idempotency key. Its record is deleted with a job that does not succeed. */
  readonly record?: string;
  readonly result?: StoredValue;
}

export const END_STATES: ReadonlySet<JobState> = new Set(["done", "failed", "cancelled"]);

const DAY_SECONDS = 86_400;

/** Returns when a job that ends now expires, in seconds since the epoch; `now` is in milliseconds. */
const computeExpiry = (now: number) => Math.floor(now / 1000) + LIMITS.jobDays * DAY_SECONDS;

/** Returns the item of a job. `now` is in milliseconds since the epoch. */
export function toJobItem({ id, ...rest }: StoredJob, now: number): Item {
  return {
    ...jobKey(id),
    v: FORMAT,
    ...rest,
    ...(END_STATES.has(rest.state) && { [TABLE.timeToLive]: computeExpiry(now) }),
  };
}

/** Returns the job of an item; undefined if it has expired, because DynamoDB may delete it days later. */
export function toStoredJob(item: Item | undefined, now: number): StoredJob | undefined {
  if (!item) return undefined;
  const { pk: _pk, sk: id, v: _v, [TABLE.timeToLive]: expiresAt, ...rest } = item;
  if (typeof expiresAt === "number" && expiresAt < now / 1000) return undefined;
  // Written by `toJobItem`.
  return { id, ...rest } as unknown as StoredJob;
}

/** Bytes of a result inside the job's item. It is small because lists read many jobs. */
const RESULT_BYTES = 4_096;

const createJobPieceKey =
  (id: string): PieceKey =>
  (digest, part) =>
    jobPartKey(id, digest, part);

function splitJobResult(id: string, result: unknown, now: number): SplitValue {
  return splitValue(result, RESULT_BYTES, computeExpiry(now), createJobPieceKey(id));
}

/** Reads a job with its whole result. */
export async function readWholeJob(table: Table, job: StoredJob): Promise<Job> {
  const { result } = job;
  return {
    ...toJobRow(job),
    ...(result !== undefined && { result: await joinValue(table, result, createJobPieceKey(job.id)) }),
  };
}

/** Returns a job for a list, without its result. */
export function toJobRow({ epoch: _e, leaseUntil: _l, record: _r, result: _result, ...rest }: StoredJob): Job {
  return rest;
}
