import type { Origin } from "../actions/contract/call.ts";
import type { Claims, Identity } from "../actions/contract/ports.ts";
import { API_TOKEN_PREFIX, type Principal } from "../domain/principal.ts";
import type { AccountStore } from "./accounts.ts";
import type { BootstrapTerms } from "./bootstrap.ts";
import type { CognitoPool } from "./cognito-pool.ts";
import type { IssuerConfiguration } from "./issuers/configuration.ts";
import type { ExternalVerifier } from "./issuers/verify-external.ts";
import { createNoteSeen, type NoteSeen } from "./last-seen.ts";
import { findPrincipal } from "./principal.ts";
import { namedIssuer } from "./token-form.ts";
import { createTokenVerifier, notValid } from "./verify-token.ts";

/** The parts of the built-in provider. */
export interface IdentityTerms extends BootstrapTerms {
  /** The user pool that signs people in, in place of the built-in users; asked for when somebody does. */
  readonly cognito?: () => Promise<CognitoPool | undefined>;
  /** Checks the tokens of other issuers, where there are any; loaded when the first one arrives. */
  readonly external?: () => Promise<ExternalVerifier>;
  /** The configuration of those issuers. */
  readonly issuers?: () => Promise<IssuerConfiguration>;
}

/** The built-in identity provider: its own users, tokens and actors. */
export function createIdentity(terms: IdentityTerms): Identity {
  return createProvider(terms)(terms.accounts);
}

/** The provider for calls that each have their own way to the accounts; the keys of tokens are known to all of them. */
export function createProvider(common: Omit<IdentityTerms, "accounts">): (accounts: AccountStore) => Identity {
  const verify = chooseVerifier(common);
  const noteSeen = createNoteSeen(common.ambient);
  return (accounts) => identityOver({ ...common, accounts }, verify, noteSeen);
}

/** Tokens are checked by the rules of the issuer they name, and of no other. */
function chooseVerifier(terms: Omit<IdentityTerms, "accounts">): Identity["verify"] {
  const own = createTokenVerifier(terms);
  const { external, issuer } = terms;
  if (!external) return own;
  return async (token) => {
    const named = namedIssuer(token);
    return named === undefined || named === issuer ? own(token) : (await external())(token, named);
  };
}

function identityOver(terms: IdentityTerms, verify: Identity["verify"], noteSeen: NoteSeen): Identity {
  const { accounts } = terms;
  let noting: Promise<void> | undefined;
  return {
    // Few callers have one, so the code is loaded when it is asked for.
    verify: async (token) =>
      token.startsWith(API_TOKEN_PREFIX) ? (await import("./api-token.ts")).claimsOfApiToken(token) : verify(token),
    principal: async (claims, origin) => {
      const principal = await principalBehind(claims, origin, terms);
      noting = noteSeen(principal.actorId, accounts);
      return principal;
    },
    settled: async () => noting,
    lastSeen: (actorIds) => accounts.lastSeen(actorIds),
    signInOptions: async () => (await import("./sign-in-options.ts")).signInOptions(terms),
    newSecret: async () => (await import("./api-token.ts")).newSecret(),
    // Few calls sign in, so their code is loaded when it is asked for.
    login: async (...given) => {
      const cognito = await terms.cognito?.();
      return cognito
        ? (await import("./cognito-login.ts")).cognitoLogin(...given, { ...terms, cognito })
        : (await import("./login.ts")).login(...given, terms);
    },
    newPassword: async (...given) => (await import("./own-password.ts")).newPassword(...given, terms),
    provePassword: async (...given) => (await import("./own-password.ts")).provePassword(...given, terms),
    bootstrap: async (first, call) => (await import("./bootstrap.ts")).bootstrapFirst(first, call, terms),
  };
}

async function principalBehind(claims: Claims, origin: Origin, terms: IdentityTerms): Promise<Principal> {
  if (claims.apiToken) return (await import("./api-token.ts")).findTokenBearer(claims.apiToken, terms);
  if (claims.issuer === terms.issuer) return findPrincipal(claims, terms.accounts);
  if (!terms.external) throw notValid();
  return (await import("./external-principal.ts")).findExternal(claims, origin, terms.accounts);
}
