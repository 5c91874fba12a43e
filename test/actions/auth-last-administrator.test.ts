import { describe, expect, test } from "vitest";
import { Problem } from "../../shared/domain/problems.ts";
import { type Someone, someone } from "../support/someone.ts";
import { createWorld, type World } from "../support/world.ts";

/** Another actor of a world, with the roles of these keys. */
async function another(world: World, username: string, ...roleKeys: string[]): Promise<Someone> {
  const { items } = await world.run("auth/role_list");
  const roles = items.filter(({ key }: { key: string }) => roleKeys.includes(key)).map(({ id }: { id: string }) => id);
  return someone(world, username, ...roles);
}

async function adminId(world: World): Promise<string> {
  const { items } = await world.run("auth/actor_list");
  return items.find(({ subject }: { subject: string }) => subject === "admin").id;
}

/** The actors that could administer now. */
async function administrators(world: World, caller: string): Promise<readonly string[]> {
  const { items } = await world.run("auth/user_list", {}, caller);
  return items
    .filter((u: { admin: boolean; disabledDate?: string }) => u.admin && u.disabledDate === undefined)
    .map((u: { username: string }) => u.username);
}

describe("the last administrator", () => {
  test("cannot give up the role, by any action", async () => {
    const world = await createWorld();
    const actorId = await adminId(world);
    const lose = { actorId, roleRef: "key:admin" };
    expect((await world.problem("auth/actor_delete_role", lose)).code).toBe("last_administrator");
    // The administrator now holds the permission through a role of their own instead.
    await world.run("auth/role_create", { key: "chief", name: "Chief" });
    await world.run("auth/role_add_permission", { roleRef: "key:chief", permissionKey: "admin" });
    await world.run("auth/actor_add_role", { actorId, roleRef: "key:chief" });
    await world.run("auth/actor_delete_role", lose);
    const chief = { roleRef: "key:chief" };
    expect((await world.problem("auth/role_delete", chief)).code).toBe("last_administrator");
    const take = { ...chief, permissionKey: "admin" };
    expect((await world.problem("auth/role_delete_permission", take)).code).toBe("last_administrator");
    expect((await world.problem("auth/actor_delete_role", { actorId, ...chief })).code).toBe("last_administrator");
  });

  test("cannot be disabled or deleted, because actors cannot do that to themselves and nobody else has the permission", async () => {
    const world = await createWorld();
    const actorId = await adminId(world);
    for (const [name, payload, pointer] of [
      ["actor_disable", { actorId }, "/actorId"],
      ["user_disable", { username: "admin" }, "/username"],
      ["user_delete", { username: "admin" }, "/username"],
    ] as const) {
      const problem = await world.problem(`auth/${name}`, payload);
      expect(problem).toMatchObject({ code: "bad_parameters", members: { errors: [{ pointer }] } });
    }
  });

  test("is not an administrator who is already disabled", async () => {
    const world = await createWorld();
    const other = await another(world, "other", "admin");
    await world.run("auth/actor_disable", { actorId: other.id });
    const lose = { actorId: await adminId(world), roleRef: "key:admin" };
    expect((await world.problem("auth/actor_delete_role", lose)).code).toBe("last_administrator");
    await world.run("auth/actor_enable", { actorId: other.id });
    await world.run("auth/actor_delete_role", lose);
    expect((await world.problem("auth/role_list", {})).code).toBe("not_allowed");
  });
});

const REMOVALS = [
  ["actor_delete_role", (actorId: string) => ({ actorId, roleRef: "key:admin" })],
  ["actor_disable", (actorId: string) => ({ actorId })],
  ["user_disable", (_: string, username: string) => ({ username })],
  ["user_delete", (_: string, username: string) => ({ username })],
] as const;

test.each(REMOVALS)("two administrators remove each other at once by %s: one remains", async (name, payload) => {
  for (let round = 0; round < 5; round++) {
    const world = await createWorld();
    const other = await another(world, "other", "admin");
    const calls = [
      world.run(`auth/${name}`, payload(other.id, "other"), world.people.admin),
      world.run(`auth/${name}`, payload(await adminId(world), "admin"), other.token),
    ];
    const codes = (await Promise.allSettled(calls)).map((outcome) =>
      outcome.status === "fulfilled"
        ? "done"
        : outcome.reason instanceof Problem
          ? outcome.reason.code
          : outcome.reason,
    );
    expect(codes.filter((code) => code === "done")).toHaveLength(1);
    const winner = codes[0] === "done" ? world.people.admin : other.token;
    expect(await administrators(world, winner)).toEqual([codes[0] === "done" ? "admin" : "other"]);
    const refused = codes.find((code) => code !== "done");
    expect(["not_allowed", "actor_disabled", "not_signed_in", "last_administrator"]).toContain(refused);
  }
});
