import { createHash } from "node:crypto";
import type { Origin, RecordedCall, Runtime } from "../../actions/contract/call.ts";
import { ANY_NAME } from "../../domain/accounts/account-types.ts";
import {
  applyClaims,
  createActor,
  createManagedRoles,
  type ExternalProfile,
  hashActorKey,
  hashRoleKey,
  hasNewerClaims,
  toClaimedMembers,
} from "../../domain/accounts/actors.ts";
import { type AuditActor, type AuditEntry, REOPEN_ACT, type SignIn } from "../../domain/accounts/audit.ts";
import { NO_RIGHTS } from "../../domain/accounts/principal.ts";
import { LIMITS } from "../../domain/limits.ts";
import { type Change, createChange, updateChanges } from "../../domain/model/changes.ts";
import { includeMember } from "../../domain/model/content.ts";
import type { Actor, AuthRole, User } from "../../domain/model/objects.ts";
import { BUILT_IN } from "../../domain/permissions.ts";
import { Problem } from "../../domain/problems.ts";
import type {
  Account,
  Attempts,
  AttemptsOf,
  NewAdministrator,
  RoleRights,
  SeenAttempts,
} from "../../identity/accounts.ts";
import { createAuditWrite, toAuditItem, toPasswordItem } from "../commit/account-writes.ts";
import { commitInOneTransaction, createTransaction, sendCommit } from "../commit/commit.ts";
import { createLedgerWrites } from "../commit/writes.ts";
import { createLogEntry, readNewestEntries, toLogChange, toLogItem } from "../log/log.ts";
import { openIdentity } from "../read/open.ts";
import type { StoreContext } from "../read/view.ts";
import { toObject } from "../table/items.ts";
import {
  ACCOUNTS_LEDGER,
  actorKey,
  attemptsKey,
  auditKey,
  BOOTSTRAP,
  IDENTITY,
  type ItemKey,
  knownNetworkKey,
  passwordKey,
  ROLES,
  refusalsKey,
  userKey,
} from "../table/keys.ts";
import {
  createNoAnswerProblem,
  createRetryingTable,
  createRetryPolicy,
  MAX_REPEATS,
  toRetryProblem,
} from "../table/retry.ts";
import { parseRolesItem, toRolePermissions, toRolesItem } from "../table/roles-item.ts";
import {
  ConditionFailed,
  Contention,
  type Expectation,
  FORMAT,
  type Item,
  OutcomeUnknown,
  type Table,
  tryWrite,
  type Write,
} from "../table/table.ts";
import { TABLE } from "../table/table-schema.ts";

/** See `AccountStore.createFirstAdministrator`. */
export async function createFirstAdministrator(
  context: StoreContext,
  first: NewAdministrator,
  call: RecordedCall,
): Promise<"done" | "used"> {
  return createAdministrator(context, first, call, (mark) => (mark ? undefined : { absent: true }));
}

/** See `AccountStore.createFurtherAdministrator`. */
export async function createFurtherAdministrator(
  context: StoreContext,
  further: NewAdministrator,
  digest: string,
  call: RecordedCall,
): Promise<"done" | "used"> {
  return createAdministrator(context, further, call, (mark) =>
    mark && findReopeningDigest(mark, context.runtime) === digest
      ? { equal: { operation: String(mark.operation), reopened: digest } }
      : undefined,
  );
}

async function createAdministrator(
  { table, runtime, retryPolicy }: StoreContext,
  { user, actor: newActor, signIn, passwordHash, managedRoles }: NewAdministrator,
  call: RecordedCall,
  mayStill: (mark: Item | undefined) => Expectation | undefined,
): Promise<"done" | "used"> {
  for (let repeats = 0; ; repeats++) {
    const stored = await table.batchGet([BOOTSTRAP, ROLES]);
    const [mark, rolesItem] = [BOOTSTRAP, ROLES].map(({ sk }) => stored.find((item) => item.sk === sk));
    if (mark?.operation === call.operationId) return "done";
    const expect = mayStill(mark);
    if (!expect) return "used";
    if (runtime.now() >= call.deadline) {
      throw new Problem("out_of_time", "the store did not answer in time; try again", { retryAfter: 1 });
    }
    const revision = ((await readNewestEntries(table, IDENTITY, 1))[0]?.revision ?? 0) + 1;
    const storedRoles = parseRolesItem(rolesItem);
    const roles = storedRoles.length > 0 ? [] : managedRoles;
    const rights = [...storedRoles, ...roles.map(toRolePermissions)];
    const isAdmin = ({ keyDigest }: RoleRights) => keyDigest === hashRoleKey("admin");
    const actor: Actor = { ...newActor, roles: rights.filter(isAdmin).map(({ id }) => id) };
    const { model, generation } = ACCOUNTS_LEDGER;
    const changes = [user, actor, ...roles].map((object): Change => createChange(object));
    const facts = { key: model, generation, state: "live" as const };
    const log = toLogItem(IDENTITY, createLogEntry(revision, facts, call, changes.map(toLogChange)));
    const writes: Write[] = [
      ...createLedgerWrites(ACCOUNTS_LEDGER, { changes }, revision, call),
      // Items that are not objects: the mark, the hash, and the item with all roles.
      { put: { ...BOOTSTRAP, v: FORMAT, operation: call.operationId, time: call.time, revision }, expect },
      { put: toPasswordItem(user.key, passwordHash, actor.tokenEpoch ?? 0), expect: { absent: true } },
      ...(roles.length > 0 ? [{ put: toRolesItem(rights, revision), expect: ABSENT }] : []),
      createAuditWrite(call, changes, { id: actor.id, subject: actor.subject }, signIn),
    ];
    const transaction = createTransaction(table, log, { writes, before: [] }, undefined, 0);
    const outcome = await sendCommit(table, IDENTITY, revision, transaction, call);
    if (typeof outcome === "object") return "done";
    await retryPolicy.pause(repeats);
  }
}

const ABSENT = { absent: true } as const;

/** Time when the secret of a reopening expires, or "never_used" without a first administrator. */
export type Reopening = { readonly until: string } | "never_used";

/** Returns the digest of the secret that reopens the bootstrap, if it is open. */
export function findReopeningDigest(mark: Item, { now }: Pick<Runtime, "now">): string | undefined {
  return typeof mark.reopened === "string" && Number(mark.reopenedUntil) > now() ? mark.reopened : undefined;
}

/** Reopens the bootstrap for a secret, with an audit entry. An earlier secret becomes invalid. */
export async function reopenBootstrap(plainTable: Table, runtime: Runtime, digest: string): Promise<Reopening> {
  const table = createRetryingTable(plainTable, createRetryPolicy(runtime));
  const now = runtime.now();
  const until = now + LIMITS.reopenedHours * 3_600_000;
  const fields = { act: REOPEN_ACT, outcome: "ok", channel: "operator" } as const;
  const item = toAuditItem(auditKey(new Date(now).toISOString(), runtime.newId()), fields);
  for (let repeats = 0; ; repeats++) {
    const mark = await table.get(BOOTSTRAP);
    if (!mark) return "never_used";
    if (mark.reopened === digest && mark.reopenedUntil === until) return { until: new Date(until).toISOString() };
    const writes: readonly Write[] = [
      {
        put: { ...mark, reopened: digest, reopenedUntil: until },
        expect: { equal: { operation: String(mark.operation) } },
      },
      { put: item, expect: { absent: true } },
    ];
    try {
      await table.transactWrite(writes);
    } catch (error) {
      // The next read shows whether it was written.
      if (!(error instanceof OutcomeUnknown || error instanceof ConditionFailed) || repeats >= MAX_LOOKS) throw error;
    }
  }
}

const MAX_LOOKS = 5;

/** See `AccountStore.provisionActor`. Of many first calls one creates the actor. Throws `contention`, `out_of_time`. */
export async function provisionActor(context: StoreContext, profile: ExternalProfile, origin: Origin): Promise<Actor> {
  const { runtime, retryPolicy } = context;
  const id = runtime.newId();
  const giveUp = Math.min(origin.deadline, runtime.now() + LIMITS.contentionMs);
  for (let repeats = 0; ; repeats++) {
    const view = await openIdentity(context);
    const match = await view.find("actor", { scheme: "key", value: hashActorKey(profile.issuer, profile.subject) });
    if (match && !hasNewerClaims(profile, match)) return match;
    const time = new Date(runtime.now()).toISOString();
    const storedRoles = match ? [] : (await view.list("role")).items;
    const newRoles = match || storedRoles.length > 0 ? [] : createManagedRoles({ time, nextId: runtime.newId });
    // A late commit of this call is found like that of another call: by the actor it created.
    const actor = applyClaims(match ?? createNewActor(storedRoles, profile, id, time), profile);
    const call = createCall(actor, match ? "auth/new_claims" : "auth/first_sight", time, origin, runtime);
    const changes = match
      ? updateChanges(match, toClaimedMembers(profile, match))
      : [actor, ...newRoles].map((object): Change => createChange(object));
    const outcome = view.stale ? "conflict" : await commitInOneTransaction(context, view, { changes }, call);
    if (typeof outcome === "object") return actor;
    if (runtime.now() >= giveUp) throw createTooLateProblem(outcome === "unknown");
    await retryPolicy.pause(repeats);
  }
}

function createNewActor(storedRoles: readonly AuthRole[], profile: ExternalProfile, id: string, time: string): Actor {
  const { issuer, subject } = profile;
  const roles = storedRoles.filter((role) => role.autoAssign).map((role) => role.id);
  return { ...createActor({ issuer, subject, fullname: subject }, { time, nextId: () => id }), roles };
}

function createCall(actor: Actor, action: string, time: string, origin: Origin, runtime: Runtime): RecordedCall {
  const { id: actorId, issuer, subject, fullname, claimedRoles = [] } = actor;
  const principal = { actorId, issuer, subject, fullname, claimedRoles, ...NO_RIGHTS };
  const { requestId, channel, deadline } = origin;
  const { newId: nextId, now, sleep } = runtime;
  return {
    ...{ requestId, channel, deadline, now, sleep, principal, nextId, action, time },
    operationId: nextId(),
    repeat: () => undefined,
    newId: nextId,
  };
}

function createTooLateProblem(isUnknown: boolean): Problem {
  const retryAfter = 1;
  return isUnknown
    ? new Problem("out_of_time", "the store did not confirm your account; try again", { retryAfter })
    : new Problem("contention", "too many new callers at the same time; try again", { retryAfter });
}

/** Hashes the typed username, because it may be a password typed by mistake. */
function hashLoginName({ name, network }: AttemptsOf) {
  return createHash("sha256")
    .update(JSON.stringify(network === undefined ? [name] : [name, network]))
    .digest("base64url");
}

/** See `AccountStore.account`. */
export async function readAccount({ table }: StoreContext, username: string): Promise<Account | undefined> {
  const keys = [userKey(username), passwordKey(username), actorKey(BUILT_IN, username)];
  const account = toAccount(keys, await table.batchGet(keys));
  if (account !== "torn") return account;
  // Only a part of a change is visible. The transactional read waits for all of it.
  const snapshot = toAccount(keys, await table.transactGet(keys));
  return snapshot === "torn" ? undefined : snapshot;
}

/** Builds the account from its three items. Returns "torn" if they are of different points in time. */
function toAccount(keys: readonly ItemKey[], items: readonly (Item | undefined)[]): Account | "torn" | undefined {
  const [user, password, actor] = keys.map(({ sk }) => items.find((item) => item?.sk === sk));
  if (!user && !password && !actor) return undefined;
  if (!user || !password || !actor) return "torn";
  // The sort keys contain the kinds.
  const { id, key: username, fullname } = toObject(user) as User;
  const { id: actorId, tokenEpoch = 0, disabledAt } = toObject(actor) as Actor;
  // The actor's epoch and its `disabledAt` change together. A password with the same epoch is of the same point in
  // time.
  if (password.epoch !== tokenEpoch) return "torn";
  const passwordHash = String(password.hash);
  return { id, actorId, username, fullname, passwordHash, tokenEpoch, ...includeMember("disabledAt", disabledAt) };
}

/** See `AccountStore.attempts`. */
export async function readAttempts({ table, runtime }: StoreContext, id: Required<AttemptsOf>): Promise<SeenAttempts> {
  const keys = [
    attemptsKey(hashLoginName(id)),
    attemptsKey(hashLoginName({ name: id.name })),
    attemptsKey(hashLoginName({ ...id, ...ANY_NAME })),
    knownNetworkKey(hashLoginName(id)),
  ];
  const items = await table.batchGet(keys);
  const now = getSeconds(runtime);
  const [sourceItem, nameItem, networkItem, knownItem] = keys.map(({ pk, sk }) => {
    const item = items.find((one) => one.pk === pk && one.sk === sk);
    // DynamoDB deletes expired items days later.
    return item && Number(item[TABLE.timeToLive]) >= now ? item : undefined;
  });
  const knownUntil = knownItem && Number(knownItem[TABLE.timeToLive]);
  const [here, anywhere, ofNetwork] = [sourceItem, nameItem, networkItem].map(toAttempts);
  return { here, anywhere, ofNetwork, knownUntil };
}

function toAttempts(item: Item | undefined): Attempts | undefined {
  if (!item) return undefined;
  // Written by `noteAttempt`.
  const { failures, notBefore, expiresAt } = item as unknown as Attempts;
  return { failures, notBefore, expiresAt };
}

/** See `AccountStore.noteAttempt`. */
export async function noteAttempt(
  context: StoreContext,
  source: AttemptsOf,
  before: Attempts | undefined,
  after: Attempts | undefined,
): Promise<boolean> {
  const key = attemptsKey(hashLoginName(source));
  const { failures = 0, notBefore = 0 } = before ?? {};
  const expect = before
    ? { equal: { failures, notBefore } }
    : // DynamoDB deletes expired items days later.
      { absentOrExpired: getSeconds(context.runtime) };
  if (!after) return sendWrite(context, { delete: key, expect });
  const { expiresAt, ...fields } = after;
  return sendWrite(context, { put: { ...key, v: FORMAT, ...fields, [TABLE.timeToLive]: expiresAt }, expect });
}

/** See `AccountStore.forgetAttempts`. */
export async function forgetAttempts(context: StoreContext, source: AttemptsOf): Promise<void> {
  await sendWrite(context, { delete: attemptsKey(hashLoginName(source)), expect: { anything: true } });
}

/** See `AccountStore.noteNetwork`. */
export async function noteNetwork(context: StoreContext, source: AttemptsOf): Promise<void> {
  const expiresAt = getSeconds(context.runtime) + LIMITS.knownNetworkDays * 86_400;
  const put = { ...knownNetworkKey(hashLoginName(source)), v: FORMAT, [TABLE.timeToLive]: expiresAt };
  await sendWrite(context, { put, expect: { anything: true } });
}

/** See `AccountStore.replaceHash`. */
export async function replaceHash(
  context: StoreContext,
  { username, passwordHash: hash, tokenEpoch: epoch }: Account,
  after: string,
): Promise<void> {
  await sendWrite(context, { put: toPasswordItem(username, after, epoch), expect: { equal: { hash, epoch } } });
}

/** Sends a write. Returns false if its expectation failed. Throws `unavailable` if it got no answer. */
export async function sendWrite({ table }: StoreContext, write: Write): Promise<boolean> {
  try {
    return await tryWrite(() => table.write(write));
  } catch (error) {
    throw error instanceof OutcomeUnknown ? createNoAnswerProblem() : error;
  }
}

function getSeconds({ now }: StoreContext["runtime"]) {
  return Math.floor(now() / 1000);
}

/** See `AccountStore.noteLogin`. */
export async function noteLogin(
  context: StoreContext,
  actor: AuditActor,
  call: RecordedCall,
  signIn?: SignIn,
): Promise<void> {
  // A failed expectation means that an earlier attempt without an answer has written the entry.
  await sendWrite(context, createAuditWrite(call, [], actor, signIn));
}

/** See `AccountStore.noteRefusal`. Unknown names share counters. */
export async function noteRefusal(
  context: StoreContext,
  actor: AuditActor | undefined,
  { action: act, time, source }: RecordedCall,
): Promise<void> {
  const hour = `${time.slice(0, 13)}:00:00.000Z`;
  for (let repeats = 0; repeats < MAX_REPEATS; repeats++) {
    const key = refusalsKey(hour, act, actor?.subject, repeats);
    const before = await context.table.get(key);
    const put = toAuditItem(key, {
      act,
      outcome: "refused",
      ...includeMember("actor", actor),
      ...includeMember("address", source?.address),
      ...raiseCount(before, time),
    });
    const count = before?.count;
    const expect = typeof count === "number" ? { equal: { count } } : { absent: true as const };
    if (await sendWrite(context, { put, expect })) return;
    await context.retryPolicy.pause(repeats);
  }
  throw toRetryProblem(new Contention(false));
}

function raiseCount(before: Item | undefined, time: string): Pick<AuditEntry, "count" | "until"> {
  const until = String(before?.until ?? time);
  return { count: Number(before?.count ?? 0) + 1, until: until > time ? until : time };
}
