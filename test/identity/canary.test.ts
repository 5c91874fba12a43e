import { afterAll, expect, test } from "vitest";
import { hashSecret, parseApiToken } from "../../shared/domain/accounts/api-token.ts";
import { reopenBootstrap } from "../../shared/store/accounts/account-writes.ts";
import { ACTIONS } from "../support/actions.ts";
import { realRuntime } from "../support/runtime.ts";
import { startPool } from "./support/cognito-pools.ts";
import { issuersFrom, startIssuerServer } from "./support/issuer-server.ts";
import { createSigner } from "./support/token-signer.ts";
import { type Sent, wholeService } from "./support/whole-service.ts";

const FIRST_SECRET = "canary-first-bootstrap-Secret-1";
const REOPENED_SECRET = "canary-reopened-Secret-2-of-an-operator";
const CLIENT = { clientId: "5abcdefghijklmnopqrstuvwxy", clientSecret: "canary-Client-Secret-3" };
const PASSWORDS = { first: "Canary first sings 11", second: "Canary second sings 22", pool: "Canary pool sings 33" };
const TYPED = ["Canary one sings 11", "Canary two sings 22", "Canary three sings 33", "canary weak"];
const AS_NAME = "canary-sings-55";
const OF_THE_POOL = "canary-token-that-the-pool-answers-44";

const stops: (() => unknown)[] = [];
afterAll(() => Promise.all(stops.map((stop) => stop())));

/** A service with another issuer and a user pool to sign in at; all it logs, and all its table holds. */
async function canaryService() {
  const signer = createSigner("canary", "ES256");
  const server = await startIssuerServer([signer.jwk]);
  const users = {
    ada: { password: PASSWORDS.pool },
    bob: { password: PASSWORDS.pool, challenge: "SOFTWARE_TOKEN_MFA" },
  };
  const pool = await startPool({ ...CLIENT, users, tokenOf: () => OF_THE_POOL });
  stops.push(server.stop, pool.stop);
  const cognito = `${pool.endpoint}/eu-central-1_AbCdEfGhI`;
  const trusted = [
    { issuer: server.issuer, audiences: ["metaction"], rolesClaim: "groups", roles: { reader: "reader" } },
    { issuer: cognito, preset: "cognito", clientIds: [CLIENT.clientId] },
  ];
  const issuers = issuersFrom(trusted, { issuer: cognito, ...CLIENT });
  const { send, ...service } = await wholeService({
    bootstrapSecret: async () => FIRST_SECRET,
    issuers: async () => issuers,
  });
  const call = async (action: string, body: object, token?: string, headers?: Readonly<Record<string, string>>) => {
    const answer = await send({ action, body, token, ...(headers && { headers }) });
    return { status: answer.status, text: `${JSON.stringify(answer.headers)} ${answer.text}` };
  };
  const iat = Math.floor(Date.now() / 1000);
  const claims = { iss: server.issuer, sub: "canary", aud: "metaction", name: "Outside", groups: ["reader"], iat };
  return { ...service, call, pool, outside: signer.token({ ...claims, exp: iat + 3_600 }, { typ: "at+jwt" }) };
}

function searchSecrets(secrets: readonly (readonly [string, string])[], places: Readonly<Record<string, string>>) {
  const pairs = secrets.flatMap((secret) => Object.entries(places).map((place) => [...secret, ...place] as const));
  for (const [what, secret] of pairs) expect(secret.length, what).toBeGreaterThan(10);
  return pairs.flatMap(([what, secret, where, text]) => (text.includes(secret) ? [`${what} in ${where}`] : []));
}

const secretIn = (text: string, member: string) => new RegExp(`"${member}":"([^"]+)"`).exec(text)?.[1] ?? "";

test("API tokens, access tokens, reopened and client secrets appear in no log line, item, answer, audit or export", async () => {
  const { call, lines, table, pool, outside, take } = await canaryService();
  const answers: string[] = [];
  const expectStatus = async (status: number, ...given: Parameters<typeof call>) => {
    const answer = await call(...given);
    expect(answer.status, `${given[0]}: ${answer.text}`).toBe(status);
    return answer.text;
  };
  const told = async (...given: Parameters<typeof expectStatus>) => void answers.push(await expectStatus(...given));
  const first = { username: "ada", fullname: "Ada", password: PASSWORDS.first, secret: FIRST_SECRET };
  const jwt = secretIn(await expectStatus(200, "auth/admin_bootstrap", first), "access_token");
  await reopenBootstrap(table, realRuntime, hashSecret(REOPENED_SECRET));
  const second = { username: "eve", fullname: "Eve", password: PASSWORDS.second, secret: REOPENED_SECRET };
  await told(401, "auth/admin_bootstrap", { ...second, secret: FIRST_SECRET });
  await told(409, "auth/admin_bootstrap", { ...second, username: "ada" });
  const reopened = secretIn(await expectStatus(200, "auth/admin_bootstrap", second), "access_token");
  await told(410, "auth/admin_bootstrap", second);

  const keyed = { "idempotency-key": "canary" };
  const apiToken = secretIn(await expectStatus(200, "auth/token_create", { name: "Canary" }, jwt), "token");
  const secret = Buffer.from(parseApiToken(apiToken)?.secret ?? []);
  expect(secret).toHaveLength(32);
  await told(200, "auth/token_create", { name: "Dry" }, jwt, { "dry-run": "true" });
  await told(400, "auth/token_create", { name: "Keyed" }, jwt, keyed);
  await told(403, "auth/token_create", { name: "Child" }, apiToken);
  await told(401, "auth/whoami", {}, `${apiToken}x`);
  await told(401, "auth/whoami", {}, `${jwt}x`);
  await told(200, "auth/whoami", {}, outside);
  await told(401, "auth/whoami", {}, `${outside}x`);

  await expectStatus(200, "auth/login", { username: "ada", password: PASSWORDS.pool });
  await told(401, "auth/login", { username: "ada", password: PASSWORDS.first });
  await told(403, "auth/login", { username: "bob", password: PASSWORDS.pool });
  expect(pool.asked.length).toBe(3);
  pool.answerWith((_, response) => response.writeHead(502).end(OF_THE_POOL));
  await told(503, "auth/login", { username: "ada", password: PASSWORDS.pool });
  pool.answerWith(undefined);

  // Every action as it may be called, and with secrets where they do not belong, by everyone who has one.
  const bearers = [apiToken, reopened, outside];
  const misplaced = { password: PASSWORDS.second, secret: REOPENED_SECRET, token: apiToken, access_token: jwt };
  const ownSecrets = { ...misplaced, newPassword: PASSWORDS.first, oldPassword: PASSWORDS.second };
  // These actions answer a secret, or end a session or a password that the test still needs; they were called above.
  const apart = ["auth/admin_bootstrap", "auth/login", "auth/token_create", "auth/change_my_password"];
  const statuses = new Map<number, number>();
  for (const { group, name, example } of ACTIONS) {
    const action = `${group}/${name}`;
    for (const [i, bearer] of bearers.entries()) {
      const asItMay = apart.includes(action) || i === 2 ? [] : [example];
      for (const body of [...(i === 1 ? [] : [{ ...example, ...ownSecrets }]), ...asItMay]) {
        const { status, text } = await call(
          action,
          body,
          bearer,
          i === 0 ? { "idempotency-key": `${action} canary` } : {},
        );
        expect(status, `${action}: ${text}`).not.toBe(500);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        answers.push(text);
      }
    }
  }
  expect(statuses.get(200)).toBeGreaterThan(20);

  // These calls hand out everything about people as rows, and the history and the export of a model.
  const rows = { accept: "application/x-ndjson" };
  for (const list of ["audit_list", "user_list", "actor_list", "role_list"])
    await told(200, `auth/${list}`, {}, jwt, rows);
  await told(200, "auth/token_list", { all: true }, jwt, rows);
  const audit = answers.find((text) => text.includes("auth/token_create") && text.includes("ndjson")) ?? "";
  for (const act of ["auth/admin_bootstrap", "admin:reopen", "auth/token_create"]) expect(audit).toContain(act);
  await told(200, "model/model_create", { key: "canary", name: "Canary" }, apiToken, keyed);
  await told(200, "model/model_export", { modelRef: "key:canary" }, apiToken);

  const stored = [...(await take()).keys()].join("\n");
  expect(stored).toContain("Canary");
  const secrets: readonly (readonly [string, string])[] = [
    ...Object.entries(PASSWORDS),
    ["first secret", FIRST_SECRET],
    ["reopened secret", REOPENED_SECRET],
    ["client secret", CLIENT.clientSecret],
    ["token of the pool", OF_THE_POOL],
    ["API token", apiToken],
    // Its beginning says whose it is; the secret stands at the end.
    ["API token's end", apiToken.slice(-40)],
    ...(["hex", "base64", "base64url"] as const).map(
      (form) => [`API secret as ${form}`, secret.toString(form)] as const,
    ),
    ...Object.entries({ jwt, reopened, outside }).flatMap(([whose, token]) => [
      [whose, token] as const,
      [`${whose}'s signature`, token.split(".")[2] ?? ""] as const,
    ]),
  ];
  const places = { "log lines": lines.join("\n"), "stored items": stored, answers: answers.join("\n") };
  expect(searchSecrets(secrets, places)).toEqual([]);
  // The hash of an API secret is stored with its token alone, and told nowhere.
  const hash = hashSecret(secret);
  expect(stored).toContain(hash);
  for (const text of [places["log lines"], places.answers]) expect(text).not.toContain(hash);
});

test("passwords appear in no log line, item or answer, however they are sent", async () => {
  const { send, lines, take } = await wholeService({ bootstrapSecret: async () => FIRST_SECRET });
  const [first = "", second = "", third = "", weak = ""] = TYPED;
  const answers: string[] = [];
  const tokens: string[] = [];
  const call = async (sent: Sent): Promise<number> => {
    const { status, text } = await send(sent);
    const token = /"access_token":"([^"]+)"/.exec(text)?.[1];
    if (token) tokens.push(token);
    else answers.push(text);
    return status;
  };
  const ada = { username: "ada", fullname: "Ada" };
  const bob = { username: "bob", fullname: "Bob", admin: false };
  const keyed = { "idempotency-key": "canary" };
  const mine = { oldPassword: second, newPassword: third };
  const change = { username: "bob", password: second };
  const steps: readonly (readonly [status: number, action: string, body: object, headers?: Sent["headers"]])[] = [
    [400, "admin_bootstrap", { ...ada, password: weak, secret: FIRST_SECRET }],
    [401, "admin_bootstrap", { ...ada, password: first, secret: third }],
    [200, "admin_bootstrap", { ...ada, password: first, secret: FIRST_SECRET }],
    [200, "user_create", { ...bob, password: first }, keyed],
    [409, "user_create", { ...bob, password: second }],
    [400, "user_create", { ...bob, password: weak }, { "dry-run": "true" }],
    [200, "user_change_password", change, keyed],
    [401, "login", { username: "bob", password: first }],
    [400, "login", { username: third, password: second }],
    [401, "login", { username: AS_NAME, password: second }],
    [200, "login", change],
    [403, "change_my_password", { ...mine, oldPassword: first }],
    [200, "change_my_password", mine, keyed],
    [200, "login", { username: "bob", password: third }],
  ];
  for (const [status, action, body, headers = {}] of steps) {
    const token = action === "change_my_password" ? tokens.at(-1) : tokens[0];
    expect(await call({ action: `auth/${action}`, body, token, headers }), action).toBe(status);
  }
  const [token] = tokens;
  // The answer that refuses a ref or a key names it, so these answers are left out.
  for (const { group, name } of ACTIONS)
    await send({ action: `${group}/${name}`, body: { modelRef: first, username: third, key: weak }, token });
  const stored = [...(await take()).keys()];
  const hashes = stored.filter((line) => line.includes("$argon2id$"));
  expect(hashes).not.toEqual([]);
  expect(hashes.every((line) => line.includes("password#"))).toBe(true);
  const audit = stored.filter((line) => line.includes('"audit#')).join("\n");
  for (const act of ["auth/admin_bootstrap", "auth/user_create", "auth/user_change_password", "auth/login"])
    expect(audit, "audit entries").toContain(act);
  const secrets = [...TYPED, AS_NAME, FIRST_SECRET, ...tokens].map((secret) => [secret, secret] as const);
  const places = { "log lines": lines.join("\n"), "stored items": stored.join("\n"), answers: answers.join("\n") };
  expect(searchSecrets(secrets, places)).toEqual([]);
});
