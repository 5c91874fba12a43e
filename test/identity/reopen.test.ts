import { describe, expect, test } from "vitest";
import { hashSecret } from "../../shared/domain/accounts/api-token.ts";
import { LIMITS } from "../../shared/domain/limits.ts";
import { createIdentity } from "../../shared/identity/identity.ts";
import { createAccountStore } from "../../shared/store/accounts/account-store.ts";
import { reopenBootstrap } from "../../shared/store/accounts/account-writes.ts";
import { listAudit } from "../../shared/store/accounts/audit-list.ts";
import { checkAccounts } from "../../shared/store/fsck/check-accounts.ts";
import { IDENTITY } from "../../shared/store/table/keys.ts";
import { OutcomeUnknown, type Table, type Write } from "../../shared/store/table/table.ts";
import { partition } from "../store/support/check-model.ts";
import { codeOf } from "../support/world.ts";
import { bootstrapCall, createService, createServiceWithAda, FIRST, loginCall, SECRET } from "./support/service.ts";

const NEW_SECRET = "a-new-secret-of-an-operator-0123456789abcdef";
const NEXT = { username: "grace", fullname: "Grace Hopper", password: "Moth in the relay 1947", secret: NEW_SECRET };

async function instance() {
  const service = await createServiceWithAda();
  const { table, clock, terms } = service;
  const bootstrapOver = (change: Partial<Table>) => {
    const accounts = createAccountStore({ ...table, ...change }, clock);
    return codeOf(createIdentity({ ...terms, accounts }).bootstrap(NEXT, bootstrapCall(clock)));
  };
  const bootstrap = (given: object = {}) => service.identity.bootstrap({ ...NEXT, ...given }, bootstrapCall(clock));
  const reopen = (secret = NEW_SECRET) => reopenBootstrap(table, clock, hashSecret(secret));
  const audit = async () => (await listAudit(table, clock, {}, {})).items;
  const losing: Partial<Table> = {
    transactWrite: async (writes) => {
      await table.transactWrite(writes);
      throw new OutcomeUnknown(undefined);
    },
  };
  return { ...service, bootstrap, bootstrapOver, reopen, audit, losing };
}

describe("a bootstrap that an operator reopened", () => {
  test("creates one more administrator with the new secret, once, and changes nothing else", async () => {
    const { table, identity, bootstrap, reopen, clock } = await instance();
    const people = async () => (await partition(table, IDENTITY)).filter(({ sk }) => !/^(bootstrap$|seen)/.test(sk));
    const before = await people();
    clock.advance(60);
    await reopen();
    expect(await people()).toEqual(before);
    const token = await bootstrap();
    const principal = await identity.findPrincipal(await identity.verify(token.access_token), bootstrapCall(clock));
    expect(principal).toMatchObject({ subject: "grace" });
    expect(principal.permissions.has("admin")).toBe(true);
    await expect(identity.login("ada", FIRST.password, loginCall(clock))).resolves.toBeDefined();
    const after = await people();
    expect(after.filter(({ sk }) => before.some((item) => item.sk === sk))).toEqual(before);
    expect(after.length).toBe(before.length + 3);
    const [ada, grace] = after.filter(({ sk }) => sk.startsWith("actor#"));
    expect(grace?.roles).toEqual(ada?.roles);
    expect(await codeOf(bootstrap())).toBe("bootstrap_used");
    expect(await codeOf(bootstrap({ username: "joan" }))).toBe("bootstrap_used");
    expect((await checkAccounts(table, clock)).violations).toEqual([]);
  });

  test("refuses other secrets, weak passwords and the name of an existing user, and stays open for the new secret", async () => {
    const { identity, bootstrap, reopen, hashed, clock } = await instance();
    await reopen();
    for (const secret of [SECRET, "", NEW_SECRET.slice(1), hashSecret(NEW_SECRET), "x".repeat(512)])
      expect(await codeOf(bootstrap({ secret }))).toBe("not_signed_in");
    expect(hashed).toEqual([]);
    await expect(bootstrap({ password: "aaaa" })).rejects.toMatchObject({
      code: "bad_parameters",
      members: { errors: [{ pointer: "/password" }, { pointer: "/password" }] },
    });
    expect(await codeOf(bootstrap({ username: "ada" }))).toBe("key_taken");
    expect(await codeOf(identity.login("ada", NEXT.password, loginCall(clock)))).toBe("not_signed_in");
    expect(await codeOf(identity.login("ada", FIRST.password, loginCall(clock)))).toBe("none");
    expect(await codeOf(bootstrap())).toBe("none");
  });

  test("closes after reopenedHours", async () => {
    const { bootstrap, reopen, clock } = await instance();
    const hours = LIMITS.reopenedHours * 3_600;
    expect(await reopen()).toEqual({ until: new Date(clock.now() + hours * 1_000).toISOString() });
    clock.advance(hours - 1);
    expect(await codeOf(bootstrap({ secret: "another-secret-of-32-letters-xyz" }))).toBe("not_signed_in");
    clock.advance(1);
    expect(await codeOf(bootstrap())).toBe("bootstrap_used");
    await reopen();
    expect(await codeOf(bootstrap())).toBe("none");
  });

  test("can be reopened again, which revokes the secret before", async () => {
    const { bootstrap, reopen } = await instance();
    await reopen();
    await reopen("the-newest-secret-of-an-operator-0123456789");
    expect(await codeOf(bootstrap())).toBe("not_signed_in");
    expect(await codeOf(bootstrap({ secret: "the-newest-secret-of-an-operator-0123456789" }))).toBe("none");
    expect(await codeOf(bootstrap())).toBe("bootstrap_used");
    await reopen();
    expect(await codeOf(bootstrap({ username: "joan" }))).toBe("none");
  });

  test("revokes the secret before also during its use", async () => {
    const { table, bootstrapOver, reopen } = await instance();
    await reopen();
    let isFirst = true;
    const code = await bootstrapOver({
      transactWrite: async (writes) => {
        if (isFirst) await reopen("the-newest-secret-of-an-operator-0123456789");
        isFirst = false;
        await table.transactWrite(writes);
      },
    });
    expect(code).toBe("bootstrap_used");
    expect((await partition(table, IDENTITY)).filter(({ sk }) => sk.startsWith("user#"))).toHaveLength(1);
  });

  test("succeeds for one of 50 concurrent calls", async () => {
    const { identity, table, reopen, clock } = await instance();
    await reopen();
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        codeOf(identity.bootstrap({ ...NEXT, username: `grace${i}` }, bootstrapCall(clock))),
      ),
    );
    expect(outcomes.toSorted()).toEqual([...Array(49).fill("bootstrap_used"), "none"]);
    expect((await partition(table, IDENTITY)).filter(({ sk }) => sk.startsWith("user#"))).toHaveLength(2);
    expect((await checkAccounts(table, clock)).violations).toEqual([]);
  }, 60_000);

  test("finds its own administrator when the commit becomes visible after the check", async () => {
    const { table, bootstrapOver, reopen } = await instance();
    await reopen();
    let late: readonly Write[] | undefined;
    let isFirst = true;
    const code = await bootstrapOver({
      transactWrite: async (writes) => {
        if (!isFirst) return table.transactWrite(writes);
        isFirst = false;
        late = writes;
        throw new OutcomeUnknown(undefined);
      },
      batchGet: async (keys) => {
        const writes = late ?? [];
        late = undefined;
        if (writes.length > 0) await table.transactWrite(writes);
        return table.batchGet(keys);
      },
    });
    expect([code, isFirst, late]).toEqual(["none", false, undefined]);
  });

  test("finds its own administrator when the answer of the commit is lost", async () => {
    const { bootstrapOver, losing, reopen, audit } = await instance();
    await reopen();
    expect(await bootstrapOver(losing)).toBe("none");
    expect((await audit()).map(({ act }) => act).sort()).toEqual([
      "admin:reopen",
      "auth/admin_bootstrap",
      "auth/admin_bootstrap",
    ]);
  });
});

describe("reopening", () => {
  test("is in the audit log without an actor, like the administrator that it created", async () => {
    const { bootstrap, reopen, clock, audit } = await instance();
    clock.advance(60);
    await reopen();
    clock.advance(60);
    await bootstrap();
    const [made, opened, first] = await audit();
    expect(opened).toEqual({
      id: expect.any(String),
      time: "2027-01-15T08:01:00.000Z",
      act: "admin:reopen",
      outcome: "ok",
      channel: "operator",
    });
    expect(first).toMatchObject({ act: "auth/admin_bootstrap", actor: { subject: "ada" } });
    expect(made).toMatchObject({ act: "auth/admin_bootstrap", outcome: "ok", actor: { subject: "grace" } });
    expect(made?.changes?.map(({ change, kind, name }) => `${change} ${kind} ${name}`)).toEqual([
      "create user grace",
      "create actor grace",
    ]);
  });

  test("is written once when its answer is lost, and stores no secret", async () => {
    const { table, losing, clock, bootstrap, audit } = await instance();
    await reopenBootstrap({ ...table, ...losing }, clock, hashSecret(NEW_SECRET));
    expect((await audit()).map(({ act }) => act)).toEqual(["admin:reopen", "auth/admin_bootstrap"].sort());
    expect(JSON.stringify(await partition(table, IDENTITY))).not.toContain(NEW_SECRET);
    expect(await codeOf(bootstrap())).toBe("none");
  });

  test("is refused if no administrator was ever created: the first secret is still valid", async () => {
    const { clock, table } = await createService();
    expect(await reopenBootstrap(table, clock, hashSecret(NEW_SECRET))).toBe("never_used");
    expect(await partition(table, IDENTITY)).toEqual([]);
  });
});
