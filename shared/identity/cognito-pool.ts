import type { CognitoLimits } from "./cognito-request.ts";
import type { CognitoLogin } from "./issuers/configuration.ts";

/** The user pool of Amazon Cognito that `auth/login` hands names and passwords to. */
export interface CognitoPool {
  /** `https://cognito-idp.<region>.amazonaws.com/<pool>` */
  readonly issuer: string;
  /** The id of an app client that allows ALLOW_USER_PASSWORD_AUTH. */
  readonly clientId: string;
  /** The secret of that client, where it has one; asked for when somebody signs in. */
  readonly clientSecret?: () => Promise<string | undefined>;
  /** The address of the requests; by default the host of the issuer. */
  readonly endpoint?: string;
  /** The limits of a request; by default those of the service. */
  readonly limits?: CognitoLimits;
}

/** The pool of a configuration; `keptSecret` finds a client secret that lies elsewhere. */
export function poolOf(
  { issuer, clientId, clientSecret, clientSecretId }: CognitoLogin,
  keptSecret?: (id: string) => () => Promise<string | undefined>,
): CognitoPool {
  const kept = clientSecretId === undefined ? undefined : keptSecret?.(clientSecretId);
  const asked = clientSecret === undefined ? kept : async () => clientSecret;
  return { issuer, clientId, ...(asked && { clientSecret: asked }) };
}
