import { pathToFileURL } from "node:url";
import type { Runtime } from "../shared/actions/contract/call.ts";
import { type CallerCache, createCallerCache } from "../shared/identity/caller-cache.ts";
import { type IssuerConfiguration, refuseOwn } from "../shared/identity/issuers/configuration.ts";
import { openKeyFile } from "../shared/identity/tokens/file-keys.ts";
import type { Composition } from "../shared/service/create-service.ts";
import { lazyImporter } from "../shared/service/lazy-ports.ts";
import type { TableConnector } from "../shared/store/table/dynamo.ts";
import { explainIssuerFaults, type Settings } from "./settings.ts";
import { BadSetting, FILES } from "./sqlite/data-folder.ts";
import { SQL_TABLE } from "./sqlite/statements.ts";
import { openSqliteTable, type SqliteTable } from "./sqlite/table.ts";

/** What a process and its threads build the same service from: plain data, which can be passed to a thread. */
export interface ServiceFacts {
  readonly settings: Omit<Settings, "isTrustedProxy">;
  readonly version: string;
  readonly url: string;
  readonly bootstrapSecret: string;
}

/** Creates the parts of a local service that its process and its threads have in common. */
export async function createComposition(
  { settings, version, url, bootstrapSecret }: ServiceFacts,
  runtime: Runtime,
  connector: ServiceTable,
): Promise<Omit<Composition, "startJob">> {
  const { engine, endpoint, name: table } = connector;
  return {
    connector,
    runtime,
    keys: await openKeyFile(FILES.signingKeys(settings.folder)),
    issuer: url,
    bootstrapSecret: async () => bootstrapSecret,
    ...createIssuerTerms(settings.issuers, url),
    importer: lazyImporter({ allowPrivate: settings.allowPrivateImport }),
    callerCache: connector.callerCache,
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

/**
 * Opens the table in SQLite, or in the DynamoDB of the settings, where it creates a missing table. A thread of the process that
 * owns the file gives `onAccountsChanged`; it caches no callers.
 */
export async function openServiceTable(
  settings: ServiceFacts["settings"],
  { now }: Runtime,
  onAccountsChanged?: () => void,
): Promise<ServiceTable> {
  const { endpoint, table: name, region, folder, callerSeconds } = settings;
  if (endpoint === undefined) {
    const file = FILES.database(folder);
    // The process that owns the file sees every change of accounts.
    const callerCache = onAccountsChanged ? undefined : createCallerCache(Number.POSITIVE_INFINITY, now);
    const clearCallers = onAccountsChanged ?? callerCache?.clear;
    const isOwned = onAccountsChanged !== undefined;
    const table = openSqliteTable({ file, isOwned, ...(clearCallers && { onAccountsChanged: clearCallers }) }, now);
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
