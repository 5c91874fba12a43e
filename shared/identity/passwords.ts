import { argon2, randomBytes, timingSafeEqual } from "node:crypto";

/** Cost of argon2id: memory in KiB, passes, and lanes. */
export interface HashCost {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** RFC 9106 argon2id, version 0x13: a tag of `tagLength` bytes. */
export type Argon2id = (message: Buffer, salt: Buffer, cost: HashCost, tagLength: number) => Promise<Buffer>;

/** Hashes and checks passwords. Every password is brought to Unicode NFC first, once. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Checks a password against a hash. Without a hash, returns false after the same work. */
  matches(password: string, phc: string | undefined): Promise<boolean>;
  isOutdated(phc: string): Promise<boolean>;
}

/** The cost of new hashes: 19 MiB and two passes, the figures of the OWASP Password Storage Cheat Sheet. */
export const HASH_COST: HashCost = { memory: 19_456, passes: 2, parallelism: 1 };

const SALT_BYTES = 16;
const TAG_BYTES = 32;
const PHC = /^\$argon2id\$v=19\$m=(\d{1,9}),t=(\d{1,9}),p=(\d{1,3})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{16,86})$/;

/** Creates password hashing with argon2id at `HASH_COST`. */
export function createPasswords(derive: Argon2id = nodeArgon2id): Passwords {
  // Hash for passwords of unknown users, whose check has to cost as much as that of known users.
  const nobody = toPhc(HASH_COST, Buffer.alloc(SALT_BYTES), Buffer.alloc(TAG_BYTES));
  return {
    hash: async (password) => {
      const salt = randomBytes(SALT_BYTES);
      return toPhc(HASH_COST, salt, await derive(formatHashInput(password), salt, HASH_COST, TAG_BYTES));
    },
    matches: async (password, phc) => {
      const { cost, salt, tag } = fromPhc(phc ?? nobody);
      const hash = await derive(formatHashInput(password), salt, cost, tag.length);
      return timingSafeEqual(hash, tag) && phc !== undefined;
    },
    isOutdated: async (phc) => {
      const { memory, passes, parallelism } = fromPhc(phc).cost;
      return memory < HASH_COST.memory || passes < HASH_COST.passes || parallelism !== HASH_COST.parallelism;
    },
  };
}

/** Runs argon2id of Node's own crypto, on its thread pool. */
export const nodeArgon2id: Argon2id = (message, nonce, cost, tagLength) =>
  new Promise((resolve, reject) => {
    argon2("argon2id", { message, nonce, tagLength, ...cost }, (error, tag) => (error ? reject(error) : resolve(tag)));
  });

const formatHashInput = (password: string): Buffer => Buffer.from(password.normalize("NFC"), "utf8");

/** The PHC string format: `$argon2id$v=19$m=…,t=…,p=…$salt$tag`, base64 without padding. */
function toPhc(cost: HashCost, salt: Buffer, tag: Buffer) {
  const base64 = (bytes: Buffer) => bytes.toString("base64").replaceAll("=", "");
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(salt)}$${base64(tag)}`;
}

function fromPhc(phc: string): { readonly cost: HashCost; readonly salt: Buffer; readonly tag: Buffer } {
  const [match, memory, passes, parallelism, salt = "", tag = ""] = PHC.exec(phc) ?? [];
  // The hash itself stays out of the message.
  if (match === undefined) throw new Error("A stored password hash is not argon2id in PHC format");
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, "base64"),
    tag: Buffer.from(tag, "base64"),
  };
}
