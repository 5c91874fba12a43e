import type { Ambient } from "../../shared/actions/call.ts";
import { createCatalogue } from "../../shared/actions/catalogue.ts";
import type { Service } from "../../shared/actions/dispatch.ts";
import type { Importer, ServiceFacts } from "../../shared/actions/ports.ts";
import { createIdentity } from "../../shared/identity/identity.ts";
import { createKeyedDigest } from "../../shared/identity/keyed-digest.ts";
import { createPasswords } from "../../shared/identity/passwords.ts";
import type { SigningKeys } from "../../shared/identity/signing-keys.ts";
import { createAccountStore } from "../../shared/store/account-store.ts";
import { createStore } from "../../shared/store/model-store.ts";
import type { Seam } from "../../shared/store/seam.ts";

/** What an entry point has to choose. */
export interface Composition {
  readonly seam: Seam;
  readonly ambient: Ambient;
  readonly keys: SigningKeys;
  /** `iss` of the service's own tokens: its own URL. */
  readonly issuer: string;
  readonly bootstrapSecret: () => Promise<string | undefined>;
  readonly importer: Importer;
  readonly facts: ServiceFacts;
}

/** `aud` of the service's own tokens. */
const AUDIENCE = "metaction";

/** The whole service over one table: the same in the cloud, locally and in tests. */
export function createService(c: Composition): Service {
  const { seam, ambient, keys, issuer, bootstrapSecret } = c;
  return {
    registry: createCatalogue(),
    ambient,
    ports: {
      store: createStore(seam, ambient),
      identity: createIdentity({
        accounts: createAccountStore(seam, ambient),
        passwords: createPasswords(),
        keys,
        issuer,
        audience: AUDIENCE,
        bootstrapSecret,
        ambient,
      }),
      importer: c.importer,
      digest: createKeyedDigest(bootstrapSecret),
      service: c.facts,
    },
  };
}
