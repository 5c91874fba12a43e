import { constants, type KeyObject, sign } from "node:crypto";
import { encode, forge } from "./forge.ts";
import { type Genuine, goodToken, type Hostile, tokenOf } from "./genuine-token.ts";

/** Texts that are no token in compact form, and signatures that are not in the one right spelling. */
export function hostileForms(genuine: Genuine): Hostile[] {
  const { header, claims, privateKey } = genuine;
  const good = goodToken(genuine);
  const [first = "", payload = "", signature = ""] = good.split(".");
  const bytes = Buffer.from(signature, "base64url");
  const half = bytes.length / 2;
  const signed = (by: Buffer): string => `${first}.${payload}.${by.toString("base64url")}`;
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
