import { describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { MANAGED_ROLES } from "../../shared/domain/permissions.ts";
import { someone } from "../support/someone.ts";
import { type Checked, expectFaults, expectProblem, expectWritten, newKey, useWorld } from "./support/checked-world.ts";

const world = useWorld();

const revision = async (): Promise<number> =>
  Number(/^identity-(\d+)$/.exec((await world.ok("auth/role_list")).etag ?? "")?.[1]);

async function aRole(...permissions: string[]): Promise<{ id: string; key: string; ref: string }> {
  const key = newKey("role");
  const { body } = await world.ok("auth/role_create", { key, name: `Role ${key}` });
  for (const permissionKey of permissions)
    await world.ok("auth/role_add_permission", { roleRef: `key:${key}`, permissionKey });
  return { id: body.id, key, ref: `key:${key}` };
}

const aPerson = (...roles: string[]) => someone(world, newKey("person"), ...roles);

const get = async (roleRef: string) => (await world.ok("auth/role_get", { roleRef })).body;

describe("role_create", () => {
  test("creates a role without permissions at the next revision of the ledger", async () => {
    const before = await revision();
    const key = newKey("role");
    const answer = await world.ok("auth/role_create", { key, name: "Importer", description: "Imports *models*." });
    expectWritten(answer, { key, modelId: "identity", revision: before + 1 });
    const { id } = answer.body;
    const given = { id, key, name: "Importer", description: "Imports *models*." };
    const times = { createdAt: expect.any(String), lastUpdatedAt: expect.any(String) };
    const role = { ...given, autoAssign: false, managedRole: false, ...times };
    expect(await get(`id:${id}`)).toEqual({ role, permissions: [] });
  });

  test.each(["admin", "manager", "reader"])("refuses the key of the managed role %s", async (key) => {
    expect(await world.writesNothing(() => world.refused("auth/role_create", { key, name: "Mine" }))).toMatchObject({
      code: "key_taken",
      message: `key ${key} is already used by another role; choose another key`,
    });
  });

  test("needs a name and a key", async () => {
    expectFaults(await world.refused("auth/role_create", { key: "é" }), "/key", "/name");
  });
});

describe("the managed roles", () => {
  test("are those that the table of managed roles lists", async () => {
    for (const { key, name, permissions } of MANAGED_ROLES) {
      const found = await get(`key:${key}`);
      expect(found).toMatchObject({ role: { key, name, managedRole: true }, permissions: [...permissions].sort() });
    }
  });

  test.each([
    ["role_update_key", { value: "chief" }],
    ["role_update_name", { value: "Chief" }],
    ["role_update_description", { value: "All of it." }],
    ["role_add_permission", { permissionKey: "model_write" }],
    ["role_delete_permission", { permissionKey: "model_read" }],
    ["role_delete", {}],
  ])("cannot be changed by %s", async (name, payload) => {
    for (const { key } of MANAGED_ROLES) {
      const roleRef = `key:${key}`;
      const problem = await world.writesNothing(() => world.refused(`auth/${name}`, { roleRef, ...payload }));
      expectProblem(problem, "managed_role", key);
    }
  });
});

describe("the role_update_* actions", () => {
  test("change key, name and description, which can be cleared; the same value changes nothing", async () => {
    const { ref, id } = await aRole();
    await world.ok("auth/role_update_name", { roleRef: ref, value: "New" });
    await world.ok("auth/role_update_description", { roleRef: ref, value: "What for." });
    expect((await get(ref)).role).toMatchObject({ name: "New", description: "What for." });
    const same = await world.writesNothing(() => world.ok("auth/role_update_name", { roleRef: ref, value: "New" }));
    expect(same.body.changed).toBe(false);
    await world.ok("auth/role_update_description", { roleRef: ref });
    expect((await get(ref)).role).not.toHaveProperty("description");
    const key = newKey("renamed");
    expect((await world.ok("auth/role_update_key", { roleRef: ref, value: key })).body).toMatchObject({ id, key });
    expect((await get(`key:${key}`)).role.id).toBe(id);
    expect((await world.refused("auth/role_get", { roleRef: ref })).code).toBe("not_found");
  });

  test("refuse a key that another role has, and a name that is blank", async () => {
    const [a, b] = [await aRole(), await aRole()];
    expect((await world.refused("auth/role_update_key", { roleRef: a.ref, value: b.key })).code).toBe("key_taken");
    expectFaults(await world.refused("auth/role_update_name", { roleRef: a.ref, value: " " }), "/value");
  });
});

describe("the permissions of a role", () => {
  test("are added and removed, from the next call of its actors on", async () => {
    const { ref, id } = await aRole();
    const { token } = await aPerson(id);
    const permissions = async () => (await world.okAs(token, "auth/whoami")).body.permissions;
    expect(await permissions()).toEqual([]);
    await world.ok("auth/role_add_permission", { roleRef: ref, permissionKey: "model_release" });
    expect(await permissions()).toEqual(["model_read", "model_release"]);
    const again = { roleRef: ref, permissionKey: "model_release" };
    expect((await world.ok("auth/role_add_permission", again)).body.changed).toBe(false);
    await world.ok("auth/role_delete_permission", again);
    expect(await permissions()).toEqual([]);
    expect((await world.ok("auth/role_delete_permission", again)).body.changed).toBe(false);
  });

  test("are those of the table; any other is 400, and the answer lists the valid ones", async () => {
    const { ref } = await aRole();
    for (const name of ["role_add_permission", "role_delete_permission"]) {
      const problem = await world.refused(`auth/${name}`, { roleRef: ref, permissionKey: "model_fly" });
      expectFaults(problem, "/permissionKey");
      expect(problem.message).toContain("model_read");
    }
  });
});

describe("role_update_autoassign", () => {
  const auto = async () =>
    (await world.read("auth/role_list")).items.flatMap((r: Checked["body"]) => (r.autoAssign ? [r.key] : []));

  test("moves to another role, managed or not, and can be removed", async () => {
    const { ref, key } = await aRole("model_read");
    // Nobody has rights before somebody gives them.
    expect(await auto()).toEqual([]);
    await world.ok("auth/role_update_autoassign", { roleRef: "key:reader", value: true });
    expect(await auto()).toEqual(["reader"]);
    await world.ok("auth/role_update_autoassign", { roleRef: ref, value: true });
    expect(await auto()).toEqual([key]);
    await world.ok("auth/role_update_autoassign", { roleRef: "key:manager", value: false });
    expect(await auto()).toEqual([key]);
    await world.ok("auth/role_update_autoassign", { roleRef: ref, value: false });
    expect(await auto()).toEqual([]);
  });

  test("changes both roles, with their events, and neither where nothing changes", async () => {
    const { ref } = await aRole("model_read");
    const timeOf = async (roleRef: string) => Date.parse((await get(roleRef)).role.lastUpdatedAt);
    const times = () => Promise.all([ref, "key:reader"].map(timeOf));
    await world.ok("auth/role_update_autoassign", { roleRef: "key:reader", value: true });
    const [own = 0, other = 0] = await times();
    await world.ok("auth/role_update_autoassign", { roleRef: ref, value: true });
    const moved = await times();
    expect(moved[0]).toBeGreaterThan(own);
    expect(moved[1]).toBeGreaterThan(other);
    await world.ok("auth/role_update_autoassign", { roleRef: ref, value: true });
    expect(await times()).toEqual(moved);
    await world.ok("auth/role_update_autoassign", { roleRef: "key:reader", value: true });
  });

  test("never belongs to a role with the permission admin, in either order of calls", async () => {
    expectFaults(await world.refused("auth/role_update_autoassign", { roleRef: "key:admin", value: true }), "/value");
    const { ref } = await aRole("admin");
    expectFaults(await world.refused("auth/role_update_autoassign", { roleRef: ref, value: true }), "/value");
    const other = await aRole();
    await world.ok("auth/role_update_autoassign", { roleRef: other.ref, value: true });
    const give = { roleRef: other.ref, permissionKey: "admin" };
    expectFaults(await world.refused("auth/role_add_permission", give), "/permissionKey");
    await world.ok("auth/role_update_autoassign", { roleRef: "key:reader", value: true });
  });
});

test("role_delete ends the permissions of the role; a new role with its key does not restore them", async () => {
  const { ref, id, key } = await aRole("model_read");
  const { id: actorId, token } = await aPerson(id);
  await world.ok("auth/actor_add_role", { actorId, roleRef: ref, models: "crm*" });
  const given = { roles: [id], scopedRoles: [{ role: id, models: "crm*" }] };
  expect(await world.read("auth/actor_get", { actorId })).toMatchObject(given);
  await world.ok("auth/role_delete", { roleRef: ref });
  expect((await world.okAs(token, "auth/whoami")).body.permissions).toEqual([]);
  const none = { roles: [], scopedRoles: [], permissions: [] };
  expect(await world.read("auth/actor_get", { actorId })).toMatchObject(none);
  await world.ok("auth/role_create", { key, name: "Again" });
  await world.ok("auth/role_add_permission", { roleRef: ref, permissionKey: "model_write" });
  expect((await world.okAs(token, "auth/whoami")).body.permissions).toEqual([]);
});

test("the number of roles is limited", async () => {
  await world.renew();
  const here = (await world.read("auth/role_list")).items.length;
  for (let i = here; i < LIMITS.roles; i++) await world.ok("auth/role_create", { key: `r${i}`, name: "R" });
  expect((await world.refused("auth/role_create", { key: "one-more", name: "R" })).code).toBe("too_large");
  const pages = await world.ok("auth/role_list", { limit: 60 });
  expect(pages.body.items).toHaveLength(60);
  expect((await world.read("auth/role_list", { limit: 60, cursor: pages.next })).items).toHaveLength(40);
});
