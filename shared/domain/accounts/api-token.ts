import { createHash } from "node:crypto";
import { API_TOKEN_PREFIX } from "./principal.ts";

/** The parts of an API token: the place where it and its actor are found, in one read, and the secret that proves it. */
export interface ApiTokenParts {
  readonly id: string;
  /** Id of the actor it stands for. */
  readonly actor: string;
  /** Key of that actor. */
  readonly actorKey: string;
  /** `API_SECRET_BYTES` random bytes. */
  readonly secret: Uint8Array;
}

export const API_SECRET_BYTES = 32;

// Two UUIDs, a SHA-256 digest, the secret and the checksum: 102 bytes, which base64url spells in one way only.
const [ID, KEY, CHECKSUM] = [16, 32, 6];
const BYTES = 2 * ID + KEY + API_SECRET_BYTES + CHECKSUM;
const TOKEN_PATTERN = new RegExp(`^[A-Za-z0-9_-]{${(BYTES * 4) / 3}}$`);

/** An API token as its bearer sends it. */
export function formatApiToken({ id, actor, actorKey, secret }: ApiTokenParts): string {
  const said = Buffer.concat([parseUuid(id), parseUuid(actor), Buffer.from(actorKey, "base64url"), secret]);
  return API_TOKEN_PREFIX + Buffer.concat([said, computeChecksum(said)]).toString("base64url");
}

/** Reads the parts of an API token; undefined for a text that no service can have answered, such as one with a typo. */
export function parseApiToken(token: string): ApiTokenParts | undefined {
  if (!token.startsWith(API_TOKEN_PREFIX)) return undefined;
  const text = token.slice(API_TOKEN_PREFIX.length);
  if (!TOKEN_PATTERN.test(text)) return undefined;
  const bytes = Buffer.from(text, "base64url");
  const said = bytes.subarray(0, -CHECKSUM);
  if (!computeChecksum(said).equals(bytes.subarray(-CHECKSUM))) return undefined;
  return {
    id: formatUuid(said.subarray(0, ID)),
    actor: formatUuid(said.subarray(ID, 2 * ID)),
    actorKey: said.subarray(2 * ID, 2 * ID + KEY).toString("base64url"),
    secret: said.subarray(2 * ID + KEY),
  };
}

/** The digest that is stored in the place of a secret. The secret has 256 random bits, so nothing is guessed from it. */
export function hashSecret(secret: Uint8Array): string {
  return createHash("sha256").update(secret).digest("base64url");
}

function computeChecksum(said: Uint8Array): Buffer {
  return createHash("sha256").update(API_TOKEN_PREFIX).update(said).digest().subarray(0, CHECKSUM);
}

const parseUuid = (id: string): Buffer => Buffer.from(id.replaceAll("-", ""), "hex");

function formatUuid(bytes: Buffer): string {
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
