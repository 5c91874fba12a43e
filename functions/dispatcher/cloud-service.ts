import type { Service } from "../../shared/actions/dispatch.ts";
import { createKmsKeys } from "../../shared/identity/kms-keys.ts";
import { createDynamoTable } from "../../shared/store/dynamo.ts";
import { ambient } from "../ambient.ts";
import { importerOnDemand, kmsOnDemand, secretOnDemand, startWorker } from "./on-demand.ts";
import { createService } from "./service.ts";

/** The environment of a function, as the stack sets it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A service in the cloud, and where its callers reach it. */
export interface CloudService {
  readonly service: Service;
  readonly publicUrl: string;
}

/** The service of a Lambda function. An error where the stack left something out, or a local setting was brought along. */
export function createCloudService(environment: Environment): CloudService {
  const setting = (name: string): string => {
    const value = environment[name];
    if (!value) throw new Error(`${name} is not set`);
    return value;
  };
  if (environment.METACTION_IMPORT_ALLOW_PRIVATE) {
    throw new Error("METACTION_IMPORT_ALLOW_PRIVATE is for local use only: remove it from the function");
  }
  const table = setting("METACTION_TABLE");
  const issuer = setting("METACTION_ISSUER");
  const worker = setting("METACTION_WORKER");
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
    startJob: (job) => startWorker(worker, job),
    facts: {
      version: setting("METACTION_VERSION"),
      engine: "Amazon DynamoDB",
      endpoint: `https://dynamodb.${environment.AWS_REGION}.amazonaws.com`,
      table,
    },
  });
  return { service, publicUrl: issuer };
}
