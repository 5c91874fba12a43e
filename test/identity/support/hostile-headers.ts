import { createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { es256, forge } from "./forge.ts";
import { each, type Genuine, type Hostile, withHeader, without } from "./genuine-token.ts";
import { rs256 } from "./token-signer.ts";

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
export function strangerTo({ header }: Genuine) {
  return header.alg === "ES256"
    ? { key: otherEc.publicKey, sign: (input: string) => es256(input, otherEc.privateKey) }
    : { key: otherRsa.publicKey, sign: (input: string) => rs256(input, otherRsa.privateKey) };
}

/** Wrong algorithms, and signatures that are not what the algorithm says. */
export function hostileAlgorithms(genuine: Genuine): Hostile[] {
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

/** Keys that are not the issuer's, and headers that try to choose one. */
export function hostileKeyChoices(genuine: Genuine): Hostile[] {
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

/** Headers of other kinds of tokens, and headers that are none. */
export function hostileHeaders(genuine: Genuine): Hostile[] {
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
