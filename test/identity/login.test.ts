import { describe, expect, test } from "vitest";
import { hashRoleKey } from "../../shared/domain/accounts/actors.ts";
import { BUILT_IN } from "../../shared/domain/accounts/principal.ts";
import type { Actor, User } from "../../shared/domain/model/objects.ts";
import { createIdentity } from "../../shared/identity/identity.ts";
import { bootstrapCall, createService, FIRST, loginCall, ORIGIN, type TestService } from "./support/service.ts";

const CURRENT = "m=19456,t=2,p=1,salt=16,tag=32";

async function withAda(): Promise<TestService & { user: User; actor: Actor }> {
  const service = await createService();
  await service.identity.bootstrap(FIRST, bootstrapCall(service.clock));
  const { first } = service.accounts;
  if (!first) throw new Error("no administrator was made");
  service.hashed.length = 0;
  service.accounts.reads.account = 0;
  return { ...service, user: first.user, actor: first.actor };
}

const failure = (outcome: Promise<unknown>): Promise<unknown> =>
  outcome.then(
    () => "signed in",
    (error: unknown) => error,
  );

describe("login", () => {
  test("answers a token of the user", async () => {
    const { identity, clock } = await withAda();
    const token = await identity.login("ada", FIRST.password, loginCall(clock));
    const principal = await identity.findPrincipal(await identity.verify(token.access_token), ORIGIN);
    expect(principal).toMatchObject({ subject: "ada", fullname: "Ada Lovelace" });
    expect(principal.permissions.has("admin")).toBe(true);
  });

  test("does the same work and gives the same answer for an unknown user, a wrong password and a disabled user", async () => {
    const { identity, accounts, user, actor, hashed, clock } = await withAda();
    const disabled = { ...user, id: "u2", key: "bob", disabledAt: "2027-01-01T00:00:00.000Z" };
    const passwordHash = accounts.first?.passwordHash;
    accounts.put(disabled, { ...actor, id: "a2", subject: "bob", disabledAt: disabled.disabledAt }, passwordHash);
    const attempts = [
      ["nobody", FIRST.password],
      ["ada", "Difference Engine 1822"],
      ["ada", ""],
      ["bob", FIRST.password],
      ["bob", "Difference Engine 1822"],
      ["ADA", FIRST.password],
    ] as const;
    for (const [username, password] of attempts) {
      hashed.length = 0;
      accounts.reads.account = 0;
      const error = await failure(identity.login(username, password, loginCall(clock)));
      expect({ error, hashed, reads: accounts.reads.account }).toMatchObject({
        error: { code: "not_signed_in", message: "The username or the password is not right", members: {} },
        hashed: [CURRENT],
        reads: 1,
      });
    }
  });

  test("costs one hash for a right password too", async () => {
    const { identity, hashed, clock } = await withAda();
    await identity.login("ada", FIRST.password, loginCall(clock));
    expect(hashed).toEqual([CURRENT]);
  });

  test("accepts a password in any normalization form", async () => {
    const service = await createService();
    const password = "Crème Brûlée 1691";
    await service.identity.bootstrap({ ...FIRST, password: password.normalize("NFD") }, bootstrapCall(service.clock));
    await expect(
      service.identity.login("ada", password.normalize("NFC"), loginCall(service.clock)),
    ).resolves.toBeDefined();
    await expect(
      service.identity.login("ada", password.normalize("NFD"), loginCall(service.clock)),
    ).resolves.toBeDefined();
    await expect(service.identity.login("ada", "Creme Brulee 1691", loginCall(service.clock))).rejects.toMatchObject({
      code: "not_signed_in",
    });
  });
});

describe("the principal of a token", () => {
  const bearer = async (service: TestService) =>
    service.identity.verify(
      (await service.identity.login("ada", FIRST.password, loginCall(service.clock))).access_token,
    );

  test("has the permissions of the present roles, with those that they imply", async () => {
    const service = await withAda();
    const claims = await bearer(service);
    const { roles } = await service.accounts.caller(BUILT_IN, "ada");
    const idOf = (key: string): string => roles.find(({ keyDigest }) => keyDigest === hashRoleKey(key))?.id ?? "";
    const held = async (assigned: string[]): Promise<string[]> => {
      service.accounts.put(service.user, { ...service.actor, roles: assigned });
      return [...(await service.identity.findPrincipal(claims, ORIGIN)).permissions].sort();
    };
    service.accounts.putRole({
      id: "importers",
      keyDigest: hashRoleKey("importers"),
      permissions: ["model_import", "from_a_later_version"],
    });
    expect(await held([])).toEqual([]);
    expect(await held(["a role that was deleted"])).toEqual([]);
    expect(await held([idOf("reader")])).toEqual(["model_read"]);
    expect(await held(["importers"])).toEqual(["model_import", "model_read", "model_write"]);
    expect(await held(["importers", idOf("reader")])).toEqual(["model_import", "model_read", "model_write"]);
    const manager = await held([idOf("manager")]);
    expect(manager).toContain("tag_group_manage");
    expect(manager).not.toContain("admin");
    expect((await held([idOf("admin")])).length).toBe(manager.length + 1);
  });

  test("is refused with `actor_disabled` while the actor is disabled, at once", async () => {
    const service = await withAda();
    const claims = await bearer(service);
    service.accounts.put(service.user, { ...service.actor, disabledAt: "2027-01-15T08:00:00.000Z", tokenEpoch: 1 });
    await expect(service.identity.findPrincipal(claims, ORIGIN)).rejects.toMatchObject({ code: "actor_disabled" });
    service.accounts.put(service.user, service.actor);
    await expect(service.identity.findPrincipal(claims, ORIGIN)).resolves.toBeDefined();
  });

  test("ends with the epoch of the user's tokens; the next login belongs to the new one, also in the same second", async () => {
    const service = await withAda();
    const claims = await bearer(service);
    service.accounts.put(service.user, { ...service.actor, tokenEpoch: 1 });
    await expect(service.identity.findPrincipal(claims, ORIGIN)).rejects.toMatchObject({ code: "not_signed_in" });
    await expect(service.identity.findPrincipal(await bearer(service), ORIGIN)).resolves.toMatchObject({
      subject: "ada",
    });
  });

  test("is refused for tokens from before the actor's earliest valid time", async () => {
    const service = await withAda();
    const claims = await bearer(service);
    const issuedAt = service.clock.now() / 1000;
    service.accounts.put(service.user, { ...service.actor, validAfter: issuedAt + 1 });
    await expect(service.identity.findPrincipal(claims, ORIGIN)).rejects.toMatchObject({ code: "not_signed_in" });
    service.accounts.put(service.user, { ...service.actor, validAfter: issuedAt });
    await expect(service.identity.findPrincipal(claims, ORIGIN)).resolves.toBeDefined();
  });

  test("is refused if the actor is deleted or the issuer is unknown", async () => {
    const service = await withAda();
    const claims = await bearer(service);
    const { caller } = service.accounts.reads;
    await expect(service.identity.findPrincipal({ ...claims, subject: "eve" }, ORIGIN)).rejects.toMatchObject({
      code: "not_signed_in",
      message: "The access token is not valid; sign in again",
    });
    for (const issuer of [BUILT_IN, "https://other.example", ""]) {
      await expect(service.identity.findPrincipal({ ...claims, issuer }, ORIGIN)).rejects.toMatchObject({
        code: "not_signed_in",
      });
    }
    // An issuer that is not known is not even looked up.
    expect(service.accounts.reads.caller).toBe(caller + 1);
  });

  test("is the same actor when the service has another URL", async () => {
    const service = await withAda();
    const before = await service.identity.findPrincipal(await bearer(service), ORIGIN);
    const moved = createIdentity({ ...service.terms, issuer: "https://elsewhere.example.org" });
    const after = await moved.findPrincipal(
      await moved.verify((await moved.login("ada", FIRST.password, loginCall(service.clock))).access_token),
      ORIGIN,
    );
    expect(after).toEqual(before);
  });
});
