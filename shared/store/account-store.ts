import type { Ambient, Call } from "../actions/call.ts";
import { Problem } from "../domain/problems.ts";
import type { AccountStore, Actor, FirstAdministrator, Role, User } from "../identity/accounts.ts";
import { answeringSeam } from "./answering-seam.ts";
import { sendCommit } from "./commit.ts";
import { actorKey, BOOTSTRAP, IDENTITY, ROLES, userKey } from "./keys.ts";
import { type LogChange, logEntry, logItem, newestEntries } from "./log.ts";
import { FORMAT, type Item, type Seam } from "./seam.ts";
import { createWaiting } from "./waiting.ts";
import type { GuardedWrite } from "./writes.ts";

/** Accounts over the one table: items of one partition, changed only through the log `identity`. */
export function createAccountStore(table: Seam, ambient: Ambient): AccountStore {
  const waiting = createWaiting(ambient);
  const seam = answeringSeam(table, waiting);
  const firstAdministrator: AccountStore["createFirstAdministrator"] = async (first, call) => {
    for (let repeats = 0; ; repeats++) {
      const mark = await seam.get(BOOTSTRAP);
      if (mark) return mark.operation === call.operationId ? "done" : "used";
      if (ambient.now() >= call.deadline) {
        throw new Problem("out_of_time", "the store did not answer in time; try again", { retryAfter: 1 });
      }
      const revision = ((await newestEntries(seam, IDENTITY, 1))[0]?.revision ?? 0) + 1;
      const facts = { key: IDENTITY, generation: IDENTITY, state: "live" as const };
      const log = logItem(IDENTITY, logEntry(revision, facts, call, firstChanges(first)));
      const outcome = await sendCommit(seam, IDENTITY, log, firstWrites(first, revision, call), call);
      if (typeof outcome === "object") return "done";
      await waiting.pause(repeats);
    }
  };
  return {
    user: async (username) => accountOf<User>(await seam.get(userKey(username))),
    caller: async (issuer, subject) => {
      const key = actorKey(issuer, subject);
      const items = await seam.batchGet([key, ROLES]);
      const roles = items.find((item) => item.sk === ROLES.sk);
      return {
        actor: accountOf<Actor>(items.find((item) => item.sk === key.sk)),
        // Written below, and by nothing else.
        roles: (roles?.roles ?? []) as readonly Role[],
      };
    },
    bootstrapUsed: async () => (await seam.get(BOOTSTRAP)) !== undefined,
    createFirstAdministrator: firstAdministrator,
  };
}

function accountOf<T>(item: Item | undefined): T | undefined {
  if (!item) return undefined;
  const { pk: _pk, sk: _sk, v: _v, ...account } = item;
  // The sort key tells what it is.
  return account as unknown as T;
}

function firstWrites({ user, actor, roles }: FirstAdministrator, revision: number, call: Call): GuardedWrite[] {
  const put = (item: Item): GuardedWrite => ({ write: { put: item, expect: { absent: true } } });
  return [
    put({ ...BOOTSTRAP, v: FORMAT, operation: call.operationId, time: call.time, revision }),
    put({ ...userKey(user.username), v: FORMAT, ...user, revision }),
    put({ ...actorKey(actor.issuer, actor.subject), v: FORMAT, ...actor, revision }),
    put({ ...ROLES, v: FORMAT, roles, revision }),
  ];
}

function firstChanges({ user, actor, roles }: FirstAdministrator): LogChange[] {
  // The log is read by people and tools: no hash of a password gets there.
  const { passwordHash: _, ...shown } = user;
  const made = (kind: string, id: string, at: string, after: object): LogChange => ({
    does: "create",
    kind,
    id,
    at,
    after: { ...after },
  });
  return [
    made("user", user.id, userKey(user.username).sk, shown),
    made("actor", actor.id, actorKey(actor.issuer, actor.subject).sk, actor),
    ...roles.map((role) => made("role", role.id, ROLES.sk, role)),
  ];
}
