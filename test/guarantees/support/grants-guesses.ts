import { LIMITS } from "../../../shared/domain/limits.ts";
import type { Accounts } from "./grants-accounts.ts";
import { type Attempt, type Bearer, heldByBearer } from "./grants-model.ts";

/** Passwords that were tried for a name since the last one that was right. */
export interface Guesses {
  readonly failures: number;
  /** No other before this moment, in milliseconds. */
  readonly notBefore: number;
}

/** A password that a call brings to be compared. */
export interface Guess {
  readonly name: string;
  readonly password: string;
}

/** The password that a call has compared, where it comes that far. */
export function guessOf(accounts: Accounts, bearer: Bearer, { action, payload }: Attempt): Guess | undefined {
  if (action === "login") return { name: String(payload.username), password: String(payload.password) };
  if (action !== "change_my_password" || !heldByBearer(accounts, bearer) || bearer.apiToken !== undefined) {
    return undefined;
  }
  const name = accounts.actors.get(bearer.actor)?.username;
  return name === undefined ? undefined : { name, password: String(payload.oldPassword) };
}

/** What becomes of a guess: names nobody has, and those who are disabled, are answered as a wrong password is. */
export function outcomeOf(
  { guesses, passwords, shown }: Accounts,
  { name, password }: Guess,
  now: number,
): "throttled" | "wrong" | "right" {
  if ((guesses.get(name)?.notBefore ?? 0) > now) return "throttled";
  const isRight = passwords.get(name) === password && shown.users.get(name)?.disabledAt === undefined;
  return isRight ? "right" : "wrong";
}

/** Takes a guess into the model: it counts until one is right, and wrong ones are in the audit log by name and hour. */
export function noteGuess(accounts: Accounts, act: string, guess: Guess, now: number): void {
  const outcome = outcomeOf(accounts, guess, now);
  const { guesses, audit, shown } = accounts;
  const { name } = guess;
  if (outcome === "right") guesses.delete(name);
  if (outcome !== "wrong") return;
  const failures = (guesses.get(name)?.failures ?? 0) + 1;
  const over = failures - LIMITS.freeLoginFailures;
  const wait = over <= 0 ? 0 : Math.min(2 ** (over - 1), LIMITS.loginWaitSeconds);
  guesses.set(name, { failures, notBefore: now + wait * 1_000 });
  const isUser = shown.users.has(name);
  const id = [...accounts.actors].find(([, { username }]) => username === name)?.[0];
  const hour = `${new Date(now).toISOString().slice(0, 13)}:00:00.000Z`;
  // Of names without a user nothing is told but how many there were.
  const row = `auth/${act} ${hour} ${isUser ? name : ""}`;
  audit.refused.set(row, {
    time: hour,
    act: `auth/${act}`,
    outcome: "refused",
    ...(isUser && id !== undefined && { actor: { id, subject: name } }),
    count: (audit.refused.get(row)?.count ?? 0) + 1,
    until: new Date(now).toISOString(),
  });
}
