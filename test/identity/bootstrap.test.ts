import { describe, expect, test } from "vitest";
import { BUILT_IN } from "../../shared/domain/fields/account-fields.ts";
import { MANAGED_ROLES } from "../../shared/domain/permissions.ts";
import { Problem } from "../../shared/domain/problems.ts";
import { createIdentity } from "../../shared/identity/identity.ts";
import { IDENTITY } from "../../shared/store/table/keys.ts";
import { partition } from "../store/support/check-model.ts";
import { codeOf } from "../support/world.ts";
import { bootstrapCall, createService, FIRST, ORIGIN, SECRET } from "./support/service.ts";

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
