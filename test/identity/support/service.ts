import { generateKeyPairSync } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beginCall, type Call, type Runtime } from "../../../shared/actions/contract/call.ts";
import { Problem } from "../../../shared/domain/problems.ts";
import { createIdentity, type IdentityTerms } from "../../../shared/identity/identity.ts";
import { createPasswords, nodeArgon2id } from "../../../shared/identity/passwords.ts";
import { openKeyFile } from "../../../shared/identity/tokens/file-keys.ts";
import { createAccountStore } from "../../../shared/store/accounts/account-store.ts";
import { runtimeAt } from "../../support/runtime.ts";
import { freshTable } from "../../support/table.ts";
import { createFolder } from "../../support/temporary-folder.ts";

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

export function createClock(start = START): Clock {
  const runtime = runtimeAt(new Date(start).toISOString());
  return { ...runtime, sleep: async () => undefined, advance: (seconds) => runtime.advance(seconds * 1000) };
}

/** A key file in a directory of its own, with the private key that tests sign with. */
export async function createKeys() {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const path = join(createFolder(), "signing-keys.json");
  await writeFile(path, JSON.stringify({ keys: [privateKey.export({ format: "jwk" })] }), { mode: 0o600 });
  return { keys: await openKeyFile(path), privateKey, publicKey };
}

export type TestService = Awaited<ReturnType<typeof createService>>;

/** Creates the built-in provider on a new table, with real keys and hashes; `hashed` has a line for each call of argon2id. */
export async function createService(change: Partial<IdentityTerms> = {}) {
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
    runtime: clock,
    ...change,
  };
  return { identity: createIdentity(terms), table, accounts, clock, ...made, terms, hashed };
}

/** Such a provider after its first administrator was created. */
export async function createServiceWithAda(change: Partial<IdentityTerms> = {}) {
  const service = await createService(change);
  await service.identity.bootstrap(FIRST, bootstrapCall(service.clock));
  service.hashed.length = 0;
  return service;
}

/** The outcome of an attempt to sign in: the code of its problem, or `none`. */
export async function outcomeOf(login: Promise<unknown>): Promise<{ code: string; retryAfter?: number }> {
  try {
    await login;
    return { code: "none" };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { code, members } = error;
    return { code, ...(members.retryAfter && { retryAfter: members.retryAfter }) };
  }
}

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
