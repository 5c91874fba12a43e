import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { LIMITS } from "../../../shared/domain/limits.ts";
import { createImporter } from "../../../shared/formats/importer.ts";
import { openKeyFile } from "../../../shared/identity/tokens/file-keys.ts";
import { createService } from "../../../shared/service/create-service.ts";
import { openLambdaTransport } from "../../http/support/transports.ts";
import { writePerson } from "../../support/accounts.ts";
import { freshTable } from "../../support/table.ts";
import { es256, forge } from "../support/forge.ts";
import { type Genuine, goodToken, type Hostile, withClaims } from "../support/genuine-token.ts";
import { hostileTokens } from "../support/hostile-tokens.ts";
import { createClock, ISSUER, START } from "../support/service.ts";
import { APP_CLIENT, POOL, startOtherIssuers } from "../support/three-issuers.ts";

const now = START / 1000;
const clock = createClock();
const table = await freshTable();
const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const path = join(await mkdtemp(join(tmpdir(), "metaction-matrix-")), "keys.json");
await writeFile(path, JSON.stringify({ keys: [privateKey.export({ format: "jwk" })] }), { mode: 0o600 });
const keys = await openKeyFile(path);
const others = await startOtherIssuers(now);
afterAll(() => others.stop());

const service = createService({
  connector: { connect: () => table },
  ambient: clock,
  keys,
  issuer: ISSUER,
  bootstrapSecret: async () => undefined,
  issuers: async () => others.configuration,
  importer: createImporter({ allowPrivate: false }),
  startJob: async () => undefined,
  facts: { version: "0.0.0-test", engine: "test", endpoint: "http://endpoint.example", table: "test" },
});
const createdAt = new Date(START).toISOString();
await writePerson(table, { username: "ada", id: clock.newId(), roles: [], tokenEpoch: 0, createdAt });
const logged: string[] = [];
const door = openLambdaTransport(service, (line) => logged.push(line));
const { identity } = service.ports(clock.now() + 29_000);

const own: Genuine = {
  own: true,
  header: { alg: "ES256", typ: "at+jwt", kid: (await keys.current()).kid },
  claims: { iss: ISSUER, sub: "ada", aud: "metaction", iat: now, exp: now + 3600, jti: "1", name: "Ada", ver: 0 },
  audience: "aud",
  sign: (input) => es256(input, createPrivateKey(privateKey.export({ format: "pem", type: "pkcs8" }))),
  privateKey,
  publicKey,
  longest: LIMITS.tokenSeconds,
};
const { generic, cognito } = others;

/** Tokens of one issuer that are held against the rules of another; each is signed by a key the service trusts. */
function confusions(name: string, genuine: Genuine): readonly Hostile[] {
  return [own, generic, cognito]
    .filter((other) => other !== genuine)
    .flatMap((other): Hostile[] => [
      [`the key of ${other.claims.iss} under ${name}'s issuer`, forge(other.header, genuine.claims, other.sign)],
      [`the key of ${other.claims.iss} under ${name}'s header`, forge(genuine.header, genuine.claims, other.sign)],
      [`${name}'s key under the issuer ${other.claims.iss}`, forge(genuine.header, other.claims, genuine.sign)],
      [`${name}'s claims as ${other.claims.iss}`, withClaims(genuine, { iss: other.claims.iss })],
      [`both issuers, ${other.claims.iss} last`, withClaims(genuine, { iss: [genuine.claims.iss, other.claims.iss] })],
    ]);
}

const pooled = (change: object): string => withClaims(cognito, change);
const ofCognito: readonly Hostile[] = [
  ["an id token", pooled({ token_use: "id", client_id: undefined, aud: APP_CLIENT })],
  ["an id token that names the client", pooled({ token_use: "id", aud: APP_CLIENT })],
  ["a refresh token", pooled({ token_use: "refresh" })],
  ["no token_use", pooled({ token_use: undefined })],
  ["token_use in a list", pooled({ token_use: ["access"] })],
  ["token_use in capitals", pooled({ token_use: "Access" })],
  ["the audience in the place of the client", pooled({ client_id: undefined, aud: APP_CLIENT })],
  ["the client as azp", pooled({ client_id: undefined, azp: APP_CLIENT })],
  ["the client in a list", pooled({ client_id: [APP_CLIENT] })],
  ["the client in capitals", pooled({ client_id: APP_CLIENT.toUpperCase() })],
  ["another pool", pooled({ iss: POOL.replace("Abc", "Xyz") })],
  ["the other form of the pool's issuer", pooled({ iss: POOL.replace("cognito-idp", "issuer-cognito-idp") })],
];

const matrix: readonly (readonly [string, Genuine, readonly Hostile[]])[] = [
  ["own", own, [...hostileTokens(own, now), ...confusions("own", own)]],
  ["generic OIDC", generic, [...hostileTokens(generic, now), ...confusions("generic OIDC", generic)]],
  ["Cognito-shaped", cognito, [...hostileTokens(cognito, now), ...confusions("Cognito-shaped", cognito), ...ofCognito]],
];

const call = (token: string) =>
  door.send({ target: "/api/auth/whoami", headers: { authorization: `Bearer ${token}` } });

describe.each(matrix)("tokens of the issuer: %s", (name, genuine, hostile) => {
  test("the valid one that all hostile ones derive from is accepted", async () => {
    const { iss, sub } = genuine.claims;
    await expect(identity.verify(goodToken(genuine))).resolves.toMatchObject({ issuer: iss, subject: sub });
    await expect(call(goodToken(genuine))).resolves.toMatchObject({ status: 200, json: { sub } });
  });

  test("no hostile one is accepted over HTTP, or breaks the service", async () => {
    const distinct = new Map(hostile.map(([fault, token]) => [token, fault]));
    const wrong: unknown[] = [];
    for (const [token, fault] of distinct) {
      // White space around a field's value is not part of it (RFC 9110 section 5.5), so no token has any.
      const { status, json } = token === token.trim() ? await call(token) : await call(`${token}.`);
      if (status !== 401 || json?.code !== "not_signed_in") wrong.push([fault, status, json]);
      const accepted = await identity.verify(token).then(
        () => true,
        () => false,
      );
      if (accepted) wrong.push([fault, "verified"]);
    }
    console.log(`${name}: ${distinct.size} hostile tokens, ${wrong.length} accepted or answered with another status`);
    expect(wrong).toEqual([]);
    expect(distinct.size).toBeGreaterThanOrEqual(150);
    expect(distinct.has(goodToken(genuine))).toBe(false);
    expect(logged.filter((line) => JSON.parse(line).level === "error")).toEqual([]);
  });

  test("the valid one is still accepted after all of them", async () => {
    await expect(identity.verify(goodToken(genuine))).resolves.toMatchObject({ subject: genuine.claims.sub });
  });
});

test("headers with keys are ignored: only the two key sets and the one document are fetched", () => {
  const asked = others.servers.flatMap((server) => server.asked);
  expect([...new Set(asked)].sort()).toEqual(["/.well-known/openid-configuration", "/keys"]);
});
