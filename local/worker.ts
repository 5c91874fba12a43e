import type { Service } from "../shared/actions/pipeline/call-context.ts";
import { runJob } from "../shared/actions/pipeline/run-job.ts";

/** Milliseconds that one run of a job may take: as long as a Lambda function. */
const RUN_MS = 15 * 60_000;
/** Milliseconds between two looks for jobs whose worker is gone. */
const EVERY_MS = 15_000;

/** Runs jobs in this process, one after the other. */
export interface Worker {
  /** Has a job run as soon as those before it are done. */
  readonly enqueue: (id: string) => Promise<void>;
  /** Begins to run jobs, and looks for waiting ones now and then. */
  start(service: Service): void;
  /** Stops at once: a job under way is left to the next start. */
  stop(): void;
}

export function createWorker(log: (line: string) => void): Worker {
  let service: Service | undefined;
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const run = async (id: string): Promise<void> => {
    if (!service || stopped) return;
    const began = service.ambient.now();
    try {
      const outcome = await runJob(id, service, began + RUN_MS);
      log(JSON.stringify({ level: "info", job: id, outcome, ms: service.ambient.now() - began }));
    } catch (error) {
      log(JSON.stringify({ level: "error", job: id, reason: error instanceof Error ? error.name : "unknown" }));
    }
  };
  const enqueue = async (id: string): Promise<void> => {
    running = running.then(() => run(id));
  };
  const lookForWaiting = async (known: Service): Promise<void> => {
    try {
      const { jobs } = known.ports(known.ambient.now() + EVERY_MS);
      for (const id of await jobs.listWaiting()) await enqueue(id);
    } catch {
      // The store may be away for a while; the next look finds the same jobs.
    }
  };
  return {
    enqueue,
    start: (known) => {
      service = known;
      timer = setInterval(() => lookForWaiting(known), EVERY_MS);
      lookForWaiting(known);
    },
    stop: () => {
      stopped = true;
      clearInterval(timer);
    },
  };
}
