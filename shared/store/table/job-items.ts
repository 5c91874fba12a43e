import type { Job, JobState } from "../../actions/contract/jobs.ts";
import { LIMITS } from "../../domain/limits.ts";
import { jobKey, jobPartKey } from "./keys.ts";
import { type Held, joined, type PieceKey, type Split, split } from "./pieces.ts";
import { FORMAT, type Item, type Table } from "./table.ts";
import { TABLE } from "./table-schema.ts";

/** A job as it is stored: with who works on it, and until when that counts. */
export interface StoredJob extends Omit<Job, "result"> {
  /** Raised by each worker that takes the job; a worker's writes before the end require its own epoch. */
  readonly epoch: number;
  /** Milliseconds since the epoch. */
  readonly leaseUntil: number;
  /** Digest of the idempotency key, whose record goes with a job that does not succeed. */
  readonly record?: string;
  readonly result?: Held;
}

/** States in which a job stays. */
export const ENDS: ReadonlySet<JobState> = new Set(["done", "failed", "cancelled"]);

const DAY_SECONDS = 86_400;

/** When a job that ends at a moment is forgotten, in seconds since the epoch; `now` in milliseconds. */
const forgottenAt = (now: number): number => Math.floor(now / 1000) + LIMITS.jobDays * DAY_SECONDS;

/** The item of a job; one that has ended expires. `now` in milliseconds since the epoch. */
export function jobItem({ id, ...rest }: StoredJob, now: number): Item {
  return { ...jobKey(id), v: FORMAT, ...rest, ...(ENDS.has(rest.state) && { [TABLE.timeToLive]: forgottenAt(now) }) };
}

/** The job of an item; undefined when it has expired, which DynamoDB may notice days later. `now` as above. */
export function storedOf(item: Item | undefined, now: number): StoredJob | undefined {
  if (!item) return undefined;
  const { pk: _pk, sk: id, v: _v, [TABLE.timeToLive]: expiresAt, ...rest } = item;
  if (typeof expiresAt === "number" && expiresAt < now / 1000) return undefined;
  // Written by `jobItem`.
  return { id, ...rest } as unknown as StoredJob;
}

/** Bytes of a result that a job's item holds itself, so that looking through many jobs reads little of each. */
const RESULT_BYTES = 4_096;

const pieceKey =
  (id: string): PieceKey =>
  (whole, part) =>
    jobPartKey(id, whole, part);

/** The result of a job that ends now, as its item holds it, and the pieces that are written before. */
export function splitResult(id: string, result: unknown, now: number): Split {
  return split(result, RESULT_BYTES, forgottenAt(now), pieceKey(id));
}

/** A job as it is shown, with its result wherever that lies. */
export async function shownWhole(table: Table, job: StoredJob): Promise<Job> {
  const { result } = job;
  return { ...shownRow(job), ...(result !== undefined && { result: await joined(table, result, pieceKey(job.id)) }) };
}

/** A job as a list shows it: without its result. */
export function shownRow({ epoch: _e, leaseUntil: _l, record: _r, result: _result, ...rest }: StoredJob): Job {
  return rest;
}
