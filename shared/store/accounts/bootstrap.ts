import type { Call, Runtime } from "../../actions/contract/call.ts";
import { REOPEN_ACT } from "../../domain/accounts/audit.ts";
import { LIMITS } from "../../domain/limits.ts";
import { type Change, createChange } from "../../domain/model/changes.ts";
import { Problem } from "../../domain/problems.ts";
import type { FirstAdministrator, FurtherAdministrator } from "../../identity/accounts.ts";
import { createAuditWrite, toAuditItem, toPasswordItem } from "../commit/account-writes.ts";
import { sendCommit } from "../commit/commit.ts";
import { createTransaction } from "../commit/transaction.ts";
import { createLedgerWrites, type PlannedWrite } from "../commit/writes.ts";
import { createLogEntry, readNewestEntries, toLogChange, toLogItem } from "../log/log.ts";
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
