import { spawn } from "node:child_process";
import { createServer } from "node:http";
import * as oidc from "openid-client";
import { type Configuration, changeProfile, type SignedIn, writeConfiguration } from "../input/configuration.ts";
import type { Settings } from "../input/settings.ts";
import { createUsageFailure, EXIT, Failure } from "../terminal/failure.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** An OIDC provider and the client registered with it. */
export interface Provider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
  readonly scope?: string | undefined;
  /** API that the token is for (RFC 8707), for providers that require it. */
  readonly resource?: string | undefined;
  /** Loopback port of the redirect URI, which many providers compare exactly; 0 takes any free port. */
  readonly port: number;
}

/** Signs in with the client secret if there is one, else in the browser. */
export async function signInAtIssuer(terminal: Terminal, provider: Provider): Promise<SignedIn> {
  const { issuer, clientId, clientSecret, scope, resource } = provider;
  try {
    const client = await discoverProvider(provider);
    if (clientSecret === undefined) {
      const tokens = await signInInBrowser(terminal, client, provider);
      return toStoredToken(tokens, terminal, { issuer, client_id: clientId, ...toResourceParameter(resource) });
    }
    return toStoredToken(
      await oidc.clientCredentialsGrant(client, {
        ...(scope !== undefined && { scope }),
        ...toResourceParameter(resource),
      }),
      terminal,
      {},
    );
  } catch (error) {
    throw describeOidcError(error, issuer);
  }
}

/** Exchanges the profile's refresh token for an access token and stores it; undefined without one. */
export async function refreshToken(
  terminal: Terminal,
  { profile, profileName }: Settings,
  configuration: Configuration,
): Promise<string | undefined> {
  const { issuer, client_id: clientId, refresh_token: old, resource } = profile;
  if (issuer === undefined || clientId === undefined || old === undefined) return undefined;
  try {
    const client = await discoverProvider({ issuer, clientId });
    const storedToken = toStoredToken(
      await oidc.refreshTokenGrant(client, old, toResourceParameter(resource)),
      terminal,
      {},
    );
    await writeConfiguration(
      terminal,
      changeProfile(configuration, profileName.value, { refresh_token: old, ...storedToken }),
    );
    return storedToken.token;
  } catch (error) {
    throw describeOidcError(error, issuer);
  }
}

function discoverProvider({ issuer, clientId, clientSecret }: Omit<Provider, "port">): Promise<oidc.Configuration> {
  if (!URL.canParse(issuer)) throw createUsageFailure(`--issuer=${issuer} is not a valid URL.`);
  const url = new URL(issuer);
  // Plain HTTP is allowed on this machine only, where nobody can intercept it.
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  const options = url.protocol === "http:" && isLocal ? { execute: [oidc.allowInsecureRequests] } : undefined;
  const proof = clientSecret === undefined ? oidc.None() : oidc.ClientSecretBasic(clientSecret);
  return oidc.discovery(url, clientId, undefined, proof, options);
}

async function signInInBrowser(terminal: Terminal, client: oidc.Configuration, { port, scope, resource }: Provider) {
  const verifier = oidc.randomPKCECodeVerifier();
  const state = oidc.randomState();
  const landing = await listen(port, terminal, state);
  try {
    const scopes = scope ?? chooseScope(client);
    const start = oidc.buildAuthorizationUrl(client, {
      redirect_uri: landing.redirectUri,
      scope: scopes,
      // Without it, providers have to ignore offline access (OpenID Connect Core, section 11).
      ...(scopes.split(" ").includes(OFFLINE) && { prompt: "consent" }),
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      state,
      ...toResourceParameter(resource),
    });
    await terminal.stderr.write(`Sign in at this address:\n\n${start.href}\n\n`);
    if (terminal.stderr.isTTY) openBrowser(start.href);
    const landingUrl = await landing.arrival;
    const checks = { pkceCodeVerifier: verifier, expectedState: state };
    return await oidc.authorizationCodeGrant(client, landingUrl, checks, toResourceParameter(resource));
  } finally {
    landing.close();
  }
}

const OFFLINE = "offline_access";

/** Returns the scope to request by default: with offline access, unless the provider does not support it. */
function chooseScope(client: oidc.Configuration) {
  const { scopes_supported: scopes } = client.serverMetadata();
  return scopes === undefined || scopes.includes(OFFLINE) ? `openid ${OFFLINE}` : "openid";
}

interface Landing {
  readonly redirectUri: string;
  readonly arrival: Promise<URL>;
  close(): void;
}

async function listen(port: number, terminal: Terminal, state: string): Promise<Landing> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", () => reject(createUsageFailure(`Port ${port} is in use. Choose another one with --port.`)));
    server.listen(port, "localhost", resolve);
  });
  const address = server.address();
  const usedPort = typeof address === "object" && address ? address.port : port;
  const redirectUri = `http://localhost:${usedPort}/callback`;
  const arrival = new Promise<URL>((resolve, reject) => {
    terminal.signal.addEventListener("abort", () => reject(terminal.signal.reason));
    server.on("request", (request, response) => {
      const url = URL.parse(request.url ?? "", redirectUri);
      const [status, text] = answerLanding(request.method, url, state);
      response.writeHead(status, { "content-type": "text/plain", connection: "close" }).end(`${text}\n`);
      if (status === 200 && url) resolve(url);
    });
  });
  // The caller that awaits it handles the error; this avoids an unhandled rejection before that.
  arrival.catch(() => undefined);
  return { redirectUri, arrival, close: () => server.close() };
}

function answerLanding(
  method: string | undefined,
  url: URL | null,
  state: string,
): readonly [status: number, said: string] {
  if (url?.pathname !== "/callback") return [404, "Not found."];
  if (method !== "GET") return [405, "The provider must redirect with GET."];
  const states = url.searchParams.getAll("state");
  if (states.length !== 1 || states[0] !== state) {
    return [400, "This request does not belong to the sign-in started on the terminal, which is still waiting."];
  }
  return [200, "You can close this page and go back to the terminal."];
}

/** Returns the token to store. With opaque access tokens, the ID token names the user. */
function toStoredToken(
  tokens: oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers,
  terminal: Terminal,
  provider: Pick<SignedIn, "issuer" | "client_id" | "resource">,
): SignedIn {
  const { access_token, id_token, refresh_token } = tokens;
  const token = access_token.split(".").length === 3 ? access_token : (id_token ?? access_token);
  const seconds = tokens.expiresIn();
  return {
    ...provider,
    token,
    ...(seconds !== undefined && { expires: terminal.now() + seconds * 1000 }),
    ...(refresh_token !== undefined && { refresh_token }),
  };
}

function toResourceParameter(resource: string | undefined): { readonly resource?: string } {
  return resource === undefined ? {} : { resource };
}

function describeOidcError(error: unknown, issuer: string): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error;
  if (error.name === "AbortError" || error.message === "interrupted") return error;
  // Members of an OAuth error (RFC 6749, section 5.2).
  const { error: code, error_description: description } = error as { error?: unknown; error_description?: unknown };
  const reason = [code, description].filter((part) => typeof part === "string").join(": ");
  return new Failure(`${issuer} did not sign you in: ${reason || error.message}`, EXIT.notSignedIn);
}

/** Opens a URL in the user's browser if the platform has a command for it. */
export function openBrowser(url: string): void {
  const command = process.platform === "darwin" ? "open" : process.platform === "win32" ? "explorer" : "xdg-open";
  spawn(command, [url], { stdio: "ignore", detached: true })
    .on("error", () => undefined)
    .unref();
}
