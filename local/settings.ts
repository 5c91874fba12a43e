import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { CALLER_SECONDS, isCallerSeconds, isTokenMinutes, TOKEN_MINUTES } from "../shared/domain/accounts/sessions.ts";
import { RECORDED_ADDRESSES, type RecordedAddresses } from "../shared/domain/accounts/source-address.ts";
import { LIMITS } from "../shared/domain/limits.ts";
import { includeMember } from "../shared/domain/model/content.ts";
import { BadIssuers, type IssuerConfiguration, readIssuers } from "../shared/identity/issuers/configuration.ts";
import { TABLE } from "../shared/store/table/table-schema.ts";
import { parseAllowedHosts } from "./served-hosts.ts";
import { BadSetting, resolveFolder } from "./sqlite/data-folder.ts";
import { type IsTrustedProxy, parseTrustedProxies } from "./trusted-proxies.ts";

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
  readonly isTrustedProxy: IsTrustedProxy;
  readonly recordedAddresses: RecordedAddresses;
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

/** Tests of the values of variables, and what a refused value is not. */
const RULES: Readonly<Record<string, readonly [isAllowed: (value: string) => boolean, what: string]>> = {
  PORT: [isPort, "a port; give a number from 0 (any free one) to 65535"],
  METACTION_DYNAMODB_ENDPOINT: [isHttpUrl, "a valid URL; give one like http://127.0.0.1:8000"],
  METACTION_TOKEN_MINUTES: [isTokenMinutes, `a valid lifetime of a token; give ${TOKEN_MINUTES}`],
  METACTION_CALLER_SECONDS: [isCallerSeconds, `a valid time to keep callers; give ${CALLER_SECONDS}`],
  METACTION_CACHED_OBJECTS: [(value) => /^\d{1,9}$/.test(value), "a number of objects; give 0 to keep none"],
  METACTION_IMPORT_ALLOW_PRIVATE: [(value) => value === "1" || value === "0", "understood; give 1 or 0"],
  METACTION_RECORDED_ADDRESSES: [
    (value) => RECORDED_ADDRESSES.some((one) => one === value),
    "understood; give full, network or none",
  ],
  METACTION_UI: [(value) => value === "on" || value === "off", "understood; give on or off"],
};

function isPort(text: string) {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535;
}

function isHttpUrl(text: string) {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? "");
}

/** Reads the settings; an empty variable counts as not set. */
export function readSettings(environment: Environment, workingFolder: string): Settings {
  const getText = (name: string): string | undefined => {
    const value = environment[name] || undefined;
    const [isAllowed, form] = RULES[name] ?? [];
    if (value === undefined || !isAllowed || isAllowed(value)) return value;
    throw new BadSetting(`${name}=${value} is not ${form}.`);
  };
  const tokenMinutes = getText("METACTION_TOKEN_MINUTES");
  const cachedObjects = getText("METACTION_CACHED_OBJECTS");
  const bootstrapSecret = getText("METACTION_BOOTSTRAP_SECRET");
  const issuerFile = getText("METACTION_ISSUERS");
  if (bootstrapSecret !== undefined && bootstrapSecret.length < LIMITS.bootstrapSecretCharacters) {
    throw new BadSetting(
      `METACTION_BOOTSTRAP_SECRET has ${bootstrapSecret.length} characters; give at least ${LIMITS.bootstrapSecretCharacters}.`,
    );
  }
  return {
    host: getText("METACTION_HOST") ?? "127.0.0.1",
    port: Number(getText("PORT") ?? 8080),
    folder: resolveFolder(environment, workingFolder),
    table: getText("METACTION_TABLE") ?? TABLE.defaultName,
    ...includeMember("endpoint", getText("METACTION_DYNAMODB_ENDPOINT")),
    region: getText("AWS_REGION") ?? "local",
    ...includeMember("bootstrapSecret", bootstrapSecret),
    corsOrigins: (getText("METACTION_CORS_ORIGINS") ?? "").split(",").filter((origin) => origin !== ""),
    allowedHosts: parseAllowedHosts(getText("METACTION_ALLOWED_HOSTS")),
    isTrustedProxy: parseTrustedProxies(getText("METACTION_TRUSTED_PROXIES")),
    recordedAddresses: RECORDED_ADDRESSES.find((one) => one === getText("METACTION_RECORDED_ADDRESSES")) ?? "full",
    tokenSeconds: tokenMinutes === undefined ? LIMITS.tokenSeconds : Number(tokenMinutes) * 60,
    callerSeconds: Number(getText("METACTION_CALLER_SECONDS") ?? 0),
    ...(cachedObjects !== undefined && { cachedObjects: Number(cachedObjects) }),
    allowPrivateImport: getText("METACTION_IMPORT_ALLOW_PRIVATE") === "1",
    web: getText("METACTION_UI") !== "off",
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
export function explainIssuerFaults<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw error instanceof BadIssuers ? new BadSetting(`METACTION_ISSUERS cannot be used. ${error.message}`) : error;
  }
}
