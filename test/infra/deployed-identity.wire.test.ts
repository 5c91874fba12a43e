import { afterAll, describe, expect, test } from "vitest";
import { post } from "../http/support/transports.ts";
import { startPool } from "../identity/support/cognito-pools.ts";
import { callDispatcher as call, deploy, KEYS, type Started } from "./support/deployment.ts";
import { CLIENT_ID, issuerFile, ONE_POOL, SECRET_ARN } from "./support/issuer-file.ts";

const SECRET = "a bootstrap secret of the test";
const CLIENT_SECRET = "client-secret-CANARY";
const ADA = { username: "ada", password: "violet harbor 1 lantern" };
const BOB = { username: "bob@example.com", password: "Difference Engine 1822" };

const deployed = await deploy(
  SECRET,
  { [SECRET_ARN]: CLIENT_SECRET },
  { issuers: issuerFile(ONE_POOL), signingKeys: "2027-01,first" },
);
const pool = await startPool({
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  users: { [BOB.username]: BOB, carol: { password: BOB.password, challenge: "SOFTWARE_TOKEN_MFA" } },
});
afterAll(() => {
  deployed.stop();
  pool.stop();
});

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const kidOf = (token: string) => JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString("utf8")).kid;

test("a rotation in steps: publish the new key, sign with it, withdraw the old one", async () => {
  const [before, after] = KEYS;
  const builtIn = { METACTION_ISSUERS: "" };
  const start = (keys: string) =>
    deployed.start("dispatcher", { variables: { ...builtIn, METACTION_SIGNING_KEY_ID: keys } });
  const signIn = async (dispatcher: Started): Promise<string> =>
    (await call(dispatcher, post("/api/auth/login", ADA))).body.access_token;
  const whoami = async (dispatcher: Started, token: string) =>
    (await call(dispatcher, { target: "/api/auth/whoami", ...bearer(token) })).status;
  const published = async (dispatcher: Started): Promise<string[]> =>
    (await call(dispatcher, { target: "/.well-known/jwks.json" })).body.keys.map(({ kid }: { kid: string }) => kid);

  const one = start(before);
  const first = { ...ADA, fullname: "Ada Lovelace", secret: SECRET };
  expect(await call(one, post("/api/auth/admin_bootstrap", first))).toMatchObject({ status: 200 });
  const old = await signIn(one);
  expect(await published(one)).toEqual([kidOf(old)]);

  const two = start(`${before},${after}`);
  const [, next] = await published(two);
  expect(await published(two)).toEqual([kidOf(old), next]);
  expect(kidOf(await signIn(two))).toBe(kidOf(old));

  const three = start(`${after},${before}`);
  const young = await signIn(three);
  expect(await published(three)).toEqual([next, kidOf(old)]);
  expect(kidOf(young)).toBe(next);
  expect([await whoami(three, old), await whoami(three, young)]).toEqual([200, 200]);
  // Functions of the former deployment know the new key already.
  expect(await whoami(two, young)).toBe(200);

  const four = start(after);
  expect(await published(four)).toEqual([next]);
  expect([await whoami(four, old), await whoami(four, young)]).toEqual([401, 200]);
});

describe("auth/login of a deployment with a user pool", () => {
  /** The file as it was deployed, but for the host: the pool of the test. */
  const issuer = `${pool.endpoint}/eu-central-1_AbCdEfGhI`;
  const METACTION_ISSUERS = JSON.stringify(ONE_POOL).replaceAll(ONE_POOL.issuers[0]?.issuer ?? "", issuer);
  const dispatcher = deployed.start("dispatcher", { variables: { METACTION_ISSUERS } });
  const login = (body: object) => call(dispatcher, post("/api/auth/login", body));

  test("signs in there, with the client secret of Secrets Manager", async () => {
    expect(await login(BOB)).toEqual({
      status: 200,
      body: { access_token: `token-of-${BOB.username}`, token_type: "Bearer", expires_in: 1_800 },
    });
    expect(pool.asked).toHaveLength(1);
  });

  test("refuses like the built-in provider, and reports challenges of the pool", async () => {
    expect(await login({ ...BOB, password: "wrong" })).toMatchObject({
      status: 401,
      body: { code: "not_signed_in", detail: "The username or the password is not right" },
    });
    // A user of the built-in provider is none of the pool.
    expect(await login(ADA)).toMatchObject({ status: 401 });
    const challenged = await login({ ...BOB, username: "carol" });
    expect(challenged).toMatchObject({ status: 403, body: { code: "login_challenge" } });
  });

  test("answers 503 if the secret is unavailable", async () => {
    const other = METACTION_ISSUERS.replace("client-AbCdEf", "client-ZyXwVu");
    const without = deployed.start("dispatcher", { variables: { METACTION_ISSUERS: other } });
    expect(await call(without, post("/api/auth/login", BOB))).toMatchObject({ status: 503 });
  });
});

test("no function requests anything that its role does not allow", () => expect(deployed.denied).toEqual([]));
