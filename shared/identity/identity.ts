import type { Identity } from "../actions/ports.ts";
import type { AccountStore } from "./accounts.ts";
import type { BootstrapTerms } from "./bootstrap.ts";
import { findPrincipal } from "./principal.ts";
import { createTokenVerifier, notValid } from "./verify-token.ts";

/** What the built-in provider is made of. */
export type IdentityTerms = BootstrapTerms;

/** The built-in identity provider: its own users, tokens and actors. */
export function createIdentity(terms: IdentityTerms): Identity {
  return createProvider(terms)(terms.accounts);
}

/** The provider for calls that each have their own way to the accounts; the keys of tokens are known to all of them. */
export function createProvider(common: Omit<IdentityTerms, "accounts">): (accounts: AccountStore) => Identity {
  const verify = createTokenVerifier(common);
  return (accounts) => identityOver({ ...common, accounts }, verify);
}

function identityOver(terms: IdentityTerms, verify: Identity["verify"]): Identity {
  return {
    verify,
    principal: async (claims) => {
      if (claims.issuer !== terms.issuer) throw notValid();
      return findPrincipal(claims, terms.accounts);
    },
    // Few calls sign in, so their code is loaded when it is asked for.
    login: async (username, password) => (await import("./login.ts")).login(username, password, terms),
    newPassword: async (...given) => (await import("./own-password.ts")).newPassword(...given, terms),
    provePassword: async (principal, password) =>
      (await import("./own-password.ts")).provePassword(principal, password, terms),
    bootstrap: async (first, call) => (await import("./bootstrap.ts")).bootstrapFirst(first, call, terms),
  };
}
