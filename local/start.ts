import { mkdir } from "node:fs/promises";
import { createChain } from "../functions/dispatcher/chain.ts";
import { type Composition, createService } from "../functions/dispatcher/service.ts";
import type { Ambient } from "../shared/actions/call.ts";
import { createImporter } from "../shared/exchange/importer.ts";
import { openKeyFile } from "../shared/identity/file-keys.ts";
import { type IssuerConfiguration, refuseOwn } from "../shared/identity/issuers/configuration.ts";
import { createAccountStore } from "../shared/store/account-store.ts";
import { ensureTable } from "../shared/store/create-table.ts";
import { type Connection, createDynamoTable } from "../shared/store/dynamo.ts";
import type { Seam } from "../shared/store/seam.ts";
import { keptSecret } from "./bootstrap-secret.ts";
import { type Engine, startEngine } from "./engine.ts";
import { forgetRunning, noteRunning, takeOver } from "./running.ts";
import { createHttpServer } from "./server.ts";
import { BadSetting, FILES, type Settings, withIssuerFaults } from "./settings.ts";
import { startSweeper } from "./sweeper.ts";
import { createWorker } from "./worker.ts";

/** A local service that answers. */
export interface LocalService {
  readonly url: string;
  /** What it runs on, for people. */
  readonly engine: string;
  /** Present while no administrator exists. */
  readonly bootstrapSecret?: string;
  /** Ends it cleanly: running calls first, the engine last. */
  stop(): Promise<void>;
}

/** What the entry point gives beside the settings. */
export interface Outside {
  readonly ambient: Ambient;
  readonly version: string;
  /** Takes one line of JSON for each call. */
  readonly log: (line: string) => void;
  /** Called when the engine ends by itself. */
  readonly onEngineExit: () => void;
}

/** Starts the very dispatcher that Lambda runs, on the embedded engine or the DynamoDB of the settings. */
export async function startLocalService(settings: Settings, outside: Outside): Promise<LocalService> {
  const { ambient, log } = outside;
  await mkdir(settings.folder, { recursive: true, mode: 0o700 });
  const engine = settings.endpoint === undefined ? await startOwnEngine(settings, outside) : undefined;
  const closing: (() => Promise<void>)[] = engine ? [() => stopOwnEngine(engine, settings)] : [];
  const stop = async (): Promise<void> => {
    for (const close of closing.splice(0).reverse()) await close();
  };
  try {
    const endpoint = engine?.endpoint ?? settings.endpoint ?? "";
    const connection = connectionOf(settings, endpoint);
    await ensureTable(connection).catch((error: unknown) => {
      throw isWithoutCredentials(error) ? new BadSetting(CREDENTIALS) : error;
    });
    const table = createDynamoTable(connection, ambient.now);
    // The sweeper and the first look are bounded by other means.
    const seam = table.seam(Number.POSITIVE_INFINITY);
    const secret = settings.bootstrapSecret ?? (await keptSecret(FILES.bootstrapSecret(settings.folder)));
    // The chain needs the service's URL, which is known only once the port is.
    let handleRequest: ReturnType<typeof createChain> | undefined;
    const server = createHttpServer({
      newId: ambient.newId,
      handleRequest: (request) => {
        if (!handleRequest) throw new Error("a request before the service was made");
        return handleRequest(request);
      },
    });
    const port = await server.listen(settings.port, settings.host);
    closing.push(() => server.close());
    const url = `http://${settings.host.includes(":") ? `[${settings.host}]` : settings.host}:${port}`;
    const worker = createWorker(log);
    const service = createService({
      table,
      ambient,
      keys: await openKeyFile(FILES.signingKeys(settings.folder)),
      issuer: url,
      bootstrapSecret: async () => secret,
      ...identityOf(settings.issuers, url),
      importer: createImporter({ allowPrivate: settings.allowPrivateImport }),
      startJob: worker.start,
      facts: {
        version: outside.version,
        engine: engine?.name ?? "DynamoDB",
        endpoint,
        table: settings.table,
        tokenSeconds: settings.tokenSeconds,
      },
    });
    worker.serve(service);
    closing.push(async () => worker.stop());
    handleRequest = createChain(service, { publicUrl: url, corsOrigins: settings.corsOrigins, log });
    // Loaded at the start, because the files may change while the service runs.
    await service.registry.all();
    closing.push(startSweeper(seam, ambient, log));
    const used = await isBootstrapped(seam, ambient);
    return {
      url,
      engine: engine?.name ?? `the DynamoDB at ${endpoint}`,
      ...(!used && { bootstrapSecret: secret }),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What a configuration of other issuers adds to a service of that URL. */
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

async function startOwnEngine(settings: Settings, outside: Outside): Promise<Engine> {
  const running = FILES.running(settings.folder);
  await takeOver(running, settings.folder);
  const engine = await startEngine(FILES.database(settings.folder));
  engine.onExit(outside.onEngineExit);
  await noteRunning(running, { service: process.pid, engine: engine.pid });
  return engine;
}

async function stopOwnEngine(engine: Engine, settings: Settings): Promise<void> {
  await engine.stop();
  await forgetRunning(FILES.running(settings.folder));
}

/** The embedded engine takes any credentials; a DynamoDB elsewhere takes those of the environment, as every AWS tool. */
function connectionOf(settings: Settings, endpoint: string): Connection {
  const { table, region } = settings;
  const own = settings.endpoint === undefined;
  return {
    table,
    region,
    endpoint,
    ...(own && { credentials: { accessKeyId: "metaction", secretAccessKey: "metaction" } }),
  };
}

const CREDENTIALS =
  "METACTION_DYNAMODB_ENDPOINT is set but there are no AWS credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (to anything, for a DynamoDB that does not check them).";

function isWithoutCredentials(error: unknown): boolean {
  return error instanceof Error && error.name === "CredentialsProviderError";
}

function isBootstrapped(seam: Seam, ambient: Ambient): Promise<boolean> {
  return createAccountStore(seam, ambient).bootstrapUsed();
}
