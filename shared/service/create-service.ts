import { createCatalogue } from "../actions/catalogue.ts";
import type { Ambient } from "../actions/contract/call.ts";
import type { Importer, Searches, ServiceFacts } from "../actions/contract/ports.ts";
import type { Service } from "../actions/pipeline/call-context.ts";
import { createUnscopedCallers } from "../actions/pipeline/caller-rights.ts";
import { createWriteQueue } from "../actions/pipeline/write-queue.ts";
import { createProvider } from "../identity/identity.ts";
import type { IssuerConfiguration } from "../identity/issuers/configuration.ts";
import type { KeptCallers } from "../identity/kept-callers.ts";
import { createKeyedDigest } from "../identity/keyed-digest.ts";
import type { SigningKeys } from "../identity/signing-keys.ts";
import { openIdConfiguration, publicKeySet } from "../identity/verification-documents.ts";
import { createAccountStore } from "../store/accounts/account-store.ts";
import { createStore } from "../store/model-store.ts";
import { createModelCache } from "../store/read/model-cache.ts";
import type { TableConnector } from "../store/table/dynamo.ts";
import { createRetryBudget } from "../store/table/retry.ts";
import {
  lazyExporter,
  lazyExternalVerifier,
  lazyPasswords,
  lazyPort,
  lazySearches,
  lazyUserPool,
} from "./lazy-ports.ts";

/** The parts of a service that its entry point chooses. */
export interface Composition {
  readonly connector: TableConnector;
  readonly ambient: Ambient;
  readonly keys: SigningKeys;
  /** `iss` of the service's own tokens: its own URL. */
  readonly issuer: string;
  readonly bootstrapSecret: () => Promise<string | undefined>;
  /** The issuers whose tokens are accepted beside the service's own; asked for when the first of them arrives. */
  readonly issuers?: () => Promise<IssuerConfiguration>;
  /** Finds a secret that the configuration of the issuers names by an id. */
  readonly keptSecret?: (id: string) => () => Promise<string | undefined>;
  readonly importer: Importer;
  /** Has a worker look at a job soon. */
  readonly startJob: (id: string) => Promise<void>;
  readonly facts: ServiceFacts;
  /** Keeps who calls for some seconds; absent: they are looked up for every call. */
  readonly keptCallers?: KeptCallers | undefined;
  /** The objects this process keeps of what it read; `LIMITS.cachedObjects` unless told, 0 for none. */
  readonly cachedObjects?: number | undefined;
  /** Searches in the store's own file; in the memory of the process unless given. */
  readonly searches?: () => Promise<Searches>;
}

/** `aud` of the service's own tokens. */
const AUDIENCE = "metaction";

/** The whole service over one table: the same in the cloud, locally and in tests. */
export function createService(c: Composition): Service {
  const { connector, ambient, keys, issuer, bootstrapSecret, importer, startJob, facts } = c;
  const identityOver = createProvider({
    passwords: lazyPasswords(),
    keys,
    issuer,
    audience: AUDIENCE,
    tokenSeconds: facts.tokenSeconds,
    bootstrapSecret,
    ...(c.issuers && {
      issuers: c.issuers,
      external: lazyExternalVerifier(c.issuers, ambient),
      cognito: lazyUserPool(c.issuers, c.keptSecret),
    }),
    ambient,
  });
  const digest = createKeyedDigest(bootstrapSecret);
  const budget = createRetryBudget();
  const cache = createModelCache(ambient.now, c.cachedObjects);
  const keptCallers = c.keptCallers ?? ((accounts) => accounts);
  const registry = createCatalogue();
  const searches = c.searches ?? lazySearches();
  const exporter = lazyExporter();
  return {
    registry,
    ambient,
    unscopedCallers: createUnscopedCallers(),
    writeQueue: createWriteQueue(),
    facts,
    verification: {
      configuration: async () => openIdConfiguration(issuer),
      keySet: () => publicKeySet(keys),
    },
    ports: (deadline) => {
      const table = connector.connect(deadline);
      return {
        store: createStore(table, ambient, { budget, cache }),
        jobs: lazyPort(async () =>
          (await import("../store/jobs/job-store.ts")).createJobStore(table, ambient, startJob, budget),
        ),
        checks: lazyPort(async () =>
          (await import("../store/fsck/ledger-checks.ts")).createLedgerChecks(table, ambient, {
            cache,
            searches,
          }),
        ),
        searches,
        identity: identityOver(keptCallers(createAccountStore(table, ambient, budget))),
        audit: {
          list: async (...asked) =>
            (await import("../store/accounts/audit-list.ts")).listAudit(table, ambient, ...asked, budget),
        },
        importer,
        exporter,
        digest,
        service: facts,
        find: registry.find,
        actions: registry.all,
      };
    },
  };
}
