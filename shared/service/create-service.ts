import { createCatalogue } from "../actions/catalogue.ts";
import type { Runtime } from "../actions/contract/call.ts";
import type { Importer, Searches, ServiceInfo } from "../actions/contract/ports.ts";
import type { Service } from "../actions/pipeline/call-context.ts";
import { createUnscopedCallers } from "../actions/pipeline/caller-rights.ts";
import { createWriteQueue } from "../actions/pipeline/write-queue.ts";
import type { CallerCache } from "../identity/caller-cache.ts";
import { createProvider } from "../identity/identity.ts";
import type { IssuerConfiguration } from "../identity/issuers/configuration.ts";
import { createKeyedDigest, type SigningKeys } from "../identity/tokens/mint-token.ts";
import { createOpenIdConfiguration, createPublicKeySet } from "../identity/tokens/verify-token.ts";
import { createAccountStore, createCallerParser } from "../store/accounts/account-store.ts";
import { createRunStore } from "../store/commit/runs.ts";
import { createStore } from "../store/model-store.ts";
import { ModelCache } from "../store/read/model-cache.ts";
import type { TableConnector } from "../store/table/dynamo.ts";
import { createRetryPolicy } from "../store/table/retry.ts";
import { lazyPort, lazySearches, memoize } from "./lazy-ports.ts";

/** The parts of a service that its entry point chooses. */
export interface Composition {
  readonly connector: TableConnector;
  readonly runtime: Runtime;
  readonly keys: SigningKeys;
  readonly issuer: string;
  readonly bootstrapSecret: () => Promise<string | undefined>;
  /** Other issuers whose tokens are accepted. Read when the first such token arrives. */
  readonly issuers?: () => Promise<IssuerConfiguration>;
  readonly findSecret?: (id: string) => () => Promise<string | undefined>;
  readonly importer: Importer;
  readonly startJob: (id: string) => Promise<void>;
  readonly facts: ServiceInfo;
  /** The cache of callers; without it they are looked up for every call. */
  readonly callerCache?: CallerCache | undefined;
  /** Number of objects in the model cache; `LIMITS.cachedObjects` unless given, 0 for none. */
  readonly cachedObjects?: number | undefined;
  /** Searches in the file of the store; in the memory of the process unless given. */
  readonly searches?: () => Promise<Searches>;
}

const AUDIENCE = "metaction";

/** Creates the service over one table. */
export function createService(c: Composition): Service {
  const { connector, runtime, keys, issuer, bootstrapSecret, importer, startJob, facts, callerCache } = c;
  const retryPolicy = createRetryPolicy(runtime);
  const parseCaller = createCallerParser();
  const accounts = (deadline: number) =>
    createAccountStore(connector.connect(deadline), runtime, retryPolicy, parseCaller);
  const identity = createProvider({
    accounts,
    callers: callerCache && ((deadline) => callerCache.open(() => accounts(deadline))),
    passwords: lazyPort(async () => (await import("../identity/passwords.ts")).createPasswords()),
    keys,
    issuer,
    audience: AUDIENCE,
    tokenSeconds: facts.tokenSeconds,
    bootstrapSecret,
    ...(c.issuers && connectIssuers(c.issuers, c)),
    runtime,
  });
  const digest = createKeyedDigest(bootstrapSecret);
  const cache = new ModelCache(runtime.now, c.cachedObjects);
  const registry = createCatalogue();
  const searches = c.searches ?? lazySearches();
  const parts = {
    searches,
    identity,
    importer,
    exporter: lazyPort(async () => (await import("../formats/exporter.ts")).createExporter()),
    digest,
    service: facts,
    find: registry.find,
    listActions: registry.list,
  };
  return {
    registry,
    runtime,
    unscopedCallers: createUnscopedCallers(),
    writeQueue: createWriteQueue(),
    facts,
    verification: {
      configuration: async () => createOpenIdConfiguration(issuer),
      keySet: () => createPublicKeySet(keys),
    },
    ports: (deadline, budget) => {
      const table = connector.connect(deadline);
      return {
        ...parts,
        store: createStore(table, runtime, { retryPolicy, cache, ...(budget && { noteContent: budget.noteContent }) }),
        // Few calls use the following ports, so they are made when they are asked for.
        get jobs() {
          return lazyPort(async () =>
            (await import("../store/jobs/job-store.ts")).createJobStore(table, runtime, startJob, retryPolicy),
          );
        },
        get runs() {
          return createRunStore(table, runtime, retryPolicy);
        },
        get checks() {
          return lazyPort(async () =>
            (await import("../store/fsck/ledger-checks.ts")).createLedgerChecks(table, runtime, { cache, searches }),
          );
        },
        audit: {
          list: async (...parameters) =>
            (await import("../store/accounts/audit-list.ts")).listAudit(table, runtime, ...parameters, retryPolicy),
        },
      };
    },
  };
}

/** Connects other issuers: the verification of their tokens, and the user pool for signing in. */
function connectIssuers(issuers: NonNullable<Composition["issuers"]>, { runtime, findSecret }: Composition) {
  return {
    issuers,
    external: memoize(async () =>
      (await import("../identity/issuers/verify-external.ts")).createExternalVerifier(await issuers(), runtime),
    ),
    cognito: memoize(async () => {
      const { login } = await issuers();
      return login && (await import("../identity/cognito-login.ts")).toPool(login.cognito, findSecret);
    }),
  };
}
