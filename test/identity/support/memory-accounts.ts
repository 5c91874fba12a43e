import type { AccountStore, Actor, Role, User } from "../../../shared/identity/accounts.ts";

/** An account store in memory, with what tests do to accounts behind the service's back. */
export interface MemoryAccounts extends AccountStore {
  put(user: User, actor: Actor): void;
  putRole(role: Role): void;
  readonly reads: { user: number; caller: number };
}

export function createMemoryAccounts(): MemoryAccounts {
  const users = new Map<string, User>();
  const actors = new Map<string, Actor>();
  const roles = new Map<string, Role>();
  const reads = { user: 0, caller: 0 };
  let usedBy: string | undefined;
  const keyOf = (issuer: string, subject: string): string => JSON.stringify([issuer, subject]);
  const put = (user: User, actor: Actor): void => {
    users.set(user.username, user);
    actors.set(keyOf(actor.issuer, actor.subject), actor);
  };
  return {
    put,
    putRole: (role) => void roles.set(role.id, role),
    reads,
    user: async (username) => {
      reads.user += 1;
      return users.get(username);
    },
    caller: async (issuer, subject) => {
      reads.caller += 1;
      return { actor: actors.get(keyOf(issuer, subject)), roles: [...roles.values()] };
    },
    bootstrapUsed: async () => usedBy !== undefined,
    createFirstAdministrator: async (first, call) => {
      // Nothing is awaited between the test and the writes, so of two callers one wins.
      if (usedBy !== undefined) return usedBy === call.operationId ? "done" : "used";
      usedBy = call.operationId;
      put(first.user, first.actor);
      for (const role of first.roles) roles.set(role.id, role);
      return "done";
    },
  };
}
