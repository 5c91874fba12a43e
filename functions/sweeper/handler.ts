import type { Context } from "aws-lambda";
import { startWorker } from "../../shared/service/lazy-ports.ts";
import { ambient } from "../../shared/service/runtime.ts";
import { createJobStore } from "../../shared/store/jobs/job-store.ts";
import { type SweepResult, sweep } from "../../shared/store/sweep/sweep.ts";
import { createDynamoTable } from "../../shared/store/table/dynamo.ts";
import { TABLE } from "../../shared/store/table/table-schema.ts";

/** The work of one run. */
export interface SweeperRun extends SweepResult {
  /** Jobs a worker was asked to look at. */
  readonly started: number;
}

/** Time kept back at the end, in milliseconds, to finish the page under way. */
const RESERVE_MS = 20_000;

const { METACTION_TABLE: name = TABLE.defaultName, METACTION_WORKER: worker } = process.env;
if (!worker) throw new Error("METACTION_WORKER is not set");
const table = createDynamoTable({ table: name });
const start = (job: string): Promise<void> => startWorker(worker, job);
const jobs = createJobStore(table, ambient, start);

/**
 * Starts jobs that wait or whose worker is gone, then sweeps whatever is due, as far as the time of one invocation
 * goes; the schedule calls again.
 */
export async function handler(_event: unknown, context: Context): Promise<SweeperRun> {
  const goOn = (): boolean => context.getRemainingTimeInMillis() > RESERVE_MS;
  let started = 0;
  for (const job of await jobs.waiting()) {
    if (!goOn()) break;
    await start(job);
    started += 1;
  }
  return { started, ...(await sweep(table, ambient, goOn)) };
}
