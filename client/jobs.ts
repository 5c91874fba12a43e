import { type Answer, type CallOptions, type ClientSettings, callAction, waitToSend } from "./action-call.ts";
import type { Actions } from "./actions.ts";
import { ApiProblem, type ApiProblemCode } from "./api-problem.ts";

type Job = Actions["batch"]["job_get"]["output"];

const FIRST_LOOK = 100;
const SLOWEST_LOOK = 2_000;

interface Receipt {
  readonly status: "accepted";
  readonly job: string;
}

/** Calls an action; if it becomes a job, waits for its result unless `wait` is false. */
export async function callAndWait(
  settings: ClientSettings,
  action: string,
  payload: object,
  options: CallOptions = {},
): Promise<Answer<unknown>> {
  const answer = await callAction(settings, action, payload, options);
  if (answer.status !== 202 || options.wait === false) return answer;
  // The service answers 202 with the job's ref only.
  const { job: jobRef } = answer.body as Receipt;
  for (let pause = FIRST_LOOK; ; pause = Math.min(pause * 1.5, SLOWEST_LOOK)) {
    await waitToSend(pause, options.signal);
    const lookup = await callAction(settings, "batch/job_get", { jobRef }, { signal: options.signal });
    // The action's declared answer.
    const job = lookup.body as Job;
    options.onProgress?.(job.progress, jobRef);
    if (job.state === "done") return { ...answer, status: 200, body: job.result };
    if (job.state === "failed" || job.state === "cancelled") throw toJobProblem(job, answer.requestId);
  }
}

function toJobProblem({ id, state, problem }: Job, requestId: string | undefined): ApiProblem {
  const members = { status: 200, title: `The job is ${state}`, retryable: false, requestId };
  if (!problem) return new ApiProblem("job_ended", `the job id:${id} was ${state}`, members);
  // The codes of a job are those of the problem table.
  return new ApiProblem(problem.code as ApiProblemCode, problem.detail, members);
}
