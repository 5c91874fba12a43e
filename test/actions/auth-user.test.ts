import { describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { PASSWORD, writePerson } from "../support/accounts.ts";
import { type Body, codeOf } from "../support/world.ts";
import { expectFaults, expectWritten, NO_ID, newKey, useWorld } from "./support/checked-world.ts";

const world = useWorld();

const OTHER = "Another harbor 2 lantern";

async function aUser(admin = false): Promise<{ id: string; username: string }> {
  const username = newKey("user").replace("-", "");
  const { body } = await world.ok("auth/user_create", { username, fullname: "Some One", password: PASSWORD, admin });
  return { id: body.id, username };
}

async function signIn(username: string, password = PASSWORD): Promise<string> {
  return (await world.okAs(undefined, "auth/login", { username, password })).body.access_token;
}

const canCall = (token: string) => codeOf(world.answer("auth/whoami", {}, token));
const canLogin = (username: string, password = PASSWORD) =>
  codeOf(world.answer("auth/login", { username, password }, undefined));

const row = async (username: string): Promise<Body> =>
  (await world.read("auth/user_list")).items.find((user: Body) => user.username === username);

describe("user_create", () => {
  test("creates a user with an actor without permissions, who can sign in", async () => {
    const { id, username } = await aUser();
    const shown = await row(username);
    expect(shown).toEqual({
      ...{ id, username, fullname: "Some One", admin: false },
      ...{ actorId: expect.any(String), createdAt: expect.any(String) },
    });
    const me = (await world.okAs(await signIn(username), "auth/whoami")).body;
    expect(me).toMatchObject({ sub: username, fullname: "Some One", admin: false, permissions: [], scopes: [] });
    const actor = await world.read("auth/actor_get", { actorId: shown.actorId });
    expect(actor).toMatchObject({ subject: username, roles: [], permissions: [] });
  });

  test("answers the actor, which actions about actors also find by the username", async () => {
    const username = newKey("user").replace("-", "");
    const input = { username, fullname: "Some One", password: PASSWORD };
    const { actorId } = (await world.ok("auth/user_create", input)).body;
    expect((await row(username)).actorId).toBe(actorId);
    const byName = { actorRef: `key:${username}` };
    const found = { ...(await world.read("auth/actor_get", byName)) };
    for (const one of [{ actorRef: actorId }, { actorRef: `id:${actorId}` }, { actorId: `id:${actorId}` }])
      expect(await world.read("auth/actor_get", one)).toEqual(found);
    await world.ok("auth/actor_add_role", { ...byName, roleRef: "key:reader" });
    const { id } = (await world.ok("auth/token_create", { ...byName, name: "Of another" })).body;
    expect((await world.read("auth/token_list", byName)).items).toMatchObject([{ id, actorId }]);
    const own = await signIn(username);
    expect((await world.okAs(own, "auth/token_list", byName)).body.items).toMatchObject([{ id }]);
    const { body: token } = await world.okAs(own, "auth/token_create", { ...byName, name: "Own" });
    expect(token.permissions).toEqual(["model_read"]);
    for (const token of [world.people.admin, own]) {
      const refusal = await world.answer("auth/token_list", { actorRef: "key:ghost" }, token).catch((error) => error);
      expect(refusal).toMatchObject({ code: "not_found", message: "no actor key:ghost" });
    }
    await world.ok("auth/service_account_create", { key: username, name: "Robot" });
    const robot = await world.read("auth/actor_get", { actorRef: `key:service:${username}` });
    expect(robot).toMatchObject({ subject: `service:${username}` });
  });

  const made = async (how: object): Promise<readonly string[]> => {
    const username = newKey("user").replace("-", "");
    await world.ok("auth/user_create", { username, fullname: "Some One", password: PASSWORD, ...how });
    const { roles } = await world.read("auth/actor_get", { actorId: (await row(username)).actorId });
    const all: readonly Body[] = (await world.read("auth/role_list")).items;
    return all.filter(({ id }) => roles.includes(id)).map(({ key }) => key);
  };

  test("creates no administrator unless admin is true", async () => {
    expect(await made({})).toEqual([]);
    expect(await made({ admin: false })).toEqual([]);
    expect(await made({ admin: true })).toEqual(["admin"]);
  });

  test("gives the named roles, by key or id, each once, beside admin or instead of the roles of new actors", async () => {
    const { id } = (await world.read("auth/role_get", { roleRef: "key:manager" })).role;
    expect(await made({ roleRefs: ["key:reader"] })).toEqual(["reader"]);
    expect(await made({ roleRefs: [`id:${id}`, "key:reader", "key:manager"] })).toEqual(["manager", "reader"]);
    expect(await made({ admin: true, roleRefs: ["key:reader", "key:admin"] })).toEqual(["admin", "reader"]);
    await world.ok("auth/role_update_autoassign", { roleRef: "key:reader", value: true });
    expect(await made({})).toEqual(["reader"]);
    expect(await made({ admin: true })).toEqual(["admin"]);
    expect(await made({ roleRefs: ["key:manager"] })).toEqual(["manager"]);
    expect(await made({ roleRefs: [] })).toEqual([]);
    await world.ok("auth/role_update_autoassign", { roleRef: "key:reader", value: false });
  });

  test("refuses roles that do not exist, and too many roles", async () => {
    const payload = { username: "with.roles", fullname: "With Roles", password: PASSWORD, admin: false };
    for (const ref of ["key:no_such", `id:${NO_ID}`]) {
      const create = () => world.refused("auth/user_create", { ...payload, roleRefs: ["key:reader", ref] });
      const problem = await world.writesNothing(create);
      expect([problem.code, problem.message]).toEqual(["not_found", `no role ${ref}`]);
    }
    const roleRefs = Array.from({ length: LIMITS.roles }, () => "key:reader");
    const tooMany = { ...payload, roleRefs: [...roleRefs, "key:reader"] };
    expectFaults(await world.refused("auth/user_create", tooMany), "/roleRefs");
    await world.ok("auth/user_create", { ...payload, roleRefs });
  });

  test("refuses a name that is taken, also by a disabled user, and before that a weak password", async () => {
    const { username } = await aUser();
    await world.ok("auth/user_disable", { username });
    const payload = { username, fullname: "Other", password: OTHER, admin: false };
    const problem = await world.writesNothing(() => world.refused("auth/user_create", payload));
    expect(problem).toMatchObject({ code: "key_taken" });
    expectFaults(await world.refused("auth/user_create", { ...payload, password: "Password123456!" }), "/password");
  });
});

test("user_change_fullname changes the name of the user and of the actor, named by username or by id", async () => {
  const { id, username } = await aUser();
  const token = await signIn(username);
  await world.ok("auth/user_change_fullname", { username, fullname: "New Name" });
  expect((await row(username)).fullname).toBe("New Name");
  expect((await world.okAs(token, "auth/whoami")).body.fullname).toBe("New Name");
  for (const ref of [`id:${id}`, `key:${username}`]) {
    const same = await world.ok("auth/user_change_fullname", { username: ref, fullname: "New Name" });
    expect(same.body).toMatchObject({ id, key: username, changed: false });
  }
});

test("user_create reports a weak password together with all other faults", async () => {
  const problem = await world.refused("auth/user_create", { username: "Not Good", password: "sssss", extra: 1 });
  const pointers = problem.members.errors?.map(({ pointer }) => pointer);
  expect(pointers?.toSorted()).toEqual(["/extra", "/fullname", "/password", "/password", "/username"]);
  expect(JSON.stringify([problem.message, problem.members])).not.toContain('"sssss"');
});

test("a stored password stays valid, also one that would be refused now", async () => {
  const createdAt = "2026-01-01T00:00:00.000Z";
  for (const [username, password] of Object.entries({ short: "Short 1", printed: "Correct-Horse-7-Battery" })) {
    const id = world.service.runtime.newId();
    await writePerson(world.table, { username, id, roles: [], createdAt, password });
    expect(await canLogin(username, password)).toBe("none");
  }
});

describe("user_change_password", () => {
  test("sets another password, and ends every token at once", async () => {
    const { username } = await aUser();
    const token = await signIn(username);
    const answer = await world.ok("auth/user_change_password", { username, password: OTHER });
    expect(answer.body).toMatchObject({ key: username, changed: true });
    expect(await canCall(token)).toBe("not_signed_in");
    expect(await canLogin(username)).toBe("not_signed_in");
    expect(await canCall(await signIn(username, OTHER))).toBe("none");
  });

  test("refuses a weak password, and the username as password, and repeats neither", async () => {
    const username = "grace-hopper-1906";
    await world.ok("auth/user_create", { username, fullname: "Grace", password: PASSWORD, admin: false });
    for (const password of ["short", "Grace-Hopper-1906"]) {
      const problem = await world.refused("auth/user_change_password", { username, password });
      expectFaults(problem, ...Array(problem.members.errors?.length).fill("/password"));
      expect(JSON.stringify([problem.message, problem.members])).not.toContain(password);
    }
    expect(await canLogin(username)).toBe("none");
  });
});

describe("change_my_password", () => {
  const change = (token: string, oldPassword: string, newPassword: string) =>
    codeOf(world.answer("auth/change_my_password", { oldPassword, newPassword }, token));

  test("changes the password with the old one, and ends the user's tokens", async () => {
    const { username } = await aUser();
    const token = await signIn(username);
    const passwords = { oldPassword: PASSWORD, newPassword: OTHER };
    const answer = await world.okAs(token, "auth/change_my_password", passwords);
    const revision = Number((await world.ok("auth/role_list")).etag?.slice("identity-".length));
    expectWritten(answer, { key: username, modelId: "identity", revision });
    expect(await canCall(token)).toBe("not_signed_in");
    expect(await canLogin(username, OTHER)).toBe("none");
  });

  test("refuses a wrong old password and a weak new one, and delays the caller after several wrong ones", async () => {
    const { username } = await aUser();
    const token = await signIn(username);
    expect(await change(token, PASSWORD, "weak")).toBe("bad_parameters");
    const codes: string[] = [];
    // On a busy machine the first delays are over before the next call.
    while (codes.at(-1) !== "throttled" && codes.length < 20)
      codes.push(await change(token, OTHER, "Yet another 3 horses"));
    expect(codes.length).toBeGreaterThanOrEqual(7);
    expect(codes).toEqual([...Array(codes.length - 1).fill("wrong_password"), "throttled"]);
    expect(await canCall(token)).toBe("none");
  });

  test("succeeds for one of two concurrent calls", async () => {
    const { username } = await aUser();
    const token = await signIn(username);
    const news = ["First new horse 1", "Second new horse 2"];
    const codes = await Promise.all(news.map((password) => change(token, PASSWORD, password)));
    expect(codes.filter((code) => code === "none")).toHaveLength(1);
    expect(await canLogin(username, news[codes.indexOf("none")] ?? "")).toBe("none");
  });
});

test("user_disable and user_enable refuse a user at once, with every token, and permit sign-in again", async () => {
  const { username } = await aUser();
  const token = await signIn(username);
  await world.ok("auth/user_disable", { username });
  expect(await canCall(token)).toBe("actor_disabled");
  expect(await canLogin(username)).toBe("not_signed_in");
  expect((await row(username)).disabledDate).toEqual(expect.any(String));
  expect((await world.ok("auth/user_disable", { username })).body.changed).toBe(false);
  await world.ok("auth/user_enable", { username });
  expect(await row(username)).not.toHaveProperty("disabledDate");
  // A token that was signed before the user was disabled stays useless.
  expect(await canCall(token)).toBe("not_signed_in");
  expect(await canCall(await signIn(username))).toBe("none");
  expect((await world.ok("auth/user_enable", { username })).body.changed).toBe(false);
});

test("user_delete removes user, actor and password; a new user of the name cannot use the old tokens", async () => {
  const { username } = await aUser(true);
  const token = await signIn(username);
  const actors = async () => (await world.read("auth/actor_list")).items.map((actor: Body) => actor.subject);
  await world.ok("auth/user_delete", { username });
  expect(await canCall(token)).toBe("not_signed_in");
  expect(await canLogin(username)).toBe("not_signed_in");
  expect(await actors()).not.toContain(username);
  await world.ok("auth/user_create", { username, fullname: "New One", password: OTHER, admin: false });
  expect(await canCall(token)).toBe("not_signed_in");
  expect((await world.okAs(await signIn(username, OTHER), "auth/whoami")).body.permissions).toEqual([]);
});

test("no batch changes accounts and permissions", async () => {
  const actions = [{ group: "auth", action: "user_delete", payload: { username: "reader" } }];
  const problem = await world.refused("batch/batch_run", { actions });
  expect(problem.message).toContain("accounts and roles are changed by separate calls");
  expect(await row("reader")).toBeDefined();
});
