import { createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { describe, expect, test } from "vitest";
import { BUILT_IN } from "../../shared/domain/principal.ts";
import { Problem } from "../../shared/domain/problems.ts";
import { hasOurForm } from "../../shared/identity/token-form.ts";
import { encode, es256, forge } from "./support/forge.ts";
import { AUDIENCE, createService, ISSUER, START } from "./support/service.ts";

const { identity, keys, privateKey, publicKey } = await createService();
const { kid } = await keys.current();
const now = START / 1000;
const header = { alg: "ES256", typ: "at+jwt", kid };
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
const ours = (input: string): string => es256(input, privateKey);
const good = forge(header, claims, ours);
const [goodHeader = "", goodPayload = "", goodSignature = ""] = good.split(".");

const without = (record: object, name: string): Record<string, unknown> => {
  const { [name]: _, ...rest } = record as Record<string, unknown>;
  return rest;
};
const withHeader = (change: object): string => forge({ ...header, ...change }, claims, ours);
const withClaims = (change: object): string => forge(header, { ...claims, ...change }, ours);
/** The claims as JSON with one value in a spelling that `JSON.stringify` does not write. */
const withRawClaim = (name: string, json: string): string =>
  forge(header, JSON.stringify({ ...claims, [name]: "@" }).replace(`"${name}":"@"`, `"${name}":${json}`), ours);

const other = generateKeyPairSync("ec", { namedCurve: "P-256" });
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const p384 = generateKeyPairSync("ec", { namedCurve: "P-384" });
const ed = generateKeyPairSync("ed25519");
const signedBy = (hash: string | null, key: KeyObject) => (input: string) =>
  sign(hash, Buffer.from(input), { key, dsaEncoding: "ieee-p1363" }).toString("base64url");
const hmac =
  (key: string | Buffer, hash = "sha256") =>
  (input: string) =>
    createHmac(hash, key).update(input).digest("base64url");
const otherJwk = other.publicKey.export({ format: "jwk" });
const publicForms: readonly (readonly [string, string | Buffer])[] = [
  ["PEM", publicKey.export({ format: "pem", type: "spki" })],
  ["DER", publicKey.export({ format: "der", type: "spki" })],
  ["JWK", JSON.stringify(publicKey.export({ format: "jwk" }))],
];
const named = (what: string, values: readonly unknown[], make: (value: unknown) => string): [string, string][] =>
  values.map((value) => [`${what} ${JSON.stringify(value)?.slice(0, 60)}`, make(value)]);
const derSignature = (input: string): string => sign("sha256", Buffer.from(input), privateKey).toString("base64url");
const longSub = (length: number): string => withClaims({ sub: "s".repeat(length) });

const algorithms: [string, string][] = [
  ...publicForms.flatMap(([form, secret]): [string, string][] => [
    [`HS256 keyed with our public key as ${form}`, forge({ ...header, alg: "HS256" }, claims, hmac(secret))],
    [`HS512 keyed with our public key as ${form}`, forge({ ...header, alg: "HS512" }, claims, hmac(secret, "sha512"))],
    [`an HMAC keyed with our public key as ${form} under ES256`, forge(header, claims, hmac(secret))],
  ]),
  ...named("alg", ["none", "None", "NONE", "nOnE", "", null, 1, ["ES256"], { a: 1 }], (alg) =>
    forge({ ...header, alg }, claims, () => ""),
  ),
  ...named(
    "our signature under alg",
    ["none", "NONE", "", null, "es256", "ES256 ", "ES256K", "ES384", "RS256"],
    (alg) => withHeader({ alg }),
  ),
  ["no alg", forge(without(header, "alg"), claims, ours)],
  ["RS256 with a key of its own", forge({ ...header, alg: "RS256" }, claims, signedBy("sha256", rsa.privateKey))],
  ["an RSA signature under ES256", forge(header, claims, signedBy("sha256", rsa.privateKey))],
  ["ES384 with a key of its own", forge({ ...header, alg: "ES384" }, claims, signedBy("sha384", p384.privateKey))],
  ["EdDSA with a key of its own", forge({ ...header, alg: "EdDSA" }, claims, signedBy(null, ed.privateKey))],
];

const keyChoices: [string, string][] = [
  ["another key under our kid", forge(header, claims, (input) => es256(input, other.privateKey))],
  ["a jwk header", forge({ ...header, jwk: otherJwk }, claims, (input) => es256(input, other.privateKey))],
  [
    "a jwk header instead of kid",
    forge({ ...without(header, "kid"), jwk: otherJwk }, claims, (i) => es256(i, other.privateKey)),
  ],
  ...["jku", "x5u", "x5c", "x5t", "cty", "jwk"].map((name): [string, string] => [
    `our signature with a ${name} header`,
    withHeader({ [name]: "https://evil.example/keys" }),
  ]),
  ["no kid", forge(without(header, "kid"), claims, ours)],
  ...named(
    "kid",
    [
      "",
      "../../etc/passwd",
      "' OR 1=1 --",
      "\u0000",
      "__proto__",
      "constructor",
      `${kid}\n`,
      ` ${kid}`,
      kid.toLowerCase(),
      0,
      null,
      [kid],
      { kid },
    ],
    (value) => withHeader({ kid: value }),
  ),
  ["a kid of 7,000 characters", withHeader({ kid: "k".repeat(7000) })],
];

const headerForms: [string, string][] = [
  ...named(
    "typ",
    ["JWT", "jwt", "AT+JWT", "application/at+jwt", "id+jwt", "logout+jwt", "dpop+jwt", "at+jwt ", "", null, 1],
    (typ) => withHeader({ typ }),
  ),
  ["no typ", forge(without(header, "typ"), claims, ours)],
  ...named("crit", [["exp"], [], ["b64"], "exp"], (crit) => withHeader({ crit })),
  ["an unencoded payload", withHeader({ b64: false, crit: ["b64"] })],
  ["b64 true", withHeader({ b64: true })],
  ["zip", withHeader({ zip: "DEF" })],
  ...named("header", ["null", "[]", '"ES256"', "1", "", "{", "\ufeff{}"], (text) => forge(String(text), claims, ours)),
  ["a header below __proto__", forge(`{"__proto__":${JSON.stringify(header)}}`, claims, ours)],
];

const claimValues: [string, string][] = [
  ...Object.keys(without(claims, "name")).map((name): [string, string] => [
    `no ${name}`,
    forge(header, without(claims, name), ours),
  ]),
  ...named(
    "iss",
    [
      `${ISSUER}/`,
      ISSUER.toUpperCase(),
      `${ISSUER} `,
      "https://evil.example",
      "",
      null,
      [ISSUER],
      BUILT_IN,
      `${ISSUER}.evil.example`,
    ],
    (iss) => withClaims({ iss }),
  ),
  ...named(
    "aud",
    ["other", "", "metactio", "METACTION", null, 1, [], ["other"], [["metaction"]], { metaction: 1 }],
    (aud) => withClaims({ aud }),
  ),
  ...named(
    "exp",
    [
      null,
      String(now + 3600),
      now + 3599.5,
      -1e300,
      1e300,
      -1,
      0,
      true,
      [now + 3600],
      now,
      now - 1,
      now + 3601,
      (now + 3600) * 1000,
    ],
    (exp) => withClaims({ exp }),
  ),
  ["exp beyond a double", withRawClaim("exp", "1e999")],
  ["exp before every double", withRawClaim("exp", "-1e999")],
  ["exp before iat", withClaims({ iat: now + 30, exp: now + 10 })],
  ["a lifetime of ten years", withClaims({ exp: now + 315_360_000 })],
  ["a lifetime of ten years, nine of them over", withClaims({ iat: now - 283_824_000, exp: now + 3600 })],
  ...named("iat", [null, String(now), now + 61, now + 0.5, -1e300, 1e300, -1, true], (iat) => withClaims({ iat })),
  ...named("nbf", [null, String(now), now + 61, 1e300, -1e300, now - 0.5, true], (nbf) => withClaims({ nbf })),
  ...named("sub", ["", null, 7, ["ada"], "a\u0000da", "ada\n", "\u007f"], (sub) => withClaims({ sub })),
  ["sub with half a surrogate pair", withRawClaim("sub", '"\\ud800"')],
  ["sub of 256 characters", longSub(256)],
  ...named("jti", ["", null, 1], (jti) => withClaims({ jti })),
  ...named("ver", [null, "0", -1, 0.5, 1e300, true], (ver) => withClaims({ ver })),
  ...named("name", [null, 1, ["Ada"]], (name) => withClaims({ name })),
  ...named("payload", ["null", "[]", '"ada"', "1", "", "{", "\ufeff{}", "ey"], (text) =>
    forge(header, String(text), ours),
  ),
  ["claims below __proto__", forge(header, `{"__proto__":${JSON.stringify(claims)}}`, ours)],
  [
    "exp below __proto__",
    forge(header, JSON.stringify({ ...claims, exp: 1 }).replace('"exp":1', '"__proto__":{"exp":1800003600}'), ours),
  ],
];

const zeros = Buffer.alloc(64).toString("base64url");
const signatureBytes = Buffer.from(goodSignature, "base64url");
const forms: [string, string][] = [
  ["an empty text", ""],
  ["one dot", "."],
  ["two dots", ".."],
  ["100,000 dots", ".".repeat(100_000)],
  ["a word", "token"],
  ["two parts", `${goodHeader}.${goodPayload}`],
  ["an empty signature", `${goodHeader}.${goodPayload}.`],
  ["four parts", `${good}.${goodSignature}`],
  ["five parts, as JWE has", `${goodHeader}.${goodPayload}.${goodSignature}.${goodPayload}.${goodHeader}`],
  ["no header", `.${goodPayload}.${goodSignature}`],
  ["no payload", `${goodHeader}..${goodSignature}`],
  ["the scheme before it", `Bearer ${good}`],
  ["a space before it", ` ${good}`],
  ["a line feed after it", `${good}\n`],
  ["a null byte after it", `${good}\u0000`],
  ["two tokens in one header", `${good}, ${good}`],
  ["a padded header", `${goodHeader}=.${goodPayload}.${goodSignature}`],
  ["a padded payload", `${goodHeader}.${goodPayload}==.${goodSignature}`],
  ["a padded signature", `${good}==`],
  ["plain base64", `${goodHeader}.${goodPayload}.${signatureBytes.toString("base64").replace(/=+$/, "")}+`],
  ["a full-width full stop", good.replaceAll(".", "\uff0e")],
  ["a letter beyond ASCII", good.replace("e", "\u0435")],
  ["the JSON serialization", JSON.stringify({ payload: goodPayload, protected: goodHeader, signature: goodSignature })],
  ["percent encoding", encodeURIComponent(good).replaceAll(".", "%2E")],
  ["a signature of zeros", `${goodHeader}.${goodPayload}.${zeros}`],
  ["a signature in DER", forge(header, claims, derSignature)],
  ["a signature of 63 bytes", `${goodHeader}.${goodPayload}.${signatureBytes.subarray(0, 63).toString("base64url")}`],
  [
    "a signature of 65 bytes",
    `${goodHeader}.${goodPayload}.${Buffer.concat([signatureBytes, Buffer.alloc(1)]).toString("base64url")}`,
  ],
  [
    "r and s swapped",
    `${goodHeader}.${goodPayload}.${Buffer.concat([signatureBytes.subarray(32), signatureBytes.subarray(0, 32)]).toString("base64url")}`,
  ],
  // The last of 86 characters carries two bits only; the other four have to be zero.
  ...[..."BCDEFGHIJKLMNOP"].map((_, i): [string, string] => [
    `loose bits ${i + 1} after the signature`,
    looseBits(i + 1),
  ]),
  ["another payload under the signature", `${goodHeader}.${encode({ ...claims, sub: "eve" })}.${goodSignature}`],
  [
    "another header under the signature",
    `${encode({ kid, typ: "at+jwt", alg: "ES256" })}.${goodPayload}.${goodSignature}`,
  ],
  ["5 MB", `${goodHeader}.${"A".repeat(5_000_000)}.${goodSignature}`],
  ["one byte more than a token may have", tokenOf(8_193)],
];

function looseBits(bits: number): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const last = alphabet.indexOf(good.at(-1) ?? "");
  return good.slice(0, -1) + alphabet.charAt((last & 0b110000) | bits);
}

/** A correctly signed token of that many bytes. */
function tokenOf(bytes: number): string {
  for (let length = 5_000; length < 7_000; length += 1) {
    const token = forge(header, { ...claims, name: "n".repeat(length) }, ours);
    if (token.length >= bytes) return token;
  }
  throw new Error("no such token");
}

const hostile = [...algorithms, ...keyChoices, ...headerForms, ...claimValues, ...forms];

describe("the verifier of our own tokens", () => {
  test("accepts the token that all the hostile ones are made from, so that each is refused for its own fault", async () => {
    await expect(identity.verify(good)).resolves.toEqual({
      issuer: ISSUER,
      subject: "ada",
      fullname: "Ada",
      issuedAt: now,
      tokenEpoch: 0,
    });
  });

  test("accepts the values next to those it refuses", async () => {
    const accepted = [
      forge(header, without(claims, "name"), ours),
      longSub(255),
      withClaims({ iat: now + 60, exp: now + 3660 }),
      withClaims({ nbf: now + 60 }),
      withClaims({ iat: now - 3599, exp: now + 1 }),
      withClaims({ ver: 41 }),
      tokenOf(8_192),
    ];
    for (const token of accepted) await expect(identity.verify(token)).resolves.toMatchObject({ issuer: ISSUER });
    expect(accepted.at(-1)?.length).toBe(8_192);
  });

  test("is tried with more than 200 different hostile tokens", () => {
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

  test("refuses header, kid and length of the signature by their form alone, before a key is looked up", () => {
    expect(hasOurForm(good)).toBe(true);
    const strangers = [
      ...["none", "HS256", "RS256", "es256", "", null].map((alg) => withHeader({ alg })),
      ...["", "../../etc/passwd", "__proto__", `${kid}A`, kid.slice(1), `${kid}\n`].map((k) => withHeader({ kid: k })),
      ...[0, 32, 63, 65, 72, 96].map((length) =>
        forge(header, claims, () => Buffer.alloc(length).toString("base64url")),
      ),
    ];
    expect(strangers.filter(hasOurForm)).toEqual([]);
  });

  test("says that a token has expired only of one that was valid", async () => {
    const expired: string[] = [];
    for (const [name, token] of hostile) {
      const error = await identity.verify(token).catch((e: unknown) => e);
      if (error instanceof Problem && error.message.includes("expired")) expired.push(name);
    }
    // None of the hostile ones ever was: where `exp` has passed, it is not after `iat` either.
    expect(expired).toEqual([]);
    const old = withClaims({ iat: now - 7200, exp: now - 3600 });
    await expect(identity.verify(old)).rejects.toThrow("The access token has expired; sign in again");
    const oldOfAnother = forge(header, { ...claims, iat: now - 7200, exp: now - 3600 }, (i) =>
      es256(i, other.privateKey),
    );
    await expect(identity.verify(oldOfAnother)).rejects.toThrow("The access token is not valid; sign in again");
  });
});
