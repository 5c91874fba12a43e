import type { Ambient, Call } from "../../actions/contract/call.ts";
import { type Change, create } from "../../domain/change.ts";
import { Problem } from "../../domain/problems.ts";
import type { FirstAdministrator, FurtherAdministrator } from "../../identity/accounts.ts";
import { passwordItem } from "../commit/account-writes.ts";
import { auditWrite } from "../commit/audit-items.ts";
import { sendCommit } from "../commit/commit.ts";
import { transactionOf } from "../commit/transaction.ts";
import { type GuardedWrite, writesOf } from "../commit/writes.ts";
import { logChange, logEntry, logItem, newestEntries } from "../log/log.ts";
import { judgedBy, judgedItem } from "../table/judged-item.ts";
import { ACCOUNTS_LEDGER, BOOTSTRAP, IDENTITY } from "../table/keys.ts";
import type { RetryingTable, RetryPolicy } from "../table/retry.ts";
import { type Expectation, FORMAT, type Item } from "../table/table.ts";
import { reopenedBy } from "./reopening.ts";

/** The dependencies of the account store. */
export interface AccountContext {
  readonly table: RetryingTable;
  readonly ambient: Ambient;
  readonly retryPolicy: RetryPolicy;
}

/** See `AccountStore.createFirstAdministrator`. */
export async function createFirstAdministrator(
  context: AccountContext,
  first: FirstAdministrator,
  call: Call,
): Promise<"done" | "used"> {
  return bootstrapped(context, first, first.roles, call, (mark) => (mark ? undefined : { absent: true }));
}

/** See `AccountStore.createFurtherAdministrator`. */
export async function createFurtherAdministrator(
  context: AccountContext,
  further: FurtherAdministrator,
  digest: string,
  call: Call,
): Promise<"done" | "used"> {
  return bootstrapped(context, further, [], call, (mark) =>
    mark && reopenedBy(mark, context.ambient) === digest
      ? { equal: { operation: String(mark.operation), reopened: digest } }
      : undefined,
  );
}

/**
 * Makes an administrator, unless the bootstrap is closed. `mayStill` gives the expectation of the mark; undefined where
 * the bootstrap is closed.
 */
async function bootstrapped(
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
    const revision = ((await newestEntries(table, IDENTITY, 1))[0]?.revision ?? 0) + 1;
    const { model, generation } = ACCOUNTS_LEDGER;
    const changes = [user, actor, ...roles].map((object): Change => create(object));
    const facts = { key: model, generation, state: "live" as const };
    const log = logItem(IDENTITY, logEntry(revision, facts, call, changes.map(logChange)));
    const writes: GuardedWrite[] = [
      ...writesOf(ACCOUNTS_LEDGER, { changes }, revision, call),
      // The items that are no objects: the mark, the hash, and the item with all roles.
      { write: { put: { ...BOOTSTRAP, v: FORMAT, operation: call.operationId, time: call.time, revision }, expect } },
      { write: { put: passwordItem(user.key, passwordHash, actor.tokenEpoch ?? 0), expect: { absent: true } } },
      ...(roles.length > 0 ? [rolesWrite(roles, revision)] : []),
      auditWrite(call, changes, { id: actor.id, subject: actor.subject }),
    ];
    const transaction = transactionOf(table, log, { writes, before: [] }, undefined, 0);
    const outcome = await sendCommit(table, IDENTITY, revision, transaction, call);
    if (typeof outcome === "object") return "done";
    await retryPolicy.pause(repeats);
  }
}

function rolesWrite(roles: FirstAdministrator["roles"], revision: number): GuardedWrite {
  return { write: { put: judgedItem(roles.map(judgedBy), revision), expect: { absent: true } } };
}
