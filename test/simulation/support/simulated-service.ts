import { createCatalogue } from "../../../shared/actions/catalogue.ts";
import type { Runtime } from "../../../shared/actions/contract/call.ts";
import type { Claims, Identity } from "../../../shared/actions/contract/ports.ts";
import type { Service } from "../../../shared/actions/pipeline/call-context.ts";
import { createUnscopedCallers, type UnscopedCallers } from "../../../shared/actions/pipeline/caller-rights.ts";
import { createWriteQueue, type WriteQueue } from "../../../shared/actions/pipeline/write-queue.ts";
import { hashActorKey } from "../../../shared/domain/accounts/actors.ts";
import type { Principal } from "../../../shared/domain/accounts/principal.ts";
import type { Actor, AuthRole } from "../../../shared/domain/model/objects.ts";
import { isPermission } from "../../../shared/domain/permissions.ts";
import { Problem } from "../../../shared/domain/problems.ts";
import { createImporter } from "../../../shared/formats/importer.ts";
import { createKeyedDigest } from "../../../shared/identity/tokens/mint-token.ts";
import { createMemoryIndex } from "../../../shared/search/memory-index.ts";
import { createRunStore } from "../../../shared/store/commit/runs.ts";
import { createLedgerChecks } from "../../../shared/store/fsck/ledger-checks.ts";
import { createJobStore } from "../../../shared/store/jobs/job-store.ts";
import { createStore } from "../../../shared/store/model-store.ts";
import { ModelCache } from "../../../shared/store/read/model-cache.ts";
import { createRetryPolicy, RetryBudget } from "../../../shared/store/table/retry.ts";
import { toRolePermissions, toRolesItem } from "../../../shared/store/table/roles-item.ts";
import type { Table } from "../../../shared/store/table/table.ts";
import { PEOPLE } from "../../guarantees/support/reference/callers.ts";
import { writeObjects } from "../../support/accounts.ts";
import { CACHED_OBJECTS } from "../../support/cached-objects.ts";

/** The parts of the service that the calls of one process share. */
export interface Shared {
  readonly turns: WriteQueue;
  readonly budget: RetryBudget;
  readonly searches: ReturnType<typeof createMemoryIndex>;
  readonly cache: ModelCache;
  readonly unscopedCallers: UnscopedCallers;
}

/** `now` in milliseconds of the simulated time. */
export function createShared(now: () => number): Shared {
  return {
    turns: createWriteQueue(),
    budget: new RetryBudget(),
    searches: createMemoryIndex(),
    cache: new ModelCache(now, CACHED_OBJECTS),
    unscopedCallers: createUnscopedCallers(),
  };
}

/** The means by which one sender calls the service. */
export interface Means {
  readonly runtime: Runtime;
  readonly connect: (deadline: number) => Table;
  readonly startJob: (id: string) => Promise<void>;
}

const FACTS = { version: "0.0.0", engine: "simulated", endpoint: "none", table: "none" };
const registry = createCatalogue();
const importer = createImporter({ allowPrivate: false });
const digest = createKeyedDigest(async () => "secret-of-the-simulation");

/** The service as the entry points compose it, but that its callers are known by their names. */
export function simulatedService(
  { turns, budget, searches, cache, unscopedCallers }: Shared,
  { runtime, connect, startJob }: Means,
): Service {
  return {
    registry,
    runtime,
    unscopedCallers,
    writeQueue: turns,
    facts: FACTS,
    verification: { configuration: unreachable, keySet: unreachable },
    ports: (deadline) => {
      const plainTable = connect(deadline);
      const retryPolicy = createRetryPolicy(runtime, budget);
      return {
        store: createStore(plainTable, runtime, { retryPolicy, cache }),
        jobs: createJobStore(plainTable, runtime, startJob, retryPolicy),
        runs: createRunStore(plainTable, runtime, retryPolicy),
        checks: createLedgerChecks(plainTable, runtime, { cache, searches: async () => searches }),
        searches: async () => searches,
        identity: IDENTITY,
        audit: { list: unreachable },
        importer,
        exporter: { write: unreachable, writeDifference: unreachable },
        digest,
        service: FACTS,
        find: registry.find,
        listActions: registry.list,
      };
    },
  };
}

function unreachable(): never {
  throw new Error("nothing in a schedule asks for this");
}

const ISSUER = "https://people.example";

const PRINCIPALS: ReadonlyMap<string, Principal> = new Map(
  [...PEOPLE].map(([name, { username: subject, fullname, permissions: all }], i) => {
    const permissions = new Set([...all].filter(isPermission));
    const own = { actorId: `01890a5d-ac96-774b-bcce-00000000000${i}`, issuer: ISSUER, subject, fullname };
    return [name, { ...own, permissions, claimedRoles: [], scopes: [] }];
  }),
);

/** Writes the actors of the callers, each with a role of their own: workers look for them, and ask what they may do by then. */
export async function writeCallers(table: Table): Promise<void> {
  const createdAt = "2027-01-01T00:00:00.000Z";
  const roles: AuthRole[] = [];
  const actors: Actor[] = [];
  for (const { actorId: id, issuer, subject, fullname, permissions } of PRINCIPALS.values()) {
    const role = id.replace("bcce", "bccf");
    roles.push({
      ...{ kind: "role", id: role, key: subject, name: fullname, permissions: [...permissions].sort(), revision: 0 },
      ...{ managed: false, autoAssign: false, createdAt, updatedAt: createdAt },
    });
    actors.push({
      ...{ kind: "actor", id, key: hashActorKey(issuer, subject), revision: 0, issuer, subject, fullname },
      ...{ roles: [role], createdAt },
    });
  }
  await writeObjects(table, [...roles, ...actors]);
  await table.write({ put: toRolesItem(roles.map(toRolePermissions), 0), expect: { absent: true } });
}

/** Callers sign in with their names: what signing in and rights are worth is held elsewhere. */
const IDENTITY: Identity = {
  verify: async (token): Promise<Claims> => {
    if (!PRINCIPALS.has(token)) throw new Problem("not_signed_in", "the token is not known");
    return { issuer: ISSUER, subject: token, issuedAt: 0 };
  },
  findPrincipal: async ({ subject }) => PRINCIPALS.get(subject) ?? unreachable(),
  noteCall: async () => undefined,
  listLastCalls: async () => new Map(),
  createSecret: unreachable,
  login: unreachable,
  hashNewPassword: unreachable,
  getSignInOptions: unreachable,
  checkPassword: unreachable,
  bootstrap: unreachable,
};
