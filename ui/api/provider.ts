import * as oauth from "oauth4webapi";
import type { OutputOf } from "./service.ts";

/** An identity provider for browsers, as described by the service. */
export type Provider = OutputOf<"config/sign_in_options">["issuers"][number];

/** State that must survive the redirect to the provider. */
interface PendingSignIn {
  readonly issuer: string;
  readonly verifier: string;
  readonly state: string;
  readonly nonce: string;
  readonly to: string;
  readonly kept: boolean;
  /** The broadcast channel of the page that waits for the token, if another page does. */
  readonly channel?: string | undefined;
}

/** The result of signing in at a provider. */
export interface SignedIn extends Pick<PendingSignIn, "to" | "kept" | "channel"> {
  readonly token: string;
  /** Lifetime of the token in seconds. */
  readonly seconds: number;
}

const STORAGE_KEY = "metaction.sign-in";
/** Token lifetime in seconds for a provider that states none. */
const DEFAULT_LIFETIME = 3_600;

const getRedirectUri = () => `${location.origin}/sign-in`;

/** Returns true for a provider on the same machine, which may be reached without TLS. */
const isInsecureAllowed = (issuer: string) =>
  /^(?:127\.0\.0\.1|localhost|\[::1\])$/.test(new URL(issuer).hostname) && issuer.startsWith("http:");

async function discover(issuer: string): Promise<oauth.AuthorizationServer> {
  const url = new URL(issuer);
  const answer = await oauth.discoveryRequest(url, { [oauth.allowInsecureRequests]: isInsecureAllowed(issuer) });
  return oauth.processDiscoveryResponse(url, answer);
}

/** Redirects the browser to a provider, with PKCE. */
export async function startSignIn(
  provider: Provider,
  { to, kept, channel }: Pick<PendingSignIn, "to" | "kept" | "channel">,
): Promise<void> {
  const { issuer, clientId, scopes, resource } = provider;
  const { authorization_endpoint: endpoint } = await discover(issuer);
  if (!endpoint) throw new Error(`Provider ${issuer} has no authorization endpoint.`);
  const verifier = oauth.generateRandomCodeVerifier();
  const pending: PendingSignIn = {
    issuer,
    verifier,
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    to,
    kept,
    channel,
  };
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify(pending));
  const url = new URL(endpoint);
  const parameters = {
    client_id: clientId,
    redirect_uri: getRedirectUri(),
    response_type: "code",
    scope: scopes.join(" "),
    state: pending.state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...(scopes.includes("openid") && { nonce: pending.nonce }),
    ...(resource !== undefined && { resource }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  location.assign(url);
}

/** Exchanges the code from the redirect of a provider for a token. Throws if that fails. */
export async function finishSignIn(address: URL, providers: readonly Provider[]): Promise<SignedIn> {
  const text = sessionStorage.getItem(STORAGE_KEY);
  sessionStorage.removeItem(STORAGE_KEY);
  if (!text) throw new Error("Sign-in was not started in this tab. Sign in again.");
  const { issuer, verifier, state, nonce, to, kept, channel } = JSON.parse(text) as PendingSignIn;
  const provider = providers.find((one) => one.issuer === issuer);
  if (!provider) throw new Error(`${issuer} is not a provider of this service.`);
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
  return { token: tokens.access_token, seconds: tokens.expires_in ?? DEFAULT_LIFETIME, to, kept, channel };
}
