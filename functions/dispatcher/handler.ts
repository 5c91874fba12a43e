import { createKmsKeys } from "../../shared/identity/kms-keys.ts";
import { createDynamoTable } from "../../shared/store/dynamo.ts";
import { ambient } from "../ambient.ts";
import { createHandler } from "./create-handler.ts";
import { importerOnDemand, kmsOnDemand, secretOnDemand } from "./on-demand.ts";
import { createService } from "./service.ts";

const environment = process.env;

/** A setting the stack gives the function; without it the function cannot start. */
function setting(name: string): string {
  const value = environment[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}

if (environment.METACTION_IMPORT_ALLOW_PRIVATE) {
  throw new Error("METACTION_IMPORT_ALLOW_PRIVATE is for local use only: remove it from the function");
}

const table = setting("METACTION_TABLE");
const issuer = setting("METACTION_ISSUER");

const keys = createKmsKeys([setting("METACTION_SIGNING_KEY_ID")], kmsOnDemand());
// Asked for while the function starts: the first token cannot be verified without them. Who needs them sees the failure.
keys.published().catch(() => undefined);

const service = createService({
  table: createDynamoTable({ table }, ambient.now),
  ambient,
  keys,
  issuer,
  bootstrapSecret: secretOnDemand(setting("METACTION_BOOTSTRAP_SECRET_ID")),
  importer: importerOnDemand(),
  facts: {
    version: setting("METACTION_VERSION"),
    engine: "Amazon DynamoDB",
    endpoint: `https://dynamodb.${environment.AWS_REGION}.amazonaws.com`,
    table,
  },
});

/** The Lambda entry point. */
export const handler = createHandler(service, {
  publicUrl: issuer,
  corsOrigins: (environment.METACTION_CORS_ORIGINS ?? "").split(",").filter((origin) => origin !== ""),
  log: (line) => process.stdout.write(`${line}\n`),
});
