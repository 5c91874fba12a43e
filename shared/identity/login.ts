import type { Call } from "../actions/contract/call.ts";
import type { AccessToken } from "../actions/contract/ports.ts";
import type { AuditActor } from "../domain/audit.ts";
import { Problem } from "../domain/problems.ts";
import type { Account, AccountStore } from "./accounts.ts";
import { countAttempt } from "./login-attempts.ts";
import { mintToken, type TokenTerms } from "./mint-token.ts";
import type { Passwords } from "./passwords.ts";

/** The parts that signing in works with. */
export interface LoginTerms extends TokenTerms {
  readonly accounts: AccountStore;
  readonly passwords: Passwords;
}

/** The one answer to a sign-in that is refused, whatever was wrong with it. */
export const wrongLogin = (): Problem => new Problem("not_signed_in", "The username or the password is not right");

/**
 * A token for a built-in user. Unknown, disabled or a wrong password: the same work, the same words; after several of
 * them in a row `throttled` before anything is hashed. The audit log tells either.
 */
export async function login(username: string, password: string, call: Call, terms: LoginTerms): Promise<AccessToken> {
  const attempt = await countAttempt(username, call, terms);
  const account = await provenAccount(username, password, call, terms);
  if (!account) throw wrongLogin();
  const noted = [attempt.signedIn(), terms.accounts.noteLogin(audited(account), call)];
  const [token] = await Promise.all([mintToken(account, terms), ...noted]);
  return token;
}

/** The account whose password this is, unless it is disabled; the attempt has to be counted before. */
export async function provenAccount(
  username: string,
  password: string,
  call: Call,
  { accounts, passwords }: Pick<LoginTerms, "accounts" | "passwords">,
): Promise<Account | undefined> {
  const account = await accounts.account(username);
  const matches = await passwords.matches(password, account?.passwordHash);
  if (!account || !matches || account.disabledAt !== undefined) {
    await accounts.noteRefusal(account && audited(account), call);
    return undefined;
  }
  if (await passwords.isOutdated(account.passwordHash)) {
    await accounts.replaceHash(account, await passwords.hash(password));
  }
  return account;
}

const audited = ({ actorId, username }: Account): AuditActor => ({ id: actorId, subject: username });
