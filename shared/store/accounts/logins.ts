import { createHash } from "node:crypto";
import type { Call } from "../../actions/contract/call.ts";
import type { AuditActor, AuditEntry } from "../../domain/accounts/audit.ts";
import { BUILT_IN } from "../../domain/accounts/principal.ts";
import { LIMITS } from "../../domain/limits.ts";
import { optionalMember } from "../../domain/model/content.ts";
import type { Actor, User } from "../../domain/model/objects.ts";
import type { Account, Attempts, AttemptsOf, SeenAttempts } from "../../identity/accounts.ts";
import { createAuditWrite, toAuditItem, toPasswordItem } from "../commit/account-writes.ts";
import { toObject } from "../table/items.ts";
import {
  actorKey,
  attemptsKey,
  type ItemKey,
  knownNetworkKey,
  passwordKey,
  refusalsKey,
  userKey,
} from "../table/keys.ts";
import { createNoAnswerProblem, MAX_REPEATS, toRetryProblem } from "../table/retry.ts";
import { Contended, FORMAT, type Item, OutcomeUnknown, tryWrite, type Write } from "../table/table.ts";
import { TABLE } from "../table/table-schema.ts";
import type { AccountContext } from "./account-creation.ts";

/** Hashes the typed username. It is not stored as text, because it may be a password typed by mistake. */
function hashLoginName({ name, network }: AttemptsOf): string {
  return createHash("sha256")
    .update(JSON.stringify(network === undefined ? [name] : [name, network]))
    .digest("base64url");
}

/** See `AccountStore.account`. */
export async function readAccount({ table }: AccountContext, username: string): Promise<Account | undefined> {
  const keys = [userKey(username), passwordKey(username), actorKey(BUILT_IN, username)];
  const seen = toAccount(keys, await table.batchGet(keys));
  if (seen !== "torn") return seen;
  // Only a part of a change is visible. The transactional read waits for all of it.
  const whole = toAccount(keys, await table.transactGet(keys));
  return whole === "torn" ? undefined : whole;
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
  return { id, actorId, username, fullname, passwordHash, tokenEpoch, ...optionalMember("disabledAt", disabledAt) };
}

/** See `AccountStore.attempts`. */
export async function readAttempts(
  { table, ambient }: AccountContext,
  of: Required<AttemptsOf>,
): Promise<SeenAttempts> {
  const keys = [
    attemptsKey(hashLoginName(of)),
    attemptsKey(hashLoginName({ name: of.name })),
    knownNetworkKey(hashLoginName(of)),
  ];
  const items = await table.batchGet(keys);
  const now = getSeconds(ambient);
  const [here, anywhere, known] = keys.map(({ pk, sk }) => {
    const item = items.find((one) => one.pk === pk && one.sk === sk);
    // DynamoDB deletes expired items days later.
    return item && Number(item[TABLE.timeToLive]) >= now ? item : undefined;
  });
  const knownUntil = known && Number(known[TABLE.timeToLive]);
  return { here: toAttempts(here), anywhere: toAttempts(anywhere), knownUntil };
}

function toAttempts(item: Item | undefined): Attempts | undefined {
  if (!item) return undefined;
  // Written by `noteAttempt`.
  const { failures, notBefore, expiresAt } = item as unknown as Attempts;
  return { failures, notBefore, expiresAt };
}

/** See `AccountStore.noteAttempt`. */
export async function noteAttempt(
  context: AccountContext,
  of: AttemptsOf,
  before: Attempts | undefined,
  after: Attempts | undefined,
): Promise<boolean> {
  const key = attemptsKey(hashLoginName(of));
  const { failures = 0, notBefore = 0 } = before ?? {};
  const expect = before
    ? { equal: { failures, notBefore } }
    : // DynamoDB deletes expired items days later.
      { absentOrExpired: getSeconds(context.ambient) };
  if (!after) return sendWrite(context, { delete: key, expect });
  const { expiresAt, ...counted } = after;
  return sendWrite(context, { put: { ...key, v: FORMAT, ...counted, [TABLE.timeToLive]: expiresAt }, expect });
}

/** See `AccountStore.forgetAttempts`. */
export async function forgetAttempts(context: AccountContext, of: AttemptsOf): Promise<void> {
  await sendWrite(context, { delete: attemptsKey(hashLoginName(of)), expect: { anything: true } });
}

/** See `AccountStore.noteNetwork`. */
export async function noteNetwork(context: AccountContext, of: AttemptsOf): Promise<void> {
  const forgotten = getSeconds(context.ambient) + LIMITS.knownNetworkDays * 86_400;
  const put = { ...knownNetworkKey(hashLoginName(of)), v: FORMAT, [TABLE.timeToLive]: forgotten };
  await sendWrite(context, { put, expect: { anything: true } });
}

/** See `AccountStore.replaceHash`. */
export async function replaceHash(
  context: AccountContext,
  { username, passwordHash: hash, tokenEpoch: epoch }: Account,
  after: string,
): Promise<void> {
  await sendWrite(context, { put: toPasswordItem(username, after, epoch), expect: { equal: { hash, epoch } } });
}

/** Sends a write. Returns false if its expectation failed. Throws `unavailable` if it got no answer. */
export async function sendWrite({ table }: AccountContext, write: Write): Promise<boolean> {
  try {
    return await tryWrite(() => table.write(write));
  } catch (error) {
    throw error instanceof OutcomeUnknown ? createNoAnswerProblem() : error;
  }
}

function getSeconds({ now }: AccountContext["ambient"]): number {
  return Math.floor(now() / 1000);
}

/** See `AccountStore.noteLogin`. */
export async function noteLogin(context: AccountContext, who: AuditActor, call: Call): Promise<void> {
  // A failed expectation means that an earlier attempt without an answer has written the entry.
  await sendWrite(context, createAuditWrite(call, [], who).write);
}

/**
 * See `AccountStore.noteRefusal`. Unknown names share counters: after a conflict a call continues with the next one.
 */
export async function noteRefusal(
  context: AccountContext,
  who: AuditActor | undefined,
  { action: act, time }: Call,
): Promise<void> {
  const hour = `${time.slice(0, 13)}:00:00.000Z`;
  for (let repeats = 0; repeats < MAX_REPEATS; repeats++) {
    const key = refusalsKey(hour, act, who?.subject, repeats);
    const before = await context.table.get(key);
    const put = toAuditItem(key, {
      act,
      outcome: "refused",
      ...optionalMember("actor", who),
      ...raiseCount(before, time),
    });
    const count = before?.count;
    const expect = typeof count === "number" ? { equal: { count } } : { absent: true as const };
    if (await sendWrite(context, { put, expect })) return;
    await context.retryPolicy.pause(repeats);
  }
  throw toRetryProblem(new Contended(false));
}

/** Returns the count raised by one, and the time of the latest refusal. */
function raiseCount(before: Item | undefined, time: string): Pick<AuditEntry, "count" | "until"> {
  const until = String(before?.until ?? time);
  return { count: Number(before?.count ?? 0) + 1, until: until > time ? until : time };
}
