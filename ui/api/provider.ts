import * as oauth from "oauth4webapi";
import type { OutputOf } from "./service.ts";

/** A provider at which a browser signs in, as the service tells it. */
export type Provider = OutputOf<"config/sign_in_options">["issuers"][number];

/** What has to be known again when the provider sends the browser back. */
interface Begun {
  readonly issuer: string;
  readonly verifier: string;
  readonly state: string;
  readonly nonce: string;
  /** The address to go on to. */
  readonly to: string;
  readonly kept: boolean;
  /** The name of the channel of the page that waits for the token, where that is another one. */
  readonly channel?: string | undefined;
}

/** What signing in at a provider came to. */
export interface SignedIn extends Pick<Begun, "to" | "kept" | "channel"> {
  readonly token: string;
  /** Seconds for which the token holds. */
  readonly seconds: number;
}

/** Where a tab keeps it while it is away. */
const KEPT = "metaction.sign-in";
/** Seconds of a token whose provider does not tell. */
const SECONDS = 3_600;

const getRedirectUri = (): string => `${location.origin}/sign-in`;

/** Providers on the same machine may answer without TLS; all others may not. */
const isInsecureAllowed = (issuer: string): boolean =>
  /^(?:127\.0\.0\.1|localhost|\[::1\])$/.test(new URL(issuer).hostname) && issuer.startsWith("http:");

async function discover(issuer: string): Promise<oauth.AuthorizationServer> {
  const url = new URL(issuer);
  const answer = await oauth.discoveryRequest(url, { [oauth.allowInsecureRequests]: isInsecureAllowed(issuer) });
  return oauth.processDiscoveryResponse(url, answer);
}

/** Sends the browser to a provider, with PKCE; it comes back to the page for signing in. */
export async function startSignIn(
  provider: Provider,
  { to, kept, channel }: Pick<Begun, "to" | "kept" | "channel">,
): Promise<void> {
  const { issuer, clientId, scopes, resource } = provider;
  const { authorization_endpoint: endpoint } = await discover(issuer);
  if (!endpoint) throw new Error(`${issuer} names no page to sign in at`);
  const verifier = oauth.generateRandomCodeVerifier();
  const begun: Begun = {
    issuer,
    verifier,
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    to,
    kept,
    channel,
  };
  sessionStorage.setItem(KEPT, JSON.stringify(begun));
  const url = new URL(endpoint);
  const parameters = {
    client_id: clientId,
    redirect_uri: getRedirectUri(),
    response_type: "code",
    scope: scopes.join(" "),
    state: begun.state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...(scopes.includes("openid") && { nonce: begun.nonce }),
    ...(resource !== undefined && { resource }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  location.assign(url);
}

/** Takes the code with which a provider sent the browser back, and exchanges it for a token. Throws where that fails. */
export async function finishSignIn(address: URL, providers: readonly Provider[]): Promise<SignedIn> {
  const text = sessionStorage.getItem(KEPT);
  sessionStorage.removeItem(KEPT);
  if (!text) throw new Error("this tab did not begin to sign in");
  const { issuer, verifier, state, nonce, to, kept, channel } = JSON.parse(text) as Begun;
  const provider = providers.find((one) => one.issuer === issuer);
  if (!provider) throw new Error(`${issuer} is no provider of this service`);
  const server = await discover(issuer);
  const client: oauth.Client = { client_id: provider.clientId };
  const parameters = oauth.validateAuthResponse(server, client, address, state);
  const { resource, scopes } = provider;
  const answer = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    parameters,
    getRedirectUri(),
    verifier,
    {
      [oauth.allowInsecureRequests]: isInsecureAllowed(issuer),
      ...(resource !== undefined && { additionalParameters: { resource } }),
    },
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer, {
    ...(scopes.includes("openid") && { expectedNonce: nonce, requireIdToken: true }),
  });
  return { token: tokens.access_token, seconds: tokens.expires_in ?? SECONDS, to, kept, channel };
}
