import type { AccessToken } from "../actions/ports.ts";
import { Problem } from "../domain/problems.ts";
import type { Account, AccountStore } from "./accounts.ts";
import { countAttempt } from "./login-attempts.ts";
import { mintToken, type TokenTerms } from "./mint-token.ts";
import type { Passwords } from "./passwords.ts";

/** What signing in works with. */
export interface LoginTerms extends TokenTerms {
  readonly accounts: AccountStore;
  readonly passwords: Passwords;
}

/**
 * A token for a built-in user. Unknown, disabled or a wrong password: the same work, the same words; after several of
 * them in a row `throttled` before anything is hashed.
 */
export async function login(username: string, password: string, terms: LoginTerms): Promise<AccessToken> {
  const account = await provenAccount(username, password, terms);
  if (!account) throw new Problem("not_signed_in", "The username or the password is not right");
  return mintToken(account, terms);
}

/** The account whose password this is, unless it is disabled. Counts the attempt, and forgets all of them when it is right. */
export async function provenAccount(
  username: string,
  password: string,
  terms: Pick<LoginTerms, "accounts" | "passwords" | "ambient">,
): Promise<Account | undefined> {
  const { accounts, passwords, ambient } = terms;
  await countAttempt(username, accounts, ambient.now);
  const account = await accounts.account(username);
  const matches = await passwords.matches(password, account?.passwordHash);
  if (!account || !matches || account.disabledAt !== undefined) return undefined;
  if (await passwords.isOutdated(account.passwordHash)) {
    await accounts.replaceHash(username, account.passwordHash, await passwords.hash(password));
  }
  await accounts.forgetAttempts(username);
  return account;
}
