import { describe, expect, test } from "vitest";
import { isWrite } from "../../shared/actions/contract/action.ts";
import { hashRoleKey } from "../../shared/domain/accounts/actors.ts";
import { parseRolesItem } from "../../shared/store/table/roles-item.ts";
import { ACTIONS } from "../support/actions.ts";
import { type Chance, countOfRun, createChance, seedOf } from "../support/chance.ts";
import { CALLS_OF_RIGHTS, drawAttempt, isOfAccounts, WITHOUT_RIGHTS } from "./support/grants/account-calls.ts";
import { toCode } from "./support/grants/compare-rights.ts";
import { runHistory } from "./support/grants/history.ts";
import { type Bearer, heldByBearer } from "./support/grants/model.ts";
import { entriesAfter, grantsOf, replay } from "./support/grants/replay.ts";
import { comparable, told } from "./support/grants/rules.ts";
import { bearerOfToken, CLAIMS, createCast, signInAgain, type Users } from "./support/grants/users.ts";
import { createTally } from "./support/history/run.ts";

const SEED = seedOf("grants");
const HISTORIES = countOfRun("METACTION_GRANT_HISTORIES", 2);
const STEPS = countOfRun("METACTION_GRANT_STEPS", 20);
const WAVES = countOfRun("METACTION_GRANT_WAVES", 6);
const WIDTH = 8;
/** The steps of the long run, in which every action and code occurs as often as is asked below. */
const FULL = 5_500;
/** Histories that run at the same time, each on a table of its own, so that service and engine both have work. */
const LANES = Math.min(3, HISTORIES);
const CODES = ["managed_role", "last_administrator", "actor_disabled"];

test("random histories include every action that gives or takes rights", () => {
  const writes = ACTIONS.filter((action) => isOfAccounts(action) && isWrite(action)).map(({ name }) => name);
  expect([...Object.keys(CALLS_OF_RIGHTS), ...WITHOUT_RIGHTS].sort()).toEqual(writes.sort());
});

describe("random histories of permissions, with one call after the other", () => {
  const counts = createTally();
  const tally = { acknowledged: 0, refused: 0, compared: 0, note: counts.note };

  test("are explained by a chain of authorised grants, and refused calls change nothing", async () => {
    const began = performance.now();
    let next = 0;
    const runLane = async () => {
      for (let history = next++; history < HISTORIES; history = next++) {
        try {
          await runHistory(createChance(SEED + history), STEPS, tally);
        } catch (error) {
          next = HISTORIES;
          const again = `METACTION_SEED=${SEED + history} METACTION_GRANT_HISTORIES=1 METACTION_GRANT_STEPS=${STEPS}`;
          console.log(`grants: repeat with ${again}`);
          throw error;
        }
      }
    };
    const lanes = await Promise.allSettled(Array.from({ length: LANES }, runLane));
    for (const lane of lanes) if (lane.status === "rejected") throw lane.reason;
    const seconds = Math.round((performance.now() - began) / 1000);
    console.log(`grants: ${JSON.stringify({ histories: HISTORIES, steps: STEPS, seconds, ...tally })}`);
    expect(tally.acknowledged).toBeGreaterThan(0);
    expect(tally.refused).toBeGreaterThan(0);
  }, 3_600_000);

  test("include every action that gives or takes rights, and every refusal, often enough", () => {
    console.log(counts.table());
    const share = (HISTORIES * STEPS) / FULL;
    const paths = Object.keys(CALLS_OF_RIGHTS).map((name) => `auth/${name}`);
    expect(counts.rarer(counts.actions, paths, 100, share)).toEqual([]);
    expect(counts.rarer(counts.answered, paths, 10, share)).toEqual([]);
    expect(counts.rarer(counts.codes, CODES, 10, share)).toEqual([]);
    expect(counts.codes.get("internal")).toBeUndefined();
  });
});

describe("random histories of permissions, with concurrent calls", () => {
  /** How many calls of all histories ended in each outcome. */
  const outcomes = new Map<string, number>();

  /** Sends calls at the same moment, each by somebody drawn, and signs in everyone who can call again afterwards. */
  async function sendWave(cast: Users, bearers: Bearer[], tokens: string[], chance: Chance) {
    const { world } = cast;
    const stored = await grantsOf(world);
    const grants = { ...stored, ended: new Set<string>() };
    const ids = { actors: [...stored.actors.keys()], tokens: [...tokens], models: cast.models.map(({ id }) => id) };
    const able = bearers.filter((bearer) => heldByBearer(grants, bearer)?.everywhere.has("admin"));
    const calls = Array.from({ length: WIDTH }, async () => {
      const bearer = chance.pick(chance.happens(0.8) && able.length > 0 ? able : bearers);
      const { action, payload } = drawAttempt(chance, ids, grants);
      const answer = await world.run(`auth/${action}`, payload, bearer.token).catch(toCode);
      const outcome = typeof answer === "string" ? answer : "acknowledged";
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      if (action !== "token_create" || typeof answer === "string") return;
      bearers.push(bearerOfToken(bearer, payload, answer));
      tokens.push(answer.id);
    });
    await Promise.all(calls);
    cast.advance(2_000);
    bearers.push(...(await signInAgain(cast, bearers, stored.actors, (await grantsOf(world)).actors)));
  }

  test.each(
    Array.from({ length: HISTORIES }, (_, i) => SEED + i),
  )("seed %i: the actor of every commit had the permission, and an administrator remains at every revision", async (seed) => {
    const chance = createChance(seed);
    const cast = await createCast();
    const { world } = cast;
    const bearers = [...cast.bearers];
    const before = await grantsOf(world);
    const last = (await entriesAfter(world, 0)).at(-1)?.revision ?? 0;
    const tokens: string[] = [];
    for (let i = 0; i < WAVES; i++) await sendWave(cast, bearers, tokens, chance);

    const entries = await entriesAfter(world, last);
    expect(entries.length).toBeGreaterThan(0);
    expect(entries.map(({ revision }) => revision)).toEqual(entries.map((_, i) => last + i + 1));
    const claimsOf = new Map(cast.bearers.map(({ actor, label }) => [actor, CLAIMS[label] ?? []]));
    const now = replay(before, entries, (actor) => claimsOf.get(actor) ?? []);
    expect(now).toEqual(await grantsOf(world));
    // Callers are judged by one item with all roles, and by the item of their own actor or token.
    const judged = parseRolesItem(await world.table.get({ pk: "identity", sk: "roles" }));
    const facts = (id: string, digest: string, permissions: readonly string[]) => [id, digest, permissions.toSorted()];
    expect(judged.map(({ id, keyDigest, permissions }) => facts(id, keyDigest, permissions)).sort()).toEqual(
      [...now.roles].map(([id, { key, permissions }]) => facts(id, hashRoleKey(key), permissions)).sort(),
    );
    for (const bearer of bearers) {
      const said = await world.run("auth/whoami", {}, bearer.token).catch(toCode);
      const held = heldByBearer({ ...now, ended: new Set() }, bearer);
      // A token that ended opens nothing, whatever its actor may do again by now.
      if (said === "not_signed_in" || said === "actor_disabled") continue;
      expect(comparable(said), bearer.label).toEqual(held && comparable(told(held, cast.models)));
    }
    for (const [id, { username, service, disabled }] of now.actors) {
      if (service !== undefined || disabled) continue;
      const newest = bearers.findLast(({ actor, apiToken }) => actor === id && apiToken === undefined);
      const said = newest && (await world.run("auth/whoami", {}, newest.token).catch(toCode));
      expect(typeof said, `${username ?? id} is let in`).toBe("object");
    }
    expect([...outcomes.keys()]).not.toContain("internal");
    await cast.stop();
    console.log(`grants: seed ${seed}, ${entries.length} commits, ${JSON.stringify(Object.fromEntries(outcomes))}`);
  }, 600_000);
});

test.each([
  ["actor_disable", "actorId"],
  ["user_disable", "username"],
  ["user_delete", "username"],
])("an administrator by a claim cannot remove the last administrator by assignment with %s", async (action, member) => {
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
