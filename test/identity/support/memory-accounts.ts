import type { AuditActor } from "../../../shared/domain/accounts/audit.ts";
import { BUILT_IN } from "../../../shared/domain/accounts/principal.ts";
import type { Actor, User } from "../../../shared/domain/model/objects.ts";
import type {
  AccountStore,
  Attempts,
  AttemptsOf,
  FirstAdministrator,
  JudgedRole,
} from "../../../shared/identity/accounts.ts";
import { toRolePermissions } from "../../../shared/store/table/roles-item.ts";

/** An account store in memory, with functions that change accounts behind the service's back. */
export interface MemoryAccounts extends AccountStore {
  put(user: User, actor: Actor, passwordHash?: string): void;
  putRole(role: JudgedRole): void;
  /** The first administrator that the bootstrap wrote; undefined before. */
  readonly first: FirstAdministrator | undefined;
  /** The entries about signing in that the service left in the audit log, oldest first. */
  readonly noted: { readonly outcome: "ok" | "refused"; readonly who: AuditActor | undefined }[];
  readonly reads: { account: number; caller: number };
}

export function createMemoryAccounts(now: () => number): MemoryAccounts {
  const users = new Map<string, User>();
  const hashes = new Map<string, string>();
  const actors = new Map<string, Actor>();
  const roles = new Map<string, JudgedRole>();
  const attempts = new Map<string, Attempts>();
  const networks = new Map<string, number>();
  const noted: MemoryAccounts["noted"] = [];
  const reads = { account: 0, caller: 0 };
  let usedBy: string | undefined;
  let made: FirstAdministrator | undefined;
  const placeOf = ({ name, network }: AttemptsOf): string => JSON.stringify([name, network]);
  const attemptsAt = (place: string): Attempts | undefined => {
    const found = attempts.get(place);
    return found && found.expiresAt * 1000 >= now() ? found : undefined;
  };
  const keyOf = (issuer: string, subject: string): string => JSON.stringify([issuer, subject]);
  const put: MemoryAccounts["put"] = (user, actor, passwordHash) => {
    users.set(user.key, user);
    actors.set(keyOf(actor.issuer, actor.subject), actor);
    if (passwordHash !== undefined) hashes.set(user.key, passwordHash);
  };
  return {
    put,
    putRole: (role) => void roles.set(role.id, role),
    get first() {
      return made;
    },
    noted,
    reads,
    account: async (username) => {
      reads.account += 1;
      const [user, passwordHash] = [users.get(username), hashes.get(username)];
      const actor = actors.get(keyOf(BUILT_IN, username));
      if (!user || !actor || passwordHash === undefined) return undefined;
      const { id, fullname, disabledAt } = user;
      const facts = { id, actorId: actor.id, username, fullname, passwordHash, tokenEpoch: actor.tokenEpoch ?? 0 };
      return { ...facts, ...(disabledAt !== undefined && { disabledAt }) };
    },
    caller: async (issuer, subject) => {
      reads.caller += 1;
      return { actor: actors.get(keyOf(issuer, subject)), roles: [...roles.values()] };
    },
    // Actors of other issuers, API tokens and what is noted of callers are held on a real table.
    tokenBearer: async () => ({ token: undefined, actor: undefined, roles: [...roles.values()] }),
    provisionActor: () => Promise.reject(new Error("no actor of another issuer comes here")),
    noteSeen: async () => undefined,
    lastSeen: async () => new Map(),
    replaceHash: async ({ username, passwordHash }, after) => {
      if (hashes.get(username) === passwordHash) hashes.set(username, after);
    },
    attempts: async (of) => ({
      here: attemptsAt(placeOf(of)),
      anywhere: attemptsAt(placeOf({ name: of.name })),
      knownUntil: networks.get(placeOf(of)),
    }),
    noteNetwork: async (of) => void networks.set(placeOf(of), now() / 1000 + 86_400),
    noteAttempt: async (of, before, after) => {
      const name = placeOf(of);
      const found = attempts.get(name);
      const isSame = before ? found === before : found === undefined || found.expiresAt * 1000 < now();
      if (isSame && after) attempts.set(name, after);
      else if (isSame) attempts.delete(name);
      return isSame;
    },
    forgetAttempts: async (of) => void attempts.delete(placeOf(of)),
    noteLogin: async (who) => void noted.push({ outcome: "ok", who }),
    noteRefusal: async (who) => void noted.push({ outcome: "refused", who }),
    bootstrapUsed: async () => usedBy !== undefined,
    createFirstAdministrator: async (first, call) => {
      // Nothing is awaited between the test and the writes, so of two callers one wins.
      if (usedBy !== undefined) return usedBy === call.operationId ? "done" : "used";
      usedBy = call.operationId;
      made = first;
      put(first.user, first.actor, first.passwordHash);
      for (const role of first.roles) roles.set(role.id, toRolePermissions(role));
      return "done";
    },
    // Reopening is held on a real table.
    reopenedBy: async () => undefined,
    createFurtherAdministrator: async () => "used",
  };
}
