import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../shared/domain/limits.ts";
import { Problem } from "../../../shared/domain/problems.ts";
import { hasOurForm } from "../../../shared/identity/tokens/verify-token.ts";
import { es256, forge } from "../support/forge.ts";
import { type Genuine, goodToken, tokenOf, withClaims, withHeader, without } from "../support/genuine-token.ts";
import { strangerTo } from "../support/hostile-headers.ts";
import { hostileTokens } from "../support/hostile-tokens.ts";
import { AUDIENCE, createService, ISSUER, START } from "../support/service.ts";

const { identity, keys, privateKey, publicKey } = await createService();
const { kid } = await keys.current();
const now = START / 1000;
const sign = (input: string): string => es256(input, privateKey);
const header = { alg: "ES256", typ: "at+jwt", kid } as const;
const claims = {
  iss: ISSUER,
  sub: "ada",
  aud: AUDIENCE,
  iat: now,
  exp: now + 3600,
  jti: "018f3f5e-7a52-7cc0-8000-000000000001",
  name: "Ada",
  ver: 0,
};
const longest = LIMITS.tokenSeconds;
const genuine: Genuine = { own: true, header, claims, audience: "aud", sign, privateKey, publicKey, longest };
const good = goodToken(genuine);
const hostile = [...hostileTokens(genuine, now), ["a space before it", ` ${good}`] as const];

describe("the verifier of our own tokens", () => {
  test("accepts the valid token that all hostile ones derive from", async () => {
    await expect(identity.verify(good)).resolves.toEqual({
      issuer: ISSUER,
      subject: "ada",
      fullname: "Ada",
      issuedAt: now,
      tokenEpoch: 0,
    });
  });

  test("accepts the values next to the refused ones", async () => {
    const accepted = [
      forge(header, without(claims, "name"), sign),
      withClaims(genuine, { sub: "s".repeat(255) }),
      withClaims(genuine, { iat: now + 60, exp: now + 3660 }),
      withClaims(genuine, { nbf: now + 60 }),
      withClaims(genuine, { iat: now - 3599, exp: now + 1 }),
      withClaims(genuine, { ver: 41 }),
      tokenOf(genuine, 8_192),
    ];
    for (const token of accepted) await expect(identity.verify(token)).resolves.toMatchObject({ issuer: ISSUER });
    expect(accepted.at(-1)?.length).toBe(8_192);
  });

  test("is tested with more than 200 different hostile tokens", () => {
    expect(new Set(hostile.map(([, token]) => token)).size).toBeGreaterThan(200);
    expect(new Set(hostile.map(([, token]) => token))).not.toContain(good);
  });

  test.each(hostile)("refuses %s", async (_, token) => {
    const outcome = await identity.verify(token).then(
      () => "accepted",
      (error: unknown) => error,
    );
    expect(outcome).toBeInstanceOf(Problem);
    if (!(outcome instanceof Problem)) return;
    expect(outcome.code).toBe("not_signed_in");
    expect(outcome.members).toEqual({});
    expect(["The access token is not valid; sign in again", "The access token has expired; sign in again"]).toContain(
      outcome.message,
    );
  });

  test("refuses header, kid and length of the signature by their form, before a key is looked up", () => {
    expect(hasOurForm(good)).toBe(true);
    const strangers = [
      ...["none", "HS256", "RS256", "es256", "", null].map((alg) => withHeader(genuine, { alg })),
      ...["", "../../etc/passwd", "__proto__", `${kid}A`, kid.slice(1), `${kid}\n`].map((k) =>
        withHeader(genuine, { kid: k }),
      ),
      ...[0, 32, 63, 65, 72, 96].map((length) =>
        forge(header, claims, () => Buffer.alloc(length).toString("base64url")),
      ),
    ];
    expect(strangers.filter(hasOurForm)).toEqual([]);
  });

  test("reports an expired token only if it was valid", async () => {
    const expired: string[] = [];
    for (const [name, token] of hostile) {
      const error = await identity.verify(token).catch((e: unknown) => e);
      if (error instanceof Problem && error.message.includes("expired")) expired.push(name);
    }
    // None of the hostile ones ever was: where `exp` has passed, it is not after `iat` either.
    expect(expired).toEqual([]);
    const past = { iat: now - 7200, exp: now - 3600 };
    const old = withClaims(genuine, past);
    await expect(identity.verify(old)).rejects.toThrow("The access token has expired; sign in again");
    const oldOfAnother = forge(header, { ...claims, ...past }, strangerTo(genuine).sign);
    await expect(identity.verify(oldOfAnother)).rejects.toThrow("The access token is not valid; sign in again");
  });
});
