import { describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { createNoteSeen } from "../../shared/identity/identity.ts";
import { createAccountStore } from "../../shared/store/accounts/account-store.ts";
import { noteSeen, readLastSeen } from "../../shared/store/accounts/unlogged-items.ts";
import { seenKey } from "../../shared/store/table/keys.ts";
import { createRetryingTable, createRetryPolicy } from "../../shared/store/table/retry.ts";
import { OutcomeUnknown, type Table, type Write } from "../../shared/store/table/table.ts";
import { realRuntime, runtimeAt } from "../support/runtime.ts";
import { freshTable } from "../support/table.ts";
import { type Body, createWorld } from "../support/world.ts";

const START = "2027-01-15T08:00:00.000Z";
const NOW = Date.parse(START);
const HOUR_MS = LIMITS.seenMinutes * 60_000;

/** Opens a table that records single writes. `note` replaces the writes of the last call of an actor. */
async function watched(note?: () => Promise<void>) {
  const plain = await freshTable();
  const sent: Write[] = [];
  const table: Table = {
    ...plain,
    write: (asked) => {
      sent.push(asked);
      const isNote = "put" in asked && asked.put.sk.startsWith(seenKey("").sk);
      return note && isNote ? note() : plain.write(asked);
    },
  };
  return { table, sent };
}

const seenOf = async (world: Awaited<ReturnType<typeof createWorld>>, subject: string): Promise<Body> =>
  (await world.run("auth/actor_list")).items.find((actor: Body) => actor.subject === subject).lastSeenAt;

describe("the last call of an actor", () => {
  test("is in actor_list and actor_get after its first call", async () => {
    const world = await createWorld({ runtime: runtimeAt(START) });
    expect(await seenOf(world, "reader")).toBeUndefined();
    await world.run("auth/whoami", {}, world.people.reader);
    expect(await seenOf(world, "reader")).toBe(START);
    const { items } = await world.run("auth/actor_list");
    const { id } = items.find((actor: Body) => actor.subject === "reader");
    expect((await world.run("auth/actor_get", { actorId: id })).lastSeenAt).toBe(START);
  });

  test("includes refused calls, and no calls without a caller", async () => {
    const world = await createWorld({ runtime: runtimeAt(START) });
    await world.problem("auth/role_list", {}, world.people.nobody);
    expect(await seenOf(world, "nobody")).toBe(START);
    await world.problem("auth/role_list", {}, undefined);
    expect(await seenOf(world, "manager")).toBeUndefined();
  });

  test("is written once an hour by a process, for any number of calls", async () => {
    const { table, sent } = await watched();
    const runtime = runtimeAt(START);
    const accounts = createAccountStore(table, runtime);
    const noted = createNoteSeen(runtime, () => accounts);
    const deadline = NOW + HOUR_MS;
    await Promise.all(Array.from({ length: 20 }, () => noted("a", { deadline })));
    expect(sent).toHaveLength(1);
    runtime.advance(HOUR_MS - 1);
    for (const id of ["a", "b", "a"]) await noted(id, { deadline });
    expect(sent).toHaveLength(2);
    runtime.advance(1);
    await noted("a", { deadline });
    expect(sent).toHaveLength(3);
    const seen = await accounts.getLastSeen(["a", "b", "c"]);
    expect(seen).toEqual(
      new Map([
        ["a", new Date(NOW + HOUR_MS).toISOString()],
        ["b", new Date(NOW + HOUR_MS - 1000).toISOString()],
      ]),
    );
    // A process remembers 10,000 actors, and forgets them all with the next one.
    for (let i = 2; i < 10_000; i++) await noted(`actor-${i}`, { deadline });
    for (const id of ["a", "next", "a"]) await noted(id, { deadline });
    expect(sent).toHaveLength(3 + 9_998 + 2);
  });

  test("is written once an hour by all processes, and never goes back", async () => {
    const table = createRetryingTable(await freshTable(), createRetryPolicy(realRuntime));
    await noteSeen(table, "a", NOW);
    for (const later of [1_000, HOUR_MS - 1_000, -5_000, -HOUR_MS * 2]) await noteSeen(table, "a", NOW + later);
    expect((await readLastSeen(table, ["a"])).get("a")).toBe(START);
    await noteSeen(table, "a", NOW + HOUR_MS);
    expect((await readLastSeen(table, ["a"])).get("a")).toBe(new Date(NOW + HOUR_MS).toISOString());
  });

  test("expires by the TTL of the table", async () => {
    const table = await freshTable();
    await noteSeen(table, "a", NOW);
    expect((await table.get(seenKey("a")))?.expiresAt).toBe(NOW / 1000 + LIMITS.seenDays * 86_400);
  });

  test("is read for many actors in one request", async () => {
    const table = createRetryingTable(await freshTable(), createRetryPolicy(realRuntime));
    const ids = Array.from({ length: 150 }, (_, i) => `actor-${i}`);
    await Promise.all(ids.map((id) => noteSeen(table, id, NOW)));
    expect((await readLastSeen(table, [...ids, "nobody"])).size).toBe(150);
    expect((await readLastSeen(table, [])).size).toBe(0);
  });
});

describe("a failing write of it", () => {
  test.each([
    ["with an answer that got lost", () => Promise.reject(new OutcomeUnknown(new Error("lost")))],
    ["with a defect", () => Promise.reject(new TypeError("a defect"))],
  ])("%s fails no call", async (_, write) => {
    const { table, sent } = await watched(write);
    const world = await createWorld({ table });
    const before = sent.length;
    expect((await world.run("auth/whoami", {}, world.people.reader)).sub).toBe("reader");
    expect(sent.length).toBe(before + 1);
    expect(await seenOf(world, "reader")).toBeUndefined();
  });

  test(`delays a call by ${LIMITS.seenMs} ms at most, and no later one`, async () => {
    const { table } = await watched(() => new Promise<void>(() => undefined));
    const world = await createWorld({ table });
    const timed = async (): Promise<number> => {
      const start = realRuntime.now();
      await world.run("auth/whoami", {}, world.people.reader);
      return realRuntime.now() - start;
    };
    const first = await timed();
    expect(first).toBeGreaterThanOrEqual(LIMITS.seenMs - 20);
    expect(first).toBeLessThan(LIMITS.seenMs + 2_000);
    expect(await timed()).toBeLessThan(LIMITS.seenMs);
  });
});
