import type { Context } from "aws-lambda";
import { createDynamoSeam } from "../../shared/store/dynamo.ts";
import { createJobStore } from "../../shared/store/job-store.ts";
import { type Swept, sweep } from "../../shared/store/sweep.ts";
import { TABLE } from "../../shared/store/table.ts";
import { ambient } from "../ambient.ts";
import { startWorker } from "../dispatcher/on-demand.ts";

/** Time kept back at the end, in milliseconds, to finish the page under way. */
const RESERVE_MS = 20_000;

const settings = { table: process.env.METACTION_TABLE ?? TABLE.defaultName, worker: process.env.METACTION_WORKER };
const seam = createDynamoSeam({ table: settings.table });

/** Starts jobs whose worker is gone and works off what is due, as far as the time of one invocation goes; the schedule calls again. */
export async function handler(_event: unknown, context: Context): Promise<Swept> {
  const { worker } = settings;
  const jobs = createJobStore(seam, ambient, async () => undefined);
  if (worker) for (const job of await jobs.waiting()) await startWorker(worker, job);
  return sweep(seam, ambient, () => context.getRemainingTimeInMillis() > RESERVE_MS);
}
