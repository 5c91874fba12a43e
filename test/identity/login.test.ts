import { describe, expect, test } from "vitest";
import type { Actor } from "../../shared/domain/model/objects.ts";
import { BUILT_IN, MANAGED_ROLES } from "../../shared/domain/permissions.ts";
import { Problem } from "../../shared/domain/problems.ts";
import { createIdentity } from "../../shared/identity/identity.ts";
import { actorKey, IDENTITY } from "../../shared/store/table/keys.ts";
import { partition } from "../store/support/check-model.ts";
import { writePerson } from "../support/accounts.ts";
import { codeOf } from "../support/world.ts";
import {
  bootstrapCall,
  createService,
  createServiceWithAda,
  FIRST,
  loginCall,
  ORIGIN,
  SECRET,
  type TestService,
} from "./support/service.ts";

const WRONG = { code: "not_signed_in", message: "The username or the password is not right", members: {} };

describe("login", () => {
  test("does the same work for all callers, and gives the same answer for an unknown user, a wrong password and a disabled user", async () => {
    const { terms, table, hashed, clock } = await createServiceWithAda();
    const times = { createdAt: "2027-01-01T00:00:00.000Z", disabledAt: "2027-01-01T00:00:00.000Z" };
    await writePerson(table, { username: "bob", id: clock.newId(), roles: [], password: FIRST.password, ...times });
    let reads = 0;
    const account = (username: string) => {
      reads += 1;
      return terms.accounts.findAccount(username);
    };
    const identity = createIdentity({ ...terms, accounts: { ...terms.accounts, findAccount: account } });
    const attempts = [
      ["nobody", FIRST.password, WRONG],
      ["ada", "Difference Engine 1822", WRONG],
      ["ada", "", WRONG],
      ["bob", FIRST.password, WRONG],
      ["bob", "Difference Engine 1822", WRONG],
      ["ADA", FIRST.password, WRONG],
      ["ada", FIRST.password, { token_type: "Bearer" }],
    ] as const;
    for (const [username, password, expected] of attempts) {
      hashed.length = 0;
      reads = 0;
      const outcome = await identity.login(username, password, loginCall(clock)).catch((error: unknown) => error);
      expect({ outcome, hashed, reads }).toMatchObject({
        outcome: expected,
        hashed: ["m=19456,t=2,p=1,salt=16,tag=32"],
        reads: 1,
      });
    }
  });

  test("accepts a password in any normalization form", async () => {
    const { identity, clock } = await createService();
    const password = "Crème Brûlée 1691";
    await identity.bootstrap({ ...FIRST, password: password.normalize("NFD") }, bootstrapCall(clock));
    for (const form of ["NFC", "NFD"])
      await expect(identity.login("ada", password.normalize(form), loginCall(clock))).resolves.toBeDefined();
    await expect(identity.login("ada", "Creme Brulee 1691", loginCall(clock))).rejects.toMatchObject(WRONG);
  });
});

describe("the principal of a token", () => {
  const verifyToken = async ({ identity, clock }: Pick<TestService, "identity" | "clock">) =>
    identity.verify((await identity.login("ada", FIRST.password, loginCall(clock))).access_token);

  /** Changes the stored actor of Ada without a commit. */
  const changeActor = async ({ table }: TestService, change: Partial<Actor>) => {
    const stored = await table.get(actorKey(BUILT_IN, "ada"));
    if (!stored) throw new Error("Ada has no actor");
    await table.write({ put: { ...stored, ...change }, expect: { anything: true } });
  };

  test("is refused for tokens from before the actor's earliest valid time", async () => {
    const service = await createServiceWithAda();
    const claims = await verifyToken(service);
    await changeActor(service, { validAfter: claims.issuedAt + 1 });
    await expect(service.identity.findPrincipal(claims, ORIGIN)).rejects.toMatchObject({ code: "not_signed_in" });
    await changeActor(service, { validAfter: claims.issuedAt });
    await expect(service.identity.findPrincipal(claims, ORIGIN)).resolves.toBeDefined();
  });

  test("is refused for an unknown issuer, which creates no actor", async () => {
    const service = await createServiceWithAda();
    const claims = await verifyToken(service);
    for (const issuer of [BUILT_IN, "https://other.example", ""]) {
      const refused = service.identity.findPrincipal({ ...claims, issuer }, ORIGIN);
      await expect(refused).rejects.toMatchObject({ code: "not_signed_in" });
      expect((await service.accounts.findCaller(issuer, "ada")).actor?.issuer).toBe(
        issuer === BUILT_IN ? issuer : undefined,
      );
    }
  });

  test("is the same actor when the service has another URL", async () => {
    const service = await createServiceWithAda();
    const before = await service.identity.findPrincipal(await verifyToken(service), ORIGIN);
    const identity = createIdentity({ ...service.terms, issuer: "https://elsewhere.example.org" });
    const after = await identity.findPrincipal(await verifyToken({ ...service, identity }), ORIGIN);
    expect(after).toEqual({ ...before, session: expect.any(Object) });
  });
});

describe("the first administrator", () => {
  test("is created with an actor and the managed roles, and signed in", async () => {
    const { identity, table, clock } = await createService();
    const token = await identity.bootstrap(FIRST, bootstrapCall(clock));
    const principal = await identity.findPrincipal(await identity.verify(token.access_token), ORIGIN);
    expect(principal).toMatchObject({ subject: "ada", fullname: "Ada Lovelace", issuer: BUILT_IN });
    expect([...principal.permissions]).toContain("model_delete");

    const items = await partition(table, IDENTITY);
    const listItems = (kind: string) => items.filter(({ sk }) => sk.startsWith(`${kind}#`));
    const [[user], [actor], [password]] = [listItems("user"), listItems("actor"), listItems("password")];
    const roles = listItems("role").toSorted((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
    expect(roles).toMatchObject(
      MANAGED_ROLES.map((role) => ({
        ...{ ...role, permissions: [...role.permissions].sort() },
        ...{ managed: true, createdAt: "2027-01-15T08:00:00.000Z" },
      })),
    );
    expect(actor?.roles).toEqual(roles.filter((role) => role.key === "admin").map((role) => role.id));
    expect(new Set([user?.id, actor?.id, ...roles.map((role) => role.id)]).size).toBe(5);
    expect(password?.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  test("is created once: afterwards the answer is 410, before any hashing", async () => {
    const { identity, clock, hashed } = await createService();
    await identity.bootstrap(FIRST, bootstrapCall(clock));
    hashed.length = 0;
    for (const change of [{}, { secret: "another secret of some length" }, { password: "weak" }, { username: "bob" }]) {
      const again = identity.bootstrap({ ...FIRST, ...change }, bootstrapCall(clock));
      await expect(again).rejects.toMatchObject({ code: "bootstrap_used" });
    }
    expect(hashed).toEqual([]);
  });

  test("requires the secret, which is checked before the password", async () => {
    const { identity, clock, accounts } = await createService();
    for (const secret of ["", SECRET.slice(1), `${SECRET} `, SECRET.toUpperCase(), "x".repeat(512)]) {
      const attempt = identity.bootstrap({ ...FIRST, secret, password: "weak" }, bootstrapCall(clock));
      await expect(attempt).rejects.toMatchObject({
        code: "not_signed_in",
        message: "The bootstrap secret is not right",
      });
    }
    expect(await accounts.isBootstrapUsed()).toBe(false);
  });

  test("keeps the secret if the keys or the store are unavailable", async () => {
    const { terms, clock, accounts } = await createService();
    const away = async (): Promise<never> => {
      throw new Problem("unavailable", "away");
    };
    const unreachable = [
      createIdentity({ ...terms, keys: { ...terms.keys, getCurrent: away } }),
      createIdentity({ ...terms, accounts: { ...accounts, createFirstAdministrator: away } }),
    ];
    for (const identity of unreachable) {
      await expect(identity.bootstrap(FIRST, bootstrapCall(clock))).rejects.toMatchObject({ code: "unavailable" });
      expect(await accounts.isBootstrapUsed()).toBe(false);
    }
    await expect(createIdentity(terms).bootstrap(FIRST, bootstrapCall(clock))).resolves.toBeDefined();
  });

  test.each([undefined, "", "nineteen characters"])("is not created with the configured secret %j", async (secret) => {
    const { identity, clock } = await createService({ bootstrapSecret: async () => secret });
    await expect(identity.bootstrap({ ...FIRST, secret: secret ?? "" }, bootstrapCall(clock))).rejects.toMatchObject({
      code: "not_allowed",
      message: "No bootstrap secret is configured: set METACTION_BOOTSTRAP_SECRET to at least 20 characters",
    });
  });

  test("is one of 20 concurrent attempts; the others are refused as already used", async () => {
    const { identity, clock, accounts } = await createService();
    const names = Array.from({ length: 20 }, (_, i) => `ada${i}`);
    const attempt = (username: string) => codeOf(identity.bootstrap({ ...FIRST, username }, bootstrapCall(clock)));
    const codes = await Promise.all(names.map(attempt));
    expect(codes.toSorted()).toEqual([...Array(19).fill("bootstrap_used"), "none"]);
    const made = await Promise.all(names.map((name) => accounts.findAccount(name)));
    expect(made.flatMap((account) => account?.username ?? [])).toEqual([names[codes.indexOf("none")]]);
  });
});
