import { type KeyObject, sign } from "node:crypto";

type Part = Readonly<Record<string, unknown>> | string;

const text = (part: Part): string => (typeof part === "string" ? part : JSON.stringify(part));

export const encode = (part: Part): string => Buffer.from(text(part)).toString("base64url");

/** Signs with ES256 as RFC 7518 section 3.4 says, whatever the header claims. */
export function es256(input: string, key: KeyObject): string {
  return sign("sha256", Buffer.from(input), { key, dsaEncoding: "ieee-p1363" }).toString("base64url");
}

/** A compact JWT of these parts; objects are written as JSON, texts as they are. */
export function forge(header: Part, payload: Part, signature: (input: string) => string): string {
  const input = `${encode(header)}.${encode(payload)}`;
  return `${input}.${signature(input)}`;
}
