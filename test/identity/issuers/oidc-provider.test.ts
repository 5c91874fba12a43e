import { generateKeyPairSync } from "node:crypto";
import { Provider } from "oidc-provider";
import { afterAll, describe, expect, test } from "vitest";
import { readIssuers } from "../../../shared/identity/issuers/configuration.ts";
import { createExternalVerifier } from "../../../shared/identity/issuers/verify-external.ts";
import { serve } from "../../formats/source-server.ts";
import { openLambdaTransport } from "../../http/support/transports.ts";
import { ambientAt } from "../../support/ambient.ts";
import { createHttpCalls } from "../../support/http-call.ts";
import { createWorld } from "../../support/world.ts";

const API = "https://metaction.example/api";

const jwkOf = (kid: string, alg: "ES256" | "RS256"): object => {
  const { privateKey } =
    alg === "ES256"
      ? generateKeyPairSync("ec", { namedCurve: "P-256" })
      : generateKeyPairSync("rsa", { modulusLength: 2048 });
  return { ...privateKey.export({ format: "jwk" }), kid, alg, use: "sig" };
};

const client = { client_id: "robot", client_secret: "a-secret-of-the-robot-client" };

/** A certified OpenID provider on a port of its own, whose access tokens are JWTs for our API. */
async function startProvider() {
  const server = await serve((...call) => provider.callback()(...call));
  const issuer = `http://127.0.0.1:${server.port}`;
  let alg = "RS256";
  const provider = new Provider(issuer, {
    clients: [{ ...client, grant_types: ["client_credentials"], redirect_uris: [], response_types: [] }],
    jwks: { keys: [jwkOf("provider-rsa", "RS256"), jwkOf("provider-ec", "ES256")] },
    // Client credentials have no user, so the provider names the subject itself.
    extraTokenClaims: async () => ({ name: "The Robot", "https://example.org/roles": ["stewards", "unmapped"] }),
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: async (_: unknown, resource: string) => ({
          audience: resource,
          scope: "metadata",
          accessTokenTTL: 600,
          accessTokenFormat: "jwt",
          jwt: { sign: { alg } },
        }),
      },
    },
  });
  const token = async (resource: string | undefined, algorithm: "RS256" | "ES256" = "RS256"): Promise<string> => {
    alg = algorithm;
    const response = await fetch(`${issuer}/token`, {
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        authorization: `Basic ${Buffer.from(`${client.client_id}:${client.client_secret}`).toString("base64")}`,
      },
      body: new URLSearchParams({
        grant_type: "client_credentials",
        ...(resource !== undefined && { resource, scope: "metadata" }),
      }).toString(),
    });
    // RFC 6749 section 5.1.
    const { access_token } = (await response.json()) as { access_token: string };
    return access_token;
  };
  return { issuer, token, stop: server.close };
}

const provider = await startProvider();
afterAll(() => provider.stop());

const issuers = readIssuers(
  JSON.stringify({
    issuers: [
      {
        issuer: provider.issuer,
        audiences: [API],
        clientIds: [client.client_id],
        rolesClaim: "https://example.org/roles",
        roles: { stewards: "manager" },
        maxLifetimeSeconds: 600,
      },
    ],
  }),
);
// The provider keeps the time of this machine.
const clock = ambientAt(new Date().toISOString());
const { service } = await createWorld({ issuers, ambient: clock });
const verify = (token: string) => service.ports(clock.now() + 29_000).identity.verify(token);

describe("access tokens of a real OpenID provider", () => {
  test.each(["RS256", "ES256"] as const)("are accepted, signed with %s and found by discovery", async (alg) => {
    const token = await provider.token(API, alg);
    expect(JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString())).toMatchObject({ alg });
    await expect(verify(token)).resolves.toEqual({
      issuer: provider.issuer,
      subject: client.client_id,
      fullname: "The Robot",
      issuedAt: expect.any(Number),
      claimedRoles: ["manager"],
    });
  });

  test("are accepted by the actions", async () => {
    const door = openLambdaTransport(service, () => undefined);
    const authorization = `Bearer ${await provider.token(API)}`;
    const { status, json } = await door.send({ target: "/api/auth/whoami", headers: { authorization } });
    expect({ status, json }).toMatchObject({ status: 200, json: { issuer: provider.issuer, sub: client.client_id } });
  });

  test("have no password that could be changed here", async () => {
    const call = createHttpCalls(service, API);
    const payload = { oldPassword: "Old password 1947", newPassword: "Another password 1947" };
    const token = await provider.token(API);
    const refused = call({ action: "auth/change_my_password", payload, token, controls: {} });
    await expect(refused).rejects.toMatchObject({ code: "not_found" });
  });

  test("for another API are refused", async () => {
    await expect(verify(await provider.token("https://elsewhere.example/api"))).rejects.toThrow("not valid");
  });

  test("that are not JWTs are refused", async () => {
    const opaque = await provider.token(undefined);
    expect(opaque).not.toContain(".");
    await expect(verify(opaque)).rejects.toThrow("not valid");
  });

  test.each([
    [{ clientIds: ["another"] }],
    [{ audiences: [API], clientIds: ["another", client.client_id.toUpperCase()] }],
    [{ audiences: [API.toUpperCase()], clientIds: [client.client_id] }],
    [{ audiences: [API], algorithms: ["ES256"] }],
    [{ audiences: [API], maxLifetimeSeconds: 599 }],
  ])("are refused if the configuration has %j", async (change) => {
    const strict = readIssuers(JSON.stringify({ issuers: [{ issuer: provider.issuer, ...change }] }));
    const token = await provider.token(API);
    await expect(createExternalVerifier(strict, clock)(token, provider.issuer)).rejects.toThrow("not valid");
  });

  test("are accepted by client only, if no audience is configured", async () => {
    const lax = readIssuers(JSON.stringify({ issuers: [{ issuer: provider.issuer, clientIds: [client.client_id] }] }));
    const token = await provider.token("https://elsewhere.example/api");
    const claims = await createExternalVerifier(lax, clock)(token, provider.issuer);
    expect(claims).toMatchObject({ subject: client.client_id, claimedRoles: [] });
  });

  test("end when they expire", async () => {
    const token = await provider.token(API);
    await expect(verify(token)).resolves.toBeDefined();
    clock.advance(601_000);
    await expect(verify(token)).rejects.toThrow("has expired");
  });
});
