import { LIMITS } from "../../../../shared/domain/limits.ts";
import type { Accounts } from "./accounts.ts";
import { type Attempt, type Bearer, heldByBearer } from "./model.ts";
import { WEAK } from "./passwords.ts";

/** A password that a call brings to be compared. */
export interface Guess {
  readonly name: string;
  readonly password: string;
  readonly sourceAddress?: string | undefined;
}

/** The key under which wrong guesses are counted: the user name and the source address. */
export const placeOf = ({ name, sourceAddress = "" }: Guess): string => `${name} ${sourceAddress}`;

/** The password that a call has compared, where it comes that far. */
export function guessOf(
  accounts: Accounts,
  bearer: Bearer,
  { action, payload, sourceAddress }: Attempt,
): Guess | undefined {
  if (action === "login") {
    return { name: String(payload.username), password: String(payload.password), sourceAddress };
  }
  if (action !== "change_my_password" || !heldByBearer(accounts, bearer) || bearer.apiToken !== undefined) {
    return undefined;
  }
  // A weak password is a fault of the parameters, which are told before anything is compared.
  if (WEAK.includes(String(payload.newPassword))) return undefined;
  const name = accounts.actors.get(bearer.actor)?.username;
  return name === undefined ? undefined : { name, password: String(payload.oldPassword), sourceAddress };
}

/** The outcome of a guess. A name that nobody has, or whose user is disabled, is answered as a wrong password is. */
export function outcomeOf(
  { guesses, passwords, shown }: Accounts,
  guess: Guess,
  now: number,
): "throttled" | "wrong" | "right" {
  const { name, password } = guess;
  if ((guesses.get(placeOf(guess))?.notBefore ?? 0) > now) return "throttled";
  const isRight = passwords.get(name) === password && shown.users.get(name)?.disabledAt === undefined;
  return isRight ? "right" : "wrong";
}

/** Takes a guess into the model: it counts until one is right, and wrong ones are in the audit log by name and hour. */
export function noteGuess(accounts: Accounts, act: string, guess: Guess, now: number): void {
  const outcome = outcomeOf(accounts, guess, now);
  const { guesses, audit, shown } = accounts;
  const { name } = guess;
  const place = placeOf(guess);
  if (outcome === "right") guesses.delete(place);
  if (outcome !== "wrong") return;
  const failures = (guesses.get(place)?.failures ?? 0) + 1;
  const over = failures - LIMITS.freeLoginFailures;
  const wait = over <= 0 ? 0 : Math.min(2 ** (over - 1), LIMITS.loginWaitSeconds);
  guesses.set(place, { failures, notBefore: now + wait * 1_000 });
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
