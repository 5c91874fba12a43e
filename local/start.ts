import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import type { Registry } from "../shared/actions/contract/action.ts";
import type { Runtime } from "../shared/actions/contract/call.ts";
import { type CallerCache, createCallerCache } from "../shared/identity/caller-cache.ts";
import { type IssuerConfiguration, refuseOwn } from "../shared/identity/issuers/configuration.ts";
import { openKeyFile } from "../shared/identity/tokens/file-keys.ts";
import { createChain } from "../shared/service/chain.ts";
import { type Composition, createService } from "../shared/service/create-service.ts";
import { lazyImporter } from "../shared/service/lazy-ports.ts";
import { createAccountStore } from "../shared/store/accounts/account-store.ts";
import { createStore } from "../shared/store/model-store.ts";
import type { TableConnector } from "../shared/store/table/dynamo.ts";
import { SharedProcess } from "./caller-quota.ts";
import { createHostTest } from "./served-hosts.ts";
import { createHttpServer } from "./server.ts";
import { explainIssuerFaults, type Settings } from "./settings.ts";
import { BadSetting, FILES } from "./sqlite/data-folder.ts";
import { SQL_TABLE } from "./sqlite/statements.ts";
import { openSqliteTable, type SqliteTable } from "./sqlite/table.ts";
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
  const { runtime, log, web } = dependencies;
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
    const worker = createWorker(log);
    const searches = connector.searches?.({
      store: () => createStore(table, runtime),
      say: (searchIndex) => log(JSON.stringify({ level: "info", searchIndex })),
    });
    const service = createService({
      ...(await createComposition(settings, dependencies, connector, url)),
      bootstrapSecret: async () => secret,
      startJob: worker.enqueue,
      ...(searches && { searches }),
    });
    worker.start(service);
    closing.push(async () => worker.stop());
    const { corsOrigins, recordedAddresses } = settings;
    handleRequest = createChain(service, { publicUrl: url, corsOrigins, recordedAddresses, log });
    const isUsed = await createAccountStore(table, runtime).isBootstrapUsed();
    closing.push(startSweeper(connector, runtime, log), loadActions(service.registry, log));
    if (searches) closing.push(startSearchUpkeep(searches, log));
    return { url, engine: connector.engine, ...(!isUsed && { bootstrapSecret: secret }), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function createComposition(
  settings: Settings,
  { runtime, version }: Outside,
  connector: ServiceTable,
  url: string,
): Promise<Omit<Composition, "bootstrapSecret" | "startJob">> {
  const { engine, endpoint, name: table } = connector;
  return {
    connector,
    runtime,
    keys: await openKeyFile(FILES.signingKeys(settings.folder)),
    issuer: url,
    ...createIssuerTerms(settings.issuers, url),
    importer: lazyImporter({ allowPrivate: settings.allowPrivateImport }),
    callerCache: connector.callerCache,
    callerQuota: new SharedProcess(runtime.now),
    cachedObjects: settings.cachedObjects,
    facts: { version, engine, endpoint, table, tokenSeconds: settings.tokenSeconds },
  };
}

function createIssuerTerms(issuers: IssuerConfiguration | undefined, url: string): Pick<Composition, "issuers"> {
  if (!issuers) return {};
  explainIssuerFaults(() => refuseOwn(issuers, url));
  const id = issuers.login?.cognito.clientSecretId;
  if (id !== undefined) {
    throw new BadSetting(
      `METACTION_ISSUERS cannot be used. login.cognito.clientSecretId is ${JSON.stringify(id)}, which only the cloud can look up; give clientSecret.`,
    );
  }
  return { issuers: async () => issuers };
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

/** The table a local service works on. */
export interface ServiceTable extends TableConnector {
  readonly engine: string;
  readonly endpoint: string;
  readonly name: string;
  /** Deletes some items that expired before `now`, in seconds since the epoch, if no other process does. */
  deleteExpired(now: number): Promise<number>;
  /** Searches in the file of the table, if this process owns it. */
  readonly searches?: SqliteTable["searches"];
  readonly callerCache?: CallerCache | undefined;
  close(): void;
}

/** Opens the table in SQLite, or in the DynamoDB of the settings, where it creates a missing table. */
async function openServiceTable(settings: Settings, { now }: Runtime): Promise<ServiceTable> {
  const { endpoint, table: name, region, folder, callerSeconds } = settings;
  if (endpoint === undefined) {
    const file = FILES.database(folder);
    // This process owns the file, so that it sees every change of accounts.
    const callerCache = createCallerCache(Number.POSITIVE_INFINITY, now);
    const table = openSqliteTable({ file, onAccountsChanged: callerCache.clear }, now);
    return { ...table, callerCache, engine: table.name, endpoint: pathToFileURL(file).href, name: SQL_TABLE };
  }
  const connection = { table: name, region, endpoint };
  // The client of AWS takes as long to load as everything else.
  const { connectTable } = await import("../shared/store/table/dynamo-admin.ts");
  const connector = await connectTable(connection, now).catch((error: unknown) => {
    throw isWithoutCredentials(error) ? new BadSetting(CREDENTIALS) : error;
  });
  return {
    ...connector,
    callerCache: callerSeconds > 0 ? createCallerCache(callerSeconds * 1_000, now) : undefined,
    engine: `the DynamoDB at ${endpoint}`,
    endpoint,
    name,
    deleteExpired: async () => 0,
    close: () => undefined,
  };
}

const CREDENTIALS =
  "METACTION_DYNAMODB_ENDPOINT is set but there are no AWS credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (to anything, for a DynamoDB that does not check them).";

function isWithoutCredentials(error: unknown) {
  return error instanceof Error && error.name === "CredentialsProviderError";
}
