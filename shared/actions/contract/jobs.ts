import type { Channel } from "../../domain/channels.ts";
import type { Problem } from "../../domain/problems.ts";
import type { AnswerRecord, Call, IdempotencyRequest, Payload } from "./call.ts";
import type { Commit, JobLease } from "./store.ts";
import type { Page, Rows } from "./view.ts";

/** Where a job stands; the last three are ends. */
export type JobState = "accepted" | "running" | "done" | "failed" | "cancelled";

/** A write that does not fit one call, accepted and run by a worker. Times are ISO 8601. */
export interface Job {
  readonly id: string;
  /** `<group>/<action>` */
  readonly action: string;
  /** Id of the actor whose job it is. */
  readonly actor: string;
  /** Id of the API token the call came with. */
  readonly apiToken?: string;
  readonly state: JobState;
  readonly accepted: string;
  readonly ended?: string;
  /** Objects written so far, and in all. */
  readonly progress: { readonly done: number; readonly total: number };
  /** The answer of a job that is done; lists leave it out. */
  readonly result?: unknown;
  /** Why a job failed. */
  readonly problem?: { readonly code: Problem["code"]; readonly detail: string };
}

/**
 * The call as it was accepted, from which a worker runs a job. It holds no secrets: actions with any never become jobs.
 */
export interface JobOrder {
  readonly payload: Payload;
  readonly prepared: unknown;
  readonly channel: Channel;
  readonly requestId: string;
  readonly principal: {
    readonly actorId: string;
    readonly issuer: string;
    readonly subject: string;
    readonly fullname: string;
    readonly claimedRoles?: readonly string[];
    /** Id of the API token the call came with. */
    readonly apiToken?: string;
  };
  readonly claim?: IdempotencyRequest;
  /** The revisions the caller named in `If-Match`: they hold at the commit, or the job fails. */
  readonly ifMatch?: readonly { readonly modelId: string; readonly revision: number }[];
}

/** A job in the hands of one worker: nobody else can finish it while the lease lasts. */
export interface LeasedJob {
  readonly job: Job;
  readonly order: JobOrder;
  readonly lease: JobLease;
}

/** Where jobs live. Implemented by `shared/store`; owned by its user. */
export interface Jobs {
  /** Keeps a job with its order and, for an idempotency key, the record that it runs; then has it started. */
  accept(call: Call, order: JobOrder, total: number): Promise<Job>;
  get(id: string): Promise<Job | undefined>;
  /** Jobs that are still remembered, those asked for, newest first and without results; `after` is a job's id. */
  list(isAsked: (job: Pick<Job, "actor" | "apiToken">) => boolean, page: Page): Promise<Rows<Job>>;
  /** Ends a job that has not ended; answers how it stands then. */
  cancel(id: string): Promise<Job | undefined>;
  /** Takes a job that waits or whose worker is gone; undefined when there is nothing to take. */
  lease(id: string): Promise<LeasedJob | undefined>;
  /** Ends a job that found nothing to commit, with its result and the answer for its idempotency key. `job_ended`. */
  finish(job: NonNullable<Commit["job"]>, record?: AnswerRecord): Promise<void>;
  /** Ends a job that cannot succeed. */
  fail(taken: LeasedJob, problem: Problem): Promise<void>;
  /** Ids of jobs that wait for a worker, or whose worker is gone. */
  listWaiting(): Promise<readonly string[]>;
}
