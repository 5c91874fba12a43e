import type { Call } from "../actions/contract/call.ts";
import { passwordFaults } from "../domain/password-policy.ts";
import { BUILT_IN, type Principal } from "../domain/principal.ts";
import { Problem } from "../domain/problems.ts";
import { type LoginTerms, provenAccount } from "./login.ts";
import { countAttempt } from "./login-attempts.ts";

/** Checks and hashes a new password; see `Identity.newPassword`. */
export async function newPassword(
  password: string,
  username: string,
  pointer: string,
  { passwords }: Pick<LoginTerms, "passwords">,
): Promise<string> {
  const errors = passwordFaults(password, username).map((detail) => ({ pointer, detail }));
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
  const account = await provenAccount(subject, password, call, terms);
  if (!account) throw new Problem("wrong_password", "The old password is not right");
  await attempt.proved();
  return account.tokenEpoch;
}
