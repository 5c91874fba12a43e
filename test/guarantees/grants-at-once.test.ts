import { describe, expect, test } from "vitest";
import { hashRoleKey } from "../../shared/domain/accounts/actors.ts";
import { Problem } from "../../shared/domain/problems.ts";
import { parseRolesItem } from "../../shared/store/table/roles-item.ts";
import { type Chance, countOfRun, createChance, seedOf } from "../support/chance.ts";
import { anyAttempt } from "./support/grants/attempts.ts";
import { ownerOf } from "./support/grants/effects.ts";
import { type Bearer, heldByBearer } from "./support/grants/model.ts";
import { entriesAfter, grantsOf, replay } from "./support/grants/replay.ts";
import { comparable, told } from "./support/grants/rules.ts";
import { CLAIMS, createCast, type Users } from "./support/grants/users.ts";

const SEED = seedOf("grants at once");
const HISTORIES = countOfRun("METACTION_GRANT_HISTORIES", 2);
const WAVES = countOfRun("METACTION_GRANT_WAVES", 6);
/** Calls that are sent at the same moment. */
const WIDTH = 8;

/** How many calls of all histories ended in each outcome. */
const outcomes = new Map<string, number>();
const figures = { revisions: 0, compared: 0 };

/** Sends a wave of calls, each by somebody of its own, and signs in whoever can afterwards. */
async function wave(cast: Users, bearers: Bearer[], tokens: string[], chance: Chance): Promise<void> {
  const { world } = cast;
  const { actors, roles } = await grantsOf(world);
  const known = { actors: [...actors.keys()], tokens, models: cast.models.map(({ id }) => id) };
  const state = { actors, roles, tokens: (await grantsOf(world)).tokens, ended: new Set<string>() };
  const able = bearers.filter((bearer) => heldByBearer(state, bearer)?.everywhere.has("admin"));
  await Promise.all(
    Array.from({ length: WIDTH }, async () => {
      const bearer = chance.pick(chance.happens(0.8) && able.length > 0 ? able : bearers);
      const { action, payload } = anyAttempt(chance, known, state);
      const code = await world.run(`auth/${action}`, payload, bearer.token).then((answer) => {
        if (action !== "token_create") return "acknowledged";
        const owner = ownerOf(bearer, payload);
        const label = `API token of ${owner === bearer.actor ? bearer.label : owner}`;
        bearers.push({ label, token: answer.token, actor: owner, claims: [], apiToken: answer.id });
        tokens.push(answer.id);
        return "acknowledged";
      }, codeOf);
      outcomes.set(code, (outcomes.get(code) ?? 0) + 1);
    }),
  );
  cast.advance(2_000);
  for (const [id, actor] of (await grantsOf(world)).actors) {
    const before = actors.get(id);
    // A service account has the API tokens that administrators made for it.
    if (actor.service !== undefined || actor.disabled || (before && !before.disabled)) continue;
    const outside = bearers.find((bearer) => bearer.actor === id && actor.username === undefined);
    const { username } = actor;
    bearers.push(username === undefined ? await cast.signInOutside(outside?.label ?? "") : await cast.signIn(username));
  }
}

function codeOf(error: unknown): string {
  if (error instanceof Problem) return error.code;
  throw error;
}

describe("random histories of permissions, with concurrent calls", () => {
  test.each(
    Array.from({ length: HISTORIES }, (_, i) => SEED + i),
  )("seed %i: the actor of every commit had the permission, and an administrator remains at every revision", async (seed) => {
    const chance = createChance(seed);
    const cast = await createCast();
    const { world } = cast;
    const bearers = [...cast.bearers];
    const before = await grantsOf(world);
    const [newest] = (await entriesAfter(world, 0)).slice(-1);
    const tokens: string[] = [];
    for (let i = 0; i < WAVES; i++) await wave(cast, bearers, tokens, chance);

    const entries = await entriesAfter(world, newest?.revision ?? 0);
    expect(entries.map(({ revision }) => revision)).toEqual(entries.map((_, i) => (newest?.revision ?? 0) + i + 1));
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
      const said = await world.run("auth/whoami", {}, bearer.token).catch(codeOf);
      const held = heldByBearer({ ...now, ended: new Set() }, bearer);
      figures.compared += 1;
      // A token that ended opens nothing, whatever its actor may do again by now.
      if (said === "not_signed_in" || said === "actor_disabled") continue;
      expect(comparable(said), bearer.label).toEqual(held && comparable(told(held, cast.models)));
    }
    for (const [id, { username, service, disabled }] of now.actors) {
      if (service !== undefined) continue;
      const newestBearer = bearers.findLast(({ actor, apiToken }) => actor === id && apiToken === undefined);
      const said = newestBearer && (await world.run("auth/whoami", {}, newestBearer.token).catch(codeOf));
      if (!disabled) expect(typeof said, `${username ?? id} is let in`).toBe("object");
    }
    figures.revisions += entries.length;
    expect(entries.length).toBeGreaterThan(0);
    expect([...outcomes.keys()]).not.toContain("internal");
    await cast.stop();
    console.log(
      `auth histories at once: seed ${seed} ${JSON.stringify({ ...figures, ...Object.fromEntries(outcomes) })}`,
    );
  }, 600_000);
});
