import { createChain } from "../functions/dispatcher/chain.ts";
import { lazyImporter, lazyKeptCallers } from "../functions/dispatcher/lazy-ports.ts";
import { type Composition, createService } from "../functions/dispatcher/service.ts";
import type { Registry } from "../shared/actions/contract/action.ts";
import type { Ambient } from "../shared/actions/contract/call.ts";
import { openKeyFile } from "../shared/identity/file-keys.ts";
import { type IssuerConfiguration, refuseOwn } from "../shared/identity/issuers/configuration.ts";
import { createAccountStore } from "../shared/store/accounts/account-store.ts";
import { createStore } from "../shared/store/model-store.ts";
import { BadSetting } from "./bad-setting.ts";
import { keptSecret } from "./bootstrap-secret.ts";
import { FILES } from "./data-files.ts";
import { startSearchUpkeep } from "./search-upkeep.ts";
import { createHttpServer } from "./server.ts";
import { openServiceTable, type ServiceTable } from "./service-table.ts";
import { type Settings, withIssuerFaults } from "./settings.ts";
import { startSweeper } from "./sweeper.ts";
import type { WebApplication } from "./web/web-application.ts";
import { createWorker } from "./worker.ts";

/** A local service that answers. */
export interface LocalService {
  readonly url: string;
  /** The engine, named for people. */
  readonly engine: string;
  /** Present while no administrator exists. */
  readonly bootstrapSecret?: string;
  /** Stops the service: running calls first, the table last. */
  stop(): Promise<void>;
}

/** The dependencies that the entry point gives beside the settings. */
export interface Outside {
  readonly ambient: Ambient;
  readonly version: string;
  /** Takes one line of JSON for each call. */
  readonly log: (line: string) => void;
  /** The web application to serve beside the API; it is ended with the service. */
  readonly web?: WebApplication | undefined;
}

/** Starts the very dispatcher that Lambda runs, on SQLite in a prepared folder or on the DynamoDB of the settings. */
export async function startLocalService(settings: Settings, outside: Outside): Promise<LocalService> {
  const { ambient, log, web } = outside;
  const connector = await openServiceTable(settings, ambient);
  const closing: (() => Promise<void>)[] = [async () => connector.close()];
  const stop = async (): Promise<void> => {
    for (const close of closing.splice(0).reverse()) await close();
  };
  try {
    // The sweeper and the first look are bounded by other means.
    const table = connector.connect(Number.POSITIVE_INFINITY);
    const secret = settings.bootstrapSecret ?? (await keptSecret(FILES.bootstrapSecret(settings.folder)));
    // The chain needs the service's URL, which is known only once the port is.
    let handleRequest: ReturnType<typeof createChain> | undefined;
    const server = createHttpServer({
      newId: ambient.newId,
      handleRequest: async (request) => {
        if (!handleRequest) throw new Error("a request before the service was made");
        return (await web?.answer(request)) ?? handleRequest(request);
      },
    });
    const port = await server.listen(settings.port, settings.host);
    closing.push(() => server.close());
    if (web) closing.push(() => web.stop());
    const url = `http://${settings.host.includes(":") ? `[${settings.host}]` : settings.host}:${port}`;
    const worker = createWorker(log);
    const searches = connector.searches?.({
      store: () => createStore(table, ambient),
      say: (searchIndex) => log(JSON.stringify({ level: "info", searchIndex })),
    });
    const service = createService({
      ...(await compositionOf(settings, outside, connector, url)),
      bootstrapSecret: async () => secret,
      startJob: worker.enqueue,
      ...(searches && { searches }),
    });
    worker.start(service);
    closing.push(async () => worker.stop());
    handleRequest = createChain(service, { publicUrl: url, corsOrigins: settings.corsOrigins, log });
    const used = await createAccountStore(table, ambient).bootstrapUsed();
    closing.push(startSweeper(connector, ambient, log), loadActions(service.registry, log));
    if (searches) closing.push(startSearchUpkeep(searches, log));
    return { url, engine: connector.engine, ...(!used && { bootstrapSecret: secret }), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The parts of the service that its settings choose; `url` is its own. */
async function compositionOf(
  settings: Settings,
  { ambient, version }: Outside,
  connector: ServiceTable,
  url: string,
): Promise<Omit<Composition, "bootstrapSecret" | "startJob">> {
  const { engine, endpoint, name: table } = connector;
  return {
    connector,
    ambient,
    keys: await openKeyFile(FILES.signingKeys(settings.folder)),
    issuer: url,
    ...identityOf(settings.issuers, url),
    importer: lazyImporter({ allowPrivate: settings.allowPrivateImport }),
    ...(settings.callerSeconds > 0 && { keptCallers: lazyKeptCallers(settings.callerSeconds * 1_000, ambient.now) }),
    cachedObjects: settings.cachedObjects,
    facts: { version, engine, endpoint, table, tokenSeconds: settings.tokenSeconds },
  };
}

/** The part of a composition that a configuration of other issuers adds; `url` is the service's own. */
function identityOf(issuers: IssuerConfiguration | undefined, url: string): Pick<Composition, "issuers"> {
  if (!issuers) return {};
  withIssuerFaults(() => refuseOwn(issuers, url));
  const id = issuers.login?.cognito.clientSecretId;
  if (id !== undefined) {
    throw new BadSetting(
      `METACTION_ISSUERS cannot be used. login.cognito.clientSecretId is ${JSON.stringify(id)}, which only the cloud can look up; give clientSecret.`,
    );
  }
  return { issuers: async () => issuers };
}

/** Loads all actions at the start, because the files may change while the service runs; no call waits for it. */
function loadActions(registry: Registry, log: (line: string) => void): () => Promise<void> {
  const loading = registry.all().then(
    () => undefined,
    (error: unknown) => log(JSON.stringify({ level: "error", actions: "not loaded", reason: String(error) })),
  );
  return () => loading;
}
