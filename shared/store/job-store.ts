import type { Ambient } from "../actions/call.ts";
import type { AnswerRecord } from "../actions/idempotency.ts";
import type { Job, JobOrder, JobState, Jobs, TakenJob } from "../actions/jobs.ts";
import type { JobMark } from "../actions/store.ts";
import { LIMITS } from "../domain/limits.ts";
import { Problem } from "../domain/problems.ts";
import { putAll } from "./batches.ts";
import { blobItems, readBlob } from "./blobs.ts";
import { JOBS, jobKey, recordKey } from "./keys.ts";
import { type Packed, pack, unpack } from "./packed.ts";
import { recordWrite } from "./records.ts";
import {
  createRetryPolicy,
  noAnswer,
  type RetryBudget,
  type RetryingTable,
  type RetryPolicy,
  retryingTable,
} from "./retry.ts";
import { FORMAT, type Item, Lost, Refused, type Seam, type Write } from "./seam.ts";
import { abandonedNote } from "./sweep-notes.ts";
import { TABLE } from "./table.ts";
import type { GuardedWrite } from "./writes.ts";

/** A job as it is stored: with who works on it, and until when that counts. */
interface StoredJob extends Job {
  /** Raised by each worker that takes the job; whatever a worker writes requires its own. */
  readonly epoch: number;
  /** Milliseconds since the epoch. */
  readonly leaseUntil: number;
  /** Digest of the idempotency key, whose record goes with a job that does not succeed. */
  readonly record?: string;
}

interface Ground {
  readonly seam: RetryingTable;
  readonly ambient: Ambient;
  readonly waiting: RetryPolicy;
  readonly start: (id: string) => Promise<void>;
}

const DAY_MS = 86_400_000;

const ENDS: ReadonlySet<JobState> = new Set(["done", "failed", "cancelled"]);

/** Jobs over the one table. `start` has a worker look at a job soon; if that fails, the next look at waiting jobs does. */
export function createJobStore(
  table: Seam,
  ambient: Ambient,
  start: (id: string) => Promise<void>,
  budget?: RetryBudget,
): Jobs {
  const waiting = createRetryPolicy(ambient, budget);
  const ground: Ground = { seam: retryingTable(table, waiting), ambient, waiting, start };
  const read = async (id: string): Promise<StoredJob | undefined> => storedOf(await ground.seam.get(jobKey(id)));
  return {
    accept: (call, order, total) => {
      const job: StoredJob = {
        id: call.nextId(),
        action: call.action,
        actor: order.principal.actorId,
        state: "accepted",
        accepted: call.time,
        progress: { done: 0, total },
        epoch: 0,
        leaseUntil: ambient.now() + LIMITS.jobLeaseMs,
        ...(order.claim && { record: order.claim.id }),
      };
      return accept(ground, job, order);
    },
    get: async (id) => shown(await read(id)),
    list: async () => (await allJobs(ground.seam)).map(shownJob).reverse(),
    cancel: async (id) => {
      for (let repeats = 0; ; repeats++) {
        const job = await read(id);
        if (!job || ENDS.has(job.state)) return shown(job);
        if (await end(ground, job, { state: "cancelled" })) return shown(await read(id));
        await waiting.pause(repeats);
      }
    },
    take: async (id) => take(ground, await read(id)),
    fail: async ({ job, mark }, { code, message }) => {
      const held = await read(job.id);
      if (held?.state === "running" && held.epoch === mark.epoch) {
        await end(ground, held, { state: "failed", problem: { code, detail: message } });
      }
    },
    waiting: async () =>
      (await allJobs(ground.seam))
        .filter((job) => !ENDS.has(job.state) && job.leaseUntil < ambient.now())
        .map(({ id }) => id),
  };
}

/** The write that ends a job with the commit it was for. */
export function jobDoneWrite(mark: JobMark, result: unknown, time: string): GuardedWrite {
  const { stored } = mark as OwnMark;
  const ended: StoredJob = {
    ...stored(),
    state: "done",
    progress: { ...stored().progress, done: stored().progress.total },
    result,
    ended: time,
  };
  return {
    write: { put: jobItem(ended, Date.parse(time)), expect: { equal: { state: "running", epoch: mark.epoch } } },
    otherwise: lost(),
  };
}

/** The marks that come back to this store are those it handed out. */
interface OwnMark extends JobMark {
  readonly stored: () => StoredJob;
}

async function accept(ground: Ground, job: StoredJob, order: JobOrder): Promise<Job> {
  try {
    await keep(ground, job, order);
  } catch (error) {
    // The caller asks again; with an idempotency key a job that was accepted after all is found by it.
    if (error instanceof Lost) throw noAnswer();
    if (error instanceof Refused)
      throw new Problem("job_running", "a twin of this call became a job", { retryAfter: 1 });
    throw error;
  }
  await ground.start(job.id);
  return shownJob(job);
}

async function keep({ seam, ambient, waiting }: Ground, job: StoredJob, order: JobOrder): Promise<void> {
  // Noted first: whatever becomes of the job, its order goes when nobody asks for the job any more.
  const gone = abandonedNote({ model: job.id, generation: job.id }, ambient.now() + LIMITS.jobDays * DAY_MS);
  await seam.write({ put: gone, expect: { absent: true } });
  await putAll(seam, blobItems(job.id, order), waiting);
  const now = Math.floor(ambient.now() / 1000);
  const record: AnswerRecord | undefined = order.claim && {
    ...order.claim,
    // Nobody is answered this: while the job runs there is no answer, and afterwards another record is here.
    answer: { mediaType: "application/json", body: null },
    job: job.id,
  };
  const writes: Write[] = [
    { put: jobItem(job, ambient.now()), expect: { absent: true } },
    ...(record ? [recordWrite(record, now)] : []),
  ];
  await seam.transactWrite(writes);
}

async function take(ground: Ground, job: StoredJob | undefined): Promise<TakenJob | undefined> {
  const { seam, ambient } = ground;
  if (!job || ENDS.has(job.state)) return undefined;
  if (job.state === "running" && job.leaseUntil >= ambient.now()) return undefined;
  if (job.epoch >= LIMITS.jobWorkers) {
    const detail = `given up: ${job.epoch} workers ended without a result`;
    await end(ground, job, { state: "failed", problem: { code: "internal", detail } });
    return undefined;
  }
  const mine: StoredJob = {
    ...job,
    state: "running",
    epoch: job.epoch + 1,
    leaseUntil: ambient.now() + LIMITS.jobLeaseMs,
    progress: { ...job.progress, done: 0 },
  };
  if (!(await replace(ground, job, mine))) return undefined;
  // Written by `accept`.
  const order = (await readBlob(seam, job.id)) as JobOrder;
  return { job: shownJob(mine), order, mark: markOf(ground, mine) };
}

function markOf(ground: Ground, mine: StoredJob): OwnMark {
  let held = mine;
  let renewing = false;
  return {
    id: mine.id,
    epoch: mine.epoch,
    stored: () => held,
    progress: async (done, total) => {
      const now = ground.ambient.now();
      const fresh = held.leaseUntil - now > LIMITS.jobLeaseMs - RENEW_MS;
      if (renewing || (fresh && done < total)) return;
      renewing = true;
      try {
        const next: StoredJob = { ...held, progress: { done, total }, leaseUntil: now + LIMITS.jobLeaseMs };
        if (!(await replace(ground, held, next))) throw lost();
        held = next;
      } finally {
        renewing = false;
      }
    },
  };
}

/** How often a worker shows its progress and keeps its lease. */
const RENEW_MS = 3_000;

function lost(): Problem {
  return new Problem("job_ended", "the job was cancelled, or another worker has it");
}

/** Replaces a job that is still as it was read; false when it is not. */
async function replace({ seam, ambient }: Ground, job: StoredJob, next: StoredJob): Promise<boolean> {
  const expect = { equal: { state: job.state, epoch: job.epoch, leaseUntil: job.leaseUntil } };
  return ifAsRead(() => seam.write({ put: jobItem(next, ambient.now()), expect }));
}

type JobEnd = Pick<StoredJob, "state"> & Partial<Pick<StoredJob, "problem">>;

/** Ends a job without success, and with it the record of its idempotency key, so that the call can be made again. */
async function end({ seam, ambient }: Ground, job: StoredJob, how: JobEnd): Promise<boolean> {
  const ended: StoredJob = { ...job, ...how, ended: new Date(ambient.now()).toISOString() };
  const asRead = { equal: { state: job.state, epoch: job.epoch, leaseUntil: job.leaseUntil } };
  const writes: Write[] = [{ put: jobItem(ended, ambient.now()), expect: asRead }];
  if (job.record !== undefined) {
    writes.push({ delete: recordKey(job.record), expect: { equal: { job: job.id } } });
  }
  return ifAsRead(() => seam.transactWrite(writes));
}

async function ifAsRead(write: () => Promise<void>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (error instanceof Refused || error instanceof Lost) return false;
    throw error;
  }
}

async function allJobs(seam: Seam): Promise<readonly StoredJob[]> {
  const jobs: StoredJob[] = [];
  let after: string | undefined;
  do {
    const page = await seam.query({ pk: JOBS, ...(after !== undefined && { after }) });
    for (const item of page.items) {
      const job = storedOf(item);
      if (job) jobs.push(job);
    }
    after = page.more;
  } while (after !== undefined);
  return jobs;
}

function jobItem(job: StoredJob, now: number): Item {
  const { id, result, ...rest } = job;
  const forgotten = Math.floor((now + LIMITS.jobDays * DAY_MS) / 1000);
  return {
    ...jobKey(id),
    v: FORMAT,
    ...rest,
    ...(result !== undefined && { result: pack(result) }),
    ...(ENDS.has(job.state) && { [TABLE.timeToLive]: forgotten }),
  };
}

function storedOf(item: Item | undefined): StoredJob | undefined {
  if (!item) return undefined;
  const { pk: _pk, sk: id, v: _v, expiresAt: _expiresAt, result, ...rest } = item;
  // Written by `jobItem`.
  return {
    id,
    ...rest,
    ...(result !== undefined && { result: unpack(result as Packed) }),
  } as unknown as StoredJob;
}

function shown(job: StoredJob | undefined): Job | undefined {
  return job && shownJob(job);
}

function shownJob(job: StoredJob): Job {
  const { epoch: _epoch, leaseUntil: _leaseUntil, record: _record, ...rest } = job;
  return rest;
}
