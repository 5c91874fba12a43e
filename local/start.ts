import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import type { Registry } from "../shared/actions/contract/action.ts";
import type { Runtime } from "../shared/actions/contract/call.ts";
import { createChain } from "../shared/service/chain.ts";
import { createService } from "../shared/service/create-service.ts";
import { createAccountStore } from "../shared/store/accounts/account-store.ts";
import { createStore } from "../shared/store/model-store.ts";
import { SharedProcess } from "./caller-quota.ts";
import { createComposition, openServiceTable, type ServiceFacts } from "./composition.ts";
import { createLongCalls } from "./long-calls.ts";
import { createHostTest } from "./served-hosts.ts";
import { createHttpServer } from "./server.ts";
import type { Settings } from "./settings.ts";
import { FILES } from "./sqlite/data-folder.ts";
import { findCallerAddress } from "./trusted-proxies.ts";
import type { WebApplication } from "./web/web-application.ts";
import { createWorker, startSearchUpkeep, startSweeper } from "./worker.ts";

/** A local service that answers. */
export interface LocalService {
  readonly url: string;
  readonly engine: string;
  readonly bootstrapSecret?: string;
  /** Stops the service: running calls first, the table last. */
  stop(): Promise<void>;
}

/** The dependencies that the entry point gives in addition to the settings. */
export interface Outside {
  readonly runtime: Runtime;
  readonly version: string;
  readonly log: (line: string) => void;
  /** The web application to serve in addition to the API. It is stopped with the service. */
  readonly web?: WebApplication | undefined;
}

/** Starts the service on SQLite in a prepared folder, or on the DynamoDB that the settings name. */
export async function startLocalService(settings: Settings, dependencies: Outside): Promise<LocalService> {
  const { runtime, version, log, web } = dependencies;
  const connector = await openServiceTable(settings, runtime);
  const closing: (() => Promise<void>)[] = [async () => connector.close()];
  const stop = async () => {
    for (const close of closing.splice(0).reverse()) await close();
  };
  try {
    // The sweeper and the first read have no deadline.
    const table = connector.connect(Number.POSITIVE_INFINITY);
    const secret = settings.bootstrapSecret ?? (await readBootstrapSecret(FILES.bootstrapSecret(settings.folder)));
    // The chain needs the service's URL, which is known only once the port is.
    let handleRequest: ReturnType<typeof createChain> | undefined;
    const server = createHttpServer({
      newId: runtime.newId,
      isServedHost: createHostTest(settings.host, settings.allowedHosts),
      isTrustedProxy: settings.isTrustedProxy,
      handleRequest: async (received) => {
        if (!handleRequest) throw new Error("a request before the service was made");
        const request = findCallerAddress(received, settings.isTrustedProxy);
        return (await web?.answer(request)) ?? handleRequest(request);
      },
    });
    const port = await server.listen(settings.port, settings.host);
    closing.push(() => server.close());
    if (web) closing.push(() => web.stop());
    const url = `http://${settings.host.includes(":") ? `[${settings.host}]` : settings.host}:${port}`;
    const searches = connector.searches?.({
      store: () => createStore(table, runtime),
      say: (searchIndex) => log(JSON.stringify({ level: "info", searchIndex })),
    });
    const { isTrustedProxy: _, ...plainSettings } = settings;
    const facts: ServiceFacts = { settings: plainSettings, version, url, bootstrapSecret: secret };
    const longCalls = createLongCalls(facts, runtime.now, {
      log,
      onAccountsChanged: () => connector.callerCache?.clear(),
      startJob: (id) => worker.enqueue(id),
    });
    closing.push(() => longCalls.stop());
    const worker = createWorker(longCalls.runJob, log);
    const service = createService({
      ...(await createComposition(facts, runtime, connector)),
      startJob: worker.enqueue,
      ...(searches && { searches }),
    });
    worker.start(service);
    closing.push(async () => worker.stop());
    const { corsOrigins, recordedAddresses } = settings;
    handleRequest = createChain(service, {
      ...{ publicUrl: url, corsOrigins, recordedAddresses, log },
      callerQuota: new SharedProcess(runtime.now),
      answerInThread: longCalls.answer,
    });
    const isUsed = await createAccountStore(table, runtime).isBootstrapUsed();
    closing.push(startSweeper(connector, runtime, log), loadActions(service.registry, log));
    if (searches) closing.push(startSearchUpkeep(searches, log));
    return { url, engine: connector.engine, ...(!isUsed && { bootstrapSecret: secret }), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Loads all actions at the start, because their files may change later. No call waits for it. */
function loadActions(registry: Registry, log: (line: string) => void): () => Promise<void> {
  const loading = registry.list().then(
    () => undefined,
    (error: unknown) => log(JSON.stringify({ level: "error", actions: "not loaded", reason: String(error) })),
  );
  return () => loading;
}

/** Reads the bootstrap secret from a file that only its owner can read. Creates a missing file. */
async function readBootstrapSecret(file: string): Promise<string> {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  const secret = randomBytes(24).toString("base64url");
  await writeFile(file, `${secret}\n`, { mode: 0o600, flag: "wx" });
  return secret;
}
