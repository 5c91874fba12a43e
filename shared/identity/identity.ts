import type { Origin, Runtime } from "../actions/contract/call.ts";
import type { Claims, Identity, SignInOptions } from "../actions/contract/ports.ts";
import { API_TOKEN_PREFIX, BUILT_IN, type Principal } from "../domain/accounts/principal.ts";
import { LIMITS } from "../domain/limits.ts";
import type { AccountStore, CallerStore } from "./accounts.ts";
import type { BootstrapTerms } from "./bootstrap.ts";
import type { CognitoPool } from "./cognito-login.ts";
import type { IssuerConfiguration } from "./issuers/configuration.ts";
import type { ExternalVerifier } from "./issuers/verify-external.ts";
import { createSecret, findExternal, findPrincipal, findTokenBearer, readApiTokenClaims } from "./principal.ts";
import { readIssuer } from "./tokens/token-form.ts";
import { createInvalidTokenProblem, createTokenVerifier } from "./tokens/verify-token.ts";

/** Few calls sign in, so a start does not load its code. */
const loadLogin = () => import("./login.ts");

/** The parts of the built-in provider. */
export interface IdentityTerms extends BootstrapTerms {
  /** The user pool that signs people in, in place of the built-in users; asked for when somebody does. */
  readonly cognito?: () => Promise<CognitoPool | undefined>;
  /** Checks the tokens of other issuers, where there are any; loaded when the first one arrives. */
  readonly external?: () => Promise<ExternalVerifier>;
  /** The configuration of those issuers. */
  readonly issuers?: () => Promise<IssuerConfiguration>;
}

/** The parts of the provider, which is made once per process and reads accounts until the deadline of each call. */
export interface ProviderTerms extends Omit<IdentityTerms, "accounts"> {
  /** Opens the accounts for a call that has to be answered at `deadline`. */
  readonly accounts: (deadline: number) => AccountStore;
  /** Opens the callers that such a call looks up; those of `accounts` unless given. */
  readonly callers?: ((deadline: number) => CallerStore) | undefined;
}

/** Creates the built-in identity provider over one store of accounts. */
export function createIdentity(terms: IdentityTerms): Identity {
  return createProvider({ ...terms, accounts: () => terms.accounts });
}

/** Tokens are checked by the rules of the issuer they name, and of no other. */
function chooseVerifier(terms: Omit<IdentityTerms, "accounts">): Identity["verify"] {
  const own = createTokenVerifier(terms);
  const { external, issuer } = terms;
  if (!external) return own;
  return async (token) => {
    const named = readIssuer(token);
    return named === undefined || named === issuer ? own(token) : (await external())(token, named);
  };
}

/** Creates the built-in identity provider: its own users, tokens and actors. */
export function createProvider(terms: ProviderTerms): Identity {
  const { accounts, callers = accounts } = terms;
  const verify = chooseVerifier(terms);
  const noteSeen = createNoteSeen(terms.ambient);
  const termsUntil = (deadline: number): IdentityTerms => ({ ...terms, accounts: accounts(deadline) });
  return {
    verify: async (token) => (token.startsWith(API_TOKEN_PREFIX) ? readApiTokenClaims(token) : verify(token)),
    findPrincipal: (claims, origin) => findPrincipalOfClaims(claims, origin, callers(origin.deadline), terms),
    noteCall: (actorId, { deadline }) => noteSeen(actorId, () => accounts(deadline)),
    listLastCalls: (actorIds, { deadline }) => accounts(deadline).lastSeen(actorIds),
    getSignInOptions: async ({ deadline }) => listSignInOptions(termsUntil(deadline)),
    createSecret: async () => createSecret(),
    login: async (username, password, call) => {
      const cognito = await terms.cognito?.();
      const own = termsUntil(call.deadline);
      return cognito
        ? (await import("./cognito-login.ts")).cognitoLogin(username, password, call, { ...own, cognito })
        : (await loadLogin()).login(username, password, call, own);
    },
    hashNewPassword: async (...given) => (await loadLogin()).hashNewPassword(...given, terms),
    checkPassword: async (principal, password, call) =>
      (await loadLogin()).provePassword(principal, password, call, termsUntil(call.deadline)),
    bootstrap: async (first, call) =>
      (await import("./bootstrap.ts")).bootstrapFirst(first, call, termsUntil(call.deadline)),
  };
}

async function findPrincipalOfClaims(
  claims: Claims,
  origin: Origin,
  accounts: CallerStore,
  terms: ProviderTerms,
): Promise<Principal> {
  if (claims.apiToken) {
    const { ambient } = terms;
    return findTokenBearer(claims.apiToken, { accounts, ambient });
  }
  if (claims.issuer === terms.issuer) return findPrincipal(claims, accounts);
  if (!terms.external) throw createInvalidTokenProblem();
  return findExternal(claims, origin, accounts);
}

/** The parts that the ways to sign in follow from. */
interface OptionTerms {
  readonly accounts: Pick<AccountStore, "bootstrapUsed">;
  readonly issuers?: () => Promise<IssuerConfiguration>;
}

/** The ways to sign in, as anybody may know them: nothing of it is a secret. */
async function listSignInOptions({ accounts, issuers }: OptionTerms): Promise<SignInOptions> {
  const configuration = await issuers?.();
  return {
    passwordIssuer: configuration?.login?.cognito.issuer ?? BUILT_IN,
    firstRun: !(await accounts.bootstrapUsed()),
    issuers: (configuration?.issuers ?? []).flatMap(({ issuer, signIn }) => {
      if (!signIn) return [];
      const { label, clientId, scopes, resource } = signIn;
      return [{ issuer, label, clientId, scopes, ...(resource !== undefined && { resource }) }];
    }),
  };
}

/** Notes that an actor called. It never fails, and takes `LIMITS.seenMs` at most. */
type NoteSeen = (actorId: string, openAccounts: () => AccountStore) => Promise<void>;

/** Actors that are remembered; then all are forgotten, and noted once more. */
const REMEMBERED = 10_000;
const APART_MS = LIMITS.seenMinutes * 60_000;

/** The memory of a process: an actor is noted once in `LIMITS.seenMinutes`, whatever becomes of the note. */
export function createNoteSeen({ now, sleep }: Runtime): NoteSeen {
  const noted = new Map<string, number>();
  return async (actorId, openAccounts) => {
    const moment = now();
    if (moment - (noted.get(actorId) ?? Number.NEGATIVE_INFINITY) < APART_MS) return;
    if (noted.size >= REMEMBERED) noted.clear();
    // Before it is written, so that of many calls at once one writes it.
    noted.set(actorId, moment);
    const ended = new AbortController();
    const noting = openAccounts()
      .noteSeen(actorId, moment)
      .catch(() => undefined);
    await Promise.race([noting.finally(() => ended.abort()), sleep(LIMITS.seenMs, ended.signal)]);
  };
}
