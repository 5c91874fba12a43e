import { describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { createIdentity } from "../../shared/identity/identity.ts";
import { createPasswords, nodeArgon2id } from "../../shared/identity/passwords.ts";
import { listAudit } from "../../shared/store/accounts/audit-list.ts";
import { passwordKey } from "../../shared/store/table/keys.ts";
import { createServiceWithAda, FIRST, loginCall, outcomeOf } from "./support/service.ts";

const WRONG = "Difference Engine 1822";

describe("wrong passwords", () => {
  test.each([
    "ada",
    "nobody",
  ])("for %s require a wait that doubles up to its limit, without hashing", async (username) => {
    const { identity, clock, hashed } = await createServiceWithAda();
    const attempt = (password: string) => outcomeOf(identity.login(username, password, loginCall(clock)));
    for (let i = 0; i <= LIMITS.freeLoginFailures; i++) expect(await attempt(WRONG)).toEqual({ code: "not_signed_in" });
    for (let wait = 1; wait < 2 * LIMITS.loginWaitSeconds; wait *= 2) {
      const retryAfter = Math.min(wait, LIMITS.loginWaitSeconds);
      hashed.length = 0;
      expect(await attempt(FIRST.password)).toEqual({ code: "throttled", retryAfter });
      clock.advance(retryAfter - 0.5);
      expect(await attempt(WRONG)).toEqual({ code: "throttled", retryAfter: 1 });
      expect(hashed).toEqual([]);
      clock.advance(0.5);
      expect(await attempt(WRONG)).toEqual({ code: "not_signed_in" });
      expect(hashed).toHaveLength(1);
    }
  });

  test("are forgotten after a right one, and after a time", async () => {
    const { identity, clock } = await createServiceWithAda();
    const attempt = (password: string) => outcomeOf(identity.login("ada", password, loginCall(clock)));
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < LIMITS.freeLoginFailures; i++) await attempt(WRONG);
      expect(await attempt(FIRST.password)).toEqual({ code: "none" });
    }
    for (let i = 0; i <= LIMITS.freeLoginFailures; i++) await attempt(WRONG);
    clock.advance(LIMITS.loginFailureHours * 3_600 + 1);
    for (let i = 0; i <= LIMITS.freeLoginFailures; i++) expect(await attempt(WRONG)).toEqual({ code: "not_signed_in" });
  });

  test("are remembered after a restart of the service", async () => {
    const service = await createServiceWithAda();
    for (let i = 0; i <= LIMITS.freeLoginFailures; i++)
      await outcomeOf(service.identity.login("ada", WRONG, loginCall(service.clock)));
    const restarted = createIdentity(service.terms);
    expect(await outcomeOf(restarted.login("ada", FIRST.password, loginCall(service.clock)))).toMatchObject({
      code: "throttled",
    });
    expect(await outcomeOf(restarted.login("bob", WRONG, loginCall(service.clock)))).toEqual({ code: "not_signed_in" });
  });

  test("have to wait while the count of their name always changes, and then do not count for their address", async () => {
    const { terms, accounts, clock, hashed } = await createServiceWithAda();
    let tries = 0;
    const noteAttempt: typeof accounts.noteAttempt = async (source, ...counts) =>
      source.network === undefined ? ++tries < 0 : accounts.noteAttempt(source, ...counts);
    const identity = createIdentity({ ...terms, accounts: { ...accounts, noteAttempt } });
    const outcome = await outcomeOf(identity.login("ada", WRONG, loginCall(clock)));
    expect([outcome, tries, hashed]).toEqual([{ code: "throttled", retryAfter: 1 }, 10, []]);
    expect(await accounts.getAttempts({ name: "ada", network: "" })).toEqual({});
  });

  test("of a thousand concurrent calls cost as many hashes as consecutive ones", async () => {
    const { identity, hashed, clock, table } = await createServiceWithAda();
    const outcomes = await Promise.all(
      Array.from({ length: 1_000 }, () => outcomeOf(identity.login("ada", WRONG, loginCall(clock)))),
    );
    const counts = Map.groupBy(outcomes, ({ code }) => code);
    // A busy table tells callers to try again, also after their attempt was counted.
    expect(hashed.length).toBeGreaterThan(0);
    expect(hashed.length).toBeLessThanOrEqual(LIMITS.freeLoginFailures + 1);
    const told = counts.get("not_signed_in")?.length ?? 0;
    expect(told).toBeLessThanOrEqual(hashed.length);
    expect([...counts.keys()].filter((code) => !["not_signed_in", "throttled", "unavailable"].includes(code))).toEqual(
      [],
    );
    // The audit log counts the refused attempts in one entry.
    const act = "auth/login";
    const { items } = await listAudit(table, clock, { act }, {});
    expect(items).toMatchObject([{ act, outcome: "refused", actor: { subject: "ada" } }]);
    expect(items[0]?.count).toBeGreaterThanOrEqual(told);
    expect(items[0]?.count).toBeLessThanOrEqual(hashed.length);
    clock.advance(1);
    expect(await outcomeOf(identity.login("ada", FIRST.password, loginCall(clock)))).toEqual({ code: "none" });
  });
});

test.each([
  [4_096, 1],
  [4_096, 2],
  [19_456, 1],
])("a hash with the lower costs m=%i and t=%i is replaced when its user signs in, and by no other call", async (memory, passes) => {
  const service = await createServiceWithAda();
  const cheap = createPasswords((message, salt, _cost, tag) =>
    nodeArgon2id(message, salt, { memory, passes, parallelism: 1 }, tag),
  );
  const old = (await cheap.hash(FIRST.password)).replace("m=19456,t=2", `m=${memory},t=${passes}`);
  const stored = await service.table.get(passwordKey("ada"));
  if (!stored) throw new Error("Ada has no password");
  await service.table.write({ put: { ...stored, hash: old }, expect: { anything: true } });
  await outcomeOf(service.identity.login("ada", WRONG, loginCall(service.clock)));
  expect((await service.accounts.findAccount("ada"))?.passwordHash).toBe(old);
  await service.identity.login("ada", FIRST.password, loginCall(service.clock));
  const renewed = (await service.accounts.findAccount("ada"))?.passwordHash;
  expect(renewed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  await service.identity.login("ada", FIRST.password, loginCall(service.clock));
  expect((await service.accounts.findAccount("ada"))?.passwordHash).toBe(renewed);
});
