import type { AnswerRecord, Runtime } from "../../actions/contract/call.ts";
import type { Job, JobOrder, Jobs, LeasedJob } from "../../actions/contract/jobs.ts";
import type { FinishedJob } from "../../actions/contract/store.ts";
import type { Page, Rows } from "../../actions/contract/view.ts";
import { LIMITS } from "../../domain/limits.ts";
import { includeMember } from "../../domain/model/content.ts";
import { Problem } from "../../domain/problems.ts";
import {
  createJobEndedProblem,
  createJobEndWrites,
  END_STATES,
  readWholeJob,
  type StoredJob,
  type StoredLease,
  toJobItem,
  toJobRow,
  toStoredJob,
} from "../commit/job-items.ts";
import { splitRecord } from "../commit/records.ts";
import { readBlob, toBlobItems } from "../log/blobs.ts";
import { createAbandonedNote } from "../log/stagings.ts";
import type { StoreContext } from "../read/view.ts";
import { putAll, Throttle } from "../table/batch-writes.ts";
import { JOBS, jobKey, recordKey } from "../table/keys.ts";
import { createNoAnswerProblem, createRetryingTable, createRetryPolicy, type RetryPolicy } from "../table/retry.ts";
import {
  ConditionFailed,
  type Expectation,
  OutcomeUnknown,
  type Range,
  readItems,
  type Table,
  tryWrite,
  type Write,
} from "../table/table.ts";

interface JobContext extends StoreContext {
  readonly start: (id: string) => Promise<void>;
}

const DAY_MS = 86_400_000;

/** Creates the store of jobs. `start` asks a worker to run a job soon. */
export function createJobStore(
  plainTable: Table,
  runtime: Runtime,
  start: (id: string) => Promise<void>,
  retryPolicy: RetryPolicy = createRetryPolicy(runtime),
): Jobs {
  const context: JobContext = { table: createRetryingTable(plainTable, retryPolicy), runtime, retryPolicy, start };
  const read = async (id: string) => toStoredJob(await context.table.get(jobKey(id)), runtime.now());
  const readIfAny = async (job: StoredJob | undefined) => job && readWholeJob(context.table, job);
  return {
    accept: (call, order, total) => {
      const job: StoredJob = {
        id: call.nextId(),
        action: call.action,
        actor: order.principal.actorId,
        ...includeMember("apiToken", order.principal.apiToken),
        state: "accepted",
        accepted: call.time,
        progress: { done: 0, total },
        epoch: 0,
        leaseUntil: runtime.now() + LIMITS.jobLeaseMs,
        ...(order.claim && { record: order.claim.id }),
      };
      return acceptJob(context, job, order);
    },
    get: async (id) => readIfAny(await read(id)),
    list: (isAsked, page) => listJobs(context, isAsked, page),
    cancel: async (id) => {
      for (let repeats = 0; ; repeats++) {
        const job = await read(id);
        if (!job || END_STATES.has(job.state)) return readIfAny(job);
        if (await endJob(context, job, { state: "cancelled" })) return readIfAny(await read(id));
        await retryPolicy.pause(repeats);
      }
    },
    lease: async (id) => takeJob(context, await read(id)),
    fail: async ({ job, lease }, { code, message }) => {
      const storedJob = await read(job.id);
      if (storedJob?.state === "running" && storedJob.epoch === lease.epoch) {
        await endJob(context, storedJob, { state: "failed", problem: { code, detail: message } });
      }
    },
    finish: (job, record) => finishJob(context, job, record),
    listWaiting: async () => {
      const ids: string[] = [];
      for await (const { id, state, leaseUntil } of readJobs(context)) {
        if (!END_STATES.has(state) && leaseUntil < runtime.now()) ids.push(id);
      }
      return ids;
    },
  };
}

async function listJobs(context: JobContext, isAsked: (job: Job) => boolean, page: Page): Promise<Rows<Job>> {
  const { after, limit = Number.POSITIVE_INFINITY } = page;
  const items: Job[] = [];
  for await (const job of readJobs(context, { descending: true, ...includeMember("after", after) })) {
    if (!isAsked(job)) continue;
    const last = items.at(-1);
    if (last && items.length === limit) return { items, next: last.id };
    items.push(toJobRow(job));
  }
  return { items };
}

async function acceptJob(context: JobContext, job: StoredJob, order: JobOrder): Promise<Job> {
  await requireFreeJob(context, job.actor);
  try {
    await writeJob(context, job, order);
  } catch (error) {
    if (error instanceof OutcomeUnknown) throw createNoAnswerProblem();
    throw error;
  }
  await context.start(job.id);
  return toJobRow(job);
}

/** Throws `throttled` if too many jobs have not ended. Concurrent calls may each find the last free one. */
async function requireFreeJob(context: JobContext, actor: string) {
  let [own, all] = [0, 0];
  for await (const job of readJobs(context)) {
    if (END_STATES.has(job.state)) continue;
    all += 1;
    if (job.actor === actor) own += 1;
  }
  if (own < LIMITS.openJobsPerActor && all < LIMITS.openJobs) return;
  const isOwn = own >= LIMITS.openJobsPerActor;
  throw new Problem("throttled", `${isOwn ? `${own} of your` : all} jobs have not ended; wait until one of them has`, {
    retryAfter: JOB_WAIT_SECONDS,
    quota: { name: "open-jobs", quota: isOwn ? LIMITS.openJobsPerActor : LIMITS.openJobs },
  });
}

const JOB_WAIT_SECONDS = 10;

async function writeJob(context: JobContext, job: StoredJob, order: JobOrder) {
  const { table, runtime, retryPolicy } = context;
  // The note is written first: it deletes the order after the job has expired.
  const note = createAbandonedNote({ model: job.id, generation: job.id }, runtime.now() + LIMITS.jobDays * DAY_MS);
  await table.write({ put: note, expect: { absent: true } });
  await putAll(table, toBlobItems(job.id, order), new Throttle(runtime, retryPolicy));
  const record: AnswerRecord | undefined = order.claim && {
    ...order.claim,
    // This answer is never returned: another record replaces it when the job ends.
    answer: { mediaType: "application/json", body: null },
    job: job.id,
  };
  const writes: Write[] = [
    { put: toJobItem(job, runtime.now()), expect: { absent: true } },
    ...(record ? [splitRecord(record).write(Math.floor(runtime.now() / 1000))] : []),
  ];
  let isUnknown = false;
  for (let repeats = 0; ; repeats++) {
    try {
      return await table.transactWrite(writes);
    } catch (error) {
      // Job ids are unique: an earlier attempt without an answer succeeded.
      if (error instanceof ConditionFailed && error.faults[0]) return;
      if (error instanceof ConditionFailed) {
        throw new Problem("job_running", "a concurrent duplicate of this call became a job", { retryAfter: 1 });
      }
      isUnknown ||= error instanceof OutcomeUnknown;
      // The repeat finds the job, or makes the attempt without an answer fail if it still arrives.
      if (error instanceof OutcomeUnknown && repeats < MAX_REPEATS) await retryPolicy.pause(repeats);
      else throw isUnknown ? createOutcomeUnknownProblem() : error;
    }
  }
}

function createOutcomeUnknownProblem(): Problem {
  const detail = "the store did not confirm that the job was accepted; check your jobs before repeating the call";
  return new Problem("out_of_time", detail, { retryAfter: 1 });
}

const MAX_REPEATS = 5;

async function takeJob(context: JobContext, job: StoredJob | undefined): Promise<LeasedJob | undefined> {
  const { table, runtime } = context;
  if (!job || END_STATES.has(job.state)) return undefined;
  if (job.state === "running" && job.leaseUntil >= runtime.now()) return undefined;
  if (job.epoch >= LIMITS.jobWorkers) {
    const detail = `given up: ${job.epoch} workers ended without a result`;
    await endJob(context, job, { state: "failed", problem: { code: "internal", detail } });
    return undefined;
  }
  const leasedJob: StoredJob = {
    ...job,
    state: "running",
    epoch: job.epoch + 1,
    leaseUntil: runtime.now() + LIMITS.jobLeaseMs,
    progress: { ...job.progress, done: 0 },
  };
  if (!(await replaceJob(context, job, leasedJob))) return undefined;
  // Written by `writeJob`.
  const order = (await readBlob(table, job.id)) as JobOrder;
  return { job: toJobRow(leasedJob), order, lease: createLease(context, leasedJob) };
}

function createLease(context: JobContext, job: StoredJob): StoredLease {
  let storedJob = job;
  let isRenewing = false;
  return {
    id: job.id,
    epoch: job.epoch,
    getJob: () => storedJob,
    progress: async (done, total) => {
      const now = context.runtime.now();
      const isFresh = storedJob.leaseUntil - now > LIMITS.jobLeaseMs - RENEW_MS;
      if (isRenewing || (isFresh && done < total)) return;
      isRenewing = true;
      try {
        const next: StoredJob = { ...storedJob, progress: { done, total }, leaseUntil: now + LIMITS.jobLeaseMs };
        const isShown = await replaceJob(context, storedJob, next);
        // Without an answer the job is read again. It is lost only if its state or epoch changed.
        const result = isShown ? next : toStoredJob(await context.table.get(jobKey(storedJob.id)), now);
        if (result?.state !== "running" || result.epoch !== storedJob.epoch) throw createJobEndedProblem();
        storedJob = result;
      } finally {
        isRenewing = false;
      }
    },
  };
}

/** Milliseconds between two writes of a worker's progress. Each also renews the lease. */
const RENEW_MS = 3_000;

async function replaceJob({ table, runtime }: JobContext, job: StoredJob, next: StoredJob): Promise<boolean> {
  return tryUncertainWrite(() => table.write({ put: toJobItem(next, runtime.now()), expect: expectAsRead(job) }));
}

function expectAsRead({ state, epoch, leaseUntil }: StoredJob): Expectation {
  return { equal: { state, epoch, leaseUntil } };
}

type JobEnd = Pick<StoredJob, "state"> & Partial<Pick<StoredJob, "problem">>;

/** Ends a job without success and deletes its idempotency record, unless another call owns it. */
async function endJob({ table, runtime }: JobContext, job: StoredJob, end: JobEnd): Promise<boolean> {
  const endedJob: StoredJob = { ...job, ...end, ended: new Date(runtime.now()).toISOString() };
  const jobWrite: Write = { put: toJobItem(endedJob, runtime.now()), expect: expectAsRead(job) };
  const writes: Write[] = [jobWrite];
  if (job.record !== undefined) {
    writes.push({ delete: recordKey(job.record), expect: { equal: { job: job.id } } });
  }
  return tryUncertainWrite(async () => {
    try {
      await table.transactWrite(writes);
    } catch (error) {
      if (!(error instanceof ConditionFailed) || error.faults[0]) throw error;
      await table.write(jobWrite);
    }
  });
}

async function finishJob(context: JobContext, job: FinishedJob, record?: AnswerRecord) {
  const { table } = context;
  const writes = await createJobEndWrites(context, job, record);
  try {
    await table.transactWrite(writes);
  } catch (error) {
    if (!(error instanceof ConditionFailed || error instanceof OutcomeUnknown)) throw error;
    throw error instanceof OutcomeUnknown ? createNoAnswerProblem() : createJobEndedProblem();
  }
}

async function tryUncertainWrite(write: () => Promise<void>): Promise<boolean> {
  try {
    return await tryWrite(write);
  } catch (error) {
    if (error instanceof OutcomeUnknown) return false;
    throw error;
  }
}

async function* readJobs({ table, runtime }: JobContext, range: Omit<Range, "pk"> = {}): AsyncGenerator<StoredJob> {
  for await (const item of readItems(table, { pk: JOBS, ...range })) {
    const job = toStoredJob(item, runtime.now());
    if (job) yield job;
  }
}
