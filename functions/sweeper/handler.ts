import type { Context } from "aws-lambda";
import { runtime } from "../../shared/service/runtime.ts";
import { createJobStore } from "../../shared/store/jobs/job-store.ts";
import { type SweepResult, sweep } from "../../shared/store/sweep/sweep.ts";
import { createDynamoTable } from "../../shared/store/table/dynamo.ts";
import { TABLE } from "../../shared/store/table/table-schema.ts";
import { startWorker } from "../dispatcher/aws-ports.ts";

/** The work of one run. */
export interface SweeperRun extends SweepResult {
  readonly started: number;
}

/** Milliseconds reserved at the end, to finish the current page. */
const RESERVE_MS = 20_000;

const { METACTION_TABLE: name = TABLE.defaultName, METACTION_WORKER: worker } = process.env;
if (!worker) throw new Error("METACTION_WORKER is not set");
const table = createDynamoTable({ table: name });
const start = (job: string): Promise<void> => startWorker(worker, job);
const jobs = createJobStore(table, runtime, start);

/** Starts waiting jobs and sweeps what is due until the time is over. A schedule calls it again. */
export async function handler(_event: unknown, context: Context): Promise<SweeperRun> {
  const hasTime = () => context.getRemainingTimeInMillis() > RESERVE_MS;
  let started = 0;
  for (const job of await jobs.listWaiting()) {
    if (!hasTime()) break;
    await start(job);
    started += 1;
  }
  return { started, ...(await sweep(table, runtime, hasTime)) };
}
