import type { Context } from "aws-lambda";
import { type JobOutcome, runJob } from "../../shared/actions/pipeline/run-job.ts";
import { runtime } from "../../shared/service/runtime.ts";
import { createWorkerService } from "../dispatcher/cloud-service.ts";

interface WorkerEvent {
  readonly job: string;
}

/** Milliseconds reserved at the end, so that the worker leaves its job before Lambda ends it. */
const RESERVE_MS = 10_000;

const service = createWorkerService(process.env);

/** Runs one job; the next invocation continues it. Nobody reads the answer, so it is logged too. */
export async function handler({ job }: WorkerEvent, context: Context): Promise<JobOutcome> {
  const start = runtime.now();
  const outcome = await runJob(job, service, start + context.getRemainingTimeInMillis() - RESERVE_MS);
  process.stdout.write(`${JSON.stringify({ level: "info", job, outcome, ms: runtime.now() - start })}\n`);
  return outcome;
}
