import type { Ambient } from "../actions/call.ts";
import type { Actor, User } from "../domain/objects.ts";
import { BUILT_IN } from "../domain/principal.ts";
import type { AccountStore, JudgedRole } from "../identity/accounts.ts";
import { answeringSeam } from "./answering-seam.ts";
import { objectOf } from "./items.ts";
import { actorKey, BOOTSTRAP, passwordKey, ROLES, userKey } from "./keys.ts";
import type { RetryBudget } from "./retry-budget.ts";
import type { Item, Seam } from "./seam.ts";
import { createWaiting } from "./waiting.ts";

/** What callers are judged by, over the one table. What few calls need is loaded when it is asked for. */
export function createAccountStore(table: Seam, ambient: Ambient, budget?: RetryBudget): AccountStore {
  const waiting = createWaiting(ambient, budget);
  const seam = answeringSeam(table, waiting);
  const ground = { seam, ambient, waiting };
  return {
    account: async (username) => {
      const keys = [userKey(username), passwordKey(username), actorKey(BUILT_IN, username)];
      const items = await seam.batchGet(keys);
      const [user, password, actor] = keys.map(({ sk }) => items.find((item) => item.sk === sk));
      if (!user || !password || !actor) return undefined;
      // The sort keys tell what they are.
      const { id, fullname, disabledAt } = objectOf(user) as User;
      const { tokenEpoch = 0 } = objectOf(actor) as Actor;
      const passwordHash = String(password.hash);
      return { id, username, fullname, passwordHash, tokenEpoch, ...(disabledAt !== undefined && { disabledAt }) };
    },
    caller: async (issuer, subject) => {
      const key = actorKey(issuer, subject);
      const items = await seam.batchGet([key, ROLES]);
      const roles = items.find((item) => item.sk === ROLES.sk);
      return {
        actor: actorOf(items.find((item) => item.sk === key.sk)),
        // Written with the first administrator and with every change of a role, and by nothing else.
        roles: (roles?.roles ?? []) as readonly JudgedRole[],
      };
    },
    replaceHash: async (...given) => (await import("./account-logins.ts")).replaceHash(ground, ...given),
    attempts: async (name) => (await import("./account-logins.ts")).readAttempts(ground, name),
    noteAttempt: async (...given) => (await import("./account-logins.ts")).noteAttempt(ground, ...given),
    forgetAttempts: async (name) => (await import("./account-logins.ts")).forgetAttempts(ground, name),
    bootstrapUsed: async () => (await seam.get(BOOTSTRAP)) !== undefined,
    createFirstAdministrator: async (first, call) =>
      (await import("./account-bootstrap.ts")).createFirstAdministrator(ground, first, call),
  };
}

function actorOf(item: Item | undefined): Actor | undefined {
  // The sort key tells what it is.
  return item && (objectOf(item) as Actor);
}
