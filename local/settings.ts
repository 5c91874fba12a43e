import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { CALLER_SECONDS, isCallerSeconds, isTokenMinutes, LIMITS, TOKEN_MINUTES } from "../shared/domain/limits.ts";
import { includeMember } from "../shared/domain/model/content.ts";
import { BadIssuers, type IssuerConfiguration, readIssuers } from "../shared/identity/issuers/configuration.ts";
import { TABLE } from "../shared/store/table/table-schema.ts";
import { parseAllowedHosts } from "./served-hosts.ts";
import { BadSetting, resolveFolder } from "./sqlite/data-folder.ts";

/** The settings of a local service, read from the environment. */
export interface Settings {
  readonly host: string;
  readonly port: number;
  /** Absolute path of the folder with the database, the signing key and the bootstrap secret. */
  readonly folder: string;
  readonly table: string;
  /** The DynamoDB that keeps the data; without it a file in the folder does. */
  readonly endpoint?: string;
  readonly region: string;
  readonly bootstrapSecret?: string;
  readonly corsOrigins: readonly string[];
  /** The hosts that requests may name, in addition to this machine and `host`. */
  readonly allowedHosts: readonly string[];
  readonly tokenSeconds: number;
  readonly allowPrivateImport: boolean;
  /** Seconds for which a process caches callers and their rights. */
  readonly callerSeconds: number;
  /** Maximum cached objects of a process; absent: the default of the cache. */
  readonly cachedObjects?: number;
  readonly web: boolean;
  readonly issuers?: IssuerConfiguration;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the settings; an empty variable counts as not set. */
export function readSettings(environment: Environment, workingFolder: string): Settings {
  const text = (name: string): string | undefined => environment[name] || undefined;
  const endpoint = text("METACTION_DYNAMODB_ENDPOINT");
  const bootstrapSecret = text("METACTION_BOOTSTRAP_SECRET");
  const issuerFile = text("METACTION_ISSUERS");
  if (endpoint !== undefined && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? "")) {
    throw new BadSetting(
      `METACTION_DYNAMODB_ENDPOINT=${endpoint} is not a valid URL; give one like http://127.0.0.1:8000.`,
    );
  }
  if (bootstrapSecret !== undefined && bootstrapSecret.length < LIMITS.bootstrapSecretCharacters) {
    throw new BadSetting(
      `METACTION_BOOTSTRAP_SECRET has ${bootstrapSecret.length} characters; give at least ${LIMITS.bootstrapSecretCharacters}.`,
    );
  }
  return {
    host: text("METACTION_HOST") ?? "127.0.0.1",
    port: parsePort(text("PORT") ?? "8080"),
    folder: resolveFolder(environment, workingFolder),
    table: text("METACTION_TABLE") ?? TABLE.defaultName,
    ...(endpoint !== undefined && { endpoint }),
    region: text("AWS_REGION") ?? "local",
    ...(bootstrapSecret !== undefined && { bootstrapSecret }),
    corsOrigins: (text("METACTION_CORS_ORIGINS") ?? "").split(",").filter((origin) => origin !== ""),
    allowedHosts: parseAllowedHosts(text("METACTION_ALLOWED_HOSTS")),
    tokenSeconds: parseTokenSeconds(text("METACTION_TOKEN_MINUTES")),
    callerSeconds: parseCallerSeconds(text("METACTION_CALLER_SECONDS")),
    ...includeMember("cachedObjects", parseCachedObjects(text("METACTION_CACHED_OBJECTS"))),
    allowPrivateImport: parseSwitch("METACTION_IMPORT_ALLOW_PRIVATE", text("METACTION_IMPORT_ALLOW_PRIVATE"), [
      "1",
      "0",
    ]),
    web: parseSwitch("METACTION_UI", text("METACTION_UI") ?? "on", ["on", "off"]),
    ...(issuerFile !== undefined && { issuers: readIssuersFile(issuerFile, workingFolder) }),
  };
}

function readIssuersFile(file: string, workingFolder: string): IssuerConfiguration {
  let text: string;
  try {
    text = readFileSync(resolve(workingFolder, file), "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? ` (${error.code})` : "";
    throw new BadSetting(`METACTION_ISSUERS=${file} cannot be read${code}; name a file with the JSON of the issuers.`);
  }
  return explainIssuerFaults(() => readIssuers(text));
}

/** Runs a check of the issuers' configuration; its faults become those of the setting. */
export function explainIssuerFaults<T>(look: () => T): T {
  try {
    return look();
  } catch (error) {
    throw error instanceof BadIssuers ? new BadSetting(`METACTION_ISSUERS cannot be used. ${error.message}`) : error;
  }
}

function parseTokenSeconds(text: string | undefined): number {
  if (text === undefined) return LIMITS.tokenSeconds;
  if (isTokenMinutes(text)) return Number(text) * 60;
  throw new BadSetting(`METACTION_TOKEN_MINUTES=${text} is not a valid lifetime of a token; give ${TOKEN_MINUTES}.`);
}

function parseCallerSeconds(text = "0"): number {
  if (isCallerSeconds(text)) return Number(text);
  throw new BadSetting(`METACTION_CALLER_SECONDS=${text} is not a valid time to keep callers; give ${CALLER_SECONDS}.`);
}

function parseCachedObjects(text: string | undefined): number | undefined {
  if (text === undefined || /^\d{1,9}$/.test(text)) return text === undefined ? undefined : Number(text);
  throw new BadSetting(`METACTION_CACHED_OBJECTS=${text} is not a number of objects; give 0 to keep none.`);
}

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new BadSetting(`PORT=${text} is not a port; give a number from 0 (any free one) to 65535.`);
}

function parseSwitch(name: string, text: string | undefined, [on, off]: readonly [string, string]): boolean {
  if (text === undefined || text === off) return false;
  if (text === on) return true;
  throw new BadSetting(`${name}=${text} is not understood; give ${on} or ${off}.`);
}
