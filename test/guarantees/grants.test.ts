import { describe, expect, test } from "vitest";
import { countOfRun, createChance, seedOf } from "../support/chance.ts";
import { ACCOUNT_ACTIONS, missingCards } from "./support/grants/account-calls.ts";
import { runHistory } from "./support/grants/history.ts";
import { createCast } from "./support/grants/users.ts";
import { createTally } from "./support/history/tally.ts";

const SEED = seedOf("grants");
const HISTORIES = countOfRun("METACTION_GRANT_HISTORIES", 2);
const STEPS = countOfRun("METACTION_GRANT_STEPS", 20);
/** From so many steps on, over all histories, every account action and code has to come as often as the long run asks. */
const FULL = 5_500;
/** Histories that run at the same time, each on a table of its own, so that service and engine both have work. */
const LANES = Math.min(3, HISTORIES);
/**
 * Problem codes that only actions on accounts answer. `login_challenge` is not among them: only a user pool of Cognito
 * asks for more than a password, and test/identity/cognito-login.test.ts has it do so.
 */
const CODES = ["wrong_password", "managed_role", "last_administrator", "actor_disabled"];

test("random histories include every action on accounts", () => {
  expect(missingCards()).toEqual([]);
});

describe("random histories of permissions, with one call after the other", () => {
  const counts = createTally();
  const answered = new Map<string, number>();
  const note = (action: string, code: string): void => {
    counts.note(action, code);
    if (code === "ok") answered.set(action, (answered.get(action) ?? 0) + 1);
  };
  const tally = { acknowledged: 0, refused: 0, compared: 0, note };

  test("are explained by a chain of authorised grants, and refused calls change nothing", async () => {
    const began = performance.now();
    let next = 0;
    const runLane = async (): Promise<void> => {
      for (let history = next++; history < HISTORIES; history = next++) {
        try {
          await runHistory(createChance(SEED + history), STEPS, tally);
        } catch (error) {
          next = HISTORIES;
          const again = `METACTION_SEED=${SEED + history} METACTION_GRANT_HISTORIES=1 METACTION_GRANT_STEPS=${STEPS}`;
          console.log(`auth histories: repeat with ${again}`);
          throw error;
        }
      }
    };
    const lanes = await Promise.allSettled(Array.from({ length: LANES }, runLane));
    for (const lane of lanes) if (lane.status === "rejected") throw lane.reason;
    const seconds = Math.round((performance.now() - began) / 1000);
    console.log(`auth histories: ${JSON.stringify({ histories: HISTORIES, steps: STEPS, seconds, ...tally })}`);
    expect(tally.acknowledged).toBeGreaterThan(0);
    expect(tally.refused).toBeGreaterThan(0);
  }, 3_600_000);

  test("include every action on accounts, and every answer of accounts, often enough", () => {
    console.log(counts.table());
    const share = Math.min(1, (HISTORIES * STEPS) / FULL);
    // In a short run chance alone decides on the rarest, so it is held to half of its share.
    const least = (full: number): number => (share === 1 ? full : Math.floor((full * share) / 2));
    const fewer = (found: ReadonlyMap<string, number>, names: readonly string[], bound: number) =>
      names.map((name) => [name, found.get(name) ?? 0] as const).filter(([, times]) => times < bound);
    const paths = ACCOUNT_ACTIONS.map(({ name }) => `auth/${name}`);
    expect(fewer(counts.actions, paths, least(100))).toEqual([]);
    expect(fewer(answered, paths, least(10))).toEqual([]);
    expect(fewer(counts.codes, CODES, least(10))).toEqual([]);
    expect(counts.codes.get("internal")).toBeUndefined();
  });
});

describe("an administrator by a claim", () => {
  test.each([
    ["actor_disable", "actorId"],
    ["user_disable", "username"],
    ["user_delete", "username"],
  ])("cannot remove the last administrator by assignment with %s", async (action, member) => {
    const { world, bearers, stop } = await createCast();
    const find = (wanted: string) => bearers.find(({ label }) => label === wanted);
    const chief = find("x-chief")?.token;
    const remove = (label: string) =>
      [`auth/${action}`, { [member]: member === "username" ? label : find(label)?.actor }, chief] as const;
    await world.run(...remove("reader"));
    await world.run(...remove("admin"));
    expect((await world.problem(...remove("second"))).code).toBe("last_administrator");
    await world.run("auth/whoami", {}, find("second")?.token);
    await world.run(...remove("manager"));
    await stop();
  });
});
