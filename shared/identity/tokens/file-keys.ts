import { createPrivateKey, createPublicKey, generateKeyPair, type JsonWebKey, type KeyObject, sign } from "node:crypto";
import { link, mkdir, open, readFile, rename, stat, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { type SigningKeys, toPublicJwk } from "./mint-token.ts";

const OWNER_ONLY = 0o600;

/** Opens a file with private keys as a JWK set (RFC 7517). Creates a missing file. */
export async function openKeyFile(path: string): Promise<SigningKeys> {
  const privateKeys = (await readKeys(path)) ?? (await createKeys(path)) ?? [];
  const jwks = privateKeys.map((key) => toPublicJwk(createPublicKey(key)));
  const [key] = privateKeys;
  const [jwk] = jwks;
  if (!key || !jwk) throw new Error(`The signing key file ${path} holds no key: remove it to have a new one made`);
  const signAsync = promisify(sign);
  const current = {
    kid: jwk.kid,
    sign: (input: Uint8Array) => signAsync("sha256", input, { key, dsaEncoding: "ieee-p1363" }),
  };
  return { getCurrent: async () => current, listKeys: async () => jwks };
}

async function readKeys(path: string): Promise<readonly KeyObject[] | undefined> {
  let text: string;
  try {
    const { mode } = await stat(path);
    // Windows has no such bits.
    if (process.platform !== "win32" && (mode & 0o077) !== 0) {
      throw new Error(`The signing key file ${path} can be read by others: run chmod 600 on it`);
    }
    text = await readFile(path, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
  try {
    const { keys } = JSON.parse(text) as { readonly keys: readonly JsonWebKey[] };
    return keys.map((key) => createPrivateKey({ key, format: "jwk" }));
  } catch {
    // The error of the parser could quote the key.
    throw new Error(`The signing key file ${path} is not a JWK set of private keys: remove it to have a new one made`);
  }
}

/** Keys after a rotation: the one that signs, and the former one, whose tokens are still valid. */
const KEPT_KEYS = 2;

/** Adds a new signing key, and keeps the last one. Returns the `kid`s, new one first. */
export async function rotateKeyFile(path: string): Promise<readonly string[]> {
  const before = (await readKeys(path)) ?? [];
  const { privateKey } = await promisify(generateKeyPair)("ec", { namedCurve: "P-256" });
  const keys = [privateKey, ...before].slice(0, KEPT_KEYS);
  await mkdir(dirname(path), { recursive: true });
  const draft = toDraftKey(path);
  await writeOwnerOnly(draft, JSON.stringify({ keys: keys.map((key) => key.export({ format: "jwk" })) }));
  await rename(draft, path);
  return keys.map((key) => toPublicJwk(createPublicKey(key)).kid);
}

let drafts = 0;

async function createKeys(path: string): Promise<readonly KeyObject[] | undefined> {
  const { privateKey } = await promisify(generateKeyPair)("ec", { namedCurve: "P-256" });
  const text = JSON.stringify({ keys: [privateKey.export({ format: "jwk" })] });
  await mkdir(dirname(path), { recursive: true });
  const draft = toDraftKey(path);
  await writeOwnerOnly(draft, text);
  try {
    // Unlike a rename, a link keeps the file of another process, whose key all processes use.
    await link(draft, path);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  } finally {
    await unlink(draft);
  }
  return readKeys(path);
}

function toDraftKey(path: string) {
  drafts += 1;
  return `${path}.${process.pid}-${drafts}.draft`;
}

async function writeOwnerOnly(path: string, text: string) {
  const file = await open(path, "w", OWNER_ONLY);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

function hasCode(error: unknown, code: string) {
  return (error as { readonly code?: unknown }).code === code;
}
