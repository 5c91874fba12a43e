import type { Identity } from "./identity.ts";
import type { DeployedIssuers } from "./issuers.ts";
import type { ServiceTable } from "./table.ts";

export interface ServiceSettings {
  readonly table: ServiceTable;
  readonly identity: Identity;
  readonly issuer: string;
  readonly version: string;
  readonly issuers: DeployedIssuers | undefined;
  readonly tokenMinutes: number | undefined;
  readonly callerSeconds: number | undefined;
}

/** The environment of every function that holds the service: addresses and names, no secret. */
export function serviceEnvironment(settings: ServiceSettings): Record<string, string> {
  const { table, identity, issuer, version, issuers, tokenMinutes, callerSeconds } = settings;
  return {
    METACTION_TABLE: table.tableName,
    METACTION_ISSUER: issuer,
    METACTION_SIGNING_KEY_ID: identity.signingKeys.map((key) => key.keyId).join(","),
    METACTION_BOOTSTRAP_SECRET_ID: identity.bootstrapSecret.secretArn,
    METACTION_VERSION: version,
    ...(issuers && { METACTION_ISSUERS: issuers.json }),
    ...(callerSeconds !== undefined && { METACTION_CALLER_SECONDS: String(callerSeconds) }),
    ...(tokenMinutes !== undefined && { METACTION_TOKEN_MINUTES: String(tokenMinutes) }),
  };
}
