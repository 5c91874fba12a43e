import { type JsonWebKey, verify } from "node:crypto";
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../shared/domain/limits.ts";
import { Problem } from "../../../shared/domain/problems.ts";
import { createIdentity } from "../../../shared/identity/identity.ts";
import { mintToken, type SigningKeys } from "../../../shared/identity/tokens/mint-token.ts";
import {
  createOpenIdConfiguration,
  createPublicKeySet,
  createTokenVerifier,
} from "../../../shared/identity/tokens/verify-token.ts";
import { createClock, createKeys, createService, ISSUER } from "../support/service.ts";

const ADA = { username: "ada", fullname: "Ada Lovelace", tokenEpoch: 3 };
const decode = (part: string | undefined): Record<string, unknown> =>
  JSON.parse(Buffer.from(part ?? "", "base64url").toString("utf8"));

describe("a minted token", () => {
  test("has its actor and its expiry, and no permissions", async () => {
    const { terms, keys, clock } = await createService();
    const token = await mintToken(ADA, terms);
    const [header, payload] = token.access_token.split(".");
    const { kid } = await keys.getCurrent();
    const now = clock.now() / 1000;
    expect(token).toMatchObject({ token_type: "Bearer", expires_in: LIMITS.tokenSeconds });
    expect(decode(header)).toEqual({ alg: "ES256", typ: "at+jwt", kid });
    expect(decode(payload)).toEqual({
      ...{ iss: ISSUER, sub: "ada", aud: "metaction", name: "Ada Lovelace", ver: 3 },
      ...{ iat: now, exp: now + LIMITS.tokenSeconds, jti: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    });
  });

  test("has the configured lifetime, and is not accepted longer", async () => {
    const { terms, clock } = await createService();
    const short = { ...terms, tokenSeconds: 300 };
    const { access_token, expires_in } = await mintToken(ADA, short);
    expect(expires_in).toBe(300);
    clock.advance(299);
    await expect(createTokenVerifier(short)(access_token)).resolves.toMatchObject({ subject: "ada" });
    clock.advance(1);
    await expect(createTokenVerifier(short)(access_token)).rejects.toThrow("has expired");
    const { access_token: long } = await mintToken(ADA, { ...terms, tokenSeconds: 301 });
    await expect(createTokenVerifier(short)(long)).rejects.toThrow("not valid");
  });

  test("differs from the next one for the same user in the same second", async () => {
    const { terms } = await createService();
    const tokens = await Promise.all([mintToken(ADA, terms), mintToken(ADA, terms)]);
    expect(new Set(tokens.map((t) => decode(t.access_token.split(".")[1]).jti)).size).toBe(2);
  });

  test("verifies with node:crypto and with WebCrypto against the published key set", async () => {
    const { terms, keys, publicKey } = await createService();
    const { access_token } = await mintToken(ADA, terms);
    const [header, payload, signature = ""] = access_token.split(".");
    const input = Buffer.from(`${header}.${payload}`);
    const bytes = Buffer.from(signature, "base64url");
    expect(verify("sha256", input, { key: publicKey, dsaEncoding: "ieee-p1363" }, bytes)).toBe(true);

    const [jwk] = (await createPublicKeySet(keys)).keys;
    const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
    const { kty, crv, x, y } = jwk ?? {};
    const imported = await crypto.subtle.importKey("jwk", { kty, crv, x, y } as JsonWebKey, algorithm, false, [
      "verify",
    ]);
    expect(await crypto.subtle.verify(algorithm, imported, bytes, input)).toBe(true);
  });

  test("is accepted up to the last second of its lifetime, by the clock of the service", async () => {
    // 2001, 2027 and 2286: none of them is the machine's time.
    for (const start of [1_000_000_000_000, 1_800_000_000_000, 9_999_000_000_000]) {
      const clock = createClock(start);
      const { identity, terms } = await createService({ runtime: clock });
      const { access_token } = await mintToken(ADA, terms);
      clock.advance(LIMITS.tokenSeconds - 1);
      await expect(identity.verify(access_token)).resolves.toMatchObject({ subject: "ada", tokenEpoch: 3 });
      clock.advance(1);
      await expect(identity.verify(access_token)).rejects.toThrow("The access token has expired; sign in again");
    }
  });

  test("is cached by its whole text: another payload, signature or header is invalid", async () => {
    const { terms } = await createService();
    const verify = createTokenVerifier(terms);
    const [good, other] = await Promise.all([
      mintToken(ADA, terms),
      mintToken({ ...ADA, username: "bob", fullname: "Bob" }, terms),
    ]);
    for (let i = 0; i < 2; i++) await expect(verify(good.access_token)).resolves.toMatchObject({ subject: "ada" });
    const [header, payload, signature] = good.access_token.split(".");
    const [, othersPayload, othersSignature] = other.access_token.split(".");
    for (const mixed of [`${header}.${othersPayload}.${signature}`, `${header}.${payload}.${othersSignature}`])
      await expect(verify(mixed)).rejects.toThrow("not valid");
    await expect(verify(good.access_token)).resolves.toMatchObject({ subject: "ada" });
  });

  test("is valid among more tokens than the cache holds", async () => {
    const { terms } = await createService();
    const verify = createTokenVerifier(terms);
    const tokens = await Promise.all(Array.from({ length: 1_100 }, () => mintToken(ADA, terms)));
    for (const { access_token } of [...tokens, ...tokens])
      await expect(verify(access_token)).resolves.toMatchObject({ subject: "ada" });
    // The last 1,000 tokens are cached, so their claims are the same object.
    const [evicted = "", cached = ""] = tokens.slice(-1_001).map(({ access_token }) => access_token);
    const claims = await verify(cached);
    expect(await verify(cached)).toBe(claims);
    await verify(evicted);
    expect(await verify(cached)).not.toBe(claims);
  });
});

describe("key rotation", () => {
  test("keeps tokens of a published key valid and invalidates those of a withdrawn one at once", async () => {
    const [first, second] = await Promise.all([createKeys(), createKeys()]);
    let current = first.keys;
    let published = [...(await first.keys.listKeys())];
    const keys: SigningKeys = { getCurrent: () => current.getCurrent(), listKeys: async () => published };
    const { identity, terms } = await createService({ keys });
    const old = await mintToken(ADA, terms);
    await expect(identity.verify(old.access_token)).resolves.toBeDefined();

    published = [...(await second.keys.listKeys()), ...(await first.keys.listKeys())];
    current = second.keys;
    const fresh = await mintToken(ADA, terms);
    await expect(identity.verify(fresh.access_token)).resolves.toBeDefined();
    await expect(identity.verify(old.access_token)).resolves.toBeDefined();

    published = [...(await second.keys.listKeys())];
    await expect(identity.verify(fresh.access_token)).resolves.toBeDefined();
    await expect(identity.verify(old.access_token)).rejects.toMatchObject({ code: "not_signed_in" });
  });

  test("with unavailable keys is `unavailable`, not an invalid token, and only for tokens that could be ours", async () => {
    const away = async (): Promise<never> => {
      throw new Problem("unavailable", "The signing keys cannot be reached; try again");
    };
    const { terms } = await createService();
    const { access_token } = await mintToken(ADA, terms);
    const identity = createIdentity({ ...terms, keys: { getCurrent: away, listKeys: away }, external: away });
    await expect(identity.verify(access_token)).rejects.toMatchObject({ code: "unavailable" });
    await expect(identity.verify("rubbish")).rejects.toMatchObject({ code: "not_signed_in" });
  });
});

test("the public documents contain the issuer, the key set and public members only", async () => {
  const { keys } = await createService();
  const [key] = (await createPublicKeySet(keys)).keys;
  expect(Object.keys(key ?? {}).sort()).toEqual(["alg", "crv", "kid", "kty", "use", "x", "y"]);
  expect(createOpenIdConfiguration(ISSUER)).toMatchObject({
    issuer: ISSUER,
    jwks_uri: `${ISSUER}/.well-known/jwks.json`,
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["ES256"],
  });
});
