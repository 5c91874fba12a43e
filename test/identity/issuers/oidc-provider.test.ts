import { afterAll, describe, expect, test } from "vitest";
import { createExternalVerifier } from "../../../shared/identity/issuers/verify-external.ts";
import { API, API_WITH_EC, ROBOT, startCertifiedProvider } from "../../cli/support/certified-provider.ts";
import { openLambdaTransport } from "../../http/support/transports.ts";
import { createHttpCalls } from "../../support/http-call.ts";
import { runtimeAt } from "../../support/runtime.ts";
import { createWorld } from "../../support/world.ts";
import { issuersFrom } from "../support/issuer-server.ts";

/** Requests an access token for an API. Without an API, the token is not a JWT. */
async function requestToken(resource?: string): Promise<string> {
  const response = await fetch(`${provider.issuer}/token`, {
    method: "POST",
    headers: { authorization: `Basic ${Buffer.from(`${ROBOT.client_id}:${ROBOT.client_secret}`).toString("base64")}` },
    body: new URLSearchParams({
      grant_type: "client_credentials",
      ...(resource !== undefined && { resource, scope: "metadata" }),
    }),
  });
  // RFC 6749 section 5.1.
  const { access_token } = (await response.json()) as { access_token: string };
  return access_token;
}

const provider = await startCertifiedProvider();
afterAll(() => provider.close());

const entry = {
  ...{ issuer: provider.issuer, audiences: [API, API_WITH_EC], clientIds: [ROBOT.client_id] },
  ...{ rolesClaim: "https://example.org/roles", roles: { stewards: "manager" }, maxLifetimeSeconds: 600 },
};
// The provider keeps the time of this machine.
const clock = runtimeAt(new Date().toISOString());
const { service } = await createWorld({ issuers: issuersFrom(entry), runtime: clock });
const verify = (token: string) => service.ports(clock.now() + 29_000).identity.verify(token);

describe("access tokens of a real OpenID provider", () => {
  test.each([
    ["RS256", API],
    ["ES256", API_WITH_EC],
  ])("are accepted, signed with %s and found by discovery", async (alg, api) => {
    const token = await requestToken(api);
    expect(JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString())).toMatchObject({ alg });
    await expect(verify(token)).resolves.toEqual({
      issuer: provider.issuer,
      subject: ROBOT.client_id,
      fullname: "The Robot",
      issuedAt: expect.any(Number),
      session: { id: expect.stringMatching(/^[\w-]{22}$/), expiresAt: expect.any(Number) },
      claimedRoles: ["manager"],
    });
  });

  test("are accepted by the actions", async () => {
    const transport = openLambdaTransport(service, () => undefined);
    const authorization = `Bearer ${await requestToken(API)}`;
    const { status, json } = await transport.send({ target: "/api/auth/whoami", headers: { authorization } });
    expect({ status, json }).toMatchObject({ status: 200, json: { issuer: provider.issuer, sub: ROBOT.client_id } });
  });

  test("have no password that could be changed here", async () => {
    const call = createHttpCalls(service, API);
    const payload = { oldPassword: "Old password 1947", newPassword: "Another password 1947" };
    const token = await requestToken(API);
    const refused = call({ action: "auth/change_my_password", payload, token, controls: {} });
    await expect(refused).rejects.toMatchObject({ code: "not_found" });
  });

  test("for another API are refused", async () => {
    await expect(verify(await requestToken("https://elsewhere.example/api"))).rejects.toThrow("not valid");
  });

  test("that are not JWTs are refused", async () => {
    const opaque = await requestToken();
    expect(opaque).not.toContain(".");
    await expect(verify(opaque)).rejects.toThrow("not valid");
  });

  test.each([
    [{ clientIds: ["another"] }],
    [{ audiences: [API], clientIds: ["another", ROBOT.client_id.toUpperCase()] }],
    [{ audiences: [API.toUpperCase()], clientIds: [ROBOT.client_id] }],
    [{ audiences: [API], algorithms: ["ES256"] }],
    [{ audiences: [API], maxLifetimeSeconds: 599 }],
  ])("are refused if the configuration has %j", async (change) => {
    const strict = issuersFrom({ issuer: provider.issuer, ...change });
    const token = await requestToken(API);
    await expect(createExternalVerifier(strict, clock)(token, provider.issuer)).rejects.toThrow("not valid");
  });

  test("are accepted by client only, if no audience is configured", async () => {
    const lax = issuersFrom({ issuer: provider.issuer, clientIds: [ROBOT.client_id] });
    const token = await requestToken("https://elsewhere.example/api");
    const claims = await createExternalVerifier(lax, clock)(token, provider.issuer);
    expect(claims).toMatchObject({ subject: ROBOT.client_id, claimedRoles: [] });
  });

  test("end when they expire", async () => {
    const token = await requestToken(API);
    const { exp } = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    clock.advance(exp * 1_000 - 1_000 - clock.now());
    await expect(verify(token)).resolves.toBeDefined();
    clock.advance(2_000);
    await expect(verify(token)).rejects.toThrow("has expired");
  });
});
