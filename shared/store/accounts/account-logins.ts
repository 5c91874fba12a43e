import { createHash } from "node:crypto";
import { ifDefined } from "../../domain/content.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Actor, User } from "../../domain/objects.ts";
import { BUILT_IN } from "../../domain/principal.ts";
import type { Account, Attempts, AttemptsOf, SeenAttempts } from "../../identity/accounts.ts";
import { passwordItem } from "../commit/account-writes.ts";
import { objectOf } from "../table/items.ts";
import { actorKey, attemptsKey, type ItemKey, knownNetworkKey, passwordKey, userKey } from "../table/keys.ts";
import { noAnswer } from "../table/retry.ts";
import { FORMAT, type Item, isWritten, OutcomeUnknown, type Write } from "../table/table.ts";
import { TABLE } from "../table/table-schema.ts";
import type { AccountContext } from "./account-bootstrap.ts";

/** A digest that stands for the typed username: the text itself may be a password typed by mistake, so it is not stored. */
function digestOf({ name, network }: AttemptsOf): string {
  return createHash("sha256")
    .update(JSON.stringify(network === undefined ? [name] : [name, network]))
    .digest("base64url");
}

/** See `AccountStore.account`. */
export async function readAccount({ table }: AccountContext, username: string): Promise<Account | undefined> {
  const keys = [userKey(username), passwordKey(username), actorKey(BUILT_IN, username)];
  const seen = accountOf(keys, await table.batchGet(keys));
  if (seen !== "torn") return seen;
  // Only a part of a change is visible, so the items are read again in a way that waits for all of it.
  const whole = accountOf(keys, await table.transactGet(keys));
  return whole === "torn" ? undefined : whole;
}

/** The account of its three items; "torn" where they are of different moments. */
function accountOf(keys: readonly ItemKey[], items: readonly (Item | undefined)[]): Account | "torn" | undefined {
  const [user, password, actor] = keys.map(({ sk }) => items.find((item) => item?.sk === sk));
  if (!user && !password && !actor) return undefined;
  if (!user || !password || !actor) return "torn";
  // The sort keys tell the kinds.
  const { id, key: username, fullname } = objectOf(user) as User;
  const { id: actorId, tokenEpoch = 0, disabledAt } = objectOf(actor) as Actor;
  // The actor's epoch and its being disabled change together, so a password that agrees with it is of the same moment.
  if (password.epoch !== tokenEpoch) return "torn";
  const passwordHash = String(password.hash);
  return { id, actorId, username, fullname, passwordHash, tokenEpoch, ...ifDefined("disabledAt", disabledAt) };
}

/** See `AccountStore.attempts`. */
export async function readAttempts(
  { table, ambient }: AccountContext,
  of: Required<AttemptsOf>,
): Promise<SeenAttempts> {
  const keys = [attemptsKey(digestOf(of)), attemptsKey(digestOf({ name: of.name })), knownNetworkKey(digestOf(of))];
  const items = await table.batchGet(keys);
  const now = seconds(ambient);
  const [here, anywhere, known] = keys.map(({ pk, sk }) => {
    const item = items.find((one) => one.pk === pk && one.sk === sk);
    // DynamoDB deletes expired items days later.
    return item && Number(item[TABLE.timeToLive]) >= now ? item : undefined;
  });
  const knownUntil = known && Number(known[TABLE.timeToLive]);
  return { here: attemptsIn(here), anywhere: attemptsIn(anywhere), knownUntil };
}

function attemptsIn(item: Item | undefined): Attempts | undefined {
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
  const key = attemptsKey(digestOf(of));
  const { failures = 0, notBefore = 0 } = before ?? {};
  const expect = before
    ? { equal: { failures, notBefore } }
    : // DynamoDB deletes expired items days later.
      { absentOrExpired: seconds(context.ambient) };
  if (!after) return send(context, { delete: key, expect });
  const { expiresAt, ...counted } = after;
  return send(context, { put: { ...key, v: FORMAT, ...counted, [TABLE.timeToLive]: expiresAt }, expect });
}

/** See `AccountStore.forgetAttempts`. */
export async function forgetAttempts(context: AccountContext, of: AttemptsOf): Promise<void> {
  await send(context, { delete: attemptsKey(digestOf(of)), expect: { anything: true } });
}

/** See `AccountStore.noteNetwork`. */
export async function noteNetwork(context: AccountContext, of: AttemptsOf): Promise<void> {
  const forgotten = seconds(context.ambient) + LIMITS.knownNetworkDays * 86_400;
  const put = { ...knownNetworkKey(digestOf(of)), v: FORMAT, [TABLE.timeToLive]: forgotten };
  await send(context, { put, expect: { anything: true } });
}

/** See `AccountStore.replaceHash`. */
export async function replaceHash(
  context: AccountContext,
  { username, passwordHash: hash, tokenEpoch: epoch }: Account,
  after: string,
): Promise<void> {
  await send(context, { put: passwordItem(username, after, epoch), expect: { equal: { hash, epoch } } });
}

/** Sends a write; false where its expectation failed. `unavailable` where it got no answer. */
export async function send({ table }: AccountContext, write: Write): Promise<boolean> {
  try {
    return await isWritten(() => table.write(write));
  } catch (error) {
    throw error instanceof OutcomeUnknown ? noAnswer() : error;
  }
}

function seconds({ now }: AccountContext["ambient"]): number {
  return Math.floor(now() / 1000);
}
