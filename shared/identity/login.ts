import type { Call, Runtime } from "../actions/contract/call.ts";
import type { AccessToken } from "../actions/contract/ports.ts";
import { ANY_NAME } from "../domain/accounts/account-types.ts";
import type { AuditActor } from "../domain/accounts/audit.ts";
import type { Principal } from "../domain/accounts/principal.ts";
import { toSessionId } from "../domain/accounts/sessions.ts";
import { toSourceNetwork } from "../domain/accounts/source-address.ts";
import { LIMITS } from "../domain/limits.ts";
import { includeMember } from "../domain/model/content.ts";
import { BUILT_IN } from "../domain/permissions.ts";
import { Problem } from "../domain/problems.ts";
import { foldText } from "../domain/text/characters.ts";
import type { Account, AccountStore, Attempts, AttemptsOf } from "./accounts.ts";
import type { Passwords } from "./passwords.ts";
import { mintToken, type TokenTerms } from "./tokens/mint-token.ts";

/** Dependencies of signing in. */
export interface LoginTerms extends TokenTerms {
  readonly accounts: AccountStore;
  readonly passwords: Passwords;
}

/** Creates the answer to every refused sign-in. */
export const createWrongLoginProblem = (): Problem =>
  new Problem("not_signed_in", "The username or the password is not right");

/** Signs in a built-in user. All refusals have the same work and answer. Throws `throttled`. */
export async function login(username: string, password: string, call: Call, terms: LoginTerms): Promise<AccessToken> {
  const attempt = await countAttempt(username, call, terms);
  const account = await findProvenAccount(username, password, call, terms);
  if (!account) throw createWrongLoginProblem();
  const tokenId = terms.runtime.newId();
  const signIn = { session: toSessionId(tokenId), tokenEpoch: account.tokenEpoch };
  const notes = [attempt.confirmLogin(), terms.accounts.noteLogin(auditLogin(account), call, signIn)];
  const [token] = await Promise.all([mintToken(account, terms, tokenId), ...notes]);
  return token;
}

/** Returns the account with this password, unless disabled. The attempt must be counted before. */
export async function findProvenAccount(
  username: string,
  password: string,
  call: Call,
  { accounts, passwords }: Pick<LoginTerms, "accounts" | "passwords">,
): Promise<Account | undefined> {
  const account = await accounts.findAccount(username);
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

/** Checks a password. Attempts count as for `login`: a stolen token does not help to guess. */
export async function provePassword(
  { issuer, subject }: Principal,
  password: string,
  call: Call,
  terms: Pick<LoginTerms, "accounts" | "passwords" | "runtime" | "issuer">,
): Promise<number> {
  const isOwn = issuer === BUILT_IN && (await terms.accounts.findAccount(subject)) !== undefined;
  if (!isOwn)
    throw new Problem("not_found", "You are not a user of the built-in provider, so you have no password here");
  const attempt = await countAttempt(subject, call, terms);
  const account = await findProvenAccount(subject, password, call, terms);
  if (!account) throw new Problem("wrong_password", "The old password is not right");
  await attempt.confirmPassword();
  return account.tokenEpoch;
}

/** Counts of wrong passwords that an attempt shares with others: those for its name, and those from its network. */
const SHARED = [
  { member: "anywhere", perHour: LIMITS.loginFailuresPerHour, toKey: ({ name }: AttemptsOf) => ({ name }) },
  {
    member: "ofNetwork",
    perHour: LIMITS.networkFailuresPerHour,
    toKey: ({ network }: AttemptsOf) => ({ ...ANY_NAME, ...includeMember("network", network) }),
  },
] as const;

type SharedCount = (typeof SHARED)[number];

/** Days before its expiry at which a known network is recorded again. */
const RENEWED_DAYS = LIMITS.knownNetworkDays / 2;
/** Maximum number of attempts to raise a count that others raise at the same time. */
const TRIES = 10;

interface CountedAttempt {
  confirmPassword(): Promise<void>;
  confirmLogin(): Promise<void>;
  cancel(): Promise<void>;
}

interface Terms {
  readonly accounts: AccountStore;
  readonly runtime: Pick<Runtime, "now">;
}

/** Counts an attempt first, so that concurrent ones count. Never locks out users elsewhere. Throws `throttled`. */
export async function countAttempt(username: string, call: Call, terms: Terms): Promise<CountedAttempt> {
  const { accounts, runtime } = terms;
  const [name, network] = [foldText(username.normalize("NFKC")), toSourceNetwork(call.sourceAddress)];
  const source = { name, network };
  for (;;) {
    const now = runtime.now();
    const attempts = await accounts.getAttempts(source);
    refuseUntil(attempts.here, now);
    const isKnown = attempts.knownUntil !== undefined;
    // Unknown networks have no count.
    const shared = isKnown ? [] : SHARED.filter(({ member }) => member !== "ofNetwork" || network !== "");
    for (const { member } of shared) refuseUntil(attempts[member], now);
    // Of those who read the same count one goes on; after a few the others have to wait.
    const after = countFailure(attempts.here, now);
    if (!(await accounts.noteAttempt(source, attempts.here, after))) continue;
    // The count is restored only if no other attempt was counted meanwhile.
    const takeBack = () => accounts.noteAttempt(source, after, attempts.here);
    const undoing: (() => Promise<unknown>)[] = [];
    const undo = () => Promise.all(undoing.map((one) => one()));
    for (const count of shared) {
      const counting = countShared(count, source, attempts[count.member], terms);
      undoing.push(await counting.catch(undoAndRethrow(() => Promise.all([takeBack(), undo()]))));
    }
    const confirmPassword = async () => {
      await Promise.all([accounts.forgetAttempts(source), undo()]);
    };
    return {
      confirmPassword,
      confirmLogin: async () => {
        const isDue = now / 1000 + RENEWED_DAYS * 86_400 > (attempts.knownUntil ?? 0);
        await Promise.all([confirmPassword(), isDue && accounts.noteNetwork(source)]);
      },
      cancel: async () => {
        await Promise.all([takeBack(), undo()]);
      },
    };
  }
}

/** Counts an attempt together with others, and returns how to undo it. Throws `throttled`. */
async function countShared(
  { member, perHour, toKey }: SharedCount,
  source: Required<AttemptsOf>,
  first: Attempts | undefined,
  { accounts, runtime }: Terms,
): Promise<() => Promise<void>> {
  const key = toKey(source);
  let before = first;
  for (let tries = 0; tries < TRIES; tries++) {
    refuseUntil(before, runtime.now());
    const after = countSharedFailure(before, runtime.now(), perHour);
    if (await accounts.noteAttempt(key, before, after)) return () => giveBack(after);
    before = (await accounts.getAttempts(source))[member];
  }
  throw createThrottledProblem(1);

  async function giveBack(attempts: Attempts) {
    let now: Attempts | undefined = attempts;
    for (let tries = 0; now && tries < TRIES; tries++) {
      const { notBefore, failures, ...rest }: Attempts = now;
      const others = { notBefore: notBefore - HOUR_MS / perHour, failures: failures - 1, ...rest };
      if (await accounts.noteAttempt(key, now, others.failures > 0 ? others : undefined)) return;
      now = (await accounts.getAttempts(source))[member];
    }
  }
}

/** Counts a failure from one network: the wait doubles. */
function countFailure(before: Attempts | undefined, now: number): Attempts {
  const failures = (before?.failures ?? 0) + 1;
  const doublings = failures - LIMITS.freeLoginFailures - 1;
  const wait = doublings < 0 ? 0 : Math.min(2 ** doublings, LIMITS.loginWaitSeconds);
  return {
    failures,
    notBefore: now + wait * 1000,
    expiresAt: Math.ceil(now / 1000) + LIMITS.loginFailureHours * 3_600,
  };
}

const HOUR_MS = 3_600_000;

/** Counts a failure among others: an hour's number at once, then evenly. */
function countSharedFailure(before: Attempts | undefined, now: number, perHour: number): Attempts {
  const allowance = (HOUR_MS / perHour) * (perHour - 1);
  const usedUp = Math.max(now, (before?.notBefore ?? 0) + allowance) + HOUR_MS / perHour;
  const failures = (before?.failures ?? 0) + 1;
  return { failures, notBefore: usedUp - allowance, expiresAt: Math.ceil(usedUp / 1000) };
}

function refuseUntil(attempts: Attempts | undefined, now: number) {
  const wait = (attempts?.notBefore ?? 0) - now;
  if (wait > 0) throw createThrottledProblem(Math.ceil(wait / 1000));
}

function createThrottledProblem(retryAfter: number): Problem {
  const detail = "There were too many wrong passwords for this name or from this network; wait, then try again";
  return new Problem("throttled", detail, {
    retryAfter,
    quota: { name: "failed-sign-ins", quota: LIMITS.freeLoginFailures },
  });
}

function undoAndRethrow(undo: () => Promise<unknown>): (error: unknown) => Promise<never> {
  return async (error) => {
    await undo();
    throw error;
  };
}
