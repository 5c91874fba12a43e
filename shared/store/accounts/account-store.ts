import type { Runtime } from "../../actions/contract/call.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Actor, ApiToken } from "../../domain/model/objects.ts";
import type { AccountStore } from "../../identity/accounts.ts";
import { toObject } from "../table/items.ts";
import { ACCOUNTS, actorKey, apiTokenKey, BOOTSTRAP, IDENTITY, type ItemKey, ROLES } from "../table/keys.ts";
import { createRetryingTable, createRetryPolicy, type RetryPolicy } from "../table/retry.ts";
import { createRolesParser } from "../table/roles-item.ts";
import { getWriteKey, type Item, type Table } from "../table/table.ts";
import { noteSeen, readLastSeen } from "./unlogged-items.ts";

const loadAccountWrites = () => import("./account-writes.ts");

/**
 * Creates a parser of a caller's items, which every call reads: the roles and the actor at a key. Items that did not change are
 * parsed once, so that the rights of the caller are computed once.
 */
export function createCallerParser() {
  const parseRoles = createRolesParser();
  const actors = new Map<string, { readonly text: string; readonly actor: Actor }>();
  const parseActor = (item: Item): Actor => {
    // The whole text, because a repair changes an item without a new revision.
    const text = JSON.stringify(item);
    const entry = actors.get(item.sk);
    if (entry?.text === text) return entry.actor;
    // The sort key contains the kind.
    const actor = toObject(item) as Actor;
    if (actors.size >= LIMITS.keptCallers) actors.clear();
    actors.set(item.sk, { text, actor });
    return actor;
  };
  return (items: readonly Item[], actorAt: ItemKey) => {
    const actor = items.find((item) => item.sk === actorAt.sk);
    return { actor: actor && parseActor(actor), roles: parseRoles(items.find((item) => item.sk === ROLES.sk)) };
  };
}

/** Creates the store of accounts. `parseCaller` is that of the process. Code that few calls need is loaded lazily. */
export function createAccountStore(
  plainTable: Table,
  runtime: Runtime,
  retryPolicy: RetryPolicy = createRetryPolicy(runtime),
  parseCaller = createCallerParser(),
): AccountStore {
  const table = createRetryingTable(plainTable, retryPolicy);
  const context = { table, runtime, retryPolicy };
  return {
    findAccount: async (username) => (await loadAccountWrites()).readAccount(context, username),
    findCaller: async (issuer, subject) => {
      const key = actorKey(issuer, subject);
      return parseCaller(await table.batchGet([key, ROLES]), key);
    },
    findTokenBearer: async ({ id, actor, actorKey: key }) => {
      const bearer = { pk: IDENTITY, sk: ACCOUNTS.actor + key };
      const tokenKey = apiTokenKey(actor, id);
      const items = await table.batchGet([tokenKey, bearer, ROLES]);
      const token = items.find((item) => item.sk === tokenKey.sk);
      // The sort key contains the kind.
      return { token: token && (toObject(token) as ApiToken), ...parseCaller(items, bearer) };
    },
    provisionActor: async (...args) => (await loadAccountWrites()).provisionActor(context, ...args),
    // Not lazy: the first call of every process notes its actor.
    noteSeen: (...args) => noteSeen(plainTable, ...args),
    getLastSeen: (...args) => readLastSeen(table, ...args),
    replaceHash: async (...args) => (await loadAccountWrites()).replaceHash(context, ...args),
    getAttempts: async (source) => (await loadAccountWrites()).readAttempts(context, source),
    noteNetwork: async (source) => (await loadAccountWrites()).noteNetwork(context, source),
    noteAttempt: async (...args) => (await loadAccountWrites()).noteAttempt(context, ...args),
    forgetAttempts: async (name) => (await loadAccountWrites()).forgetAttempts(context, name),
    noteLogin: async (...args) => (await loadAccountWrites()).noteLogin(context, ...args),
    noteRefusal: async (...args) => (await loadAccountWrites()).noteRefusal(context, ...args),
    isBootstrapUsed: async () => (await table.get(BOOTSTRAP)) !== undefined,
    createFirstAdministrator: async (first, call) =>
      (await loadAccountWrites()).createFirstAdministrator(context, first, call),
    getOpenDigest: async () => {
      const mark = await table.get(BOOTSTRAP);
      return mark && (await loadAccountWrites()).findReopeningDigest(mark, runtime);
    },
    createFurtherAdministrator: async (...args) =>
      (await loadAccountWrites()).createFurtherAdministrator(context, ...args),
  };
}

/** Returns a table that calls `onChange` after each write to accounts. */
export function watchAccounts(table: Table, onChange: () => void): Table {
  const watch = <T>(keys: readonly ItemKey[], write: () => Promise<T>) => {
    const writing = write();
    return keys.some(({ pk }) => pk === IDENTITY) ? writing.finally(onChange) : writing;
  };
  return {
    ...table,
    write: (one) => watch([getWriteKey(one)], () => table.write(one)),
    transactWrite: (writes) => watch(writes.map(getWriteKey), () => table.transactWrite(writes)),
    batchPut: (items) => watch(items, () => table.batchPut(items)),
    batchDelete: (keys) => watch(keys, () => table.batchDelete(keys)),
  };
}
