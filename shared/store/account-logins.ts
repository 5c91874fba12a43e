import { createHash } from "node:crypto";
import { given } from "../domain/content.ts";
import type { Actor, User } from "../domain/objects.ts";
import { BUILT_IN } from "../domain/principal.ts";
import type { Account, Attempts } from "../identity/accounts.ts";
import type { AccountGround } from "./account-bootstrap.ts";
import { passwordItem } from "./account-writes.ts";
import { objectOf } from "./items.ts";
import { actorKey, attemptsKey, type ItemKey, passwordKey, userKey } from "./keys.ts";
import { noAnswer } from "./retry.ts";
import { FORMAT, type Item, Lost, Refused, type Write } from "./seam.ts";
import { TABLE } from "./table.ts";

/** What is typed as a name may be a password by mistake, so it is not stored. */
function keyOf(name: string): ItemKey {
  return attemptsKey(createHash("sha256").update(name).digest("base64url"));
}

/** See `AccountStore.account`. */
export async function readAccount({ seam }: AccountGround, username: string): Promise<Account | undefined> {
  const keys = [userKey(username), passwordKey(username), actorKey(BUILT_IN, username)];
  const seen = accountOf(keys, await seam.batchGet(keys));
  if (seen !== "torn") return seen;
  // Only a part of a change is visible: asked again in a way that waits for all of it.
  const whole = accountOf(keys, await seam.transactGet(keys));
  return whole === "torn" ? undefined : whole;
}

/** The account that its three items tell; "torn" where they are of different moments. */
function accountOf(keys: readonly ItemKey[], items: readonly (Item | undefined)[]): Account | "torn" | undefined {
  const [user, password, actor] = keys.map(({ sk }) => items.find((item) => item?.sk === sk));
  if (!user && !password && !actor) return undefined;
  if (!user || !password || !actor) return "torn";
  // The sort keys tell what they are.
  const { id, key: username, fullname } = objectOf(user) as User;
  const { id: actorId, tokenEpoch = 0, disabledAt } = objectOf(actor) as Actor;
  // The actor's epoch and its being disabled change together, so what agrees with it is of the same moment.
  if (password.epoch !== tokenEpoch) return "torn";
  const passwordHash = String(password.hash);
  return { id, actorId, username, fullname, passwordHash, tokenEpoch, ...given("disabledAt", disabledAt) };
}

/** See `AccountStore.attempts`. */
export async function readAttempts({ seam, ambient }: AccountGround, name: string): Promise<Attempts | undefined> {
  const item = await seam.get(keyOf(name));
  if (!item) return undefined;
  // Written by `noteAttempt`.
  const { failures, notBefore, expiresAt } = item as unknown as Attempts;
  return expiresAt < seconds(ambient) ? undefined : { failures, notBefore, expiresAt };
}

/** See `AccountStore.noteAttempt`. */
export async function noteAttempt(
  ground: AccountGround,
  name: string,
  before: Attempts | undefined,
  { expiresAt, ...after }: Attempts,
): Promise<boolean> {
  const put = { ...keyOf(name), v: FORMAT, ...after, [TABLE.timeToLive]: expiresAt };
  const { failures = 0, notBefore = 0 } = before ?? {};
  const expect = before
    ? { equal: { failures, notBefore } }
    : // What has expired is noticed by DynamoDB days later.
      { absentOrExpired: seconds(ground.ambient) };
  return send(ground, { put, expect });
}

/** See `AccountStore.forgetAttempts`. */
export async function forgetAttempts(ground: AccountGround, name: string): Promise<void> {
  await send(ground, { delete: keyOf(name), expect: { anything: true } });
}

/** See `AccountStore.replaceHash`. */
export async function replaceHash(
  ground: AccountGround,
  { username, passwordHash: hash, tokenEpoch: epoch }: Account,
  after: string,
): Promise<void> {
  await send(ground, { put: passwordItem(username, after, epoch), expect: { equal: { hash, epoch } } });
}

/** Sends a write until the table takes it; false when the expectation failed. */
export async function send({ seam }: AccountGround, write: Write): Promise<boolean> {
  try {
    await seam.write(write);
    return true;
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error instanceof Lost ? noAnswer() : error;
  }
}

function seconds({ now }: AccountGround["ambient"]): number {
  return Math.floor(now() / 1000);
}
