import { describe, expect, test } from "vitest";
import { hashActorKey } from "../../shared/domain/accounts/actors.ts";
import type { Actor } from "../../shared/domain/model/objects.ts";
import { writeObjects } from "../support/accounts.ts";
import { type Body, codeOf } from "../support/world.ts";
import { expectFaults, expectWritten, findActor, NO_ID, newKey, useWorld } from "./support/checked-world.ts";

const world = useWorld();

const actorOf = (subject: string) => findActor(world.read, subject);

const revision = async (): Promise<number> =>
  Number((await world.ok("auth/role_list")).etag?.slice("identity-".length));

describe("actor_list and actor_get", () => {
  test("answer all actors, and one with its roles and permissions", async () => {
    const reader = await actorOf("reader");
    const text = expect.any(String);
    expect(reader).toEqual({ id: text, issuer: text, subject: "reader", fullname: "The reader", createdAt: text });
    const { role } = await world.read("auth/role_get", { roleRef: "key:reader" });
    for (const actorId of [reader.id, `id:${reader.id}`, reader.id.toUpperCase()]) {
      const found = await world.read("auth/actor_get", { actorId });
      expect(found).toEqual({ ...reader, roles: [role.id], scopedRoles: [], permissions: ["model_read"] });
    }
  });

  test.each(["reader", "key:", "id:7", 7])("refuse %j as a ref of an actor", async (actorId) => {
    expectFaults(await world.refused("auth/actor_get", { actorId }), "/actorId");
  });
});

describe("actor_add_role and actor_delete_role", () => {
  test("add and remove a role, from the actor's next call on", async () => {
    const { nobody } = world.people;
    const { id: actorId } = await actorOf("nobody");
    const payload = { actorId, roleRef: "key:reader" };
    const permissions = async () => (await world.okAs(nobody, "auth/whoami")).body.permissions;
    const before = await revision();
    const added = await world.ok("auth/actor_add_role", payload);
    expectWritten(added, { key: "nobody", modelId: "identity", revision: before + 1 });
    expect(await permissions()).toEqual(["model_read"]);
    expect((await world.ok("auth/actor_add_role", payload)).body.changed).toBe(false);
    await world.ok("auth/actor_delete_role", payload);
    expect(await permissions()).toEqual([]);
    expect((await world.ok("auth/actor_delete_role", payload)).body.changed).toBe(false);
  });

  test("refuse a role that does not exist", async () => {
    const { id: actorId } = await actorOf("nobody");
    for (const name of ["actor_add_role", "actor_delete_role"]) {
      expect((await world.refused(`auth/${name}`, { actorId, roleRef: "key:none" })).code).toBe("not_found");
      expect((await world.refused(`auth/${name}`, { actorId: NO_ID, roleRef: "key:reader" })).code).toBe("not_found");
    }
  });

  test("ignore deleted roles when another role is assigned", async () => {
    const { id: actorId } = await actorOf("nobody");
    const roleRef = `key:${newKey("role")}`;
    await world.ok("auth/role_create", { key: roleRef.slice(4), name: "R" });
    await world.ok("auth/actor_add_role", { actorId, roleRef });
    await world.ok("auth/role_delete", { roleRef });
    await world.ok("auth/actor_add_role", { actorId, roleRef: "key:reader" });
    const { role } = await world.read("auth/role_get", { roleRef: "key:reader" });
    expect((await world.read("auth/actor_get", { actorId })).roles).toEqual([role.id]);
    await world.ok("auth/actor_delete_role", { actorId, roleRef: "key:reader" });
  });
});

describe("actor_disable and actor_enable", () => {
  test("refuse an actor at once, disable its user too, and enable both without their old tokens", async () => {
    const { manager } = world.people;
    const { id: actorId } = await actorOf("manager");
    await world.ok("auth/actor_disable", { actorId });
    expect(await codeOf(world.answer("model/model_list", {}, manager))).toBe("actor_disabled");
    const users = (await world.read("auth/user_list")).items;
    expect(users.find((user: Body) => user.username === "manager").disabledDate).toEqual(expect.any(String));
    expect((await world.ok("auth/actor_disable", { actorId })).body.changed).toBe(false);
    await world.ok("auth/actor_enable", { actorId });
    expect(await codeOf(world.answer("model/model_list", {}, manager))).toBe("not_signed_in");
    expect((await world.ok("auth/actor_enable", { actorId })).body.changed).toBe(false);
  });

  test("end the tokens that another issuer signed before", async () => {
    const [issuer, subject] = ["https://issuer.example", newKey("subject")];
    const { newId, now } = world.service.runtime;
    const createdAt = new Date(now()).toISOString();
    const key = hashActorKey(issuer, subject);
    const actor: Actor = {
      ...{ kind: "actor", id: newId(), key, revision: 0, issuer, subject },
      ...{ fullname: "Else", roles: [], createdAt },
    };
    await writeObjects(world.table, [actor]);
    const before = Math.floor(now() / 1000);
    await world.ok("auth/actor_disable", { actorId: actor.id });
    await world.ok("auth/actor_enable", { actorId: actor.id });
    const item = await world.table.get({ pk: "identity", sk: `actor#${key}` });
    expect(item?.validAfter).toBeGreaterThan(before);
    expect(item).not.toHaveProperty("tokenEpoch");
  });
});
