import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";

/** A self-signed certificate and its key, as PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** Makes a certificate with an ECDSA key on P-256 for DNS names. */
export function makeCertificate(...names: readonly string[]): Certificate {
  return signCertificate(generateKeyPairSync("ec", { namedCurve: "P-256" }), oid("2a8648ce3d040302"), names);
}

/** Makes a certificate with an RSA key of 2,048 bits, like those of AWS, for DNS names. */
export function makeRsaCertificate(...names: readonly string[]): Certificate {
  const algorithm = [oid("2a864886f70d01010b"), tagged(0x05, Buffer.alloc(0))];
  return signCertificate(generateKeyPairSync("rsa", { modulusLength: 2_048 }), Buffer.concat(algorithm), names);
}

/** Makes a certificate (X.509 version 3, RFC 5280) that is valid from 2020 to 2049. */
function signCertificate(
  { privateKey, publicKey }: { readonly privateKey: KeyObject; readonly publicKey: KeyObject },
  signedBy: Buffer,
  names: readonly string[],
): Certificate {
  const algorithm = sequence(signedBy);
  const subject = sequence(set(sequence(oid("550403"), tagged(0x0c, Buffer.from("metaction test")))));
  const alternatives = sequence(...names.map((n) => tagged(0x82, Buffer.from(n))));
  const toSign = sequence(
    tagged(0xa0, integer(2)),
    integer(Date.now() % 0x7fffffff),
    algorithm,
    subject,
    sequence(time("200101000000Z"), time("491231235959Z")),
    subject,
    publicKey.export({ type: "spki", format: "der" }),
    tagged(0xa3, sequence(sequence(oid("551d11"), tagged(0x04, alternatives)))),
  );
  const signature = tagged(0x03, Buffer.concat([Buffer.from([0]), sign("sha256", toSign, privateKey)]));
  const body = sequence(toSign, algorithm, signature)
    .toString("base64")
    .replace(/.{64}(?=.)/g, "$&\n");
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

/** A DER value: tag, length, content (X.690 section 8.1). */
function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, Buffer.concat(parts));
const set = (...parts: readonly Buffer[]): Buffer => tagged(0x31, Buffer.concat(parts));
const oid = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, "hex"));
const time = (utc: string): Buffer => tagged(0x17, Buffer.from(utc));

function integer(n: number): Buffer {
  const bytes = Buffer.alloc(5);
  bytes.writeUInt32BE(n, 1);
  const first = bytes.findIndex((b, i) => b !== 0 || i === 4);
  // A first byte of 0x80 or more would read as negative.
  return tagged(0x02, bytes.subarray((bytes[first] ?? 0) >= 0x80 ? first - 1 : first));
}
