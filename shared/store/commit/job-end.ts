import type { AnswerRecord } from "../../actions/contract/answer.ts";
import type { Commit, JobLease } from "../../actions/contract/store.ts";
import { Problem } from "../../domain/problems.ts";
import type { StoreContext } from "../read/store-context.ts";
import { jobItem, type StoredJob, splitResult } from "../table/job-items.ts";
import { writePieces } from "../table/pieces.ts";
import { noAnswer } from "../table/retry.ts";
import { OutcomeUnknown } from "../table/table.ts";
import { splitRecord } from "./records.ts";
import type { GuardedWrite } from "./writes.ts";

/** A lease as this store hands it out and gets it back. */
export interface OwnLease extends JobLease {
  readonly stored: () => StoredJob;
}

/** The problem of a worker that no longer has its job. */
export function lost(): Problem {
  return new Problem("job_ended", "the job was cancelled, or another worker has it");
}

/**
 * The writes that end a job with the commit it was for: the job with its result, and the record that it runs, which
 * becomes the record of its answer unless its time is over. Pieces that are too large for these items are written at
 * once. `unavailable`.
 */
export async function jobEndWrites(
  { table, ambient }: StoreContext,
  { lease, result }: NonNullable<Commit["job"]>,
  record: AnswerRecord | undefined,
): Promise<readonly GuardedWrite[]> {
  const now = ambient.now();
  const job = (lease as OwnLease).stored();
  const whole = splitResult(job.id, result, now);
  const progress = { ...job.progress, done: job.progress.total };
  const ended: StoredJob = {
    ...{ ...job, state: "done", progress, result: whole.held },
    ended: new Date(now).toISOString(),
  };
  const isKept = record !== undefined && record.expiresAt >= now / 1000;
  const kept = isKept ? splitRecord(record) : undefined;
  try {
    for (const split of [whole, ...(kept ? [kept.split] : [])]) await writePieces(table, split);
  } catch (error) {
    throw error instanceof OutcomeUnknown ? noAnswer() : error;
  }
  // The first worker to end a job does, even after its lease: a job goes from running to its end once, and never back.
  const running = { equal: { state: "running" } };
  return [
    { write: { put: jobItem(ended, now), expect: running }, otherwise: lost },
    ...(kept ? [{ write: kept.write(Math.floor(now / 1000), job.id) }] : []),
  ];
}
