import { describe, expect, test } from "vitest";
import { person } from "../support/someone.ts";
import { freshTable } from "../support/table.ts";
import { type Body, createWorld } from "../support/world.ts";
import { useWorld } from "./support/checked-world.ts";

const world = useWorld();

describe("a call with an API token", () => {
  test("creates no other token and changes no password", async () => {
    const owner = await person(world, "admin");
    const { token } = (await world.okAs(owner.token, "auth/token_create", { name: "T" })).body;
    const password = "Another horse 2 battery";
    for (const [action, payload] of [
      ["token_create", { name: "Child" }],
      ["change_my_password", { oldPassword: "correct horse 1 battery", newPassword: password }],
      // The new password is the token owner's own, so that the token would become a session.
      ["user_change_password", { username: owner.username, password }],
      ["user_create", { username: "another", fullname: "Another", password, admin: true }],
    ] as const) {
      const problem = await world.writesNothing(() => world.problem(`auth/${action}`, payload, token));
      expect(problem.code, action).toBe("not_allowed");
      expect(problem.message).toContain("API token");
    }
  });

  test("reads accounts only where the token permits it", async () => {
    const owner = await person(world, "admin");
    const make = async (...permissions: string[]) =>
      (await world.okAs(owner.token, "auth/token_create", { name: "T", permissions })).body.token;
    await world.okAs(await make("admin"), "auth/role_list");
    const reads = await make("model_read");
    expect((await world.problem("auth/role_list", {}, reads)).code).toBe("not_allowed");
  });

  test("gets its own permissions from whoami, which are fewer than those of its actor", async () => {
    const owner = await person(world, "admin");
    const { token } = (await world.okAs(owner.token, "auth/token_create", { name: "T" })).body;
    const actions = ["auth/user_list", "auth/user_create", "auth/change_my_password", "auth/token_revoke"];
    const asked = async (caller: string) =>
      (await world.okAs(caller, "auth/can", { actions })).body.items.map((row: Body) => row.allowed);
    expect(await asked(owner.token)).toEqual([true, true, true, true]);
    expect(await asked(token)).toEqual([true, false, false, true]);
  });

  test("loses the permissions that its actor loses, and stays refused after its actor was disabled", async () => {
    const owner = await person(world, "manager");
    const { token } = (await world.okAs(owner.token, "auth/token_create", { name: "T" })).body;
    await world.ok("auth/actor_delete_role", { actorId: owner.id, roleRef: "key:manager" });
    expect((await world.okAs(token, "auth/whoami")).body.permissions).toEqual([]);
    await world.ok("auth/actor_disable", { actorId: owner.id });
    expect((await world.problem("auth/whoami", {}, token)).code).toBe("not_signed_in");
    await world.ok("auth/actor_enable", { actorId: owner.id });
    expect((await world.problem("auth/whoami", {}, token)).code).toBe("not_signed_in");
  });

  test("is refused after its user is deleted, and still permitted after a change of the password", async () => {
    const owner = await person(world, "reader");
    const { token } = (await world.okAs(owner.token, "auth/token_create", { name: "T" })).body;
    await world.ok("auth/user_change_password", { username: owner.username, password: "Another horse 2 battery" });
    await world.okAs(token, "auth/whoami");
    await world.ok("auth/user_delete", { username: owner.username });
    expect((await world.problem("auth/whoami", {}, token)).code).toBe("not_signed_in");
    const { items } = await world.run("auth/token_list", { all: true });
    expect(items).not.toContainEqual(expect.objectContaining({ actorId: owner.id }));
  });
});

test("a call with an API token reads the store once for its caller, like a call with an access token", async () => {
  const plain = await freshTable();
  const reads: number[] = [];
  const table = {
    ...plain,
    batchGet: (keys: Parameters<typeof plain.batchGet>[0]) => {
      reads.push(keys.length);
      return plain.batchGet(keys);
    },
    get: (key: Parameters<typeof plain.get>[0]) => {
      reads.push(-1);
      return plain.get(key);
    },
  };
  const world = await createWorld({ table });
  const { token } = await world.run("auth/token_create", { name: "T" }, world.people.reader);
  reads.length = 0;
  await world.run("auth/whoami", {}, world.people.reader);
  expect(reads).toEqual([2]);
  await world.run("auth/whoami", {}, token);
  expect(reads).toEqual([2, 3]);
});
