import { describe, expect, test } from "vitest";
import { ALL_PERMISSIONS, type Permission, withImplied } from "../../shared/domain/permissions.ts";
import { Problem } from "../../shared/domain/problems.ts";
import { mintToken } from "../../shared/identity/mint-token.ts";
import { logEntryOf } from "../../shared/store/log.ts";
import { writePerson } from "../support/accounts.ts";
import { type Body, createWorld, ISSUER, type World } from "../support/world.ts";

const SEED = Number(process.env.METACTION_TEST_SEED ?? Date.now() % 2 ** 31);
const NAMES = ["ann", "ben", "cat", "dan"];
const KEYS = ["red", "green", "blue"];

/** Numbers from 0 up to 1 that a seed gives (mulberry32). */
function chanceOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Person {
  readonly id: string;
  readonly name: string;
  readonly token: string;
}

async function people(world: World): Promise<readonly Person[]> {
  const { seam, keys, service } = world;
  const { ambient } = service;
  const { items: roles } = await world.run("auth/role_list");
  const admin = roles.find((role: Body) => role.key === "admin").id;
  const made: Person[] = [];
  for (const [i, name] of NAMES.entries()) {
    const id = ambient.newId();
    await writePerson(seam, { username: name, id, roles: i < 2 ? [admin] : [], createdAt: "2026-01-01T00:00:00.000Z" });
    const terms = { keys, issuer: ISSUER, audience: "metaction", ambient };
    const { access_token } = await mintToken({ username: name, fullname: name, tokenEpoch: 1 }, terms);
    made.push({ id, name, token: access_token });
  }
  // Only these four count: the administrator of the world leaves.
  const { items } = await world.run("auth/actor_list");
  const first = items.find((actor: Body) => actor.subject === "admin").id;
  await world.run("auth/actor_disable", { actorId: first }, made[0]?.token);
  return made;
}

/** A call that may or may not be allowed, by anyone. */
function anyCall(chance: () => number, everyone: readonly Person[]): readonly [action: string, payload: object] {
  const one = <T>(list: readonly T[]): T => list[Math.floor(chance() * list.length)] as T;
  const actorId = one(everyone).id;
  const username = one(NAMES);
  const roleRef = `key:${one([...KEYS, "admin", "manager", "reader"])}`;
  const permissionKey = one(["admin", "admin", ...ALL_PERMISSIONS]);
  return one<readonly [string, object]>([
    ["actor_add_role", { actorId, roleRef }],
    ["actor_add_role", { actorId, roleRef }],
    ["actor_delete_role", { actorId, roleRef }],
    ["actor_delete_role", { actorId, roleRef: "key:admin" }],
    ["actor_disable", { actorId }],
    ["actor_enable", { actorId }],
    ["user_disable", { username }],
    ["user_enable", { username }],
    ["role_create", { key: one(KEYS), name: "R" }],
    ["role_add_permission", { roleRef, permissionKey }],
    ["role_delete_permission", { roleRef, permissionKey }],
    ["role_update_autoassign", { roleRef, value: chance() < 0.5 }],
    ["role_delete", { roleRef }],
  ]);
}

/** What the log makes of who may do what: every entry has to be by someone who held `admin` before it. */
async function explained(world: World, before: Map<string, Body>, roles: Map<string, Body>): Promise<number> {
  const page = await world.seam.query({ pk: "log#identity" });
  const held = (actor: Body): ReadonlySet<Permission> =>
    actor && actor.disabledAt === undefined
      ? withImplied(actor.roles.flatMap((id: string) => roles.get(id)?.permissions ?? []))
      : new Set<Permission>();
  for (const entry of page.items.map(logEntryOf).slice(1)) {
    expect(held(before.get(String(entry.actor))).has("admin"), `${entry.actions} at ${entry.revision}`).toBe(true);
    for (const { does, kind, id, after } of entry.changes ?? []) {
      const place = kind === "role" ? roles : kind === "actor" ? before : new Map();
      if (does === "delete") place.delete(id);
      else {
        const fields: Body = { ...place.get(id), ...after };
        for (const name of Object.keys(fields)) if (fields[name] === null) delete fields[name];
        place.set(id, fields);
      }
    }
    expect(
      [...before.values()].some((actor) => held(actor).has("admin")),
      `at ${entry.revision}`,
    ).toBe(true);
  }
  return page.items.length;
}

describe("random histories of who may do what", () => {
  console.log(`auth histories: METACTION_TEST_SEED=${SEED}`);

  test.each([
    1, 2, 3,
  ])("%i: every change is by an administrator, one remains, and nobody holds more than that explains", async (round) => {
    const chance = chanceOf(SEED + round);
    const world = await createWorld();
    const everyone = await people(world);
    const stored = async (prefix: string) =>
      new Map(
        (await world.seam.query({ pk: "identity", prefix })).items.map((item): [string, Body] => [
          String(item.id),
          item,
        ]),
      );
    const [actors, roles] = [await stored("actor#"), await stored("role#")];
    const counts = new Map<string, number>();
    for (let wave = 0; wave < 12; wave++) {
      // Several at once, each by someone of their own choice.
      const calls = Array.from({ length: 6 }, () => {
        const caller = everyone[Math.floor(chance() * everyone.length)];
        const [action, payload] = anyCall(chance, everyone);
        return world.run(`auth/${action}`, payload, caller?.token);
      });
      for (const outcome of await Promise.allSettled(calls)) {
        const code =
          outcome.status === "fulfilled" ? "ok" : outcome.reason instanceof Problem ? outcome.reason.code : "defect";
        counts.set(code, (counts.get(code) ?? 0) + 1);
      }
    }
    expect(counts.has("defect"), JSON.stringify([...counts])).toBe(false);
    expect(counts.get("ok")).toBeGreaterThan(0);
    const revisions = await explained(world, actors, roles);
    expect(revisions).toBeGreaterThan(1);
    // What is stored, and what callers are judged by, is what the history makes of it.
    const judged = (await world.seam.get({ pk: "identity", sk: "roles" }))?.roles as readonly Body[];
    expect(new Map(judged.map((role) => [role.id, [...role.permissions].sort()]))).toEqual(
      new Map([...roles].map(([id, role]) => [id, [...role.permissions].sort()])),
    );
    for (const [id, item] of await stored("actor#")) {
      expect([item.roles, item.disabledAt], id).toEqual([actors.get(id).roles, actors.get(id).disabledAt]);
    }
  });
});
