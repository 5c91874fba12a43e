import { randomBytes } from "node:crypto";
import type { Origin, Runtime } from "../actions/contract/call.ts";
import type { Claims, Identity, SignInOptions } from "../actions/contract/ports.ts";
import { hashRoleKey, hasNewerClaims } from "../domain/accounts/actors.ts";
import { API_SECRET_BYTES, hashSecret, isSameDigest, parseApiToken } from "../domain/accounts/api-token.ts";
import {
  API_TOKEN_PREFIX,
  computeRights,
  type Principal,
  type RightsOptions,
  toTokenBounds,
} from "../domain/accounts/principal.ts";
import { isEndedSession } from "../domain/accounts/sessions.ts";
import { LIMITS } from "../domain/limits.ts";
import { includeMember } from "../domain/model/content.ts";
import type { Actor } from "../domain/model/objects.ts";
import { BUILT_IN } from "../domain/permissions.ts";
import { Problem, requireProblem } from "../domain/problems.ts";
import type { AccountStore, CallerStore, RoleRights } from "./accounts.ts";
import type { BootstrapTerms } from "./bootstrap.ts";
import type { CognitoPool } from "./cognito-login.ts";
import type { IssuerConfiguration } from "./issuers/configuration.ts";
import type { ExternalVerifier } from "./issuers/verify-external.ts";
import { createInvalidTokenProblem, createTokenVerifier } from "./tokens/verify-token.ts";

/** Principals of tokens whose actors have only the rights of their roles. */
const principals = new WeakMap<Claims, PrincipalEntry>();

interface PrincipalEntry {
  readonly actor: Actor;
  readonly roles: readonly RoleRights[];
  readonly principal: Principal;
}

async function findPrincipal(claims: Claims, accounts: CallerStore): Promise<Principal> {
  const { actor, roles } = await accounts.findCaller(BUILT_IN, claims.subject);
  if (!actor) throw createInvalidTokenProblem();
  if (actor.disabledAt !== undefined) throw createDisabledProblem(actor);
  if (claims.tokenEpoch !== (actor.tokenEpoch ?? 0) || claims.issuedAt < (actor.validAfter ?? 0))
    throw createInvalidTokenProblem();
  checkSession(claims, actor);
  const entry = principals.get(claims);
  if (entry?.actor === actor && entry.roles === roles) return entry.principal;
  const principal = { ...toPrincipal(actor, roles), ...includeMember("session", claims.session) };
  principals.set(claims, { actor, roles, principal });
  return principal;
}

/** Throws `not_signed_in` for a token of an ended session. */
function checkSession({ session }: Claims, { endedSessions }: Actor) {
  if (session && isEndedSession(endedSessions, session)) throw createInvalidTokenProblem();
}

function toPrincipal(actor: Actor, roles: readonly RoleRights[], options: RightsOptions<RoleRights> = {}): Principal {
  const { id, issuer, subject, fullname } = actor;
  return { actorId: id, issuer, subject, fullname, claimedRoles: [], ...computeRights(actor, roles, options) };
}

function createDisabledProblem({ fullname }: Actor): Problem {
  return new Problem("actor_disabled", `${fullname} was disabled; an administrator can enable the actor again`);
}

/** Finds or creates the actor of another issuer's token. Throws `not_signed_in` and `actor_disabled`. */
async function findExternal(claims: Claims, origin: Origin, accounts: CallerStore): Promise<Principal> {
  // No other issuer signs for the built-in users, not even by configuration.
  if (claims.issuer === BUILT_IN) throw createInvalidTokenProblem();
  const caller = await accounts.findCaller(claims.issuer, claims.subject);
  let { actor, roles } = caller;
  if (!actor) {
    actor = await accounts.provisionActor(claims, origin);
    // The first actor of an instance was created together with the managed roles.
    if (roles.length === 0) ({ roles } = await accounts.findCaller(claims.issuer, claims.subject));
  } else {
    if (actor.disabledAt !== undefined) throw createDisabledProblem(actor);
    if (claims.issuedAt < (actor.validAfter ?? 0)) throw createInvalidTokenProblem();
    checkSession(claims, actor);
    if (hasNewerClaims(claims, actor)) {
      // The profile is for display only, and the next call tries again.
      const result = await accounts.provisionActor(claims, origin).catch(requireProblem);
      if (!(result instanceof Problem)) actor = result;
    }
  }
  const { claimedRoles = [] } = claims;
  const digests = claimedRoles.map(hashRoleKey);
  const isClaimed = ({ keyDigest }: RoleRights) => digests.includes(keyDigest);
  const rights = toPrincipal(actor, roles, { claims: isClaimed });
  return { ...rights, claimedRoles, ...includeMember("session", claims.session) };
}

/** Returns the claims of an API token without a read. Throws `not_signed_in` for another form. */
function readApiTokenClaims(token: string): Claims {
  const parts = parseApiToken(token);
  if (!parts) throw createInvalidTokenProblem();
  const { secret, ...address } = parts;
  const apiToken = { ...address, hash: hashSecret(secret) };
  return { issuer: "urn:metaction:api-tokens", subject: address.id, issuedAt: 0, apiToken };
}

/** Returns the caller of an API token. Throws `actor_disabled`, `not_signed_in`. */
async function findTokenBearer(
  { hash, ...address }: NonNullable<Claims["apiToken"]>,
  accounts: CallerStore,
  now: number,
): Promise<Principal> {
  const { token, actor, roles } = await accounts.findTokenBearer(address);
  // Compared first, so that nobody without the secret learns anything else.
  if (!token || !isSameDigest(token.hash, hash)) throw createInvalidTokenProblem();
  if (!actor || actor.id !== token.owner || Date.parse(token.expiresAt) <= now) throw createInvalidTokenProblem();
  if (actor.disabledAt !== undefined) throw createDisabledProblem(actor);
  return { ...toPrincipal(actor, roles, toTokenBounds(token)), apiToken: token.id };
}

/** Few calls sign in, so a start does not load its code. */
const loadLogin = () => import("./login.ts");

/** Dependencies of the built-in provider. */
export interface IdentityTerms extends BootstrapTerms {
  /** User pool that signs people in instead of the built-in users; loaded on first use. */
  readonly cognito?: () => Promise<CognitoPool | undefined>;
  /** Verifier for tokens of other issuers, if there are any; loaded with the first one. */
  readonly external?: () => Promise<ExternalVerifier>;
  readonly issuers?: () => Promise<IssuerConfiguration>;
}

/** The parts of the provider, which is made once per process. */
export interface ProviderTerms extends Omit<IdentityTerms, "accounts"> {
  readonly accounts: (deadline: number) => AccountStore;
  /** Opens the callers for a call; those of `accounts` unless given. */
  readonly callers?: ((deadline: number) => CallerStore) | undefined;
}

/** Creates the built-in identity provider over one store of accounts. */
export function createIdentity(terms: IdentityTerms): Identity {
  return createProvider({ ...terms, accounts: () => terms.accounts });
}

/** Creates the built-in identity provider: its own users, tokens and actors. */
export function createProvider(terms: ProviderTerms): Identity {
  const { accounts, callers = accounts, external, runtime } = terms;
  const verify = createTokenVerifier(terms, external);
  const termsUntil = (deadline: number): IdentityTerms => ({ ...terms, accounts: accounts(deadline) });
  return {
    verify: async (token) => (token.startsWith(API_TOKEN_PREFIX) ? readApiTokenClaims(token) : verify(token)),
    findPrincipal: async (claims, origin) => {
      const store = callers(origin.deadline);
      if (claims.apiToken) return findTokenBearer(claims.apiToken, store, runtime.now());
      if (claims.issuer === terms.issuer) return findPrincipal(claims, store);
      if (!external) throw createInvalidTokenProblem();
      return findExternal(claims, origin, store);
    },
    noteCall: createNoteSeen(runtime, accounts),
    listLastCalls: (actorIds, { deadline }) => accounts(deadline).getLastSeen(actorIds),
    getSignInOptions: async ({ deadline }) => listSignInOptions(termsUntil(deadline)),
    createSecret: async () => randomBytes(API_SECRET_BYTES),
    login: async (username, password, call) => {
      const cognito = await terms.cognito?.();
      const own = termsUntil(call.deadline);
      return cognito
        ? (await import("./cognito-login.ts")).cognitoLogin(username, password, call, { ...own, cognito })
        : (await loadLogin()).login(username, password, call, own);
    },
    hashNewPassword: async (...parameters) => (await import("./new-password.ts")).hashNewPassword(...parameters, terms),
    checkPassword: async (principal, password, call) =>
      (await loadLogin()).provePassword(principal, password, call, termsUntil(call.deadline)),
    bootstrap: async (first, call) =>
      (await import("./bootstrap.ts")).bootstrapFirst(first, call, termsUntil(call.deadline)),
  };
}

async function listSignInOptions({ accounts, issuers }: IdentityTerms): Promise<SignInOptions> {
  const configuration = await issuers?.();
  return {
    passwordIssuer: configuration?.login?.cognito.issuer ?? BUILT_IN,
    firstRun: !(await accounts.isBootstrapUsed()),
    issuers: (configuration?.issuers ?? []).flatMap(({ issuer, signIn }) => {
      if (!signIn) return [];
      const { label, clientId, scopes, resource } = signIn;
      return [{ issuer, label, clientId, scopes, ...(resource !== undefined && { resource }) }];
    }),
  };
}

/** Number of actors that are remembered; at this number all are forgotten. */
const REMEMBERED = 10_000;
const APART_MS = LIMITS.seenMinutes * 60_000;

/** Returns the function that notes calls of actors, once in `LIMITS.seenMinutes`. */
export function createNoteSeen(
  { now, sleep }: Runtime,
  openAccounts: (deadline: number) => Pick<AccountStore, "noteSeen">,
): Identity["noteCall"] {
  const noteTimes = new Map<string, number>();
  return async (actorId, { deadline }) => {
    const time = now();
    if (time - (noteTimes.get(actorId) ?? Number.NEGATIVE_INFINITY) < APART_MS) return;
    if (noteTimes.size >= REMEMBERED) noteTimes.clear();
    // Before it is written, so that only one of several concurrent calls writes it.
    noteTimes.set(actorId, time);
    const controller = new AbortController();
    const pendingNote = openAccounts(deadline)
      .noteSeen(actorId, time)
      .catch(() => undefined);
    await Promise.race([pendingNote.finally(() => controller.abort()), sleep(LIMITS.seenMs, controller.signal)]);
  };
}
