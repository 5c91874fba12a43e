import type { Call } from "../actions/contract/call.ts";
import type { AccessToken } from "../actions/contract/ports.ts";
import type { AuditActor } from "../domain/accounts/audit.ts";
import { findPasswordFaults } from "../domain/accounts/passwords.ts";
import { BUILT_IN, type Principal } from "../domain/accounts/principal.ts";
import { Problem } from "../domain/problems.ts";
import type { Account, AccountStore } from "./accounts.ts";
import { countAttempt } from "./login-attempts.ts";
import type { Passwords } from "./passwords.ts";
import { mintToken, type TokenTerms } from "./tokens/mint-token.ts";

/** The parts that signing in works with. */
export interface LoginTerms extends TokenTerms {
  readonly accounts: AccountStore;
  readonly passwords: Passwords;
}

/** The one answer to a sign-in that is refused, whatever was wrong with it. */
export const createWrongLoginProblem = (): Problem =>
  new Problem("not_signed_in", "The username or the password is not right");

/**
 * A token for a built-in user. Unknown, disabled or a wrong password: the same work, the same words; after several of
 * them in a row `throttled` before anything is hashed. The audit log tells either.
 */
export async function login(username: string, password: string, call: Call, terms: LoginTerms): Promise<AccessToken> {
  const attempt = await countAttempt(username, call, terms);
  const account = await findProvenAccount(username, password, call, terms);
  if (!account) throw createWrongLoginProblem();
  const noted = [attempt.signedIn(), terms.accounts.noteLogin(auditLogin(account), call)];
  const [token] = await Promise.all([mintToken(account, terms), ...noted]);
  return token;
}

/** The account whose password this is, unless it is disabled; the attempt has to be counted before. */
export async function findProvenAccount(
  username: string,
  password: string,
  call: Call,
  { accounts, passwords }: Pick<LoginTerms, "accounts" | "passwords">,
): Promise<Account | undefined> {
  const account = await accounts.account(username);
  const matches = await passwords.matches(password, account?.passwordHash);
  if (!account || !matches || account.disabledAt !== undefined) {
    await accounts.noteRefusal(account && auditLogin(account), call);
    return undefined;
  }
  if (await passwords.isOutdated(account.passwordHash)) {
    await accounts.replaceHash(account, await passwords.hash(password));
  }
  return account;
}

const auditLogin = ({ actorId, username }: Account): AuditActor => ({ id: actorId, subject: username });

/** Checks and hashes a new password; see `Identity.newPassword`. */
export async function hashNewPassword(
  password: string,
  username: string,
  pointer: string,
  { passwords }: Pick<LoginTerms, "passwords">,
): Promise<string> {
  const errors = findPasswordFaults(password, username).map((detail) => ({ pointer, detail }));
  if (errors.length > 0) throw new Problem("bad_parameters", "The password is too weak", { errors });
  return passwords.hash(password);
}

/**
 * Checks the password of a caller; see `Identity.provePassword`. Whoever found a token must not find the password with
 * it, so attempts count as logins do.
 */
export async function provePassword(
  { issuer, subject }: Principal,
  password: string,
  call: Call,
  terms: Pick<LoginTerms, "accounts" | "passwords" | "ambient" | "issuer">,
): Promise<number> {
  const isOwn = issuer === BUILT_IN && (await terms.accounts.account(subject)) !== undefined;
  if (!isOwn) throw new Problem("not_found", "You are no user of the built-in provider, so there is no password here");
  const attempt = await countAttempt(subject, call, terms);
  const account = await findProvenAccount(subject, password, call, terms);
  if (!account) throw new Problem("wrong_password", "The old password is not right");
  await attempt.proved();
  return account.tokenEpoch;
}
