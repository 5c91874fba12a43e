import { parentPort, workerData } from "node:worker_threads";
import { runJob } from "../shared/actions/pipeline/run-job.ts";
import { handle } from "../shared/http/handle.ts";
import { createService } from "../shared/service/create-service.ts";
import { lazySearches } from "../shared/service/lazy-ports.ts";
import { runtime } from "../shared/service/runtime.ts";
import type { TableConnector } from "../shared/store/table/dynamo.ts";
import { createComposition, openServiceTable, type ServiceFacts } from "./composition.ts";
import type { LongWork, ThreadMessage } from "./long-calls.ts";

/** A thread of the local server. It answers one long call at a time, or runs one job, on a connection of its own to the table. */

const facts = workerData as ServiceFacts;
const send = (message: ThreadMessage) => parentPort?.postMessage(message);

const service = openService();
parentPort?.on("message", async (work: LongWork) => send(await answer(work).catch(toFailure)));

async function openService() {
  const table = await openServiceTable(facts.settings, runtime, () => send({ event: "accounts-changed" }));
  const connector = { ...table, ...announceCommits(table) };
  return createService({
    ...(await createComposition(facts, runtime, connector)),
    startJob: async (id) => send({ startJob: id }),
    // The index in the file belongs to the process; a search is long only by its own body.
    searches: lazySearches(),
  });
}

/** Returns a connector that announces each transaction, because it may be applied even if the thread dies. */
function announceCommits(connector: TableConnector): TableConnector {
  return {
    ...connector,
    connect: (deadline) => {
      const table = connector.connect(deadline);
      return {
        ...table,
        transactWrite: (writes) => {
          send({ event: "commit" });
          return table.transactWrite(writes);
        },
      };
    },
  };
}

async function answer(work: LongWork): Promise<ThreadMessage> {
  if ("job" in work) return { outcome: await runJob(work.job, await service, work.deadline) };
  const { corsOrigins, recordedAddresses } = facts.settings;
  const log = (logLine: string) => send({ logLine });
  return {
    response: await handle(work.request, await service, { publicUrl: facts.url, corsOrigins, recordedAddresses, log }),
  };
}

function toFailure(error: unknown): ThreadMessage {
  return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
