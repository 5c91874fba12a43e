import { constants, createHash, generateKeyPairSync, type KeyObject, privateEncrypt, sign } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { createExternalVerifier } from "../../../shared/identity/issuers/verify-external.ts";
import { codeOf } from "../../support/world.ts";
import { type IssuerServer, issuersFrom, startIssuerServer } from "../support/issuer-server.ts";
import { createClock, START } from "../support/service.ts";
import { createSigner, encode, rs256 } from "../support/token-signer.ts";

/*
 * After the vectors of project Wycheproof (ecdsa_secp256r1_sha256_p1363, rsa_signature_2048_sha256, json_web_key), made
 * here for new keys: each signature belongs to a token that is good in all else. Other forms of signatures, such as DER, PSS,
 * padding and loose bits, are in `hostile-tokens.ts`.
 */

/** The order of P-256 and its prime (SP 800-186 section 3.2.1.3). */
const N = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const P = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn;

const servers: IssuerServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.stop())));

/** Sends a token with this header and signature to a service that trusts these keys, and returns the outcome. */
async function judge(keys: readonly unknown[], header: object, signature: (input: string) => string): Promise<string> {
  const server = await startIssuerServer(keys);
  servers.push(server);
  const configuration = issuersFrom({ issuer: server.issuer, audiences: ["metaction"] });
  const now = START / 1000;
  const claims = { iss: server.issuer, sub: "ada", aud: "metaction", iat: now, exp: now + 3600 };
  const input = `${encode({ typ: "JWT", ...header })}.${encode(claims)}`;
  const token = `${input}.${signature(input)}`;
  return codeOf(createExternalVerifier(configuration, createClock())(token, server.issuer));
}

const number = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
const bytesOf = (value: bigint, length = 32): Buffer =>
  Buffer.from(value.toString(16).padStart(length * 2, "0"), "hex");
const url = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");

describe("ES256", () => {
  const ec = createSigner("ec", "ES256");
  const header = { alg: "ES256", kid: "ec" };
  const judged = (change: (r: bigint, s: bigint, input: string) => string) =>
    judge([ec.jwk], header, (input) => {
      const signature = Buffer.from(ec.sign(input), "base64url");
      return change(number(signature.subarray(0, 32)), number(signature.subarray(32)), input);
    });
  const joined = (r: bigint, s: bigint) => url(Buffer.concat([bytesOf(r), bytesOf(s)]));

  test("accepts a signature, and its ECDSA counterpart", async () => {
    expect(await judged(joined)).toBe("none");
    // High or low s: RFC 7518 does not choose. So nothing may rest on a token having one spelling only.
    expect(await judged((r, s) => joined(r, N - s))).toBe("none");
  });

  const edges: readonly (readonly [string, bigint])[] = [
    ["0", 0n],
    ["1", 1n],
    ["n - 1", N - 1n],
    ["n", N],
    ["n + 1", N + 1n],
    ["p - n", P - N],
    ["p", P],
    ["p + 1", P + 1n],
    ["2^256 - 1", 2n ** 256n - 1n],
  ];
  const pairs = edges.flatMap(([a, r]) => edges.map(([b, s]) => [a, b, r, s] as const));

  test.each(pairs)("refuses r = %s, s = %s", async (_a, _b, r, s) => {
    expect(await judged(() => joined(r, s))).toBe("not_signed_in");
  });

  test.each(edges)("refuses a valid r with s = %s, and a valid s with r = it", async (_, edge) => {
    expect(await judged((r) => joined(r, edge))).toBe("not_signed_in");
    expect(await judged((_r, s) => joined(edge, s))).toBe("not_signed_in");
  });

  const der = (input: string): Buffer => sign("sha256", Buffer.from(input), ec.privateKey);
  const forms: readonly (readonly [string, (r: bigint, s: bigint, input: string) => string])[] = [
    ["DER cut to 64 bytes", (_r, _s, input) => url(der(input).subarray(0, 64))],
    ["-r", (r, s) => joined(N - r, s)],
    ["r alone", (r) => url(bytesOf(r))],
    ["33 bytes each", (r, s) => url(Buffer.concat([bytesOf(r, 33), bytesOf(s, 33)]))],
    ["48 bytes each, as ES384 has", (r, s) => url(Buffer.concat([bytesOf(r, 48), bytesOf(s, 48)]))],
    ["hexadecimal", (r, s) => Buffer.concat([bytesOf(r), bytesOf(s)]).toString("hex")],
    ["a space in it", (r, s) => joined(r, s).replace(/^(.{10})/, "$1 ")],
    ["a line feed in it", (r, s) => joined(r, s).replace(/^(.{10})/, "$1\n")],
    ["the alphabet of base64", (r, s) => `${joined(r, s).slice(0, -1)}/`],
    [
      "a signature over SHA-384",
      (_r, _s, input) => url(sign("sha384", Buffer.from(input), { key: ec.privateKey, dsaEncoding: "ieee-p1363" })),
    ],
    ["a signature over the digest", (_r, _s, input) => ec.sign(createHash("sha256").update(input).digest("hex"))],
  ];

  test.each(forms)("refuses %s", async (_, form) => expect(await judged(form)).toBe("not_signed_in"));

  const { x = "", y = "" } = ec.jwk;
  const point = (coordinate: string): bigint => number(Buffer.from(coordinate, "base64url"));
  const k1 = generateKeyPairSync("ec", { namedCurve: "secp256k1" });
  const p384 = generateKeyPairSync("ec", { namedCurve: "P-384" });
  const named = (key: KeyObject, change: object): object => ({
    ...key.export({ format: "jwk" }),
    kid: "ec",
    ...change,
  });
  const keys: readonly (readonly [string, unknown, KeyObject?])[] = [
    ["a point that is not on the curve", { ...ec.jwk, y: url(bytesOf(point(y) ^ 1n)) }],
    ["the point at infinity", { ...ec.jwk, x: url(bytesOf(0n)), y: url(bytesOf(0n)) }],
    ["x beyond the prime", { ...ec.jwk, x: url(bytesOf(P + 5n)) }],
    ["coordinates of 33 bytes", { ...ec.jwk, x: url(bytesOf(point(x), 33)), y: url(bytesOf(point(y), 33)) }],
    ["no y", { ...ec.jwk, y: undefined }],
    ["y as a number", { ...ec.jwk, y: 1 }],
    ["no crv", { ...ec.jwk, crv: undefined }],
    ["crv in small letters", { ...ec.jwk, crv: "p-256" }],
    ["secp256k1", named(k1.publicKey, {}), k1.privateKey],
    ["secp256k1 called P-256", named(k1.publicKey, { crv: "P-256" }), k1.privateKey],
    ["P-384", named(p384.publicKey, {}), p384.privateKey],
    ["P-384 for ES256", named(p384.publicKey, { alg: "ES256" }), p384.privateKey],
    ["alg ES384", { ...ec.jwk, alg: "ES384" }],
    ["alg none", { ...ec.jwk, alg: "none" }],
    ["alg HS256", { ...ec.jwk, alg: "HS256" }],
    ["use enc", { ...ec.jwk, use: "enc" }],
    ["key_ops without verify", { ...ec.jwk, key_ops: ["sign"] }],
    ["a symmetric key", { kty: "oct", kid: "ec", k: x, alg: "ES256" }],
    ["kty in small letters", { ...ec.jwk, kty: "ec" }],
    ["a kid of another type", { ...ec.jwk, kid: ["ec"] }],
  ];

  const signed = keys.map(([name, jwk, key = ec.privateKey]) => [name, jwk, key] as const);

  test.each(signed)("uses no key with %s", async (_, jwk, privateKey) => {
    const made = (input: string) =>
      url(sign("sha256", Buffer.from(input), { key: privateKey, dsaEncoding: "ieee-p1363" }));
    expect(await judge([jwk], header, made)).toBe("not_signed_in");
  });

  test("uses a key without alg, use and key_ops, and one with members it does not know", async () => {
    for (const jwk of [
      { ...ec.jwk, alg: undefined, use: undefined },
      { ...ec.jwk, alg: undefined, key_ops: ["verify"], x5t: "a", d: "not looked at", n: "AQAB", e: "AQAB" },
    ])
      expect(await judge([jwk], header, ec.sign)).toBe("none");
  });
});

describe("RS256", () => {
  const rsa = createSigner("rsa", "RS256");
  const header = { alg: "RS256", kid: "rsa" };
  const LENGTH = 256;
  const SHA256 = Buffer.from("3031300d060960864801650304020105000420", "hex");
  const digest = (input: string): Buffer => createHash("sha256").update(input).digest();
  /** EMSA-PKCS1-v1_5 (RFC 8017 section 9.2), each part of which can be wrong. */
  const encoded = (
    info: Buffer,
    { start = "0001", fill = 0xff, end = "00", after = Buffer.alloc(0), filled = -1 } = {},
  ): Buffer => {
    const [head, separator] = [Buffer.from(start, "hex"), Buffer.from(end, "hex")];
    const rest = LENGTH - head.length - separator.length - info.length - after.length;
    const padding = Buffer.alloc(filled < 0 ? rest : filled, fill);
    const trailing = Buffer.concat([after, Buffer.alloc(rest - padding.length, 0xaa)]);
    return Buffer.concat([head, padding, separator, info, trailing]);
  };
  const raw = (block: Buffer) => url(privateEncrypt({ key: rsa.privateKey, padding: constants.RSA_NO_PADDING }, block));
  const made = (block: (info: Buffer, hash: Buffer) => Buffer) => (input: string) =>
    raw(block(Buffer.concat([SHA256, digest(input)]), digest(input)));
  const judged = (signature: (input: string) => string) => judge([rsa.jwk], header, signature);

  test("accepts the signature of the library, and an equal one made by hand", async () => {
    expect(await judged(rsa.sign)).toBe("none");
    expect(await judged(made((info) => encoded(info)))).toBe("none");
  });

  const sha1 = Buffer.from("3021300906052b0e03021a05000414", "hex");
  const sha512 = Buffer.from("3051300d060960864801650304020305000440", "hex");
  const hex = (text: string, hash: Buffer): Buffer => Buffer.concat([Buffer.from(text, "hex"), hash]);
  const blocks: readonly (readonly [string, (info: Buffer, hash: Buffer) => Buffer])[] = [
    ["block type 0", (info) => encoded(info, { start: "0000" })],
    ["block type 2", (info) => encoded(info, { start: "0002" })],
    ["a first byte that is not zero", (info) => encoded(info, { start: "0101" })],
    ["padding of zeros", (info) => encoded(info, { fill: 0 })],
    ["padding of 0xfe", (info) => encoded(info, { fill: 0xfe })],
    ["one wrong byte in the padding", (info) => encoded(info).fill(0xfe, 100, 101)],
    ["no separator", (info) => encoded(info, { end: "" })],
    ["0xff as the separator", (info) => encoded(info, { end: "ff" })],
    ["two separators", (info) => encoded(info, { end: "0000" })],
    // Bleichenbacher's forgery of 2006.
    ["8 bytes of padding and the rest behind the digest", (info) => encoded(info, { filled: 8 })],
    ["no padding and the rest behind the digest", (info) => encoded(info, { filled: 0 })],
    ["a byte behind the digest", (info) => encoded(info, { after: Buffer.of(0) })],
    ["no DigestInfo", (_, hash) => encoded(hash)],
    ["DigestInfo without NULL", (_, hash) => encoded(hex("302f300b0609608648016503040201" + "0420", hash))],
    [
      "DigestInfo with an empty list for NULL",
      (_, hash) => encoded(hex("3031300d0609608648016503040201" + "3000" + "0420", hash)),
    ],
    ["a length in two bytes", (_, hash) => encoded(hex("308131300d060960864801650304020105000420", hash))],
    [
      "an indefinite length",
      (_, hash) => encoded(Buffer.concat([hex("3080300d060960864801650304020105000420", hash), Buffer.of(0, 0)])),
    ],
    ["the name of SHA-1 before a digest of SHA-256", (_, hash) => encoded(Buffer.concat([sha1, hash]))],
    ["SHA-1", (_, hash) => encoded(Buffer.concat([sha1, hash.subarray(0, 20)]))],
    ["the name of SHA-512 before a digest of SHA-256", (_, hash) => encoded(Buffer.concat([sha512, hash]))],
    ["a digest cut by one byte", (info) => encoded(info.subarray(0, -1))],
    [
      "a wrong bit in the digest",
      (info) => encoded(Buffer.concat([info.subarray(0, -1), Buffer.of((info.at(-1) ?? 0) ^ 1)])),
    ],
  ];

  test.each(blocks)("refuses %s", async (_, block) => expect(await judged(made(block))).toBe("not_signed_in"));

  const modulus = number(Buffer.from(rsa.jwk.n ?? "", "base64url"));
  const own = (input: string): bigint => number(Buffer.from(rsa.sign(input), "base64url"));
  const numbers: readonly (readonly [string, (input: string) => string])[] = [
    ["1", () => url(bytesOf(1n, LENGTH))],
    ["n - 1", () => url(bytesOf(modulus - 1n, LENGTH))],
    ["n", () => url(bytesOf(modulus, LENGTH))],
    ["n - s", (input) => url(bytesOf(modulus - own(input), LENGTH))],
    ["s + n, in a byte more", (input) => url(bytesOf(modulus + own(input), LENGTH + 1))],
    ["SHA-512", (input) => url(sign("sha512", Buffer.from(input), rsa.privateKey))],
    ["SHA-1 by the library", (input) => url(sign("sha1", Buffer.from(input), rsa.privateKey))],
  ];

  test.each(numbers)("refuses the signature %s", async (_, signature) => {
    expect(await judged(signature)).toBe("not_signed_in");
  });

  const pair = (modulusLength: number, publicExponent: number) =>
    generateKeyPairSync("rsa", { modulusLength, publicExponent });
  const weak = createSigner("rsa", "RS256", 1024);
  const nearly = createSigner("rsa", "RS256", 2040);
  const [three, seventeen, small] = [pair(2048, 3), pair(2048, 17), pair(2048, 257)];
  const jwk = (key: KeyObject): object => ({ ...key.export({ format: "jwk" }), kid: "rsa", alg: "RS256", use: "sig" });
  const byKey = (key: KeyObject) => (input: string) => rs256(input, key);
  /** The padded block of an input, which under a key with e = 1 is its own signature, so that anybody can make one. */
  const unsigned = (input: string) => url(encoded(Buffer.concat([SHA256, digest(input)])));
  const keys: readonly (readonly [string, unknown, (input: string) => string])[] = [
    ["1024 bits", weak.jwk, weak.sign],
    ["2040 bits", nearly.jwk, nearly.sign],
    ["e = 1", { ...rsa.jwk, e: "AQ" }, unsigned],
    ["e = 3", jwk(three.publicKey), byKey(three.privateKey)],
    ["e = 17", jwk(seventeen.publicKey), byKey(seventeen.privateKey)],
    ["e = 257", jwk(small.publicKey), byKey(small.privateKey)],
    ["e = 65536", { ...rsa.jwk, e: url(bytesOf(65_536n, 3)) }, rsa.sign],
    ["e = 0", { ...rsa.jwk, e: "AA" }, rsa.sign],
    ["an empty e", { ...rsa.jwk, e: "" }, rsa.sign],
    ["n = 0", { ...rsa.jwk, n: "AA" }, rsa.sign],
    ["a modulus of 100,000 bits", { ...rsa.jwk, n: url(Buffer.alloc(12_500, 255)) }, rsa.sign],
    ["no n", { ...rsa.jwk, n: undefined }, rsa.sign],
    ["alg RS512", { ...rsa.jwk, alg: "RS512" }, rsa.sign],
    ["alg PS256", { ...rsa.jwk, alg: "PS256" }, rsa.sign],
    ["alg RSA-OAEP", { ...rsa.jwk, alg: "RSA-OAEP" }, rsa.sign],
    ["use enc", { ...rsa.jwk, use: "enc" }, rsa.sign],
    ["key_ops as a text", { ...rsa.jwk, key_ops: "verify" }, rsa.sign],
    ["kty oct", { ...rsa.jwk, kty: "oct" }, rsa.sign],
  ];

  test.each(keys)("uses no key with %s", async (_, key, signature) => {
    expect(await judge([key], header, signature)).toBe("not_signed_in");
  });

  test("uses a key of 4096 bits and one without alg", async () => {
    const long = createSigner("rsa", "RS256", 4096);
    expect(await judge([long.jwk], header, long.sign)).toBe("none");
    expect(await judge([{ ...rsa.jwk, alg: undefined, use: undefined }], header, rsa.sign)).toBe("none");
  });
});
