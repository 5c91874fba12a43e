import { describe, expect, test } from "vitest";
import { isWrite } from "../../shared/actions/contract/action.ts";
import type { AuditEntry } from "../../shared/domain/accounts/audit.ts";
import { PASSWORD } from "../support/accounts.ts";
import { ACTIONS } from "../support/actions.ts";
import { runtimeAt } from "../support/runtime.ts";
import { person } from "../support/someone.ts";
import { codeOf, createWorld } from "../support/world.ts";
import { entries } from "./support/audit-entries.ts";
import { expectFaults, findActor, newKey, useWorld } from "./support/checked-world.ts";

const world = useWorld();

const GRACE = { username: "grace", fullname: "Grace Hopper", password: "Moth in the relay 1947", admin: false };

/** Every write of the group `auth` that changes something, in an order in which each can; `$id` is the actor of `grace`, `$made` what the call before made. */
const WRITES: readonly (readonly [action: string, payload: object])[] = [
  ["auth/role_create", { key: "auditor", name: "Auditor", description: "d".repeat(5_000) }],
  ["auth/role_update_key", { roleRef: "key:auditor", value: "checker" }],
  ["auth/role_update_name", { roleRef: "key:checker", value: "Checker" }],
  ["auth/role_update_description", { roleRef: "key:checker", value: "Checks." }],
  ["auth/role_add_permission", { roleRef: "key:checker", permissionKey: "model_read" }],
  ["auth/role_delete_permission", { roleRef: "key:checker", permissionKey: "model_read" }],
  ["auth/role_update_autoassign", { roleRef: "key:checker", value: true }],
  ["auth/user_create", GRACE],
  ["auth/user_change_fullname", { username: "grace", fullname: "Grace" }],
  ["auth/user_change_password", { username: "grace", password: "Nanosecond of wire 30" }],
  ["auth/user_disable", { username: "grace" }],
  ["auth/user_enable", { username: "grace" }],
  ["auth/actor_disable", { actorId: "$id" }],
  ["auth/actor_enable", { actorId: "$id" }],
  ["auth/actor_add_role", { actorId: "$id", roleRef: "key:manager" }],
  ["auth/actor_delete_role", { actorId: "$id", roleRef: "key:manager" }],
  ["auth/token_create", { name: "Nightly", permissions: ["model_read"] }],
  ["auth/token_revoke", { tokenId: "$made" }],
  ["auth/service_account_create", { key: "robot", name: "Robot" }],
  ["auth/service_account_update", { serviceAccountRef: "key:robot", name: "Robot 2" }],
  ["auth/service_account_disable", { serviceAccountRef: "key:robot" }],
  ["auth/service_account_delete", { serviceAccountRef: "key:robot" }],
  ["auth/role_delete", { roleRef: "key:checker" }],
  ["auth/user_delete", { username: "grace" }],
  ["auth/change_my_password", { oldPassword: PASSWORD, newPassword: "Nanosecond of wire 30" }],
];

/** Writes that need a sign-in before them, in auth-session.test.ts. */
const OF_SESSIONS = ["auth/logout", "auth/session_end"];

describe("changes of users, actors and roles", () => {
  test("have a row below for every action that writes", () => {
    const writes = ACTIONS.filter((action) => action.group === "auth" && isWrite(action));
    const rows = [...WRITES.map(([action]) => action), ...OF_SESSIONS];
    expect(rows.sort()).toEqual(writes.map(({ name }) => `auth/${name}`).sort());
  });

  test("create exactly one entry each, with actor, channel and change, and without secrets", async () => {
    const world = await createWorld();
    const admin = await findActor(world.run, "admin");
    let made = "";
    for (const [action, payload] of WRITES) {
      const grace = await findActor(world.run, "grace");
      const before = await entries(world);
      const text = JSON.stringify(payload)
        .replace("$id", grace?.id ?? "")
        .replace("$made", made);
      made = (await world.run(action, JSON.parse(text))).id;
      // The change of the password has ended the administrator's own token, so the log cannot be read after it.
      const now = action === "auth/change_my_password" ? undefined : await entries(world);
      if (!now) continue;
      const [entry, ...rest] = now;
      expect(rest, action).toEqual(before);
      const actor = { id: admin.id, subject: "admin" };
      const call = { channel: "http", requestId: expect.any(String) };
      expect(entry, action).toMatchObject({ act: action, outcome: "ok", actor, ...call });
      expect(entry?.changes?.length, action).toBeGreaterThan(0);
      expect(JSON.stringify(entry).length, action).toBeLessThan(1_000);
      expect(JSON.stringify(entry)).not.toMatch(/argon2|Compiler|Nanosecond/);
    }
    const login = await world.run("auth/login", { username: "admin", password: "Nanosecond of wire 30" }, undefined);
    const all = (await world.run("auth/audit_list", {}, login.access_token)).items as AuditEntry[];
    expect(all.map(({ act }) => act)).toEqual(["auth/login", ...WRITES.map(([action]) => action).toReversed()]);
    expect(all[1]).toMatchObject({ act: "auth/change_my_password", actor: { subject: "admin" } });
  });

  test("are recorded with the members that changed, before and after", async () => {
    const key = newKey("role");
    const { id } = await world.run("auth/role_create", { key, name: "N" });
    await world.run("auth/role_add_permission", { roleRef: `key:${key}`, permissionKey: "model_read" });
    await world.run("auth/role_update_description", { roleRef: `key:${key}`, value: "x".repeat(200) });
    const [described, given] = await entries(world);
    const update = { change: "update", kind: "role", id, name: key };
    const granted = { before: { permissions: [] }, after: { permissions: ["model_read"] } };
    expect(given?.changes).toEqual([{ ...update, ...granted }]);
    const cut = { before: { description: null }, after: { description: `${"x".repeat(100)}…` } };
    expect(described?.changes).toEqual([{ ...update, ...cut }]);
  });

  test("create no entry where nothing changes: no change, dry run, refusal, replay", async () => {
    const key = newKey("role");
    const made = { key, name: "N" };
    const controls = { idempotencyKey: newKey() };
    await world.run("auth/role_create", made, world.people.admin, controls);
    const before = await entries(world);
    expect(before[0]).toMatchObject({ act: "auth/role_create" });
    await world.run("auth/role_create", made, world.people.admin, controls);
    await world.run("auth/role_update_name", { roleRef: `key:${key}`, value: "N" });
    await world.run("auth/role_delete", { roleRef: `key:${key}` }, world.people.admin, { dryRun: true });
    expect(await codeOf(world.run("auth/role_create", made))).toBe("key_taken");
    const asReader = world.run("auth/role_create", { ...made, key: "other" }, world.people.reader);
    expect(await codeOf(asReader)).toBe("not_allowed");
    expect(await entries(world)).toEqual(before);
  });

  test("create an entry each where several happen at the same moment", async () => {
    const { id } = await person(world);
    const keys = Array.from({ length: 8 }, () => newKey("role"));
    await Promise.all(keys.map((key) => world.run("auth/role_create", { key, name: key })));
    const add = (key: string) => world.run("auth/actor_add_role", { actorId: id, roleRef: `key:${key}` });
    const done = (await Promise.all(keys.map((key) => codeOf(add(key))))).filter((code) => code === "none").length;
    const rows = await entries(world, { act: "auth/actor_add_role" });
    expect(rows.filter(({ changes }) => changes?.[0]?.id === id)).toHaveLength(done);
  });
});

describe("sign-ins", () => {
  test("create an entry each; wrong passwords are counted by user and hour, and unknown names together", async () => {
    const runtime = runtimeAt("2026-11-22T10:20:00.000Z");
    const world = await createWorld({ runtime });
    const wrong = "Difference Engine 1822";
    const login = (username: string, password: string) =>
      codeOf(world.run("auth/login", { username, password }, undefined));
    expect(await login("reader", PASSWORD)).toBe("none");
    for (let i = 0; i < 3; i++) {
      runtime.advance(1_000);
      expect(await login("reader", wrong)).toBe("not_signed_in");
    }
    for (const name of ["nobody-one", "nobody-two", "my-password-1"])
      expect(await login(name, wrong)).toBe("not_signed_in");
    runtime.advance(3_600_000);
    expect(await login("reader", wrong)).toBe("not_signed_in");
    const admin = await world.run("auth/login", { username: "admin", password: PASSWORD }, undefined);
    const all = (await world.run("auth/audit_list", {}, admin.access_token)).items as AuditEntry[];
    const who = (subject: string) => ({ id: expect.any(String), subject });
    const [atTen, atEleven] = ["2026-11-22T10:00:00.000Z", "2026-11-22T11:00:00.000Z"];
    const counted = { act: "auth/login", outcome: "refused" };
    expect(all.map(({ id: _, ...entry }) => entry)).toEqual([
      { time: "2026-11-22T11:20:03.000Z", act: "auth/login", outcome: "ok", actor: who("admin"), ...origin() },
      { ...counted, time: atEleven, actor: who("reader"), count: 1, until: "2026-11-22T11:20:03.000Z" },
      { time: "2026-11-22T10:20:00.000Z", act: "auth/login", outcome: "ok", actor: who("reader"), ...origin() },
      { ...counted, time: atTen, actor: who("reader"), count: 3, until: "2026-11-22T10:20:03.000Z" },
      { ...counted, time: atTen, count: 3, until: "2026-11-22T10:20:03.000Z" },
    ]);
  });

  const origin = () => ({ channel: "http", requestId: expect.any(String), session: expect.any(String) });

  test("with many unknown names at once are all counted, in few entries", async () => {
    const world = await createWorld();
    const password = "Difference Engine 1822";
    const given = Array.from({ length: 24 }, (_, i) => ({ username: `nobody${i}`, password }));
    const codes = await Promise.all(given.map((one) => codeOf(world.run("auth/login", one, undefined))));
    const refused = codes.filter((code) => code === "not_signed_in").length;
    expect(refused).toBeGreaterThan(0);
    const rows = await entries(world, { act: "auth/login" });
    expect(rows.reduce((sum, { count = 0 }) => sum + count, 0)).toBe(refused);
    expect(rows.length).toBeLessThanOrEqual(8);
    expect(rows.every(({ actor }) => actor === undefined)).toBe(true);
  });

  test("with a wrong old password are counted for the action that got it", async () => {
    const { token, username } = await person(world);
    const given = { oldPassword: "Difference Engine 1822", newPassword: "Nanosecond of wire 30" };
    expect(await codeOf(world.run("auth/change_my_password", given, token))).toBe("wrong_password");
    const rows = await entries(world, { act: "auth/change_my_password", outcome: "refused" });
    expect(rows).toMatchObject([{ count: 1, actor: { subject: username } }]);
    expectFaults(await world.refused("auth/audit_list", { act: "no action" }), "/act");
  });
});
