import type { Ambient, Call } from "../actions/call.ts";
import { create } from "../domain/change.ts";
import type { AnyObject } from "../domain/objects.ts";
import { Problem } from "../domain/problems.ts";
import type { FirstAdministrator } from "../identity/accounts.ts";
import { judgedBy, passwordItem } from "./account-writes.ts";
import { sendCommit } from "./commit.ts";
import { ACCOUNTS_LEDGER, BOOTSTRAP, IDENTITY, ROLES } from "./keys.ts";
import { logChange, logEntry, logItem, newestEntries } from "./log.ts";
import { payForRepeat } from "./patience.ts";
import { FORMAT, type Item, type Seam } from "./seam.ts";
import type { Waiting } from "./waiting.ts";
import { type GuardedWrite, writesOf } from "./writes.ts";

/** What the account store works on. */
export interface AccountGround {
  readonly seam: Seam;
  readonly ambient: Ambient;
  readonly waiting: Waiting;
}

/** See `AccountStore.createFirstAdministrator`. */
export async function createFirstAdministrator(
  { seam, ambient, waiting }: AccountGround,
  first: FirstAdministrator,
  call: Call,
): Promise<"done" | "used"> {
  for (let repeats = 0; ; repeats++) {
    const mark = await seam.get(BOOTSTRAP);
    if (mark) return mark.operation === call.operationId ? "done" : "used";
    if (ambient.now() >= call.deadline) {
      throw new Problem("out_of_time", "the store did not answer in time; try again", { retryAfter: 1 });
    }
    const revision = ((await newestEntries(seam, IDENTITY, 1))[0]?.revision ?? 0) + 1;
    const { model, generation } = ACCOUNTS_LEDGER;
    const changes = madeBy(first).map((object) => create(object));
    const facts = { key: model, generation, state: "live" as const };
    const log = logItem(IDENTITY, logEntry(revision, facts, call, changes.map(logChange)));
    const writes = [...writesOf(ACCOUNTS_LEDGER, { changes }, revision, call), ...beside(first, revision, call)];
    const outcome = await sendCommit(seam, IDENTITY, log, writes, call);
    if (typeof outcome === "object") return "done";
    if (outcome === "throttled") payForRepeat(waiting);
    await waiting.pause(repeats);
  }
}

function madeBy({ user, actor, roles }: FirstAdministrator): readonly AnyObject[] {
  return [user, actor, ...roles];
}

/** What is no object: the mark, the hash, and all roles in one item. */
function beside({ user, passwordHash, roles }: FirstAdministrator, revision: number, call: Call): GuardedWrite[] {
  const put = (item: Item): GuardedWrite => ({ write: { put: item, expect: { absent: true } } });
  return [
    put({ ...BOOTSTRAP, v: FORMAT, operation: call.operationId, time: call.time, revision }),
    put(passwordItem(user.key, passwordHash)),
    put({ ...ROLES, v: FORMAT, roles: roles.map(judgedBy), revision }),
  ];
}
