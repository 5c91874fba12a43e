import type { KeyObject } from "node:crypto";
import { forge } from "./forge.ts";

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

/** The good token with another header. */
export const withHeader = ({ header, claims, sign }: Genuine, change: object): string =>
  forge({ ...header, ...change }, claims, sign);

/** The good token with other claims. */
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

/** A record without one of its members. */
export const without = (record: object, name: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).filter(([member]) => member !== name));

/** Makes one hostile token for each value, and names its fault after `what` and the value. */
export const each = (what: string, values: readonly unknown[], make: (value: unknown) => string): Hostile[] =>
  values.map((value) => [`${what} ${JSON.stringify(value)?.slice(0, 60)}`, make(value)]);
