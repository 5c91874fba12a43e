import { describe, expect, test } from "vitest";
import type { Claims } from "../../../shared/actions/contract/ports.ts";
import type { Actor, AuthRole } from "../../../shared/domain/model/objects.ts";
import { addImplied, BUILT_IN, MANAGED_ROLES } from "../../../shared/domain/permissions.ts";
import { createIdentity } from "../../../shared/identity/identity.ts";
import { createPasswords } from "../../../shared/identity/passwords.ts";
import { createAccountStore } from "../../../shared/store/accounts/account-store.ts";
import { readNewestEntries } from "../../../shared/store/log/log.ts";
import { actorKey, IDENTITY } from "../../../shared/store/table/keys.ts";
import { OutcomeUnknown, type Table } from "../../../shared/store/table/table.ts";
import { writeObjects, writeRoles } from "../../support/accounts.ts";
import { countedTable } from "../../support/counted-table.ts";
import { ISSUER } from "../../support/issuer.ts";
import { runtimeAt } from "../../support/runtime.ts";
import { freshTable } from "../../support/table.ts";
import { createWorld, testKeys } from "../../support/world.ts";
import { bootstrapCall, createService, FIRST } from "../support/service.ts";

const OTHER = "https://issuer.example";
const START = "2027-01-15T08:00:00.000Z";
const IAT = Date.parse(START) / 1000;
const CLAIMS: Claims = {
  ...{ issuer: OTHER, subject: "grace@example:1", fullname: "Grace Hopper", email: "grace@example.org" },
  ...{ claimedRoles: ["manager"], issuedAt: IAT },
};
const ORIGIN = { requestId: "request-1", channel: "http", deadline: Number.POSITIVE_INFINITY } as const;

/** A role that somebody chose for newcomers; a fresh instance has none. */
const FOR_NEWCOMERS: AuthRole = {
  ...{ kind: "role", id: "0198c0de-0000-7000-8000-0000000000d1", key: "newcomer", revision: 0, name: "Newcomer" },
  ...{ permissions: ["model_read"], managed: false, autoAssign: true, createdAt: START, updatedAt: START },
};

/** The provider over a table; the claims are those of tokens that others have verified. */
const openIdentity = async (table: Table, runtime = runtimeAt(START)) =>
  createIdentity({
    accounts: createAccountStore(table, runtime),
    passwords: createPasswords(),
    keys: await testKeys(),
    issuer: ISSUER,
    audience: "metaction",
    bootstrapSecret: async () => undefined,
    external: () => Promise.reject(new Error("nothing is verified here")),
    runtime,
  });

/** Such a provider with the managed roles and `others`, on a table that is wrapped. */
async function scene(wrap: (table: Table) => Table = (table) => table, ...others: readonly AuthRole[]) {
  const table = await freshTable();
  await writeRoles(table, runtimeAt(START).newId, START, ...others);
  const another = () => openIdentity(wrap(table));
  return {
    identity: await another(),
    another,
    table,
    // An actor's item has its fields.
    stored: async (subject = CLAIMS.subject) =>
      (await table.get(actorKey(OTHER, subject))) as unknown as Actor | undefined,
  };
}

const ADMIN = addImplied(["admin"]);
const entries = (table: Table) => readNewestEntries(table, IDENTITY, 100);

describe("the first token of another issuer", () => {
  test("creates an actor with its claims and the role of new actors, by a commit of the actor itself", async () => {
    const { identity, table, stored } = await scene(undefined, FOR_NEWCOMERS);
    const principal = await identity.findPrincipal(CLAIMS, ORIGIN);
    const actor = await stored();
    expect(actor).toMatchObject({
      ...{ id: principal.actorId, issuer: OTHER, subject: CLAIMS.subject, fullname: "Grace Hopper" },
      ...{ email: "grace@example.org", claimedRoles: ["manager"], claimsAt: IAT, createdAt: START, revision: 1 },
    });
    expect(actor?.roles).toEqual([FOR_NEWCOMERS.id]);
    const [entry, ...older] = await entries(table);
    expect(older).toEqual([]);
    expect(entry).toMatchObject({
      ...{ revision: 1, actor: principal.actorId, actions: ["auth/first_sight"] },
      ...{ request: "request-1", channel: "http" },
    });
    expect(principal).toMatchObject({ issuer: OTHER, subject: CLAIMS.subject, claimedRoles: ["manager"] });
    expect([principal.permissions.has("model_write"), principal.permissions.has("admin")]).toEqual([true, false]);
  });

  test("gives no permissions on a fresh instance", async () => {
    const { identity, stored } = await scene();
    const { claimedRoles: _, ...nobody } = CLAIMS;
    const { permissions, scopes, claimedRoles } = await identity.findPrincipal(nobody, ORIGIN);
    expect([...permissions, ...scopes, ...claimedRoles]).toEqual([]);
    expect((await stored())?.roles).toEqual([]);
  });

  test("requires neither name, nor e-mail address, nor roles, and no bootstrap before", async () => {
    const accounts = createAccountStore(await freshTable(), runtimeAt(START));
    const actor = await accounts.provisionActor({ issuer: OTHER, subject: "x", issuedAt: IAT }, ORIGIN);
    expect(actor).toMatchObject({ fullname: "x", roles: [] });
    expect(actor).not.toHaveProperty("email");
    expect(actor).not.toHaveProperty("claimedRoles");
    expect((await accounts.findCaller(OTHER, "x")).actor).toMatchObject({ ...actor, revision: 1 });
  });

  test("gives the managed roles that it claims before the bootstrap, and later administrators have the same roles", async () => {
    const { identity, accounts, clock } = await createService({ external: () => Promise.reject(new Error("unused")) });
    const claim = (subject: string) =>
      identity.findPrincipal({ ...CLAIMS, subject, claimedRoles: ["admin"], issuedAt: clock.now() / 1000 }, ORIGIN);
    const principals = await Promise.all([claim("a"), claim("b"), identity.bootstrap(FIRST, bootstrapCall(clock))]);
    expect(principals).toMatchObject([{ permissions: ADMIN }, { permissions: ADMIN }, { token_type: "Bearer" }]);
    const { actor, roles } = await accounts.findCaller(BUILT_IN, FIRST.username);
    expect(roles).toHaveLength(MANAGED_ROLES.length);
    expect(roles.filter(({ id }) => actor?.roles.includes(id))).toMatchObject([{ permissions: ["admin"] }]);
  });

  test.each([
    ["one actor for concurrent calls of one subject", 1],
    ["one actor for each of many concurrent subjects", 8],
  ])("creates %s, which all succeed", async (_, count) => {
    const { another, table } = await scene();
    const calls = Array.from({ length: 12 }, async (_, i) =>
      (await another()).findPrincipal({ ...CLAIMS, subject: `s${i % count}` }, ORIGIN),
    );
    expect(new Set((await Promise.all(calls)).map(({ actorId }) => actorId)).size).toBe(count);
    expect(await entries(table)).toHaveLength(count);
  });

  test("creates one actor also if the answer of the store is lost", async () => {
    let lost = 0;
    const { identity, table, stored } = await scene((plain) => ({
      ...plain,
      transactWrite: async (writes) => {
        await plain.transactWrite(writes);
        if (lost++ === 0) throw new OutcomeUnknown(new Error("lost"));
      },
    }));
    const { actorId } = await identity.findPrincipal(CLAIMS, ORIGIN);
    expect((await stored())?.id).toBe(actorId);
    expect(await entries(table)).toHaveLength(1);
  });

  test("never matches an actor of another issuer, nor a built-in user", async () => {
    const { identity } = await scene();
    const one = await identity.findPrincipal(CLAIMS, ORIGIN);
    expect((await identity.findPrincipal({ ...CLAIMS, issuer: `${OTHER}/` }, ORIGIN)).actorId).not.toBe(one.actorId);
    const own = identity.findPrincipal({ ...CLAIMS, issuer: BUILT_IN, subject: "admin" }, ORIGIN);
    await expect(own).rejects.toMatchObject({ code: "not_signed_in" });
  });
});

describe("later tokens", () => {
  test("with equal claims write nothing, whenever they were issued", async () => {
    const first = await scene();
    await first.identity.findPrincipal(CLAIMS, ORIGIN);
    const { table, writes } = countedTable(first.table);
    expect((await createAccountStore(table, runtimeAt(START)).findCaller(OTHER, CLAIMS.subject)).actor).toBeDefined();
    for (const issuedAt of [IAT - 10, IAT, IAT + 10])
      await (await first.another()).findPrincipal({ ...CLAIMS, issuedAt }, ORIGIN);
    expect(await entries(first.table)).toHaveLength(1);
    expect(writes()).toBe(0);
  });

  test("with other claims update the actor if they are newer, and change nothing if they are older", async () => {
    const { identity, table, stored } = await scene();
    const { actorId } = await identity.findPrincipal(CLAIMS, ORIGIN);
    const newer = { ...CLAIMS, fullname: "Rear Admiral Hopper", claimedRoles: ["reader"], issuedAt: IAT + 60 };
    expect(await identity.findPrincipal(newer, ORIGIN)).toMatchObject({ actorId, fullname: "Rear Admiral Hopper" });
    expect(await stored()).toMatchObject({
      fullname: "Rear Admiral Hopper",
      claimedRoles: ["reader"],
      claimsAt: IAT + 60,
    });
    expect((await entries(table))[0]).toMatchObject({ actor: actorId, actions: ["auth/new_claims"] });
    const older = await identity.findPrincipal(CLAIMS, ORIGIN);
    expect(older.fullname).toBe("Rear Admiral Hopper");
    expect(await entries(table)).toHaveLength(2);
    // The rights are those of the token at hand all the same.
    expect([older.claimedRoles, older.permissions.has("model_write")]).toEqual([["manager"], true]);
  });

  test("without roles remove the shown roles, and keep name and e-mail address", async () => {
    const { identity, stored } = await scene();
    await identity.findPrincipal(CLAIMS, ORIGIN);
    const bare = { issuer: OTHER, subject: CLAIMS.subject, issuedAt: IAT + 1 };
    expect([...(await identity.findPrincipal(bare, ORIGIN)).permissions]).toEqual([]);
    const actor = await stored();
    expect(actor).toMatchObject({ fullname: "Grace Hopper", email: "grace@example.org" });
    expect(actor).not.toHaveProperty("claimedRoles");
  });

  test("are accepted if their claims cannot be written", async () => {
    const first = await scene();
    const { actorId } = await first.identity.findPrincipal(CLAIMS, ORIGIN);
    const down: Table = { ...first.table, transactWrite: () => Promise.reject(new OutcomeUnknown(new Error("down"))) };
    const runtime = { ...runtimeAt(START), sleep: async () => undefined };
    const late = runtime.now();
    let calls = 0;
    const identity = await openIdentity(down, { ...runtime, now: () => late + 1_000 * calls++ });
    const told = { ...CLAIMS, fullname: "G. Hopper", issuedAt: IAT + 1 };
    expect(await identity.findPrincipal(told, ORIGIN)).toMatchObject({ actorId, fullname: "Grace Hopper" });
    await expect(identity.findPrincipal({ ...told, subject: "new" }, ORIGIN)).rejects.toMatchObject({
      code: "out_of_time",
    });
  });

  test("are refused once the actor is disabled, and older ones also after it is enabled again", async () => {
    const { identity, table } = await scene();
    const common = { kind: "actor", revision: 0, issuer: OTHER, fullname: "X", roles: [], createdAt: START } as const;
    const key = (subject: string) => actorKey(OTHER, subject).sk.slice("actor#".length);
    await writeObjects(table, [
      { ...common, id: "00000000-0000-7000-8000-000000000001", key: key("off"), subject: "off", disabledAt: START },
      { ...common, id: "00000000-0000-7000-8000-000000000002", key: key("back"), subject: "back", validAfter: IAT },
    ]);
    const as = (subject: string, issuedAt: number) => identity.findPrincipal({ ...CLAIMS, subject, issuedAt }, ORIGIN);
    await expect(as("off", IAT + 60)).rejects.toMatchObject({ code: "actor_disabled" });
    await expect(as("back", IAT - 1)).rejects.toMatchObject({ code: "not_signed_in" });
    expect(await entries(table)).toEqual([]);
    expect(await as("back", IAT)).toMatchObject({ subject: "back" });
  });

  test("read their actor and all roles in one request, and nothing else", async () => {
    const first = await scene();
    await first.identity.findPrincipal(CLAIMS, ORIGIN);
    const calls: string[] = [];
    const watched = new Proxy(first.table, {
      get: (table, name: keyof Table) => (asked: never) => {
        calls.push(name);
        return table[name](asked);
      },
    });
    await (await openIdentity(watched)).findPrincipal(CLAIMS, ORIGIN);
    expect(calls).toEqual(["batchGet"]);
  });
});

test("administrators see the claims of an actor, and the audit log has its first sign-in", async () => {
  const world = await createWorld();
  const accounts = createAccountStore(world.table, world.service.runtime);
  const { id } = await accounts.provisionActor({ ...CLAIMS, issuedAt: Math.floor(Date.now() / 1000) }, ORIGIN);
  const shown = await world.run("auth/actor_get", { actorId: id });
  expect(shown).toMatchObject({ email: CLAIMS.email, claimedRoles: ["manager"], permissions: [] });
  const { items } = await world.run("auth/audit_list", { actorId: id });
  expect(items).toMatchObject([{ act: "auth/first_sight", outcome: "ok", actor: { id, subject: CLAIMS.subject } }]);
});
