import { describe, expect, test } from "vitest";
import { person } from "../support/someone.ts";
import { type Body, codeOf, createWorld, type World } from "../support/world.ts";
import { findActor } from "./support/checked-world.ts";

const adminId = async ({ run }: World): Promise<string> => (await findActor(run, "admin")).id;

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
      ["actor_disable", { actorId }, "/actorRef"],
      ["user_disable", { username: "admin" }, "/username"],
      ["user_delete", { username: "admin" }, "/username"],
    ] as const) {
      const problem = await world.problem(`auth/${name}`, payload);
      expect(problem).toMatchObject({ code: "bad_parameters", members: { errors: [{ pointer }] } });
    }
  });

  test("is not an administrator who is already disabled", async () => {
    const world = await createWorld();
    const other = await person(world, "admin");
    await world.run("auth/actor_disable", { actorId: other.id });
    const lose = { actorId: await adminId(world), roleRef: "key:admin" };
    expect((await world.problem("auth/actor_delete_role", lose)).code).toBe("last_administrator");
    await world.run("auth/actor_enable", { actorId: other.id });
    await world.run("auth/actor_delete_role", lose);
    expect((await world.problem("auth/role_list", {})).code).toBe("not_allowed");
  });
});

test.each([
  ["actor_delete_role", (actorId: string) => ({ actorId, roleRef: "key:admin" })],
  ["actor_disable", (actorId: string) => ({ actorId })],
  ["user_disable", (_: string, username: string) => ({ username })],
  ["user_delete", (_: string, username: string) => ({ username })],
] as const)("two administrators remove each other at once by %s: one remains", async (name, payload) => {
  for (let round = 0; round < 5; round++) {
    const world = await createWorld();
    const other = await person(world, "admin");
    const calls = [
      world.run(`auth/${name}`, payload(other.id, other.username), world.people.admin),
      world.run(`auth/${name}`, payload(await adminId(world), "admin"), other.token),
    ];
    const codes = await Promise.all(calls.map(codeOf));
    expect(codes.filter((code) => code === "none")).toHaveLength(1);
    const [winner, token] = codes[0] === "none" ? ["admin", world.people.admin] : [other.username, other.token];
    const { items } = await world.run("auth/user_list", {}, token);
    const administrators = items.filter((user: Body) => user.admin && user.disabledDate === undefined);
    expect(administrators.map(({ username }: Body) => username)).toEqual([winner]);
    const refused = codes.find((code) => code !== "none");
    expect(["not_allowed", "actor_disabled", "not_signed_in", "last_administrator"]).toContain(refused);
  }
});
