import { isDeepStrictEqual } from "node:util";
import type { Runtime } from "../../actions/contract/call.ts";
import { isServiceAccount } from "../../domain/accounts/principal.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Actor, ApiToken, AuthRole, User } from "../../domain/model/objects.ts";
import { BUILT_IN } from "../../domain/permissions.ts";
import type { RoleRights } from "../../identity/accounts.ts";
import type { LogEntry } from "../log/log.ts";
import { toIdKey } from "../table/items.ts";
import {
  ACCOUNTS,
  ACCOUNTS_LEDGER,
  actorKey,
  apiTokenKey,
  auditKey,
  BOOTSTRAP,
  IDENTITY,
  idsPartition,
  passwordKey,
  ROLES,
  userKey,
} from "../table/keys.ts";
import { createRetryingTable, createRetryPolicy, type RetryingTable } from "../table/retry.ts";
import { parseRolesItem, toRolePermissions } from "../table/roles-item.ts";
import { FORMAT, type Item, readItems, type Table } from "../table/table.ts";
import { DAY_MS } from "./expected-state.ts";
import { createCorrection, createRemoval, createViolation, nameViolation, type Violation } from "./violation.ts";
import { readOrderedLog } from "./walk-log.ts";

/** Checks all accounts and their log. Reports violations found twice, because accounts may change meanwhile. */
export async function checkAccounts(plainTable: Table, runtime: Runtime): Promise<CheckedAccounts> {
  const retryPolicy = createRetryPolicy(runtime);
  const table = createRetryingTable(plainTable, retryPolicy);
  const first = await checkAccountsOnce(table, runtime);
  if (first.violations.length === 0) return first;
  await retryPolicy.pause(1);
  const names = new Set(first.violations.map(nameViolation));
  const { violations, blobs } = await checkAccountsOnce(table, runtime);
  return { violations: violations.filter((violation) => names.has(nameViolation(violation))), blobs };
}

/** Result of the check of all accounts. */
export interface CheckedAccounts {
  readonly violations: readonly Violation[];
  readonly blobs: ReadonlySet<string>;
}

async function checkAccountsOnce(table: RetryingTable, runtime: Runtime): Promise<CheckedAccounts> {
  // The log is read first: accounts are written together with it.
  const log = await readAccountLog(table);
  const accounts = await readAccounts(table);
  const violations = [
    ...log.violations,
    ...checkAgainstLog(accounts, log),
    ...checkUsers(accounts),
    ...checkActors(accounts, log),
    ...checkTokens(accounts),
    ...checkRoles(accounts),
    ...checkIds(accounts),
    ...checkBootstrapMark(accounts, log),
    ...(await checkAudit(table, runtime, log.operations)),
  ];
  return { violations, blobs: log.blobs };
}

function checkAgainstLog({ items }: Accounts, log: AccountLog): Violation[] {
  return log.accounts.flatMap(({ kind, id, at, fields }) => {
    const key = { pk: IDENTITY, sk: at };
    const item = items.get(at);
    if (!item) return [createViolation("account-differs", key, `the ${kind} ${id} of the log is not stored`)];
    const values: Readonly<Record<string, unknown>> = { ...item };
    const wrong = Object.entries(fields).filter(([name, value]) => !isDeepStrictEqual(values[name] ?? null, value));
    if (wrong.length === 0) return [];
    const names = wrong.map(([name]) => name).join(", ");
    return [createViolation("account-differs", key, `the ${kind} ${id} and the log differ in ${names}`)];
  });
}

function checkBootstrapMark({ items, users }: Accounts, { bootstrap, operations }: AccountLog): Violation[] {
  const mark = items.get(BOOTSTRAP.sk);
  if (mark && operations.has(String(mark.operation))) return [];
  if (mark) {
    const sentence = "the bootstrap is marked as used by an operation that is missing in the log of accounts";
    const repair = { how: "The mark is deleted, so that the bootstrap can be used.", by: [createRemoval(mark)] };
    return [createViolation("bootstrap-mark", BOOTSTRAP, sentence, users.length === 0 ? repair : undefined)];
  }
  if (!bootstrap && users.length === 0) return [];
  const sentence = "there are users, but the bootstrap is not marked as used";
  if (!bootstrap) return [createViolation("bootstrap-mark", BOOTSTRAP, sentence)];
  const { operation, time, revision } = bootstrap;
  const put: Item = { ...BOOTSTRAP, v: FORMAT, operation, time, revision };
  const repair = { how: "The mark is written from the log.", by: [createCorrection(undefined, put)] };
  return [createViolation("bootstrap-mark", BOOTSTRAP, sentence, repair)];
}

/*
 * The violations below are not repaired: only a person can undo or complete the change that caused them.
 */

function* checkUsers({ items, users }: Accounts): Generator<Violation> {
  for (const user of users) {
    const { key, sk } = user;
    if (sk !== userKey(key).sk) yield createViolation("account-misplaced", user, `the user ${key} is stored as ${sk}`);
    if (!items.has(actorKey(BUILT_IN, key).sk))
      yield createViolation("user-without-actor", user, `the user ${key} has no actor`);
    if (!items.has(passwordKey(key).sk))
      yield createViolation("password-unpaired", passwordKey(key), `the user ${key} has no password`);
  }
  const names = new Set(users.map(({ key }) => passwordKey(key).sk));
  for (const item of items.values()) {
    if (item.sk.startsWith(ACCOUNTS.password) && !names.has(item.sk))
      yield createViolation("password-unpaired", item, `the password ${item.sk} has no user`);
  }
}

function* checkActors({ items, actors, roles }: Accounts, { removals }: AccountLog): Generator<Violation> {
  // A deleted role stays in its actors and grants nothing.
  const ids = new Set([...roles.map(({ id }) => id), ...removals]);
  for (const actor of actors) {
    const { id, sk, issuer, subject, tokenEpoch } = actor;
    if (sk !== actorKey(issuer, subject).sk)
      yield createViolation("account-misplaced", actor, `the actor ${id} is stored under another subject`);
    if (issuer === BUILT_IN && !isServiceAccount(actor) && !items.has(userKey(subject).sk))
      yield createViolation("actor-without-user", actor, `the actor ${id} has no user ${subject}`);
    for (const role of actor.roles) {
      if (!ids.has(role))
        yield createViolation("role-unknown", actor, `the actor ${id} has the role ${role}, which never existed`);
    }
    const password = issuer === BUILT_IN ? items.get(passwordKey(subject).sk) : undefined;
    if (!password || password.epoch === tokenEpoch) continue;
    const sentence = `the password of ${subject} has epoch ${password.epoch}, but the actor's tokens have epoch ${tokenEpoch}; set a new password for the user`;
    yield createViolation("password-epoch", passwordKey(subject), sentence);
  }
}

function* checkTokens({ actors, tokens }: Accounts): Generator<Violation> {
  const ids = new Set(actors.map(({ id }) => id));
  for (const token of tokens) {
    const { id, sk, owner } = token;
    if (sk !== apiTokenKey(owner, id).sk)
      yield createViolation("account-misplaced", token, `the API token ${id} is stored as ${sk}`);
    if (!ids.has(owner)) yield createViolation("token-without-actor", token, `the API token ${id} belongs to no actor`);
  }
}

function* checkRoles({ items, roles }: Accounts): Generator<Violation> {
  for (const name of ["id", "key"] as const) {
    const all = roles.map((role) => role[name]);
    const conflict = all.find((value, i) => all.indexOf(value) !== i);
    if (conflict !== undefined) yield createViolation("role-repeated", ROLES, `two roles have the ${name} ${conflict}`);
  }
  const sortById = (list: readonly RoleRights[]) => list.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  // The item is written with the first administrator.
  const itemRoles = sortById(parseRolesItem(items.get(ROLES.sk)));
  if (!isDeepStrictEqual(itemRoles, sortById(roles.map(toRolePermissions))))
    yield createViolation("roles-judged", ROLES, "the item with all roles differs from the stored roles");
}

function* checkIds({ ids, users, actors, roles, tokens }: Accounts): Generator<Violation> {
  const accounts = new Map([...users, ...actors, ...roles, ...tokens].map((item) => [item.id, item]));
  for (const item of accounts.values()) {
    const idItem = ids.get(item.id);
    if (idItem?.at === item.sk) continue;
    const sentence = `the id ${item.id} leads to ${idItem?.at ?? "nothing"}; its account is at ${item.sk}`;
    yield createViolation("account-id", toIdKey(ACCOUNTS_LEDGER, item.id), sentence);
  }
  for (const item of ids.values()) {
    if (!accounts.has(item.sk))
      yield createViolation("account-id", item, `the id ${item.sk} leads to ${item.at}, but no account has this id`);
  }
}

/** Finds operations without an audit entry. `operations` has the time of each. */
async function checkAudit(
  table: RetryingTable,
  runtime: Runtime,
  operations: ReadonlyMap<string, string>,
): Promise<Violation[]> {
  // DynamoDB may remove expired items at any time, by its own clock.
  const oldest = runtime.now() - (LIMITS.auditDays - 1) * DAY_MS;
  const entries = [...operations].filter(([, time]) => Date.parse(time) > oldest);
  const keys = entries.map(([operation, time]) => auditKey(time, operation));
  const foundKeys = new Set((await table.batchGet(keys)).map(({ sk }) => sk));
  const missing = keys.filter(({ sk }) => !foundKeys.has(sk));
  return missing.map((key) => {
    const sentence = `the operation ${key.sk} is in the log of accounts, but not in the audit log`;
    return createViolation("audit-missing", key, sentence);
  });
}

interface Accounts {
  readonly items: ReadonlyMap<string, Item>;
  readonly ids: ReadonlyMap<string, Item>;
  readonly users: readonly (Item & User)[];
  readonly actors: readonly (Item & Actor)[];
  readonly roles: readonly (Item & AuthRole)[];
  readonly tokens: readonly (Item & ApiToken)[];
}

async function readAccounts(table: Table): Promise<Accounts> {
  const { model, generation } = ACCOUNTS_LEDGER;
  const items = await readBySortKey(table, IDENTITY);
  const ids = await readBySortKey(table, idsPartition(model, generation));
  // The sort key contains the kind of an item.
  const select = <T>(prefix: string): (Item & T)[] =>
    [...items.values()].filter(({ sk }) => sk.startsWith(prefix)) as (Item & T)[];
  return {
    items,
    ids,
    users: select<User>(ACCOUNTS.user),
    actors: select<Actor>(ACCOUNTS.actor),
    roles: select<AuthRole>(ACCOUNTS.role),
    tokens: select<ApiToken>(ACCOUNTS.token),
  };
}

async function readBySortKey(table: Table, pk: string): Promise<ReadonlyMap<string, Item>> {
  const items = await Array.fromAsync(readItems(table, { pk }));
  return new Map(items.map((item) => [item.sk, item]));
}

interface LoggedAccount {
  readonly kind: string;
  readonly id: string;
  readonly at: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

interface AccountLog {
  readonly violations: readonly Violation[];
  readonly accounts: readonly LoggedAccount[];
  readonly removals: ReadonlySet<string>;
  readonly bootstrap: LogEntry | undefined;
  readonly blobs: ReadonlySet<string>;
  readonly operations: ReadonlyMap<string, string>;
}

const BOOTSTRAP_ACTION = "auth/admin_bootstrap";

async function readAccountLog(table: Table): Promise<AccountLog> {
  const violations: Violation[] = [];
  const accounts = new Map<string, LoggedAccount>();
  const removals = new Set<string>();
  const operations = new Map<string, string>();
  const blobs = new Set<string>();
  let bootstrap: LogEntry | undefined;
  for await (const entry of readOrderedLog(table, IDENTITY, violations)) {
    operations.set(entry.operation, entry.time);
    if (entry.blob !== undefined) blobs.add(entry.blob);
    if (entry.actions.includes(BOOTSTRAP_ACTION)) bootstrap ??= entry;
    for (const { does, kind, id, at, after } of entry.changes ?? []) {
      if (does === "delete") {
        accounts.delete(id);
        removals.add(id);
        continue;
      }
      accounts.set(id, { kind, id, at, fields: { ...accounts.get(id)?.fields, ...after } });
    }
  }
  return { violations, accounts: [...accounts.values()], removals, bootstrap, blobs, operations };
}
