import type { Ambient } from "../../shared/actions/call.ts";
import { createCatalogue } from "../../shared/actions/catalogue.ts";
import type { Service } from "../../shared/actions/dispatch.ts";
import type { Importer, ServiceFacts } from "../../shared/actions/ports.ts";
import { createProvider } from "../../shared/identity/identity.ts";
import { createKeyedDigest } from "../../shared/identity/keyed-digest.ts";
import { createPasswords } from "../../shared/identity/passwords.ts";
import type { SigningKeys } from "../../shared/identity/signing-keys.ts";
import { createAccountStore } from "../../shared/store/account-store.ts";
import type { Table } from "../../shared/store/dynamo.ts";
import { createJobStore } from "../../shared/store/job-store.ts";
import { createStore } from "../../shared/store/model-store.ts";

/** What an entry point has to choose. */
export interface Composition {
  readonly table: Table;
  readonly ambient: Ambient;
  readonly keys: SigningKeys;
  /** `iss` of the service's own tokens: its own URL. */
  readonly issuer: string;
  readonly bootstrapSecret: () => Promise<string | undefined>;
  readonly importer: Importer;
  /** Has a worker look at a job soon. */
  readonly startJob: (id: string) => Promise<void>;
  readonly facts: ServiceFacts;
}

/** `aud` of the service's own tokens. */
const AUDIENCE = "metaction";

/** The whole service over one table: the same in the cloud, locally and in tests. */
export function createService(c: Composition): Service {
  const { table, ambient, keys, issuer, bootstrapSecret, importer, startJob, facts } = c;
  const identityOver = createProvider({
    passwords: createPasswords(),
    keys,
    issuer,
    audience: AUDIENCE,
    bootstrapSecret,
    ambient,
  });
  const digest = createKeyedDigest(bootstrapSecret);
  return {
    registry: createCatalogue(),
    ambient,
    facts,
    ports: (deadline) => {
      const seam = table.seam(deadline);
      return {
        store: createStore(seam, ambient),
        jobs: createJobStore(seam, ambient, startJob),
        identity: identityOver(createAccountStore(seam, ambient)),
        importer,
        digest,
        service: facts,
      };
    },
  };
}
