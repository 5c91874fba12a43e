import { Provider } from "oidc-provider";
import { beforeAll } from "vitest";
import { serve } from "../../formats/source-server.ts";
import { createSigner } from "../../identity/support/token-signer.ts";
import { becomeAdministrator, startProcess } from "../../support/local-process.ts";
import { createFolder, writeInto } from "../../support/temporary-folder.ts";

/** The API that tokens of the provider are for. */
export const API = "https://metaction.example/api";
/** Another API, whose tokens the provider signs with ES256 rather than RS256. */
export const API_WITH_EC = "https://metaction.example/ec";

/** The programs that are registered at the provider: one with a secret, and the command line in a user's hands. */
export const ROBOT = { client_id: "robot", client_secret: "a-secret-of-the-robot-client" };
export const CLI = "cli";
export const WEB = "web";

/** Starts a certified OpenID provider on a free port that accepts any name; its access tokens are JWTs. */
export async function startCertifiedProvider(redirectUri?: string) {
  const server = await serve((...call) => provider.callback()(...call));
  const issuer = `http://127.0.0.1:${server.port}`;
  const signers = [createSigner("rsa", "RS256"), createSigner("ec", "ES256")];
  const keys = signers.map(({ jwk, privateKey }) => ({ ...jwk, ...privateKey.export({ format: "jwk" }) }));
  const provider = new Provider(issuer, {
    clients: [
      { ...ROBOT, grant_types: ["client_credentials"], redirect_uris: [], response_types: [] },
      {
        client_id: CLI,
        token_endpoint_auth_method: "none",
        application_type: "native",
        // The port of a loopback address may be any (RFC 8252, section 7.3).
        redirect_uris: ["http://localhost/callback"],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
      },
      ...(redirectUri === undefined ? [] : [webClient(redirectUri)]),
    ],
    clientBasedCORS: (_: unknown, origin: string) =>
      redirectUri !== undefined && origin === new URL(redirectUri).origin,
    cookies: { keys: ["a key of this test's cookies"] },
    jwks: { keys },
    // Client credentials have no user, so the provider names the subject itself.
    extraTokenClaims: async () => ({ name: "The Robot", "https://example.org/roles": ["stewards", "unmapped"] }),
    features: {
      devInteractions: { enabled: true },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: async () => true,
        getResourceServerInfo: async (_: unknown, resource: string) => ({
          audience: resource,
          scope: "metadata",
          accessTokenTTL: 600,
          accessTokenFormat: "jwt",
          jwt: { sign: { alg: resource === API_WITH_EC ? "ES256" : "RS256" } },
        }),
      },
    },
    pkce: { required: () => true },
  });
  return { issuer, close: server.close };
}

const webClient = (redirectUri: string) => ({
  client_id: WEB,
  token_endpoint_auth_method: "none",
  redirect_uris: [redirectUri],
  grant_types: ["authorization_code"],
  response_types: ["code"],
});

/** Writes a file of issuers with one entry for a provider, and returns its path. */
export const writeIssuers = (entry: object) => writeInto(createFolder(), "issuers.json", { issuers: [entry] });

/** Starts, before the tests of a file, a provider and a service that accepts its tokens, and ends both afterwards. */
export function useCertifiedProvider(): { readonly issuer: string; readonly url: string } {
  const here = { issuer: "", url: "" };
  beforeAll(async () => {
    const { issuer, close } = await startCertifiedProvider();
    const signIn = { clientId: CLI, label: "Acme", scopes: ["openid", "metadata"], resource: API };
    const issuers = await writeIssuers({ issuer, audiences: [API], clientIds: [ROBOT.client_id, CLI], signIn });
    const service = await startProcess(undefined, { METACTION_ISSUERS: issuers });
    await becomeAdministrator(service);
    Object.assign(here, { issuer, url: service.url });
    return async () => {
      await service.interrupt();
      await close();
    };
  });
  return here;
}
