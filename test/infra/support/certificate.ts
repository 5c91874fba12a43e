import { generateKeyPairSync, sign } from "node:crypto";

/** A private key and its self-signed certificate, both in PEM. */
export interface Certificate {
  readonly key: string;
  readonly certificate: string;
}

const SHA256_WITH_RSA = oid(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b);
const COMMON_NAME = oid(0x55, 0x04, 0x03);
const SUBJECT_ALT_NAME = oid(0x55, 0x1d, 0x11);
const BASIC_CONSTRAINTS = oid(0x55, 0x1d, 0x13);
const HOUR_MS = 3_600_000;

/** Creates a certificate (RFC 5280) for `localhost`, valid for a day from `now`, with an RSA key of 2,048 bits like those of AWS. */
export function createCertificate(now: number): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const algorithm = sequence(SHA256_WITH_RSA, encodeTag(0x05));
  const name = sequence(encodeTag(0x31, sequence(COMMON_NAME, utf8("localhost"))));
  // In the SAN extension a dNSName has the context tag 2.
  const names = sequence(encodeTag(0x82, Buffer.from("localhost")));
  const extensions = sequence(
    sequence(SUBJECT_ALT_NAME, octets(names)),
    sequence(
      BASIC_CONSTRAINTS,
      encodeTag(0x01, Buffer.from([0xff])),
      octets(sequence(encodeTag(0x01, Buffer.from([0xff])))),
    ),
  );
  const content = sequence(
    encodeTag(0xa0, integer(2)),
    integer(1),
    algorithm,
    name,
    sequence(utcTime(now - HOUR_MS), utcTime(now + 24 * HOUR_MS)),
    name,
    publicKey.export({ format: "der", type: "spki" }),
    encodeTag(0xa3, extensions),
  );
  const signature = sign("sha256", content, privateKey);
  const der = sequence(content, algorithm, encodeTag(0x03, Buffer.from([0]), signature));
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ format: "pem", type: "pkcs8" }).toString(),
    certificate: ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n"),
  };
}

/** Encodes a DER value: its tag, its length, its content. */
function encodeTag(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const bytes = content.length;
  const length = bytes < 0x80 ? [bytes] : bytes < 0x100 ? [0x81, bytes] : [0x82, bytes >> 8, bytes & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

function sequence(...parts: readonly Uint8Array[]): Buffer {
  return encodeTag(0x30, ...parts);
}

function oid(...bytes: readonly number[]): Buffer {
  return encodeTag(0x06, Buffer.from(bytes));
}

function integer(value: number): Buffer {
  return encodeTag(0x02, Buffer.from([value]));
}

function octets(content: Uint8Array): Buffer {
  return encodeTag(0x04, content);
}

function utf8(text: string): Buffer {
  return encodeTag(0x0c, Buffer.from(text));
}

function utcTime(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/[-:T]/g, "").slice(2, 14);
  return encodeTag(0x17, Buffer.from(`${digits}Z`));
}
