import type { Table } from "aws-cdk-lib/aws-dynamodb";
import type { Identity } from "./identity.ts";

export interface ServiceSettings {
  readonly table: Table;
  readonly identity: Identity;
  readonly issuer: string;
  readonly version: string;
}

/** What every function that holds the service is told: where things are, and no secret. */
export function serviceEnvironment({ table, identity, issuer, version }: ServiceSettings): Record<string, string> {
  return {
    METACTION_TABLE: table.tableName,
    METACTION_ISSUER: issuer,
    METACTION_SIGNING_KEY_ID: identity.signingKey.keyId,
    METACTION_BOOTSTRAP_SECRET_ID: identity.bootstrapSecret.secretArn,
    METACTION_VERSION: version,
  };
}
