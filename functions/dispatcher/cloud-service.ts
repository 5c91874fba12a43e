import type { Service } from "../../shared/actions/pipeline/call-context.ts";
import { LIMITS, scaleLimit } from "../../shared/domain/limits.ts";
import { includeMember } from "../../shared/domain/model/content.ts";
import { createCallerCache } from "../../shared/identity/caller-cache.ts";
import { createKmsKeys } from "../../shared/identity/tokens/kms-keys.ts";
import { createService } from "../../shared/service/create-service.ts";
import { lazyImporter, lazyIssuers, lazySearches } from "../../shared/service/lazy-ports.ts";
import { runtime } from "../../shared/service/runtime.ts";
import { createPublicKeyStore } from "../../shared/store/accounts/unlogged-items.ts";
import { type Connection, createDynamoConnector } from "../../shared/store/table/dynamo.ts";
import { lazyKms, lazySecret, startWorker } from "./aws-ports.ts";

/** Milliseconds within which the table has to return a public key. Later, KMS is asked. */
const PUBLIC_KEY_MS = 2_000;

/** Longest time that a start waits for its keys, in milliseconds. */
const READY_MS = 1_000;

/** The environment of a function, as the stack sets it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A service in the cloud, with its URL. */
export interface CloudService {
  readonly service: Service;
  readonly publicUrl: string;
  /** Resolves when keys and connection for the first call are there, or after `READY_MS`. */
  readonly ready: Promise<void>;
  /** Returns the request units that DynamoDB has charged since it was last called. */
  readonly takeUnits: () => number;
}

/** Creates the service that answers calls. Throws for a missing setting, or one for local use only. */
export function createCloudService(environment: Environment): CloudService {
  const worker = readSetting(environment, "METACTION_WORKER");
  let units = 0;
  const onCapacity = (_operation: string, charged: number) => {
    units += charged;
  };
  const { service, keys, issuer } = composeService(environment, (job) => startWorker(worker, job), onCapacity);
  // The keys are read while the function starts, which also opens the connection to the table.
  const controller = new AbortController();
  const load = keys
    .listKeys()
    .then(
      () => undefined,
      () => undefined,
    )
    .finally(() => controller.abort());
  const ready = Promise.race([load, runtime.sleep(READY_MS, controller.signal)]);
  const takeUnits = () => {
    const taken = units;
    units = 0;
    return taken;
  };
  return { service, publicUrl: issuer, ready, takeUnits };
}

/** Creates the service that runs jobs. Throws the errors of `createCloudService`. */
export function createWorkerService(environment: Environment): Service {
  return composeService(environment, async () => undefined).service;
}

function composeService(
  environment: Environment,
  startJob: (id: string) => Promise<void>,
  onCapacity?: Connection["onCapacity"],
) {
  if (environment.METACTION_IMPORT_ALLOW_PRIVATE) {
    throw new Error("METACTION_IMPORT_ALLOW_PRIVATE is for local use only: remove it from the function");
  }
  const table = readSetting(environment, "METACTION_TABLE");
  const issuer = readSetting(environment, "METACTION_ISSUER");
  const { METACTION_ISSUERS: others, METACTION_TOKEN_MINUTES: minutes } = environment;
  const callerMs = Number(environment.METACTION_CALLER_SECONDS ?? 0) * 1_000;
  const megabytes = parseMegabytes(environment);
  const connector = createDynamoConnector({ table, ...includeMember("onCapacity", onCapacity) }, runtime.now);
  const publicKeys = createPublicKeyStore(() => connector.connect(runtime.now() + PUBLIC_KEY_MS));
  const keys = createKmsKeys(parseSigningKeyIds(environment), lazyKms(), publicKeys);
  const service = createService({
    connector,
    runtime,
    keys,
    issuer,
    bootstrapSecret: lazySecret(readSetting(environment, "METACTION_BOOTSTRAP_SECRET_ID")),
    ...(others && { issuers: lazyIssuers(others, issuer), findSecret: lazySecret }),
    importer: lazyImporter({ allowPrivate: false }),
    startJob,
    cachedObjects: scaleLimit(LIMITS.cachedObjects, megabytes),
    searches: lazySearches(scaleLimit(LIMITS.searchObjects, megabytes)),
    ...(callerMs > 0 && { callerCache: createCallerCache(callerMs, runtime.now) }),
    facts: {
      version: readSetting(environment, "METACTION_VERSION"),
      engine: "Amazon DynamoDB",
      endpoint: `https://dynamodb.${environment.AWS_REGION}.amazonaws.com`,
      table,
      ...(minutes && { tokenSeconds: Number(minutes) * 60 }),
    },
  });
  return { service, keys, issuer };
}

function parseMegabytes({ AWS_LAMBDA_FUNCTION_MEMORY_SIZE: size }: Environment): number | undefined {
  return size ? Number(size) : undefined;
}

/** Returns the key that signs, then former keys whose tokens are still valid. */
function parseSigningKeyIds(environment: Environment): readonly [string, ...string[]] {
  const [current = "", ...before] = readSetting(environment, "METACTION_SIGNING_KEY_ID").split(",");
  return [current, ...before];
}

function readSetting(environment: Environment, name: string) {
  const value = environment[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}
