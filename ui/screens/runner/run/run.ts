import { useCallback, useSyncExternalStore } from "react";
import { type Answer, ApiProblem } from "../../../../client/create-client.ts";
import { useCaller } from "../../../api/rights.ts";
import { callByName } from "../../../api/service.ts";
import type { JsonObject } from "../form/form-state.ts";

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
    return answer.status === 202 ? { answer: await toJobOutcome(answer, onJob, signal) } : { answer };
  } catch (error) {
    if (error instanceof ApiProblem) return { problem: error };
    throw error;
  }
}

async function toJobOutcome(
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
export function createKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Something that the page remembers while it is open, and that components see change. */
interface Memory<T> {
  /** A hook: what is remembered for the person who is signed in, empty at first and again for another person. */
  use(owner: string | undefined): T;
  /** Changes it, for one person. */
  change(owner: string | undefined, change: (before: T) => T): void;
}

/** Makes a memory that begins as `first` for every person anew. */
export function createMemory<T>(first: T): Memory<T> {
  let kept: { readonly owner: string | undefined; readonly value: T } = { owner: undefined, value: first };
  const watchers = new Set<() => void>();
  const watch = (watcher: () => void): (() => void) => {
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  };
  return {
    use: (owner) => {
      const { owner: whose, value } = useSyncExternalStore(watch, () => kept);
      return whose === owner ? value : first;
    },
    change: (owner, change) => {
      kept = { owner, value: change(kept.owner === owner ? kept.value : first) };
      for (const watcher of watchers) watcher();
    },
  };
}

/** Names the person who is signed in, for what the page remembers for them. */
export function useOwner(): string | undefined {
  const caller = useCaller();
  return caller && `${caller.issuer} ${caller.sub}`;
}

/** A run of this session, without its secrets and without its answer. */
export interface PastRun {
  readonly number: number;
  readonly action: string;
  readonly title: string;
  readonly payload: JsonObject;
  readonly hadSecrets: boolean;
  readonly at: number;
  readonly dryRun: boolean;
  /** The HTTP status; 0 where no answer came. */
  readonly status: number;
  readonly ok: boolean;
  /** The entity tag of its answer. */
  readonly etag?: string | undefined;
}

const KEPT = 50;
const runs = createMemory<readonly PastRun[]>([]);

/** The runs of the person since the page was opened, the last one first. */
export function useRuns() {
  const owner = useOwner();
  const all = runs.use(owner);
  const note = useCallback(
    (run: Omit<PastRun, "number">) =>
      runs.change(owner, (before) => [{ ...run, number: (before[0]?.number ?? 0) + 1 }, ...before].slice(0, KEPT)),
    [owner],
  );
  const forget = useCallback(() => runs.change(owner, () => []), [owner]);
  return { runs: all, note, forget };
}
