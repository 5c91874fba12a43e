import { afterAll, describe, expect, test } from "vitest";
import { LIMITS } from "../../../shared/domain/limits.ts";
import { Problem } from "../../../shared/domain/problems.ts";
import { hasOurForm } from "../../../shared/identity/tokens/verify-token.ts";
import { writePerson } from "../../support/accounts.ts";
import {
  type Genuine,
  goodToken,
  type Hostile,
  hostileTokens,
  strangerTo,
  tokenOf,
  withClaims,
  withHeader,
  without,
} from "../support/hostile-tokens.ts";
import { issuersFrom, startIssuerServer } from "../support/issuer-server.ts";
import { createClock, createKeys, ISSUER, START } from "../support/service.ts";
import { createSigner, es256, forge } from "../support/token-signer.ts";
import { wholeService } from "../support/whole-service.ts";

const POOL = "https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Abc123def";
const APP_CLIENT = "4q8f0gk2m7e5r1t9y3u6i8o0pa";

/** Starts an OIDC provider and an issuer like Cognito, with new keys of the same `kid`. `now` is in seconds. */
async function startOtherIssuers(now: number) {
  const [ec, rsa] = [createSigner("Key-1", "ES256"), createSigner("Key-2", "RS256")];
  const pool = createSigner("Key-1", "RS256");
  const [provider, keysOfPool] = [await startIssuerServer([ec.jwk, rsa.jwk]), await startIssuerServer([pool.jwk])];
  const configuration = issuersFrom([
    { issuer: provider.issuer, audiences: ["metaction"] },
    { issuer: POOL, preset: "cognito", clientIds: [APP_CLIENT], jwks: keysOfPool.keySetUrl },
  ]);
  const common = { own: false, longest: LIMITS.externalTokenSeconds } as const;
  const times = { iat: now, exp: now + 3600 };
  const generic: Genuine = {
    ...common,
    ...ec,
    header: { alg: "ES256", typ: "at+jwt", kid: ec.kid },
    claims: { iss: provider.issuer, sub: "ada", aud: ["api://else", "metaction"], name: "Ada", ...times },
    audience: "aud",
  };
  const cognito: Genuine = {
    ...common,
    ...pool,
    header: { alg: "RS256", typ: "JWT", kid: pool.kid },
    claims: {
      iss: POOL,
      sub: "5f3c4a52-10d1-7056-9b1c-0f2a6f1f6a11",
      client_id: APP_CLIENT,
      token_use: "access",
      scope: "aws.cognito.signin.user.admin",
      username: "ada",
      "cognito:groups": ["stewards"],
      ...times,
    },
    audience: "client_id",
  };
  const servers = [provider, keysOfPool];
  return { configuration, generic, cognito, servers, stop: () => Promise.all(servers.map((s) => s.stop())) };
}

const now = START / 1000;
const clock = createClock();
const { keys, privateKey, publicKey } = await createKeys();
const { kid } = await keys.getCurrent();
const others = await startOtherIssuers(now);
afterAll(() => others.stop());

const { service, table, lines, send } = await wholeService({
  ...{ runtime: clock, keys, issuer: ISSUER },
  issuers: async () => others.configuration,
});
const createdAt = new Date(START).toISOString();
await writePerson(table, { username: "ada", id: clock.newId(), roles: [], tokenEpoch: 0, createdAt });
const { identity } = service.ports(clock.now() + 29_000);

const own: Genuine = {
  own: true,
  header: { alg: "ES256", typ: "at+jwt", kid },
  claims: { iss: ISSUER, sub: "ada", aud: "metaction", iat: now, exp: now + 3600, jti: "1", name: "Ada", ver: 0 },
  audience: "aud",
  sign: (input) => es256(input, privateKey),
  privateKey,
  publicKey,
  longest: LIMITS.tokenSeconds,
};
const { generic, cognito } = others;

/** Tokens of one issuer that are held against the rules of another; each is signed by a key the service trusts. */
const confusions = (name: string, genuine: Genuine): readonly Hostile[] =>
  [own, generic, cognito]
    .filter((other) => other !== genuine)
    .flatMap((other): Hostile[] => [
      [`the key of ${other.claims.iss} under ${name}'s issuer`, forge(other.header, genuine.claims, other.sign)],
      [`the key of ${other.claims.iss} under ${name}'s header`, forge(genuine.header, genuine.claims, other.sign)],
      [`${name}'s key under the issuer ${other.claims.iss}`, forge(genuine.header, other.claims, genuine.sign)],
      [`${name}'s claims as ${other.claims.iss}`, withClaims(genuine, { iss: other.claims.iss })],
      [`both issuers, ${other.claims.iss} last`, withClaims(genuine, { iss: [genuine.claims.iss, other.claims.iss] })],
    ]);

const pooled = (change: object) => withClaims(cognito, change);
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

const INVALID = "The access token is not valid; sign in again";

const call = async (token: string) => {
  const { status, text } = await send({ action: "auth/whoami", body: {}, token });
  return { status, json: JSON.parse(text) };
};

describe.each(matrix)("tokens of the issuer: %s", (name, genuine, hostile) => {
  test("the valid one that all hostile ones derive from is accepted", async () => {
    const { iss, sub } = genuine.claims;
    await expect(identity.verify(goodToken(genuine))).resolves.toMatchObject({ issuer: iss, subject: sub });
    await expect(call(goodToken(genuine))).resolves.toMatchObject({ status: 200, json: { sub } });
  });

  test("no hostile one is accepted, breaks the service, or is told more than that it is not valid", async () => {
    const distinct = new Map(hostile.map(([fault, token]) => [token, fault]));
    const wrong: unknown[] = [];
    for (const [token, fault] of distinct) {
      // White space around a field's value is not part of it (RFC 9110 section 5.5), so no token has any.
      const { status, json } = token === token.trim() ? await call(token) : await call(`${token}.`);
      if (status !== 401 || json?.code !== "not_signed_in") wrong.push([fault, status, json]);
      const refusal = await identity.verify(token).catch((error: unknown) => error);
      const { code, message, members } = refusal instanceof Problem ? refusal : new Problem("internal", "accepted");
      if (code !== "not_signed_in" || message !== INVALID || Object.keys(members).length > 0)
        wrong.push([fault, refusal]);
    }
    console.log(`${name}: ${distinct.size} hostile tokens, ${wrong.length} accepted or answered with another status`);
    expect(wrong).toEqual([]);
    expect(distinct.size).toBeGreaterThanOrEqual(150);
    expect(distinct.has(goodToken(genuine))).toBe(false);
    expect(lines.filter((line) => JSON.parse(line).level === "error")).toEqual([]);
  });

  test("the valid one is still accepted after all of them", async () => {
    await expect(identity.verify(goodToken(genuine))).resolves.toMatchObject({ subject: genuine.claims.sub });
  });

  test("an expired one is reported as expired only with a valid signature", async () => {
    const past = { iat: now - 7200, exp: now - 3600 };
    await expect(identity.verify(withClaims(genuine, past))).rejects.toThrow(
      "The access token has expired; sign in again",
    );
    const ofAnother = forge(genuine.header, { ...genuine.claims, ...past }, strangerTo(genuine).sign);
    await expect(identity.verify(ofAnother)).rejects.toThrow(INVALID);
  });
});

describe("our own tokens", () => {
  test("are accepted with the values next to the refused ones", async () => {
    const accepted = [
      forge(own.header, without(own.claims, "name"), own.sign),
      withClaims(own, { sub: "s".repeat(255) }),
      withClaims(own, { iat: now + 60, exp: now + 3660 }),
      withClaims(own, { nbf: now + 60 }),
      withClaims(own, { iat: now - 3599, exp: now + 1 }),
      withClaims(own, { ver: 41 }),
      tokenOf(own, 8_192),
    ];
    for (const token of accepted) await expect(identity.verify(token)).resolves.toMatchObject({ issuer: ISSUER });
    expect(accepted.at(-1)?.length).toBe(8_192);
  });

  test("are refused by the form of header, kid and signature before a key is looked up", () => {
    expect(hasOurForm(goodToken(own))).toBe(true);
    const strangers = [
      ...["none", "HS256", "RS256", "es256", "", null].map((alg) => withHeader(own, { alg })),
      ...["", "../../etc/passwd", "__proto__", `${kid}A`, kid.slice(1), `${kid}\n`].map((other) =>
        withHeader(own, { kid: other }),
      ),
      ...[0, 32, 63, 65, 72, 96].map((length) =>
        forge(own.header, own.claims, () => Buffer.alloc(length).toString("base64url")),
      ),
    ];
    expect(strangers.filter(hasOurForm)).toEqual([]);
  });
});

test("headers with keys are ignored: only the two key sets and the one document are fetched", () => {
  const asked = others.servers.flatMap((server) => server.asked);
  expect([...new Set(asked)].sort()).toEqual(["/.well-known/openid-configuration", "/keys"]);
});
