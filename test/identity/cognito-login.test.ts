import type { RequestListener } from "node:http";
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { type CognitoPool, toPool } from "../../shared/identity/cognito-login.ts";
import { createIdentity } from "../../shared/identity/identity.ts";
import { listAudit } from "../../shared/store/accounts/audit-list.ts";
import { createHttpCalls } from "../support/http-call.ts";
import { codeOf } from "../support/world.ts";
import { ADA, AWAY, CLIENT, failureOf, ISSUER, LEAK, PASSWORD, usePools, WRONG } from "./support/cognito-pools.ts";
import { issuersFrom } from "./support/issuer-server.ts";
import { bootstrapCall, createService } from "./support/service.ts";
import { forge } from "./support/token-signer.ts";
import { wholeService } from "./support/whole-service.ts";

const { openPool, withPool } = usePools();

async function loginAt(cognito: CognitoPool) {
  const { terms, clock } = await createService();
  const identity = createIdentity({ ...terms, cognito: async () => cognito });
  return identity.login("ada@example.com", PASSWORD, bootstrapCall(clock));
}

describe("a user of the pool", () => {
  test("gets the access token of the pool, and no other token, for name and password", async () => {
    const sub = "s".repeat(LIMITS.subjectCharacters);
    const access_token = forge({}, { sub: `${sub}-more` }, () => "signature");
    const { login, pool, service } = await withPool({ tokenOf: () => access_token });
    expect(await login()).toEqual({ access_token, token_type: "Bearer", expires_in: 1_800 });
    expect(pool.asked).toHaveLength(1);
    expect(pool.asked[0]?.headers).toMatchObject({ connection: "close" });
    expect(service.hashed).toEqual([]);
    const { items } = await listAudit(service.table, service.clock, {}, {});
    expect(items).toMatchObject([{ outcome: "ok", actor: { subject: sub } }]);
  });

  test("gets a token with a client without a secret, and with a secret from a secret store", async () => {
    const { clientId, clientSecret } = CLIENT;
    const pool = await openPool({ clientSecret: undefined });
    const without = { ...toPool({ issuer: ISSUER, clientId }), endpoint: pool.endpoint };
    expect(await loginAt(without)).toHaveProperty("access_token");

    const asked: string[] = [];
    const keeper = (id: string) => async () => {
      asked.push(id);
      return clientSecret;
    };
    const secretPool = await openPool();
    const kept = {
      ...toPool({ issuer: ISSUER, clientId, clientSecretId: "arn" }, keeper),
      endpoint: secretPool.endpoint,
    };
    // The service reads the secret only when somebody signs in.
    expect(asked).toEqual([]);
    expect(await loginAt(kept)).toHaveProperty("access_token");
    expect(asked).toEqual(["arn"]);
  });

  test("gets none, and the pool gets no password, if the secret store is missing or has an empty secret", async () => {
    const withoutStore = toPool({ issuer: ISSUER, clientId: CLIENT.clientId, clientSecretId: "arn" });
    for (const change of [{ clientSecret: async () => undefined }, { clientSecret: async () => "" }, withoutStore]) {
      const { login, pool } = await withPool({}, change);
      const error = await failureOf(login());
      expect([error.code, error.message]).toEqual([
        undefined,
        "The secret of the app client of the user pool holds no text",
      ]);
      expect(pool.asked).toEqual([]);
    }
  });

  test("is authenticated at the host of the issuer by default", async () => {
    const cognito = toPool({ ...CLIENT, issuer: `${(await openPool()).endpoint}/eu-central-1_AbCdEfGhI` });
    expect(await loginAt(cognito)).toHaveProperty("access_token");
  });
});

describe("a wrong name or password", () => {
  const REFUSALS = [
    ...["NotAuthorizedException", "UserNotFoundException", "UserNotConfirmedException"],
    ...["PasswordResetRequiredException", "UserLambdaValidationException", "InvalidParameterException"],
  ];

  test("has the answer of the built-in provider, word for word", async () => {
    const users = Object.fromEntries(REFUSALS.map((refusal) => [refusal, { password: PASSWORD, refusal }]));
    const { login, service } = await withPool({ users: { ...ADA, ...users } });
    const builtIn = await failureOf(
      createIdentity(service.terms).login("nobody", PASSWORD, bootstrapCall(service.clock)),
    );
    expect(builtIn).toMatchObject(WRONG);
    const attempts: [string, string][] = [
      ["ada@example.com", "wrong"],
      ["nobody@example.com", PASSWORD],
      ...REFUSALS.map((name): [string, string] => [name, PASSWORD]),
    ];
    for (const [username, password] of attempts)
      expect(await failureOf(login(username, password)), username).toEqual(builtIn);
  });

  test("is indistinguishable from a wrong secret of the client", async () => {
    const { login } = await withPool({ clientSecret: "another" });
    expect(await failureOf(login())).toMatchObject(WRONG);
  });

  test.each([
    ["com.amazonaws.cognito.identity.idp.model#NotAuthorizedException", {}],
    ["", { "x-amzn-errortype": "NotAuthorizedException:" }],
  ])("is recognised by the type name in any form: %s %j", async (__type, headers) => {
    const { login, pool } = await withPool();
    pool.answerWith((_, response) => response.writeHead(400, headers).end(JSON.stringify({ __type, message: LEAK })));
    expect(await failureOf(login())).toMatchObject(WRONG);
  });
});

describe("a challenge", () => {
  test.each([
    ["NEW_PASSWORD_REQUIRED", "set a new password there"],
    ["SOFTWARE_TOKEN_MFA", "give the code of the authenticator app there"],
    ["SMS_MFA", "give the code sent as a text message there"],
    ["DEVICE_SRP_AUTH", "complete it there"],
  ])("%s is a problem with its own code and the next step", async (challenge, step) => {
    const { login } = await withPool({ users: { ada: { password: PASSWORD, challenge } } });
    const problem = await failureOf(login("ada"));
    expect(problem).toMatchObject({ code: "login_challenge", members: {} });
    expect(problem.message).toBe(
      `The user pool asks for the challenge ${challenge}: sign in on the user pool's own sign-in page, ${step}, and use the access token you get`,
    );
    // The pool answers the challenge only after the right password.
    expect(await failureOf(login("ada", "wrong"))).toMatchObject(WRONG);
  });

  test.each([`<b>${LEAK}</b>`, 7, { a: LEAK }, "A".repeat(65)])("%j is not repeated", async (ChallengeName) => {
    const { login, pool } = await withPool();
    pool.answerWith((_, response) => response.end(JSON.stringify({ ChallengeName })));
    const problem = await failureOf(login());
    expect(problem).toMatchObject({ code: "login_challenge", message: expect.stringContaining("challenge unknown") });
  });
});

describe("attempts", () => {
  test("count like those of built-in users: the pool is not called while the name has to wait", async () => {
    const { login, pool, service } = await withPool();
    for (let i = 0; i <= LIMITS.freeLoginFailures; i++) await failureOf(login("ada@example.com", "wrong"));
    const asked = pool.asked.length;
    expect(await failureOf(login())).toMatchObject({ code: "throttled", members: { retryAfter: 1 } });
    expect(pool.asked).toHaveLength(asked);
    service.clock.advance(1);
    expect(await login()).toHaveProperty("access_token");
    for (let i = 0; i < LIMITS.freeLoginFailures; i++) await failureOf(login("ada@example.com", "wrong"));
    expect(await login()).toHaveProperty("access_token");
  });

  test("in other spellings of a name count as attempts of that name", async () => {
    const { login, pool } = await withPool();
    const spellings = Array.from({ length: 20 }, (_, i) =>
      // These spellings differ in upper case; those added below are in other forms of the same letters.
      [..."ada@example.com"].map((letter, at) => ((i >> (at % 5)) & 1 ? letter.toUpperCase() : letter)).join(""),
    );
    spellings.push("ａda@example.com", "\u24d0da@example.com", "ádá@example.com", "a\u0301da\u0301@example.com");
    expect(new Set(spellings).size).toBe(24);
    for (let round = 0; round < 5; round++) for (const one of spellings) await failureOf(login(one, "wrong"));
    expect(pool.asked).toHaveLength(LIMITS.freeLoginFailures + 1);
  });

  test("without a verdict of the pool do not count: unavailable, busy, or a challenge", async () => {
    const { login, pool } = await withPool({ users: { ...ADA, bob: { password: PASSWORD, challenge: "SMS_MFA" } } });
    const away: RequestListener = (_, response) => response.writeHead(500).end();
    await failureOf(login("ada@example.com", "wrong"));
    for (let i = 0; i < 3 * LIMITS.freeLoginFailures; i++) {
      pool.answerWith(away);
      expect(await failureOf(login())).toMatchObject(AWAY);
      pool.answerWith(undefined);
      expect(await codeOf(login("bob"))).toBe("login_challenge");
    }
    // The one wrong password still counts.
    for (let i = 1; i <= LIMITS.freeLoginFailures; i++)
      expect(await codeOf(login("ada@example.com", "wrong"))).toBe("not_signed_in");
    expect(await codeOf(login())).toBe("throttled");
  });
});

test("auth/login of a whole service signs in at the pool with the same request and answer, and no secret in any output", async () => {
  const pool = await openPool({ users: { ...ADA, bob: { password: PASSWORD, challenge: "NEW_PASSWORD_REQUIRED" } } });
  const issuer = `${pool.endpoint}/eu-central-1_AbCdEfGhI`;
  const signIn = { clientId: CLIENT.clientId, label: "Acme", scopes: ["api"], resource: "https://metaction.example" };
  const entry = { issuer, preset: "cognito", clientIds: [CLIENT.clientId], signIn };
  const configuration = issuersFrom(entry, { issuer, ...CLIENT });
  const { service, lines, send } = await wholeService({ issuers: async () => configuration });
  const login = async (username: string, password: string) => {
    const { text, ...answer } = await send({ action: "auth/login", body: { username, password } });
    return { ...answer, body: JSON.parse(text) };
  };
  expect(await login("ada@example.com", PASSWORD)).toMatchObject({
    status: 200,
    body: { access_token: "token-of-ada@example.com", token_type: "Bearer", expires_in: 1_800 },
  });
  const refused = [
    await login("ada@example.com", "wrong"),
    await login("bob", PASSWORD),
    await login("ada lovelace", PASSWORD),
  ];
  const bob = { username: "bob", password: PASSWORD };
  const call = createHttpCalls(service, ISSUER);
  const challenged = call({ action: "auth/login", payload: bob, token: undefined, controls: {} });
  await expect(challenged).rejects.toMatchObject({ code: "login_challenge" });
  pool.answerWith((_, response) => response.writeHead(502).end(LEAK));
  refused.push(await login("ada@example.com", PASSWORD));
  expect(refused).toMatchObject([
    { status: 401, body: { code: "not_signed_in", detail: WRONG.message } },
    { status: 403, body: { code: "login_challenge", retryable: false } },
    { status: 400, body: { code: "bad_parameters", errors: [{ pointer: "/username" }] } },
    { status: 503, headers: { "retry-after": "1" }, body: { code: "unavailable", retryable: true } },
  ]);
  expect(lines).toHaveLength(5);
  const options = JSON.parse((await send({ action: "config/sign_in_options", body: {} })).text);
  expect(options).toMatchObject({ passwordIssuer: issuer, issuers: [{ issuer, ...signIn }] });
  const said = JSON.stringify([lines, refused, options]);
  for (const secret of [PASSWORD, CLIENT.clientSecret, LEAK, "refresh-token"]) expect(said).not.toContain(secret);
});
