import { describe, expect, test } from "vitest";
import { createCast } from "./support/grants-cast.ts";
import { runHistory } from "./support/grants-history.ts";
import { countOfRun, createChance } from "./support/history-chance.ts";

const SEED = countOfRun("METACTION_TEST_SEED", Date.now() % 2 ** 31);
const HISTORIES = countOfRun("METACTION_GRANT_HISTORIES", 2);
const STEPS = countOfRun("METACTION_GRANT_STEPS", 20);

describe("random histories of who may do what, a call after the other", () => {
  console.log(`auth histories: METACTION_TEST_SEED=${SEED}`);
  const tally = { acknowledged: 0, refused: 0, compared: 0 };

  test("are what a chain of authorised grants explains, and refused calls change nothing", async () => {
    for (let history = 0; history < HISTORIES; history++) {
      try {
        await runHistory(createChance(SEED + history), STEPS, tally);
      } catch (error) {
        console.log(`auth histories: repeat with METACTION_TEST_SEED=${SEED + history} METACTION_GRANT_HISTORIES=1`);
        throw error;
      }
    }
    console.log(`auth histories: ${JSON.stringify({ histories: HISTORIES, steps: STEPS, ...tally })}`);
    expect(tally.acknowledged).toBeGreaterThan(0);
    expect(tally.refused).toBeGreaterThan(0);
  }, 3_600_000);
});

describe("somebody who administers by a claim alone", () => {
  test.each([
    ["actor_disable", "actorId"],
    ["user_disable", "username"],
    ["user_delete", "username"],
  ])("cannot take the last administrator by assignment away with %s", async (action, member) => {
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
