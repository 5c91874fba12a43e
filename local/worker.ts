import type { Runtime } from "../shared/actions/contract/call.ts";
import type { Service } from "../shared/actions/pipeline/call-context.ts";
import type { JobOutcome } from "../shared/actions/pipeline/run-job.ts";
import type { FileIndex } from "../shared/search/file-index.ts";
import { sweep } from "../shared/store/sweep/sweep.ts";
import type { SqliteTable } from "./sqlite/table.ts";

/** Milliseconds between two looks for jobs whose worker is gone. */
const LOOK_EVERY_MS = 15_000;

/** Runs jobs, one after the other. */
export interface Worker {
  /** Runs a job as soon as those before it are done. */
  readonly enqueue: (id: string) => Promise<void>;
  start(service: Service): void;
  stop(): void;
}

/** Creates a worker. `runJob` runs one job to its end. */
export function createWorker(runJob: (id: string) => Promise<JobOutcome>, log: (line: string) => void): Worker {
  let service: Service | undefined;
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const run = async (id: string) => {
    if (!service || isStopped) return;
    const start = service.runtime.now();
    try {
      const outcome = await runJob(id);
      log(JSON.stringify({ level: "info", job: id, outcome, ms: service.runtime.now() - start }));
    } catch (error) {
      log(JSON.stringify({ level: "error", job: id, reason: error instanceof Error ? error.name : "unknown" }));
    }
  };
  const enqueue = async (id: string) => {
    running = running.then(() => run(id));
  };
  const lookForWaiting = async (instance: Service) => {
    try {
      const { jobs } = instance.ports(instance.runtime.now() + LOOK_EVERY_MS);
      for (const id of await jobs.listWaiting()) await enqueue(id);
    } catch {
      // The store may be unavailable for a while; the next look finds the same jobs.
    }
  };
  return {
    enqueue,
    start: (instance) => {
      service = instance;
      timer = setInterval(() => lookForWaiting(instance), LOOK_EVERY_MS);
      lookForWaiting(instance);
    },
    stop: () => {
      isStopped = true;
      clearInterval(timer);
    },
  };
}

/** Milliseconds between two rounds; in the cloud a schedule starts them. */
const SWEEP_EVERY_MS = 60_000;

/** Sweeps at intervals; returns the function that stops it, which waits for a running round. */
export function startSweeper(
  connector: Pick<SqliteTable, "connect" | "deleteExpired">,
  runtime: Runtime,
  log: (line: string) => void,
): () => Promise<void> {
  const table = connector.connect(Number.POSITIVE_INFINITY);
  let isStopped = false;
  let round: Promise<void> = Promise.resolve();
  const sweepOnce = async () => {
    try {
      const result = await sweep(table, runtime, () => !isStopped);
      const expired = await deleteExpired(connector, runtime, () => !isStopped);
      if (result.notes + result.closed + expired > 0) log(JSON.stringify({ level: "info", swept: result, expired }));
    } catch (error) {
      // The remaining notes are processed by the next round.
      const reason = error instanceof Error ? error.name : "unknown";
      log(JSON.stringify({ level: "error", sweep: "failed", reason }));
    }
  };
  const timer = setInterval(() => {
    round = round.then(sweepOnce);
  }, SWEEP_EVERY_MS);
  round = sweepOnce();
  return async () => {
    isStopped = true;
    clearInterval(timer);
    await round;
  };
}

async function deleteExpired(
  connector: Pick<SqliteTable, "deleteExpired">,
  runtime: Runtime,
  mayContinue: () => boolean,
): Promise<number> {
  let all = 0;
  for (let count = 1; count > 0 && mayContinue(); all += count) {
    count = await connector.deleteExpired(Math.floor(runtime.now() / 1_000));
  }
  return all;
}

const UPKEEP_EVERY_MS = 2_000;

/** Keeps the search index current for the next search. Returns the function that stops it. */
export function startSearchUpkeep(
  searches: () => Promise<FileIndex>,
  log: (line: string) => void,
): () => Promise<void> {
  let running: Promise<void> | undefined;
  const updateIndex = async () => {
    try {
      await (await searches()).keepUp();
    } catch (error) {
      // Searches read the models that the upkeep left out.
      log(JSON.stringify({ level: "error", searchIndex: "not kept up", reason: String(error) }));
    }
    running = undefined;
  };
  const timer = setInterval(() => {
    running ??= updateIndex();
  }, UPKEEP_EVERY_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    (await searches()).stop();
    await running;
  };
}
