import { beforeEach, describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import type { AccountStore, TokenAddress } from "../../shared/identity/accounts.ts";
import { createCallerCache } from "../../shared/identity/caller-cache.ts";
import { watchAccounts } from "../../shared/store/accounts/account-store.ts";
import { runtimeAt } from "../support/runtime.ts";
import { someone } from "../support/someone.ts";
import { openTable } from "../support/table.ts";
import { type Body, createWorld, type World } from "../support/world.ts";

const SECONDS = 5;

let world: World;
let runtime: ReturnType<typeof runtimeAt>;
let lookups = 0;
function countLookups(): number {
  const count = lookups;
  lookups = 0;
  return count;
}

/** Opens a world whose cache forgets callers after a period, or when `isAlone` says that nobody else writes accounts. */
async function openWorld(periodMs: number, isAlone: boolean) {
  runtime = runtimeAt("2027-01-15T08:00:00.000Z");
  const { table } = await openTable((operation) => {
    if (operation === "batchGet") lookups += 1;
  }, runtime.now);
  const callerCache = createCallerCache(periodMs, runtime.now);
  const watched = isAlone ? watchAccounts(table, callerCache.clear) : table;
  world = await createWorld({ table: watched, runtime, callerCache });
}

async function disableReader() {
  const { items } = await world.run("auth/actor_list");
  const reader = items.find(({ subject }: Body) => subject === "reader");
  for (let i = 0; i < 2; i++) await world.run("model/model_list", {}, world.people.reader);
  await world.run("auth/actor_disable", { actorId: reader.id });
}

describe("a process with a caller cache", () => {
  beforeEach(() => openWorld(SECONDS * 1_000, false));

  test("reads a caller once per period", async () => {
    await world.run("auth/whoami");
    countLookups();
    for (let i = 0; i < 3; i++) await world.run("auth/whoami");
    runtime.advance(SECONDS * 1_000 - 1);
    await world.run("auth/whoami");
    expect(countLookups()).toBe(0);
    runtime.advance(1);
    await world.run("auth/whoami");
    expect(countLookups()).toBe(1);
  });

  test("applies a removed permission after the period at the latest", async () => {
    await disableReader();
    await world.run("model/model_list", {}, world.people.reader);
    runtime.advance(SECONDS * 1_000);
    expect((await world.problem("model/model_list", {}, world.people.reader)).code).toBe("actor_disabled");
  });

  test("reads the present permissions for changes of accounts", async () => {
    const { items } = await world.run("auth/actor_list");
    const admin = items.find(({ subject }: Body) => subject === "admin");
    const { roles } = await world.run("auth/actor_get", { actorId: admin.id });
    const other = await someone(world, "other", ...roles);
    await world.run("auth/whoami", {}, other.token);
    await world.run("auth/actor_delete_role", { actorId: other.id, roleRef: "key:admin" });
    const creation = { key: "made", name: "Made" };
    expect((await world.problem("auth/role_create", creation, other.token)).code).toBe("not_allowed");
  });

  test("does not cache missing callers", async () => {
    await world.run("auth/whoami", {}, (await someone(world, "stranger")).token);
    expect(countLookups()).toBeGreaterThan(0);
  });
});

/** Accounts in which every caller and every token but `nobody` is known, and the list of look-ups. */
function countedAccounts() {
  const asked: string[] = [];
  const accounts = {
    findCaller: async (issuer: string, subject: string) => {
      asked.push(`${issuer} ${subject}`);
      return { actor: subject === "nobody" ? undefined : { id: subject }, roles: [] };
    },
    findTokenBearer: async ({ id }: TokenAddress) => {
      asked.push(id);
      return { token: id === "nobody" ? undefined : { id }, actor: undefined, roles: [] };
    },
    provisionActor: async () => ({ id: "new" }),
  };
  // The rest of the store is not asked for.
  return { accounts: accounts as unknown as AccountStore, asked };
}

test(`the cache holds at most ${LIMITS.keptCallers} callers, and evicts the oldest first`, async () => {
  const { accounts, asked } = countedAccounts();
  let now = 0;
  const kept = createCallerCache(1_000, () => now).open(() => accounts);
  for (let i = 0; i < LIMITS.keptCallers; i++) await kept.findCaller("iss", `s${i}`);
  await kept.findCaller("iss", "s0");
  expect(asked).toHaveLength(LIMITS.keptCallers);
  await kept.findCaller("iss", "one more");
  await kept.findCaller("iss", "s1");
  expect(asked).toHaveLength(LIMITS.keptCallers + 1);
  await kept.findCaller("iss", "s0");
  expect(asked).toHaveLength(LIMITS.keptCallers + 2);
  // A caller that was read again is the newest one.
  now = 1_000;
  for (const subject of ["s2", "another", "s2"]) await kept.findCaller("iss", subject);
  expect(asked).toHaveLength(LIMITS.keptCallers + 4);
});

test("a missing caller, one with changed claims, a missing token and all after a change are read again", async () => {
  const { accounts, asked } = countedAccounts();
  const cache = createCallerCache(1_000, () => 0);
  const kept = cache.open(() => accounts);
  for (let i = 0; i < 2; i++) await kept.findCaller("iss", "nobody");
  await kept.findCaller("iss", "ada");
  const origin = { requestId: "r", channel: "http" } as never;
  await kept.provisionActor({ issuer: "iss", subject: "ada", issuedAt: 0 }, origin);
  await kept.findCaller("iss", "ada");
  expect(asked.splice(0)).toEqual(["iss nobody", "iss nobody", "iss ada", "iss ada"]);
  const address = { id: "known", actor: "a", actorKey: "k" };
  for (const id of ["nobody", "nobody", "known", "known"]) await kept.findTokenBearer({ ...address, id });
  cache.clear();
  await kept.findTokenBearer(address);
  expect(asked).toEqual(["nobody", "nobody", "known", "known"]);
});

describe("a process that is the only one on its table", () => {
  beforeEach(async () => {
    await openWorld(Number.POSITIVE_INFINITY, true);
    // The first call of an actor is noted in the accounts.
    for (let i = 0; i < 2; i++) await world.run("auth/whoami");
    countLookups();
  });

  test("reads a caller once, without a period", async () => {
    await world.run("auth/whoami");
    runtime.advance(30 * 60_000);
    await world.run("auth/whoami");
    expect(countLookups()).toBe(0);
  });

  test("applies a removed permission from its commit on", async () => {
    await disableReader();
    expect((await world.problem("model/model_list", {}, world.people.reader)).code).toBe("actor_disabled");
  });

  test("does not cache a read that overlaps a change of accounts", async () => {
    const callerCache = createCallerCache(Number.POSITIVE_INFINITY, () => 0);
    const { accounts, asked } = countedAccounts();
    const callers = callerCache.open(() => accounts);
    const reading = callers.findCaller("iss", "ada");
    callerCache.clear();
    await reading;
    await callers.findCaller("iss", "ada");
    expect(asked).toEqual(["iss ada", "iss ada"]);
  });
});
