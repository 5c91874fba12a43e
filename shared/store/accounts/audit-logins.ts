import type { Call } from "../../actions/contract/call.ts";
import type { AuditActor, AuditEntry } from "../../domain/audit.ts";
import { ifDefined } from "../../domain/content.ts";
import { auditItem, auditWrite } from "../commit/audit-items.ts";
import { refusalsKey } from "../table/keys.ts";
import { MOST_REPEATS, problemOf } from "../table/retry.ts";
import { Contended, type Item } from "../table/table.ts";
import type { AccountContext } from "./account-bootstrap.ts";
import { send } from "./account-logins.ts";

/** See `AccountStore.noteLogin`. */
export async function noteLogin(context: AccountContext, who: AuditActor, call: Call): Promise<void> {
  // A refused write means that an earlier try, whose answer was lost, has written the entry.
  await send(context, auditWrite(call, [], who).write);
}

/**
 * See `AccountStore.noteRefusal`. Names without a user share one count, so that of many at once each loser goes on to the
 * next lane.
 */
export async function noteRefusal(
  context: AccountContext,
  who: AuditActor | undefined,
  { action: act, time }: Call,
): Promise<void> {
  const hour = `${time.slice(0, 13)}:00:00.000Z`;
  for (let repeats = 0; repeats < MOST_REPEATS; repeats++) {
    const key = refusalsKey(hour, act, who?.subject, repeats);
    const before = await context.table.get(key);
    const put = auditItem(key, { act, outcome: "refused", ...ifDefined("actor", who), ...counted(before, time) });
    const count = before?.count;
    const expect = typeof count === "number" ? { equal: { count } } : { absent: true as const };
    if (await send(context, { put, expect })) return;
    await context.retryPolicy.pause(repeats);
  }
  throw problemOf(new Contended(false));
}

/** The count raised by one, and the time of the latest refusal. */
function counted(before: Item | undefined, time: string): Pick<AuditEntry, "count" | "until"> {
  const until = String(before?.until ?? time);
  return { count: Number(before?.count ?? 0) + 1, until: until > time ? until : time };
}
