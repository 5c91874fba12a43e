import { describe, expect, test } from "vitest";
import {
  type RecordedAddresses,
  toRecordedAddress,
  toSourceNetwork,
} from "../../shared/domain/accounts/source-address.ts";
import { LIMITS } from "../../shared/domain/limits.ts";
import { createPasswords, nodeArgon2id } from "../../shared/identity/passwords.ts";
import { createServiceWithAda, FIRST, loginCall, outcomeOf } from "./support/service.ts";

const WRONG = "Difference Engine 1822";
const RIGHT = FIRST.password;
const HOUR = 3_600;
const APART = HOUR / LIMITS.loginFailuresPerHour;

/** A service, and how to sign in from an address. Hundreds of passwords are looked at, so their hashes are cheap. */
async function fromAddresses() {
  const hashed: string[] = [];
  const passwords = createPasswords((message, salt, cost, tagLength) => {
    hashed.push(`m=${cost.memory}`);
    return nodeArgon2id(message, salt, { memory: 8, passes: 1, parallelism: 1 }, tagLength);
  });
  const service = { ...(await createServiceWithAda({ passwords })), hashed };
  const { identity, clock } = service;
  hashed.length = 0;
  const signIn = (password: string, address?: string, username = "ada") =>
    outcomeOf(identity.login(username, password, loginCall(clock, address)));
  /** Wrong passwords, each from an address of its own. */
  const spread = async (count: number, username = "ada", from = 0): Promise<readonly string[]> => {
    const codes: string[] = [];
    for (let i = from; i < from + count; i++)
      codes.push((await signIn(WRONG, `198.51.${100 + (i >> 8)}.${i & 255}`, username)).code);
    return codes;
  };
  return { ...service, signIn, spread };
}

describe("repeated guesses from one address", () => {
  test("for many names are refused early, and users who signed in from there need not wait", async () => {
    const { signIn, clock, accounts } = await fromAddresses();
    expect(await signIn(RIGHT, "203.0.113.9")).toEqual({ code: "none" });
    const guess = (i: number) => signIn(WRONG, "203.0.113.9", `name-${i}`);
    const guesses = Array.from({ length: LIMITS.networkFailuresPerHour }, (_, i) => i);
    for (const i of guesses) expect((await guess(i)).code).toBe("not_signed_in");
    // Counts that nobody reads again are deleted after an hour.
    const attempts = await accounts.getAttempts({ name: "name-1", network: "203.0.113.9" });
    expect(Math.round((Number(attempts.ofNetwork?.expiresAt) - clock.now() / 1_000) / HOUR)).toBe(1);
    expect(await guess(300)).toEqual({ code: "throttled", retryAfter: HOUR / LIMITS.networkFailuresPerHour });
    expect(await signIn(RIGHT, "203.0.113.9")).toEqual({ code: "none" });
    expect((await signIn(WRONG, "198.51.100.7", "name-300")).code).toBe("not_signed_in");
    clock.advance(HOUR / LIMITS.networkFailuresPerHour);
    expect((await guess(301)).code).toBe("not_signed_in");
    expect((await guess(302)).code).toBe("throttled");
  });

  test("do not lock out other addresses, and learn nothing from a right password during the wait", async () => {
    const { signIn, clock } = await fromAddresses();
    let guesses = 0;
    // The guesser keeps on for a day, as fast as the service lets them.
    const end = clock.now() + 24 * HOUR * 1_000;
    while (clock.now() < end) {
      const guess = await signIn(WRONG, "203.0.113.9");
      if (guess.code === "throttled") {
        expect(await signIn(RIGHT, "203.0.113.9")).toEqual(guess);
        clock.advance(guess.retryAfter ?? 1);
      } else guesses += 1;
      if (guesses % 20 === 19) expect(await signIn(RIGHT, `192.0.2.${guesses & 255}`)).toEqual({ code: "none" });
    }
    expect(guesses).toBeGreaterThan(LIMITS.loginFailuresPerHour);
    expect(await signIn(RIGHT, "198.51.100.7")).toEqual({ code: "none" });
  });

  test.each([
    ["2001:db8:1:2::5", "2001:db8:1:2:ffff:eeee:dddd:cccc"],
    ["2001:db8:1:2::5%eth0", "2001:0DB8:0001:0002::6"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
    [undefined, undefined],
  ])("are counted together from %s and from %s", async (one, other) => {
    const { signIn } = await fromAddresses();
    for (let i = 0; i <= LIMITS.freeLoginFailures; i++) await signIn(WRONG, i % 2 === 0 ? one : other);
    expect((await signIn(RIGHT, one)).code).toBe("throttled");
    expect((await signIn(RIGHT, other)).code).toBe("throttled");
    expect((await signIn(RIGHT, "2001:db8:1:3::5")).code).toBe("none");
  });
});

describe("guesses from many addresses", () => {
  test.each(["ada", "nobody"])("have an hourly limit for %s, and rare attempts after it", async (username) => {
    const { signIn, spread, clock, hashed } = await fromAddresses();
    expect(new Set(await spread(LIMITS.loginFailuresPerHour, username))).toEqual(new Set(["not_signed_in"]));
    hashed.length = 0;
    expect(await signIn(RIGHT, "203.0.113.200", username)).toEqual({ code: "throttled", retryAfter: APART });
    clock.advance(APART - 0.5);
    expect(await signIn(WRONG, "203.0.113.201", username)).toEqual({ code: "throttled", retryAfter: 1 });
    expect(hashed).toEqual([]);
    clock.advance(0.5);
    expect(await spread(2, username, 1_000)).toEqual(["not_signed_in", "throttled"]);
    expect(hashed).toHaveLength(1);
    clock.advance(HOUR);
    const codes = await spread(LIMITS.loginFailuresPerHour + 1, username, 2_000);
    expect(codes.filter((code) => code === "throttled")).toHaveLength(1);
  }, 60_000);

  test("do not lock out a user at an address with a recent sign-in", async () => {
    const { accounts, signIn, spread, clock } = await fromAddresses();
    expect(await signIn(RIGHT, "192.0.2.1")).toEqual({ code: "none" });
    const attempts = await accounts.getAttempts({ name: "ada", network: "192.0.2.1" });
    expect(attempts).toEqual({ knownUntil: expect.any(Number) });
    // A sign-in in the second half of the period extends it.
    clock.advance(LIMITS.knownNetworkDays * 12 * HOUR + 1);
    expect(await signIn(RIGHT, "192.0.2.1")).toEqual({ code: "none" });
    clock.advance(LIMITS.knownNetworkDays * 24 * HOUR);
    await spread(LIMITS.loginFailuresPerHour + 1);
    expect((await signIn(RIGHT, "192.0.2.2")).code).toBe("throttled");
    // The network is known to the last second, and this sign-in makes it known anew.
    expect((await signIn(RIGHT, "192.0.2.1")).code).toBe("none");
    clock.advance(LIMITS.knownNetworkDays * 24 * HOUR + 1);
    await spread(LIMITS.loginFailuresPerHour + 1);
    expect((await signIn(RIGHT, "192.0.2.1")).code).toBe("throttled");
  }, 60_000);

  test("do not count with a right password, nor while the address has to wait", async () => {
    const { signIn, spread } = await fromAddresses();
    for (let i = 0; i <= LIMITS.loginFailuresPerHour; i++) {
      expect(await signIn(RIGHT, `203.0.113.${i}`)).toEqual({ code: "none" });
      // The address has to wait after a few attempts, so most of these wrong passwords are never looked at.
      await signIn(WRONG, "198.51.100.255");
    }
    const left = LIMITS.loginFailuresPerHour - LIMITS.freeLoginFailures - 1;
    expect(await spread(left + 1)).toEqual([...Array(left).fill("not_signed_in"), "throttled"]);
  }, 60_000);

  test("do not count for their address if nobody checked them", async () => {
    const { signIn, spread, clock } = await fromAddresses();
    await spread(LIMITS.loginFailuresPerHour);
    for (let i = 0; i < 3 * LIMITS.freeLoginFailures; i++) await signIn(WRONG, "192.0.2.1");
    clock.advance(APART);
    expect((await signIn(RIGHT, "192.0.2.1")).code).toBe("none");
  }, 60_000);

  test("from three hundred addresses at once cost no more hashes than the hourly limit", async () => {
    const { signIn, hashed } = await fromAddresses();
    const outcomes = await Promise.all(
      Array.from({ length: 300 }, (_, i) => signIn(WRONG, `10.0.${i >> 8}.${i & 255}`)),
    );
    const counts = Map.groupBy(outcomes, ({ code }) => code);
    expect(hashed.length).toBeGreaterThan(0);
    expect(hashed.length).toBeLessThanOrEqual(LIMITS.loginFailuresPerHour);
    // A busy table tells callers to try again, also after their attempt was counted.
    expect(counts.get("not_signed_in")?.length ?? 0).toBeLessThanOrEqual(hashed.length);
  }, 60_000);
});

test.each([
  ["2001:db8::1", "2001:db8:0:0"],
  ["2001:db8:a:b:c:d:e:f", "2001:db8:a:b"],
  ["::1", "0:0:0:0"],
  ["1::", "1:0:0:0"],
  ["fe80::1%lo0", "fe80:0:0:0"],
  ["192.0.2.1", "192.0.2.1"],
  ["::FFFF:192.0.2.1", "192.0.2.1"],
  [undefined, ""],
])("the network of %s is %s", (address, network) => expect(toSourceNetwork(address)).toBe(network));

test.each<[RecordedAddresses, string | undefined, string | undefined]>([
  ["full", "2001:db8:a:b::1", "2001:db8:a:b::1"],
  ["full", "::ffff:192.0.2.7", "192.0.2.7"],
  ["network", "2001:db8:a:b::1", "2001:db8:a::/48"],
  ["network", "::ffff:192.0.2.7", "192.0.2.0/24"],
  ["none", "192.0.2.7", undefined],
  ["full", undefined, undefined],
])("of an address, %s of %s is recorded as %s", (recorded, address, expected) =>
  expect(toRecordedAddress(address, recorded)).toBe(expected));
