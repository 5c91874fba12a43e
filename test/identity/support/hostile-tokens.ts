import { constants, createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { BUILT_IN } from "../../../shared/domain/permissions.ts";
import { encode, es256, forge, rs256 } from "./token-signer.ts";

/** Every hostile token that we know to try on a verifier, made from a token that it accepts; `now` in seconds. */
export const hostileTokens = (genuine: Genuine, now: number): readonly Hostile[] => [
  ...hostileAlgorithms(genuine),
  ...hostileKeyChoices(genuine),
  ...hostileHeaders(genuine),
  ...hostileClaims(genuine, now),
  ...hostileForms(genuine),
];

/** Claims that are missing, out of range, of another type, or another's; all of them correctly signed. */
function hostileClaims(genuine: Genuine, now: number): Hostile[] {
  const { own, header, claims, sign, longest, audience } = genuine;
  const { iss, sub, iat } = claims;
  const changed = (change: object) => withClaims(genuine, change);
  /** The claims as JSON with one value in a spelling that `JSON.stringify` does not write. */
  const raw = (name: string, json: string) =>
    forge(header, JSON.stringify({ ...claims, [name]: "@" }).replace(`"${name}":"@"`, `"${name}":${json}`), sign);
  const needed = own ? Object.keys(without(claims, "name")) : ["iss", "sub", audience, "iat", "exp"];
  const issuers = [`${iss}/`, iss.toUpperCase(), `${iss} `, ` ${iss}`, "https://evil.example", BUILT_IN];
  const audiences = ["other", "", "metactio", "METACTION", null, 1, [], ["other"], [["metaction"]], { metaction: 1 }];
  const times = [String(now + 3600), now + 3599.5, -1e300, 1e300, -1, 0, true, [now + 3600], now, now - 1];
  return [
    ...needed.map((name): Hostile => [`no ${name}`, forge(header, without(claims, name), sign)]),
    ...each(
      "iss",
      [...issuers, `${iss}.evil.example`, iss.replace("p", "\u0440"), `${iss}?a`, "", 7, null, [iss]],
      (value) => changed({ iss: value }),
    ),
    [
      "iss twice, the good one first",
      forge(header, JSON.stringify(claims).replace(/}$/, ',"iss":"https://evil.example"}'), sign),
    ],
    ...each(audience, audiences, (value) => changed({ [audience]: value })),
    ...each("exp", [null, ...times, iat + longest + 1, (now + 3600) * 1000], (exp) => changed({ exp })),
    ["exp beyond a double", raw("exp", "1e999")],
    ["exp before every double", raw("exp", "-1e999")],
    ...each(
      "cnf",
      [{ jkt: "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I" }, { "x5t#S256": "bwcK0esc3ACC" }, {}, null],
      (cnf) => changed({ cnf }),
    ),
    ["exp before iat", changed({ iat: now + 30, exp: now + 10 })],
    ["a lifetime of ten years", changed({ exp: now + 315_360_000 })],
    ["a lifetime of ten years, nine of them over", changed({ iat: now - 283_824_000, exp: now + 3600 })],
    ...each("iat", [null, String(now), now + 61, now + 0.5, -1e300, 1e300, -1, true], (value) =>
      changed({ iat: value }),
    ),
    ...each("nbf", [null, String(now), now + 61, 1e300, -1e300, now - 0.5, true], (nbf) => changed({ nbf })),
    ...each("sub", ["", null, 7, [sub], "a\u0000da", "ada\n", "\u007f"], (value) => changed({ sub: value })),
    ["sub with half a surrogate pair", raw("sub", '"\\ud800"')],
    ["sub of 256 characters", changed({ sub: "s".repeat(256) })],
    ...(own ? ownClaims(changed) : []),
    ...each("payload", ["null", "[]", '"ada"', "1", "", "{", "\ufeff{}", "ey"], (text) =>
      forge(header, String(text), sign),
    ),
    ["claims below __proto__", forge(header, `{"__proto__":${JSON.stringify(claims)}}`, sign)],
    [
      "exp below __proto__",
      forge(
        header,
        JSON.stringify({ ...without(claims, "exp"), gone: 1 }).replace('"gone":1', `"__proto__":{"exp":${claims.exp}}`),
        sign,
      ),
    ],
  ];
}

/** Claims that only our own tokens have to have. */
const ownClaims = (changed: (change: object) => string): Hostile[] => [
  ...each("jti", ["", null, 1], (jti) => changed({ jti })),
  ...each("ver", [null, "0", -1, 0.5, 1e300, true], (ver) => changed({ ver })),
  ...each("name", [null, 1, ["Ada"]], (name) => changed({ name })),
];

/** Texts that are no token in compact form, and signatures that are not in the one right spelling. */
function hostileForms(genuine: Genuine): Hostile[] {
  const { header, claims, privateKey } = genuine;
  const good = goodToken(genuine);
  const [first = "", payload = "", signature = ""] = good.split(".");
  const bytes = Buffer.from(signature, "base64url");
  const half = bytes.length / 2;
  const signed = (by: Buffer) => `${first}.${payload}.${by.toString("base64url")}`;
  const turned = Object.fromEntries(Object.entries(header).reverse());
  return [
    ["an empty text", ""],
    ["one dot", "."],
    ["two dots", ".."],
    ["100,000 dots", ".".repeat(100_000)],
    ["a word", "token"],
    ["two parts", `${first}.${payload}`],
    ["an empty signature", `${first}.${payload}.`],
    ["four parts", `${good}.${signature}`],
    ["five parts, as JWE has", `${first}.${payload}.${signature}.${payload}.${first}`],
    ["no header", `.${payload}.${signature}`],
    ["no payload", `${first}..${signature}`],
    ["the scheme before it", `Bearer ${good}`],
    ["a space before it", ` ${good}`],
    ["a line feed after it", `${good}\n`],
    ["a null byte after it", `${good}\u0000`],
    ["two tokens in one header", `${good}, ${good}`],
    ["a padded header", `${first}=.${payload}.${signature}`],
    ["a padded payload", `${first}.${payload}==.${signature}`],
    ["a padded signature", `${good}==`],
    ["plain base64", `${first}.${payload}.${bytes.toString("base64").replace(/=+$/, "")}+`],
    ["a full-width full stop", good.replaceAll(".", "\uff0e")],
    ["a letter beyond ASCII", good.replace("e", "\u0435")],
    ["the JSON serialization", JSON.stringify({ payload, protected: first, signature })],
    ["percent encoding", encodeURIComponent(good).replaceAll(".", "%2E")],
    ["a signature of zeros", signed(Buffer.alloc(bytes.length))],
    ["a signature of ones", signed(Buffer.alloc(bytes.length, 255))],
    ["a signature in DER or with PSS", forge(header, claims, (input) => inAnotherForm(input, privateKey))],
    ["a signature without its last byte", signed(bytes.subarray(0, -1))],
    ["a signature with a byte more", signed(Buffer.concat([bytes, Buffer.alloc(1)]))],
    ["a signature with a byte more before it", signed(Buffer.concat([Buffer.alloc(1), bytes]))],
    ["the halves of the signature swapped", signed(Buffer.concat([bytes.subarray(half), bytes.subarray(0, half)]))],
    // The last character carries two bits only; the other four have to be zero.
    ...Array.from({ length: 15 }, (_, i): Hostile => [`loose bits ${i + 1} after it`, looseBits(good, i + 1)]),
    ["another payload under the signature", `${first}.${encode({ ...claims, sub: "eve" })}.${signature}`],
    ["another header under the signature", `${encode(turned)}.${payload}.${signature}`],
    ["5 MB", `${first}.${"A".repeat(5_000_000)}.${signature}`],
    ["one byte more than a token may have", tokenOf(genuine, 8_193)],
  ];
}

/** A valid signature by the right key, in an encoding or padding that the algorithm does not have. */
function inAnotherForm(input: string, key: KeyObject): string {
  const isEc = key.asymmetricKeyType === "ec";
  return sign("sha256", Buffer.from(input), isEc ? key : { key, padding: constants.RSA_PKCS1_PSS_PADDING }).toString(
    "base64url",
  );
}

function looseBits(good: string, bits: number): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const last = alphabet.indexOf(good.at(-1) ?? "");
  return good.slice(0, -1) + alphabet.charAt((last & 0b110000) | bits);
}

const otherEc = generateKeyPairSync("ec", { namedCurve: "P-256" });
const otherRsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const p384 = generateKeyPairSync("ec", { namedCurve: "P-384" });
const ed = generateKeyPairSync("ed25519");

const signedBy = (hash: string | null, key: KeyObject) => (input: string) =>
  sign(hash, Buffer.from(input), { key, dsaEncoding: "ieee-p1363" }).toString("base64url");
const hmac =
  (key: string | Buffer, hash = "sha256") =>
  (input: string) =>
    createHmac(hash, key).update(input).digest("base64url");

/** Another key of the sort that signs the good token, and its signature. */
export const strangerTo = ({ header }: Genuine) =>
  header.alg === "ES256"
    ? { key: otherEc.publicKey, sign: (input: string) => es256(input, otherEc.privateKey) }
    : { key: otherRsa.publicKey, sign: (input: string) => rs256(input, otherRsa.privateKey) };

function hostileAlgorithms(genuine: Genuine): Hostile[] {
  const { header, claims, sign: ours, publicKey } = genuine;
  const { alg } = header;
  const forms: readonly (readonly [string, string | Buffer])[] = [
    ["PEM", publicKey.export({ format: "pem", type: "spki" })],
    ["DER", publicKey.export({ format: "der", type: "spki" })],
    ["JWK", JSON.stringify(publicKey.export({ format: "jwk" }))],
  ];
  const another = alg === "ES256" ? "RS256" : "ES256";
  return [
    ...forms.flatMap(([form, secret]): Hostile[] => [
      [`HS256 keyed with the public key as ${form}`, forge({ ...header, alg: "HS256" }, claims, hmac(secret))],
      [
        `HS512 keyed with the public key as ${form}`,
        forge({ ...header, alg: "HS512" }, claims, hmac(secret, "sha512")),
      ],
      [`an HMAC keyed with the public key as ${form} under ${alg}`, forge(header, claims, hmac(secret))],
    ]),
    ...each("alg", ["none", "None", "NONE", "nOnE", "", null, 1, [alg], { a: 1 }], (value) =>
      forge({ ...header, alg: value }, claims, () => ""),
    ),
    ...each(
      "the good signature under alg",
      ["none", "NONE", "", null, alg.toLowerCase(), `${alg} `, "ES256K", "ES384", "RS384", "PS256", another],
      (value) => withHeader(genuine, { alg: value }),
    ),
    ["no alg", forge(without(header, "alg"), claims, ours)],
    [
      "RS256 with a key of its own",
      forge({ ...header, alg: "RS256" }, claims, signedBy("sha256", otherRsa.privateKey)),
    ],
    ["ES256 with a key of its own", forge({ ...header, alg: "ES256" }, claims, signedBy("sha256", otherEc.privateKey))],
    ["an RSA signature", forge(header, claims, signedBy("sha256", otherRsa.privateKey))],
    ["ES384 with a key of its own", forge({ ...header, alg: "ES384" }, claims, signedBy("sha384", p384.privateKey))],
    ["EdDSA with a key of its own", forge({ ...header, alg: "EdDSA" }, claims, signedBy(null, ed.privateKey))],
  ];
}

function hostileKeyChoices(genuine: Genuine): Hostile[] {
  const { own, header, claims, sign: ours } = genuine;
  const { kid } = header;
  const stranger = strangerTo(genuine);
  const jwk = { ...stranger.key.export({ format: "jwk" }), kid };
  const evil = "https://evil.example/keys";
  const kids = ["", "../../etc/passwd", "' OR 1=1 --", "\u0000", "__proto__", "constructor", `${kid}\n`, ` ${kid}`];
  return [
    ["another key under the good kid", forge(header, claims, stranger.sign)],
    ["a jwk header", forge({ ...header, jwk }, claims, stranger.sign)],
    ["a jwk header instead of kid", forge({ ...without(header, "kid"), jwk }, claims, stranger.sign)],
    ...["jku", "x5u", "x5c", "x5t"].map(
      (name): Hostile => [`a ${name} header`, forge({ ...header, [name]: evil }, claims, stranger.sign)],
    ),
    // Issuers of others may send them; they are not read.
    ...(own ? ["jku", "x5u", "x5c", "x5t", "cty", "jwk"] : []).map(
      (name): Hostile => [`the good signature with a ${name} header`, withHeader(genuine, { [name]: evil })],
    ),
    ["no kid", forge(without(header, "kid"), claims, ours)],
    ...each("kid", [...kids, kid.toLowerCase(), 0, null, [kid], { kid }], (value) =>
      withHeader(genuine, { kid: value }),
    ),
    ["a kid of 129 characters", withHeader(genuine, { kid: "k".repeat(129) })],
    ["a kid of 7,000 characters", withHeader(genuine, { kid: "k".repeat(7000) })],
  ];
}

function hostileHeaders(genuine: Genuine): Hostile[] {
  const { own, header, claims, sign: ours } = genuine;
  const types = ["jwt", "AT+JWT", "application/at+jwt", "id+jwt", "logout+jwt", "dpop+jwt", "at+jwt ", "", null, 1];
  return [
    ...each("typ", own ? ["JWT", ...types] : types, (typ) => withHeader(genuine, { typ })),
    ...(own ? ([["no typ", forge(without(header, "typ"), claims, ours)]] as const) : []),
    ...each("crit", [["exp"], [], ["b64"], "exp"], (crit) => withHeader(genuine, { crit })),
    ["an unencoded payload", withHeader(genuine, { b64: false, crit: ["b64"] })],
    ["b64 true", withHeader(genuine, { b64: true })],
    ["zip", withHeader(genuine, { zip: "DEF" })],
    ...each("header", ["null", "[]", '"ES256"', "1", "", "{", "\ufeff{}"], (text) => forge(String(text), claims, ours)),
    ["a header below __proto__", forge(`{"__proto__":${JSON.stringify(header)}}`, claims, ours)],
  ];
}

/** A good token, and the parts that a test needs to spoil it. */
export interface Genuine {
  /** Our own tokens are held to more than those of others. */
  readonly own: boolean;
  readonly header: { readonly alg: "ES256" | "RS256"; readonly kid: string; readonly typ: string };
  readonly claims: Claimed;
  /** The claim that says whom the token is for. */
  readonly audience: "aud" | "client_id";
  readonly sign: (input: string) => string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** Longest lifetime of a token, in seconds. */
  readonly longest: number;
}

type Claimed = Readonly<Record<string, unknown>> & {
  readonly iss: string;
  readonly sub: string;
  readonly iat: number;
  readonly exp: number;
};

/** A token that must be refused, behind a text that names its fault. */
export type Hostile = readonly [fault: string, token: string];

/** The token that the hostile ones are made from. */
export const goodToken = ({ header, claims, sign }: Genuine): string => forge(header, claims, sign);

export const withHeader = ({ header, claims, sign }: Genuine, change: object): string =>
  forge({ ...header, ...change }, claims, sign);

export const withClaims = ({ header, claims, sign }: Genuine, change: object): string =>
  forge(header, { ...claims, ...change }, sign);

/** A correctly signed token of that many bytes, or a little more. */
export function tokenOf(genuine: Genuine, bytes: number): string {
  for (let length = 4_500; length < 7_000; length += 1) {
    const token = withClaims(genuine, { name: "n".repeat(length) });
    if (token.length >= bytes) return token;
  }
  throw new Error("no such token");
}

export const without = (record: object, name: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).filter(([member]) => member !== name));

const each = (what: string, values: readonly unknown[], make: (value: unknown) => string): Hostile[] =>
  values.map((value) => [`${what} ${JSON.stringify(value)?.slice(0, 60)}`, make(value)]);
