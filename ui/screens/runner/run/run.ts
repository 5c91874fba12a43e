import { type Answer, ApiProblem } from "../../../../client/create-client.ts";
import { callByName } from "../../../api/service.ts";

/** The headers that control one run. */
export interface RunControls {
  readonly ifMatch?: string | undefined;
  /** False for actions that take none. */
  readonly idempotencyKey: string | false;
  readonly dryRun: boolean;
}

/** How a run ended. */
export type Outcome =
  | { readonly answer: Answer<unknown>; readonly problem?: undefined }
  | { readonly problem: ApiProblem; readonly answer?: undefined };

/** What is known of a job while it goes on. */
export interface JobState {
  readonly jobRef: string;
  readonly done: number;
  readonly total: number;
}

const FIRST_LOOK = 200;
const SLOWEST_LOOK = 2_000;

interface Job {
  readonly state: string;
  readonly progress: { readonly done: number; readonly total: number };
  readonly result?: unknown;
  readonly problem?: { readonly code: string; readonly detail: string };
}

/** Runs an action; where it becomes a job, follows that to its end and tells of it. Throws only when it is aborted. */
export async function runAction(
  action: string,
  payload: object,
  { ifMatch, idempotencyKey, dryRun }: RunControls,
  onJob: (job: JobState) => void,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    const options = { ifMatch: ifMatch || undefined, dryRun, signal, wait: false };
    const answer = await callByName(action, payload, { ...options, idempotencyKey: dryRun ? false : idempotencyKey });
    return answer.status === 202 ? { answer: await jobEnd(answer, onJob, signal) } : { answer };
  } catch (error) {
    if (error instanceof ApiProblem) return { problem: error };
    throw error;
  }
}

async function jobEnd(
  accepted: Answer<unknown>,
  onJob: (job: JobState) => void,
  signal: AbortSignal,
): Promise<Answer<unknown>> {
  // The service answers 202 with the job's ref.
  const { job: jobRef } = accepted.body as { readonly job: string };
  onJob({ jobRef, done: 0, total: 0 });
  for (let pause = FIRST_LOOK; ; pause = Math.min(pause * 1.5, SLOWEST_LOOK)) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    signal.throwIfAborted();
    const job = (await callByName("batch/job_get", { jobRef }, { signal })).body as Job;
    onJob({ jobRef, ...job.progress });
    if (job.state === "done") return { ...accepted, status: 200, body: job.result };
    if (job.state !== "failed" && job.state !== "cancelled") continue;
    const members = { status: 200, title: `The job is ${job.state}`, retryable: false, requestId: accepted.requestId };
    // The codes of a job are those of every problem.
    const code = (job.problem?.code ?? "job_ended") as ApiProblem["code"];
    throw new ApiProblem(code, job.problem?.detail ?? `${jobRef} ${job.state}`, members);
  }
}

/** A fresh idempotency key. Browsers offer `randomUUID` on secure pages only. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
