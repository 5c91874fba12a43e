import { spawn } from "node:child_process";
import { createServer } from "node:http";
import * as oidc from "openid-client";
import { type Configuration, type SignedIn, withProfile, writeConfiguration } from "../input/configuration.ts";
import type { Settings } from "../input/settings.ts";
import { EXIT, Failure, usage } from "../terminal/failure.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** An OIDC provider and the client that is registered there. */
export interface Provider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
  readonly scope?: string | undefined;
  /** The API the token is for (RFC 8707), where the provider wants to be told. */
  readonly resource?: string | undefined;
  /** The loopback port of the redirect URI, which many providers compare exactly; 0 takes any. */
  readonly port: number;
}

/** Signs in at a provider: as a program where there is a client secret, else in the user's browser. */
export async function signInAtIssuer(place: Terminal, provider: Provider): Promise<SignedIn> {
  const { issuer, clientId, clientSecret, scope, resource } = provider;
  try {
    const client = await discoverProvider(provider);
    if (clientSecret === undefined) {
      const tokens = await inBrowser(place, client, provider);
      return toStoredToken(tokens, place, { issuer, client_id: clientId, ...forApi(resource) });
    }
    return toStoredToken(
      await oidc.clientCredentialsGrant(client, { ...(scope !== undefined && { scope }), ...forApi(resource) }),
      place,
      {},
    );
  } catch (error) {
    throw describeOidcError(error, issuer);
  }
}

/** A token that a refresh token brings; the profile gets it too. Undefined where the profile has none. */
export async function refreshToken(
  place: Terminal,
  { profile, profileName }: Settings,
  configuration: Configuration,
): Promise<string | undefined> {
  const { issuer, client_id: clientId, refresh_token: old, resource } = profile;
  if (issuer === undefined || clientId === undefined || old === undefined) return undefined;
  try {
    const client = await discoverProvider({ issuer, clientId });
    const signedIn = toStoredToken(await oidc.refreshTokenGrant(client, old, forApi(resource)), place, {});
    await writeConfiguration(place, withProfile(configuration, profileName.value, { refresh_token: old, ...signedIn }));
    return signedIn.token;
  } catch (error) {
    throw describeOidcError(error, issuer);
  }
}

function discoverProvider({ issuer, clientId, clientSecret }: Omit<Provider, "port">): Promise<oidc.Configuration> {
  if (!URL.canParse(issuer)) throw usage(`--issuer=${issuer} is no URL`);
  const url = new URL(issuer);
  // Plain HTTP only where nobody can listen in.
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  const options = url.protocol === "http:" && isLocal ? { execute: [oidc.allowInsecureRequests] } : undefined;
  const proof = clientSecret === undefined ? oidc.None() : oidc.ClientSecretBasic(clientSecret);
  return oidc.discovery(url, clientId, undefined, proof, options);
}

async function inBrowser(place: Terminal, client: oidc.Configuration, { port, scope, resource }: Provider) {
  const verifier = oidc.randomPKCECodeVerifier();
  const state = oidc.randomState();
  const landing = await listen(port, place, state);
  try {
    const wanted = scope ?? scopeAt(client);
    const start = oidc.buildAuthorizationUrl(client, {
      redirect_uri: landing.redirectUri,
      scope: wanted,
      // Without it, offline access has to be ignored (OpenID Connect Core, section 11).
      ...(wanted.split(" ").includes(OFFLINE) && { prompt: "consent" }),
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      state,
      ...forApi(resource),
    });
    await place.stderr.write(`Sign in at this address:\n\n${start.href}\n\n`);
    if (place.stderr.isTTY) openBrowser(start.href);
    const landed = await landing.landed;
    const checks = { pkceCodeVerifier: verifier, expectedState: state };
    return await oidc.authorizationCodeGrant(client, landed, checks, forApi(resource));
  } finally {
    landing.close();
  }
}

/** The scope that asks for a refresh token. */
const OFFLINE = "offline_access";

/** The scope to ask for where the user names none: with offline access, unless the provider does not know it. */
function scopeAt(client: oidc.Configuration): string {
  const { scopes_supported: known } = client.serverMetadata();
  return known === undefined || known.includes(OFFLINE) ? `openid ${OFFLINE}` : "openid";
}

interface Landing {
  readonly redirectUri: string;
  readonly landed: Promise<URL>;
  close(): void;
}

/** A server on this machine that the provider sends the browser back to. Only who knows the state ends the sign-in. */
async function listen(port: number, place: Terminal, state: string): Promise<Landing> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", () => reject(usage(`the port ${port} is taken; choose another with --port`)));
    server.listen(port, "localhost", resolve);
  });
  const address = server.address();
  const taken = typeof address === "object" && address ? address.port : port;
  const redirectUri = `http://localhost:${taken}/callback`;
  const landed = new Promise<URL>((resolve, reject) => {
    place.signal.addEventListener("abort", () => reject(place.signal.reason), { once: true });
    server.on("request", (request, response) => {
      const url = URL.parse(request.url ?? "", redirectUri);
      const [status, said] = answerLanding(request.method, url, state);
      response.writeHead(status, { "content-type": "text/plain", connection: "close" }).end(`${said}\n`);
      if (status === 200 && url) resolve(url);
    });
  });
  // Whoever waits for it handles it; without, an early end would be an unhandled rejection.
  landed.catch(() => undefined);
  return { redirectUri, landed, close: () => server.close() };
}

/** The answer to a request to the server: 200 where the provider sent it, and an error for any other. */
function answerLanding(
  method: string | undefined,
  url: URL | null,
  state: string,
): readonly [status: number, said: string] {
  if (url?.pathname !== "/callback") return [404, "Not found."];
  if (method !== "GET") return [405, "The provider comes back with GET."];
  const states = url.searchParams.getAll("state");
  if (states.length !== 1 || states[0] !== state) {
    return [400, "This is not the sign-in that was begun on the terminal, which goes on waiting."];
  }
  return [200, "You can close this page and go back to the terminal."];
}

/** Providers whose access tokens are opaque say who signed in with the ID token. */
function toStoredToken(
  tokens: oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers,
  place: Terminal,
  provider: Pick<SignedIn, "issuer" | "client_id" | "resource">,
): SignedIn {
  const { access_token, id_token, refresh_token } = tokens;
  const token = access_token.split(".").length === 3 ? access_token : (id_token ?? access_token);
  const seconds = tokens.expiresIn();
  return {
    ...provider,
    token,
    ...(seconds !== undefined && { expires: place.now() + seconds * 1000 }),
    ...(refresh_token !== undefined && { refresh_token }),
  };
}

function forApi(resource: string | undefined): { readonly resource?: string } {
  return resource === undefined ? {} : { resource };
}

function describeOidcError(error: unknown, issuer: string): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error;
  if (error.name === "AbortError" || error.message === "interrupted") return error;
  // The members of an OAuth error (RFC 6749, section 5.2).
  const { error: code, error_description: description } = error as { error?: unknown; error_description?: unknown };
  const said = [code, description].filter((part) => typeof part === "string").join(": ");
  return new Failure(`${issuer} did not sign you in: ${said || error.message}`, EXIT.notSignedIn);
}

/** Opens an address in the user's browser, where there is a command for it; whoever has none reads the address. */
export function openBrowser(url: string): void {
  const command = process.platform === "darwin" ? "open" : process.platform === "win32" ? "explorer" : "xdg-open";
  spawn(command, [url], { stdio: "ignore", detached: true })
    .on("error", () => undefined)
    .unref();
}
