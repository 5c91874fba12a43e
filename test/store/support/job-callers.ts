import type { Runtime } from "../../../shared/actions/contract/call.ts";
import type { Service } from "../../../shared/actions/pipeline/call-context.ts";
import { runJob } from "../../../shared/actions/pipeline/run-job.ts";
import { createJobStore } from "../../../shared/store/jobs/job-store.ts";
import { createStore } from "../../../shared/store/model-store.ts";
import type { Table } from "../../../shared/store/table/table.ts";
import type { World } from "../../support/world.ts";
import { type Outcome, serviceOver } from "./service-over.ts";

export type JobCaller = ReturnType<typeof jobCallerOver>;

/** How long a worker lives, in milliseconds. */
const WORKER_MS = 900_000;

/** Opens a process on a world's table whose calls may become jobs, and a worker that runs them. */
export function jobCallerOver(
  world: World,
  table: Table,
  runtime: Runtime,
  extended: (service: Service) => Service = (service) => service,
) {
  const caller = serviceOver(world, table, runtime, (service) =>
    extended({
      ...service,
      ports: (deadline) => ({
        ...service.ports(deadline),
        store: createStore(table, runtime),
        jobs: createJobStore(table, runtime, async () => undefined),
      }),
    }),
  );
  const { service } = caller;
  return {
    ...caller,
    /** Returns the id of the job that a call became. Throws an error where it became none. */
    jobIn: ({ answer, problem }: Outcome) => {
      if (problem) throw problem;
      if (!answer?.accepted) throw new Error(`no job: ${JSON.stringify(answer?.body)}`);
      return (answer.body as { job: string }).job.slice("id:".length);
    },
    work: (id: string) => runJob(id, service, runtime.now() + WORKER_MS),
    job: (id: string) => service.ports(Number.POSITIVE_INFINITY).jobs.get(id),
  };
}
