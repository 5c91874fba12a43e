import type { AccessToken, Identity } from "../actions/ports.ts";
import { Problem } from "../domain/problems.ts";
import type { AccountStore } from "./accounts.ts";
import { type BootstrapTerms, bootstrapFirst } from "./bootstrap.ts";
import { mintToken } from "./mint-token.ts";
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
    login: (username, password) => login(username, password, terms),
    bootstrap: (first, call) => bootstrapFirst(first, call, terms),
  };
}

/** Unknown, disabled or a wrong password: the same work, the same words. */
async function login(username: string, password: string, terms: IdentityTerms): Promise<AccessToken> {
  const user = await terms.accounts.user(username);
  const matches = await terms.passwords.matches(password, user?.passwordHash);
  if (!user || !matches || user.disabledAt !== undefined) {
    throw new Problem("not_signed_in", "The username or the password is not right");
  }
  return mintToken(user, terms);
}
