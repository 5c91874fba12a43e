import type { SignInOptions } from "../actions/contract/ports.ts";
import { BUILT_IN } from "../domain/principal.ts";
import type { AccountStore } from "./accounts.ts";
import type { IssuerConfiguration } from "./issuers/configuration.ts";

/** The parts that the ways to sign in follow from. */
interface OptionTerms {
  readonly accounts: Pick<AccountStore, "bootstrapUsed">;
  readonly issuers?: () => Promise<IssuerConfiguration>;
}

/** The ways to sign in, as anybody may know them: nothing of it is a secret. */
export async function signInOptions({ accounts, issuers }: OptionTerms): Promise<SignInOptions> {
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
