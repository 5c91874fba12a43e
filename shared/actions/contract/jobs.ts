import type { Principal } from "../../domain/accounts/principal.ts";
import type { Channel } from "../../domain/channels.ts";
import type { Problem } from "../../domain/problems.ts";
import type { AnswerRecord, Call, IdempotencyRequest, Payload } from "./call.ts";
import type { FinishedJob, JobLease } from "./store.ts";
import type { Page, Rows } from "./view.ts";

/** State of a job; the last three are final. */
export type JobState = "accepted" | "running" | "done" | "failed" | "cancelled";

/** Write that exceeds one call and is executed by a worker. Times are ISO 8601. */
export interface Job {
  readonly id: string;
  readonly action: string;
  readonly actor: string;
  readonly apiToken?: string;
  readonly state: JobState;
  readonly accepted: string;
  readonly ended?: string;
  readonly progress: { readonly done: number; readonly total: number };
  /** Answer of a finished job; lists omit it. */
  readonly result?: unknown;
  readonly problem?: { readonly code: Problem["code"]; readonly detail: string };
}

/** Stored call from which a worker executes a job. Calls with secrets never become jobs. */
export interface JobOrder {
  readonly payload: Payload;
  readonly prepared: unknown;
  readonly channel: Channel;
  readonly requestId: string;
  readonly principal: Pick<Principal, "actorId" | "issuer" | "subject" | "fullname"> &
    Partial<Pick<Principal, "claimedRoles" | "apiToken">>;
  readonly claim?: IdempotencyRequest;
  readonly run?: string;
  /** Revisions in `If-Match` of the caller; the job fails if they changed before the commit. */
  readonly ifMatch?: readonly { readonly modelId: string; readonly revision: number }[];
}

/** Job that one worker has leased. Nobody else can finish it during the lease. */
export interface LeasedJob {
  readonly job: Job;
  readonly order: JobOrder;
  readonly lease: JobLease;
}

/** Store of jobs. Implemented by `shared/store`; owned by its user. */
export interface Jobs {
  accept(call: Call, order: JobOrder, total: number): Promise<Job>;
  get(id: string): Promise<Job | undefined>;
  /** Lists the matching jobs that are not expired, newest first and without results; `after` is a job id. */
  list(isAsked: (job: Pick<Job, "actor" | "apiToken">) => boolean, page: Page): Promise<Rows<Job>>;
  /** Cancels a job unless it has ended. Returns its state after that. */
  cancel(id: string): Promise<Job | undefined>;
  /** Leases a job that waits or whose worker is gone; undefined if there is nothing to do. */
  lease(id: string): Promise<LeasedJob | undefined>;
  /** Ends a job without a commit, with its result and idempotency record. Throws `job_ended`. */
  finish(job: FinishedJob, record?: AnswerRecord): Promise<void>;
  fail(job: LeasedJob, problem: Problem): Promise<void>;
  /** Returns the ids of jobs that wait for a worker, or whose worker is gone. */
  listWaiting(): Promise<readonly string[]>;
}
