import type { AnswerRecord } from "../../actions/contract/call.ts";
import type { Job, JobState } from "../../actions/contract/jobs.ts";
import type { Commit, JobLease } from "../../actions/contract/store.ts";
import { LIMITS } from "../../domain/limits.ts";
import { Problem } from "../../domain/problems.ts";
import type { StoreContext } from "../read/contexts.ts";
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
import { FORMAT, type Item, OutcomeUnknown, type Table } from "../table/table.ts";
import { TABLE } from "../table/table-schema.ts";
import { splitRecord } from "./records.ts";
import type { PlannedWrite } from "./writes.ts";

/** A lease as this store hands it out and gets it back. */
export interface StoredLease extends JobLease {
  readonly stored: () => StoredJob;
}

/** The problem of a worker that no longer has its job. */
export function createJobEndedProblem(): Problem {
  return new Problem("job_ended", "the job was cancelled, or another worker has it");
}

/**
 * The writes that end a job with the commit it was for: the job with its result, and the record that it runs, which
 * becomes the record of its answer unless its time is over. Pieces that are too large for these items are written at
 * once. `unavailable`.
 */
export async function createJobEndWrites(
  { table, ambient }: StoreContext,
  { lease, result }: NonNullable<Commit["job"]>,
  record: AnswerRecord | undefined,
): Promise<readonly PlannedWrite[]> {
  const now = ambient.now();
  const job = (lease as StoredLease).stored();
  const whole = splitJobResult(job.id, result, now);
  const progress = { ...job.progress, done: job.progress.total };
  const ended: StoredJob = {
    ...{ ...job, state: "done", progress, result: whole.stored },
    ended: new Date(now).toISOString(),
  };
  const isKept = record !== undefined && record.expiresAt >= now / 1000;
  const kept = isKept ? splitRecord(record) : undefined;
  try {
    for (const split of [whole, ...(kept ? [kept.split] : [])]) await writePieces(table, split);
  } catch (error) {
    throw error instanceof OutcomeUnknown ? createNoAnswerProblem() : error;
  }
  // The first worker to end a job does, even after its lease: a job goes from running to its end once, and never back.
  const running = { equal: { state: "running" } };
  return [
    { write: { put: toJobItem(ended, now), expect: running }, createProblem: createJobEndedProblem },
    ...(kept ? [{ write: kept.write(Math.floor(now / 1000), job.id) }] : []),
  ];
}

/** A job as it is stored: with who works on it, and until when that counts. */
export interface StoredJob extends Omit<Job, "result"> {
  /** Raised by each worker that takes the job; a worker's writes before the end require its own epoch. */
  readonly epoch: number;
  /** Milliseconds since the epoch. */
  readonly leaseUntil: number;
  /** Digest of the idempotency key, whose record goes with a job that does not succeed. */
  readonly record?: string;
  readonly result?: StoredValue;
}

/** States in which a job stays. */
export const END_STATES: ReadonlySet<JobState> = new Set(["done", "failed", "cancelled"]);

const DAY_SECONDS = 86_400;

/** When a job that ends at a moment is forgotten, in seconds since the epoch; `now` in milliseconds. */
const computeExpiry = (now: number): number => Math.floor(now / 1000) + LIMITS.jobDays * DAY_SECONDS;

/** The item of a job; one that has ended expires. `now` in milliseconds since the epoch. */
export function toJobItem({ id, ...rest }: StoredJob, now: number): Item {
  return {
    ...jobKey(id),
    v: FORMAT,
    ...rest,
    ...(END_STATES.has(rest.state) && { [TABLE.timeToLive]: computeExpiry(now) }),
  };
}

/** The job of an item; undefined when it has expired, which DynamoDB may notice days later. `now` as above. */
export function toStoredJob(item: Item | undefined, now: number): StoredJob | undefined {
  if (!item) return undefined;
  const { pk: _pk, sk: id, v: _v, [TABLE.timeToLive]: expiresAt, ...rest } = item;
  if (typeof expiresAt === "number" && expiresAt < now / 1000) return undefined;
  // Written by `jobItem`.
  return { id, ...rest } as unknown as StoredJob;
}

/** Bytes of a result that a job's item holds itself, so that looking through many jobs reads little of each. */
const RESULT_BYTES = 4_096;

const createJobPieceKey =
  (id: string): PieceKey =>
  (whole, part) =>
    jobPartKey(id, whole, part);

/** The result of a job that ends now, as its item holds it, and the pieces that are written before. */
function splitJobResult(id: string, result: unknown, now: number): SplitValue {
  return splitValue(result, RESULT_BYTES, computeExpiry(now), createJobPieceKey(id));
}

/** A job as it is shown, with its result wherever that lies. */
export async function readWholeJob(table: Table, job: StoredJob): Promise<Job> {
  const { result } = job;
  return {
    ...toJobRow(job),
    ...(result !== undefined && { result: await joinValue(table, result, createJobPieceKey(job.id)) }),
  };
}

/** A job as a list shows it: without its result. */
export function toJobRow({ epoch: _e, leaseUntil: _l, record: _r, result: _result, ...rest }: StoredJob): Job {
  return rest;
}
