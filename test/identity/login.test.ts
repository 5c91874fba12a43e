import { describe, expect, test } from "vitest";
import { BUILT_IN } from "../../shared/domain/fields/account-fields.ts";
import type { Actor } from "../../shared/domain/model/objects.ts";
import { createIdentity } from "../../shared/identity/identity.ts";
import { actorKey } from "../../shared/store/table/keys.ts";
import { writePerson } from "../support/accounts.ts";
import {
  bootstrapCall,
  createService,
  createServiceWithAda,
  FIRST,
  loginCall,
  ORIGIN,
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
    for (const form of ["NFC", "NFD"]) {
      await expect(identity.login("ada", password.normalize(form), loginCall(clock))).resolves.toBeDefined();
    }
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
    expect(await identity.findPrincipal(await verifyToken({ ...service, identity }), ORIGIN)).toEqual(before);
  });
});
