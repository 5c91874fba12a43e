import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { v7 } from "uuid";
import { beginCall, type Call, type Runtime } from "../../../shared/actions/contract/call.ts";
import type { Identity } from "../../../shared/actions/contract/ports.ts";
import { Problem } from "../../../shared/domain/problems.ts";
import type { AccountStore } from "../../../shared/identity/accounts.ts";
import { createIdentity, type IdentityTerms } from "../../../shared/identity/identity.ts";
import { createPasswords, nodeArgon2id } from "../../../shared/identity/passwords.ts";
import { openKeyFile } from "../../../shared/identity/tokens/file-keys.ts";
import type { SigningKeys } from "../../../shared/identity/tokens/mint-token.ts";
import { createAccountStore } from "../../../shared/store/accounts/account-store.ts";
import type { Table } from "../../../shared/store/table/table.ts";
import { freshTable } from "../../support/table.ts";

export const ISSUER = "https://metadata.example.org";
export const AUDIENCE = "metaction";
export const SECRET = "a-bootstrap-secret-of-32-letters";
export const FIRST = { username: "ada", fullname: "Ada Lovelace", password: "Analytical Engine 1843", secret: SECRET };

/** The origin that the calls of these tests have. */
export const ORIGIN = { requestId: "r", channel: "http", deadline: Number.POSITIVE_INFINITY } as const;

/** 2027-01-15T08:00:00Z: not the time of the machine, so that a test shows which clock decides. */
export const START = 1_800_000_000_000;

export interface Clock extends Runtime {
  advance(seconds: number): void;
}

export function createClock(start: number = START): Clock {
  let now = start;
  return {
    now: () => now,
    newId: () => v7(),
    random: Math.random,
    sleep: async () => undefined,
    advance: (seconds) => {
      now += seconds * 1000;
    },
  };
}

/** A key file in a directory of its own, with the private key that tests sign with. */
export async function createKeys(): Promise<{ keys: SigningKeys; privateKey: KeyObject; publicKey: KeyObject }> {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const path = join(await mkdtemp(join(tmpdir(), "metaction-identity-")), "signing-keys.json");
  await writeFile(path, JSON.stringify({ keys: [privateKey.export({ format: "jwk" })] }), { mode: 0o600 });
  return { keys: await openKeyFile(path), privateKey, publicKey };
}

export interface TestService {
  readonly identity: Identity;
  readonly table: Table;
  readonly accounts: AccountStore;
  readonly clock: Clock;
  readonly keys: SigningKeys;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly terms: IdentityTerms;
  /** A log of hashing, one line per evaluation of argon2id. */
  readonly hashed: string[];
}

/** The built-in provider over a table of its own, real keys and real hashes, which are counted. */
export async function createService(change: Partial<IdentityTerms> = {}): Promise<TestService> {
  const clock = createClock();
  const table = await freshTable();
  const accounts = createAccountStore(table, clock);
  const made = await createKeys();
  const hashed: string[] = [];
  const passwords = createPasswords((message, salt, cost, tagLength) => {
    hashed.push(`m=${cost.memory},t=${cost.passes},p=${cost.parallelism},salt=${salt.length},tag=${tagLength}`);
    return nodeArgon2id(message, salt, cost, tagLength);
  });
  const terms: IdentityTerms = {
    accounts,
    keys: made.keys,
    passwords,
    issuer: ISSUER,
    audience: AUDIENCE,
    bootstrapSecret: async () => SECRET,
    ambient: clock,
    ...change,
  };
  return { identity: createIdentity(terms), table, accounts, clock, ...made, terms, hashed };
}

/** Such a provider after its first administrator was created. */
export async function createServiceWithAda(change: Partial<IdentityTerms> = {}): Promise<TestService> {
  const service = await createService(change);
  await service.identity.bootstrap(FIRST, bootstrapCall(service.clock));
  service.hashed.length = 0;
  return service;
}

/** The outcome of an attempt to sign in: the code of its problem, or `none`. */
export interface Outcome {
  readonly code: string;
  readonly retryAfter?: number | undefined;
}

export const outcomeOf = (login: Promise<unknown>): Promise<Outcome> =>
  login.then(
    () => ({ code: "none" }),
    (error: unknown) => {
      if (!(error instanceof Problem)) throw error;
      return { code: error.code, ...(error.members.retryAfter && { retryAfter: error.members.retryAfter }) };
    },
  );

/** A call of `auth/login` that begins now, from an address or from nobody knows where. */
export const loginCall = (clock: Runtime, sourceAddress?: string): Call => ({
  ...anonymousCall("auth/login", clock),
  sourceAddress,
});

/** A call of `auth/admin_bootstrap` that begins now. */
export const bootstrapCall = (clock: Runtime): Call => anonymousCall("auth/admin_bootstrap", clock);

function anonymousCall(action: string, clock: Runtime): Call {
  const facts = { requestId: "r", action, channel: "http", principal: undefined } as const;
  return beginCall({ ...facts, deadline: clock.now() + 29_000 }, clock);
}
