import { expect, test } from "vitest";
import { scatterWrites } from "../store/support/fault-plan.ts";
import { createFaultTable, untilHidden } from "../store/support/fault-table.ts";
import { PASSWORD } from "../support/accounts.ts";
import { someone } from "../support/someone.ts";
import { freshTable } from "../support/table.ts";
import { codeOf, createWorld, type World } from "../support/world.ts";

const OTHER = "Another harbor 2 lantern";
const ROUNDS = Array.from({ length: 30 }, (_, i) => i + 1);

const table = createFaultTable(await freshTable());
const world = await createWorld({ table });

const signIn = async ({ run }: World, username: string, password: string): Promise<string> =>
  (await run("auth/login", { username, password }, undefined)).access_token;

/** Makes a change, and signs in with the old password until it is answered. Returns the tokens of these sign-ins. */
async function whileChanging(round: number, username: string, change: () => Promise<unknown>): Promise<string[]> {
  // The items of the next transaction become visible one after the other, in another order each round.
  table.arm({ rules: [scatterWrites(round, round % 6, false)] });
  const changing = change();
  await untilHidden(table, changing);
  let isOver = false;
  const over = changing.finally(() => {
    isOver = true;
  });
  const tokens: string[] = [];
  while (!isOver) {
    const token = await signIn(world, username, PASSWORD).catch(() => undefined);
    if (token !== undefined) tokens.push(token);
  }
  await over;
  await table.settle();
  return tokens;
}

test.each([
  {
    title: "a token made with the old password is refused while the new one becomes visible item by item",
    change: (username: string) => world.run("auth/user_change_password", { username, password: OTHER }),
    password: OTHER,
  },
  {
    title: "a token made during the deactivation of a user is refused after the user is enabled again",
    change: (username: string) => world.run("auth/user_disable", { username }),
    enable: (username: string) => world.run("auth/user_enable", { username }),
    password: PASSWORD,
  },
])("$title", { timeout: 120_000 }, async ({ title, change, enable, password }) => {
  const survivors: number[] = [];
  for (const round of ROUNDS) {
    const { username } = await someone(world, `${enable ? "bob" : "ada"}${round}`);
    const tokens = await whileChanging(round, username, () => change(username));
    await enable?.(username);
    for (const token of tokens) {
      if ((await codeOf(world.run("auth/whoami", {}, token))) !== "not_signed_in") survivors.push(round);
    }
    await world.run("auth/whoami", {}, await signIn(world, username, password));
  }
  expect(survivors, title).toEqual([]);
});
