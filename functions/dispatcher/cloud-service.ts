import type { Service } from "../../shared/actions/pipeline/call-context.ts";
import { LIMITS, scaleLimit } from "../../shared/domain/limits.ts";
import { createCallerCache } from "../../shared/identity/caller-cache.ts";
import { createKmsKeys } from "../../shared/identity/tokens/kms-keys.ts";
import { createService } from "../../shared/service/create-service.ts";
import {
  lazyImporter,
  lazyIssuers,
  lazyKms,
  lazySearches,
  lazySecret,
  startWorker,
} from "../../shared/service/lazy-ports.ts";
import { ambient } from "../../shared/service/runtime.ts";
import { createPublicKeyStore } from "../../shared/store/accounts/unlogged-items.ts";
import { createDynamoConnector } from "../../shared/store/table/dynamo.ts";

/** Milliseconds within which the table has to tell a public key; afterwards the key service is asked. */
const PUBLIC_KEY_MS = 2_000;

/** Milliseconds that a start waits for its keys at most. */
const READY_MS = 1_000;

/** The environment of a function, as the stack sets it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A service in the cloud, and where its callers reach it. */
export interface CloudService {
  readonly service: Service;
  readonly publicUrl: string;
  /** Resolves when the first call can be answered without waiting for keys or a connection, or could not be after a while. */
  readonly ready: Promise<void>;
}

/**
 * The service of a Lambda function that answers calls; jobs are started on the function METACTION_WORKER names. An error
 * where the stack left something out, or a local setting was brought along.
 */
export function createCloudService(environment: Environment): CloudService {
  const worker = setting(environment, "METACTION_WORKER");
  const { service, keys, issuer } = compose(environment, (job) => startWorker(worker, job));
  // The keys are read while the function starts: the first token cannot be verified without them, and the first call finds
  // the connection to the table open. A failure reaches whoever needs them.
  const ended = new AbortController();
  const read = keys
    .published()
    .then(
      () => undefined,
      () => undefined,
    )
    .finally(() => ended.abort());
  return { service, publicUrl: issuer, ready: Promise.race([read, ambient.sleep(READY_MS, ended.signal)]) };
}

/**
 * The service of a Lambda function that runs jobs and answers nobody: it starts no job itself, so one it came to accept
 * would wait for the sweeper. Errors as those of `createCloudService`.
 */
export function createWorkerService(environment: Environment): Service {
  return compose(environment, async () => undefined).service;
}

function compose(environment: Environment, startJob: (id: string) => Promise<void>) {
  if (environment.METACTION_IMPORT_ALLOW_PRIVATE) {
    throw new Error("METACTION_IMPORT_ALLOW_PRIVATE is for local use only: remove it from the function");
  }
  const table = setting(environment, "METACTION_TABLE");
  const issuer = setting(environment, "METACTION_ISSUER");
  const { METACTION_ISSUERS: others, METACTION_TOKEN_MINUTES: minutes } = environment;
  const callerMs = Number(environment.METACTION_CALLER_SECONDS ?? 0) * 1_000;
  const megabytes = megabytesOf(environment);
  const connector = createDynamoConnector({ table }, ambient.now);
  const publicKeys = createPublicKeyStore(() => connector.connect(ambient.now() + PUBLIC_KEY_MS));
  const keys = createKmsKeys(signingKeyIds(environment), lazyKms(), publicKeys);
  const service = createService({
    connector,
    ambient,
    keys,
    issuer,
    bootstrapSecret: lazySecret(setting(environment, "METACTION_BOOTSTRAP_SECRET_ID")),
    ...(others && { issuers: lazyIssuers(others, issuer), keptSecret: lazySecret }),
    importer: lazyImporter({ allowPrivate: false }),
    startJob,
    cachedObjects: scaleLimit(LIMITS.cachedObjects, megabytes),
    searches: lazySearches(scaleLimit(LIMITS.searchObjects, megabytes)),
    ...(callerMs > 0 && { callerCache: createCallerCache(callerMs, ambient.now) }),
    facts: {
      version: setting(environment, "METACTION_VERSION"),
      engine: "Amazon DynamoDB",
      endpoint: `https://dynamodb.${environment.AWS_REGION}.amazonaws.com`,
      table,
      ...(minutes && { tokenSeconds: Number(minutes) * 60 }),
    },
  });
  return { service, keys, issuer };
}

/** The memory that Lambda gives the function. */
function megabytesOf({ AWS_LAMBDA_FUNCTION_MEMORY_SIZE: size }: Environment): number | undefined {
  return size ? Number(size) : undefined;
}

/** The key that signs, then those whose tokens are still good: the one before the last rotation, for the life of a token at least. */
function signingKeyIds(environment: Environment): readonly [string, ...string[]] {
  const [current = "", ...before] = setting(environment, "METACTION_SIGNING_KEY_ID").split(",");
  return [current, ...before];
}

function setting(environment: Environment, name: string): string {
  const value = environment[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}
