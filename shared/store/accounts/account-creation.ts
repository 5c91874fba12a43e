import type { Call, Origin, Runtime } from "../../actions/contract/call.ts";
import type { ReadView } from "../../actions/contract/view.ts";
import { type ExternalProfile, hashActorKey, hasNewerClaims, toClaimedMembers } from "../../domain/accounts/actors.ts";
import { REOPEN_ACT } from "../../domain/accounts/audit.ts";
import { NO_RIGHTS } from "../../domain/accounts/principal.ts";
import { LIMITS } from "../../domain/limits.ts";
import { type Change, createChange, updateChanges } from "../../domain/model/changes.ts";
import type { Actor } from "../../domain/model/objects.ts";
import { Problem } from "../../domain/problems.ts";
import type { FirstAdministrator, FurtherAdministrator } from "../../identity/accounts.ts";
import { createAuditWrite, toAuditItem, toPasswordItem } from "../commit/account-writes.ts";
import { commitInOneTransaction, sendCommit } from "../commit/commit.ts";
import { createTransaction } from "../commit/transaction.ts";
import { createLedgerWrites, type PlannedWrite } from "../commit/writes.ts";
import { createLogEntry, readNewestEntries, toLogChange, toLogItem } from "../log/log.ts";
import type { StoreContext } from "../read/contexts.ts";
import { openIdentity } from "../read/open.ts";
import { ACCOUNTS_LEDGER, auditKey, BOOTSTRAP, IDENTITY } from "../table/keys.ts";
import { createRetryingTable, createRetryPolicy, type RetryingTable, type RetryPolicy } from "../table/retry.ts";
import { toRolePermissions, toRolesItem } from "../table/roles-item.ts";
import {
  ConditionFailed,
  type Expectation,
  FORMAT,
  type Item,
  OutcomeUnknown,
  type Table,
  type Write,
} from "../table/table.ts";

/** Dependencies of the account store. */
export interface AccountContext {
  readonly table: RetryingTable;
  readonly ambient: Runtime;
  readonly retryPolicy: RetryPolicy;
}

/** See `AccountStore.createFirstAdministrator`. */
export async function createFirstAdministrator(
  context: AccountContext,
  first: FirstAdministrator,
  call: Call,
): Promise<"done" | "used"> {
  return createAdministrator(context, first, first.roles, call, (mark) => (mark ? undefined : { absent: true }));
}

/** See `AccountStore.createFurtherAdministrator`. */
export async function createFurtherAdministrator(
  context: AccountContext,
  further: FurtherAdministrator,
  digest: string,
  call: Call,
): Promise<"done" | "used"> {
  return createAdministrator(context, further, [], call, (mark) =>
    mark && findReopeningDigest(mark, context.ambient) === digest
      ? { equal: { operation: String(mark.operation), reopened: digest } }
      : undefined,
  );
}

/**
 * Creates an administrator unless the bootstrap is closed. `mayStill` returns the expectation for the mark; undefined
 * if the bootstrap is closed.
 */
async function createAdministrator(
  { table, ambient, retryPolicy }: AccountContext,
  { user, actor, passwordHash }: FurtherAdministrator,
  roles: FirstAdministrator["roles"],
  call: Call,
  mayStill: (mark: Item | undefined) => Expectation | undefined,
): Promise<"done" | "used"> {
  for (let repeats = 0; ; repeats++) {
    const mark = await table.get(BOOTSTRAP);
    if (mark?.operation === call.operationId) return "done";
    const expect = mayStill(mark);
    if (!expect) return "used";
    if (ambient.now() >= call.deadline) {
      throw new Problem("out_of_time", "the store did not answer in time; try again", { retryAfter: 1 });
    }
    const revision = ((await readNewestEntries(table, IDENTITY, 1))[0]?.revision ?? 0) + 1;
    const { model, generation } = ACCOUNTS_LEDGER;
    const changes = [user, actor, ...roles].map((object): Change => createChange(object));
    const facts = { key: model, generation, state: "live" as const };
    const log = toLogItem(IDENTITY, createLogEntry(revision, facts, call, changes.map(toLogChange)));
    const writes: PlannedWrite[] = [
      ...createLedgerWrites(ACCOUNTS_LEDGER, { changes }, revision, call),
      // Items that are not objects: the mark, the hash, and the item with all roles.
      { write: { put: { ...BOOTSTRAP, v: FORMAT, operation: call.operationId, time: call.time, revision }, expect } },
      { write: { put: toPasswordItem(user.key, passwordHash, actor.tokenEpoch ?? 0), expect: { absent: true } } },
      ...(roles.length > 0 ? [createRolesWrite(roles, revision)] : []),
      createAuditWrite(call, changes, { id: actor.id, subject: actor.subject }),
    ];
    const transaction = createTransaction(table, log, { writes, before: [] }, undefined, 0);
    const outcome = await sendCommit(table, IDENTITY, revision, transaction, call);
    if (typeof outcome === "object") return "done";
    await retryPolicy.pause(repeats);
  }
}

function createRolesWrite(roles: FirstAdministrator["roles"], revision: number): PlannedWrite {
  return { write: { put: toRolesItem(roles.map(toRolePermissions), revision), expect: { absent: true } } };
}

/** Outcome of a reopening: the time when its secret expires, or "never_used" if there was no first administrator. */
export type Reopened = { readonly until: string } | "never_used";

/** Returns the digest of the secret that reopens the bootstrap; undefined if it is closed. */
export function findReopeningDigest(mark: Item, { now }: Pick<Runtime, "now">): string | undefined {
  return typeof mark.reopened === "string" && Number(mark.reopenedUntil) > now() ? mark.reopened : undefined;
}

/**
 * Reopens the bootstrap for the secret of a digest and writes an audit entry. An earlier secret becomes invalid.
 * Existing accounts and the secret of the deployment stay unchanged.
 */
export async function reopenBootstrap(plainTable: Table, ambient: Runtime, digest: string): Promise<Reopened> {
  const table = createRetryingTable(plainTable, createRetryPolicy(ambient));
  const now = ambient.now();
  const until = now + LIMITS.reopenedHours * 3_600_000;
  const fields = { act: REOPEN_ACT, outcome: "ok", channel: "operator" } as const;
  const audited = toAuditItem(auditKey(new Date(now).toISOString(), ambient.newId()), fields);
  for (let repeats = 0; ; repeats++) {
    const mark = await table.get(BOOTSTRAP);
    if (!mark) return "never_used";
    if (mark.reopened === digest && mark.reopenedUntil === until) return { until: new Date(until).toISOString() };
    const writes: readonly Write[] = [
      {
        put: { ...mark, reopened: digest, reopenedUntil: until },
        expect: { equal: { operation: String(mark.operation) } },
      },
      { put: audited, expect: { absent: true } },
    ];
    try {
      await table.transactWrite(writes);
    } catch (error) {
      // The next read shows whether it was written.
      if (!(error instanceof OutcomeUnknown || error instanceof ConditionFailed) || repeats >= MAX_LOOKS) throw error;
    }
  }
}

/** Reads of the mark before an unclear result is an error. */
const MAX_LOOKS = 5;

/**
 * See `AccountStore.provisionActor`. A normal commit whose author is the actor itself. Of many first calls at the same
 * time one creates the actor, and all find it. Throws `contention` or `out_of_time` if that takes too long.
 */
export async function provisionActor(context: StoreContext, profile: ExternalProfile, origin: Origin): Promise<Actor> {
  const { ambient, retryPolicy } = context;
  const id = ambient.newId();
  const giveUp = Math.min(origin.deadline, ambient.now() + LIMITS.contentionMs);
  for (let repeats = 0; ; repeats++) {
    const view = await openIdentity(context);
    const known = await view.find("actor", { scheme: "key", value: hashActorKey(profile.issuer, profile.subject) });
    if (known && !hasNewerClaims(profile, known)) return known;
    // A late commit of this call is found like that of another call: by the actor it created.
    const call = createCall(profile, known, id, origin, ambient);
    const actor = known
      ? { ...known, ...toClaimedMembers(profile, known) }
      : await createActor(view, profile, id, call);
    const changes: readonly Change[] = known
      ? updateChanges(known, toClaimedMembers(profile, known))
      : [createChange(toActor(actor))];
    const outcome = view.stale ? "conflict" : await commitInOneTransaction(context, view, { changes }, call);
    if (typeof outcome === "object") return toActor(actor);
    if (ambient.now() >= giveUp) throw createTooLateProblem(outcome === "unknown");
    await retryPolicy.pause(repeats);
  }
}

type Fields = Omit<Actor, "email" | "claimedRoles"> & ReturnType<typeof toClaimedMembers>;

/** Removes the fields that the provider reports as absent. */
function toActor({ email, claimedRoles, ...fields }: Fields): Actor {
  return { ...fields, ...(email !== undefined && { email }), ...(claimedRoles && { claimedRoles }) };
}

async function createActor(view: ReadView, profile: ExternalProfile, id: string, { time }: Call): Promise<Fields> {
  const { issuer, subject } = profile;
  const roles = (await view.list("role")).items.filter((role) => role.autoAssign);
  return {
    kind: "actor",
    id,
    key: hashActorKey(issuer, subject),
    revision: 0,
    issuer,
    subject,
    roles: roles.map((role) => role.id),
    createdAt: time,
    ...toClaimedMembers(profile),
  };
}

function createCall(
  profile: ExternalProfile,
  known: Actor | undefined,
  id: string,
  origin: Origin,
  ambient: Runtime,
): Call {
  const { issuer, subject } = profile;
  const { fullname, claimedRoles = [] } = toClaimedMembers(profile, known);
  const principal = { actorId: known?.id ?? id, issuer, subject, fullname, claimedRoles, ...NO_RIGHTS };
  const { requestId, channel, deadline } = origin;
  const { newId: nextId } = ambient;
  return {
    ...{ requestId, channel, deadline, principal, nextId },
    action: known ? "auth/new_claims" : "auth/first_sight",
    operationId: nextId(),
    time: new Date(ambient.now()).toISOString(),
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
