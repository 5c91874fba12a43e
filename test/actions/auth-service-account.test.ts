import { beforeEach, describe, expect, test } from "vitest";
import { BUILT_IN } from "../../shared/domain/permissions.ts";
import { checkAccounts } from "../../shared/store/fsck/check-accounts.ts";
import { PASSWORD } from "../support/accounts.ts";
import { person } from "../support/someone.ts";
import type { Body } from "../support/world.ts";
import { entries } from "./support/audit-entries.ts";
import { expectProblem, findActor, NO_ID, newKey, useWorld } from "./support/checked-world.ts";

const world = useWorld();

async function made(payload: object = {}) {
  const key = newKey("robot");
  const { id } = (await world.ok("auth/service_account_create", { key, name: "Robot 2", ...payload })).body;
  return { id: String(id), key, ref: `key:${key}` };
}
type Account = Awaited<ReturnType<typeof made>>;

const tokenOf = async ({ id }: Account, payload: object = {}): Promise<Body> =>
  (await world.ok("auth/token_create", { name: "Nightly", actorId: id, ...payload })).body;

const row = async ({ key }: Account): Promise<Body> =>
  (await world.read("auth/service_account_list")).items.find((one: Body) => one.key === key);

describe("a service account", () => {
  let robot: Account;
  beforeEach(async () => {
    robot = await made();
  });

  test("is an actor of the built-in issuer without roles, user or password", async () => {
    const actor = await world.read("auth/actor_get", { actorId: robot.id });
    const subject = `service:${robot.key}`;
    expect(actor).toMatchObject({ issuer: BUILT_IN, subject, fullname: "Robot 2", roles: [], permissions: [] });
    const listed = (await world.read("auth/service_account_list")).items.map((one: Body) => one.id);
    const { items: actors } = await world.read("auth/actor_list");
    const services = actors.filter((one: Body) => one.subject.startsWith("service:"));
    expect(listed.toSorted()).toEqual(services.map((one: Body) => one.id).toSorted());
    expect((await world.read("auth/user_list")).items.map((one: Body) => one.username)).not.toContain(subject);
    const { id, key } = robot;
    expect(await row(robot)).toEqual({ id, key, name: "Robot 2", roles: [], createdAt: actor.createdAt });
    const login = await world.problem("auth/login", { username: subject, password: PASSWORD }, undefined);
    expect(login.code).toBe("not_signed_in");
  });

  test("calls with a token that an administrator created, with the permissions of its roles, and is the actor of its changes", async () => {
    const { token, id: apiToken } = await tokenOf(robot);
    expect((await world.problem("model/model_list", {}, token)).code).toBe("not_allowed");
    await world.ok("auth/actor_add_role", { actorId: robot.id, roleRef: "key:manager" });
    const { body: before } = await world.okAs(token, "auth/whoami");
    expect(before).toMatchObject({ sub: `service:${robot.key}`, permissions: [] });
    const { token: able, id: second } = await tokenOf(robot);
    const key = newKey("made");
    await world.okAs(able, "model/model_create", { key, name: "Made" });
    await world.okAs(able, "model/entity_create", { modelRef: `key:${key}`, entityKey: "order" });
    const who = { actor: robot.id, actorName: "Robot 2", apiToken: second, apiTokenName: "Nightly" };
    for (const action of ["model/history_versions", "model/history_version_changes"]) {
      const { items } = await world.read(action, { modelRef: `key:${key}`, expand: "keys" });
      expect(items, action).toMatchObject([who]);
    }
    await world.okAs(able, "auth/token_revoke", { tokenId: second });
    const [revoked] = await entries(world, { actorId: robot.id, act: "auth/token_revoke" });
    expect(revoked).toMatchObject({ actor: { id: robot.id, subject: `service:${robot.key}` }, apiToken: second });
    expect((await world.problem("auth/whoami", {}, able)).code).toBe("not_signed_in");
    await world.okAs(token, "auth/token_revoke", { tokenId: apiToken });
  });

  test("gets the named roles, and refuses a role that does not exist", async () => {
    const reader = await made({ roleRefs: ["key:reader", "key:reader"] });
    const { roles } = await world.read("auth/actor_get", { actorId: reader.id });
    expect(roles).toHaveLength(1);
    const lacking = { key: newKey("robot"), name: "R", roleRefs: ["key:no_such"] };
    expect(await world.refused("auth/service_account_create", lacking)).toMatchObject({ code: "not_found" });
  });

  test("is listed without a deleted role, as it is read alone", async () => {
    const key = newKey("role");
    const { id } = (await world.ok("auth/role_create", { key, name: "Role" })).body;
    const reader = await made({ roleRefs: [`key:${key}`] });
    expect((await row(reader)).roles).toEqual([id]);
    await world.ok("auth/role_delete", { roleRef: `key:${key}` });
    expect((await row(reader)).roles).toEqual([]);
    expect((await world.read("auth/actor_get", { actorId: reader.id })).roles).toEqual([]);
  });

  test("has a key that a user may have as a name", async () => {
    const payload = { key: robot.key, name: "Another" };
    const again = await world.writesNothing(() => world.refused("auth/service_account_create", payload));
    expectProblem(again, "key_taken", `key ${robot.key} is already used by another service account`);
    await made({ key: "robot" });
    await world.ok("auth/user_create", { username: "robot", fullname: "Robot", password: PASSWORD, admin: false });
  });

  test("is renamed, by key and by id", async () => {
    const rename = (serviceAccountRef: string, name: string) =>
      world.ok("auth/service_account_update", { serviceAccountRef, name });
    await rename(robot.ref, "First");
    const { body } = await rename(`id:${robot.id}`, "2nd");
    expect(body).toMatchObject({ id: robot.id, key: robot.key, changed: true });
    expect((await row(robot)).name).toBe("2nd");
  });

  test("is disabled with its tokens, and enabled without them", async () => {
    const { token } = await tokenOf(robot);
    await world.ok("auth/service_account_disable", { serviceAccountRef: robot.ref });
    expect((await world.problem("auth/whoami", {}, token)).code).toBe("not_signed_in");
    expect((await row(robot)).disabledAt).toEqual(expect.any(String));
    const refused = await world.refused("auth/token_create", { name: "T", actorId: robot.id });
    expect(refused).toMatchObject({ code: "bad_parameters", members: { errors: [{ pointer: "/actorRef" }] } });
    expect((await world.ok("auth/service_account_disable", { serviceAccountRef: robot.ref })).body.changed).toBe(false);
    await world.ok("auth/actor_enable", { actorId: robot.id });
    expect((await world.problem("auth/whoami", {}, token)).code).toBe("not_signed_in");
    expect((await world.okAs((await tokenOf(robot)).token, "auth/whoami")).body.sub).toBe(`service:${robot.key}`);
  });

  test("is deleted with its tokens, and its key is free", async () => {
    const { token } = await tokenOf(robot);
    await world.ok("auth/service_account_delete", { serviceAccountRef: robot.ref });
    expect((await world.problem("auth/whoami", {}, token)).code).toBe("not_signed_in");
    expect(await row(robot)).toBeUndefined();
    const { id } = await made({ key: robot.key });
    expect(id).not.toBe(robot.id);
    expect((await world.problem("auth/whoami", {}, token)).code).toBe("not_signed_in");
  });

  test.each([
    ["update", { name: "Another" }],
    ["disable", {}],
    ["delete", {}],
  ])("is not found by a ref to a user: %s", async (verb, more) => {
    const ada = await person(world, "reader");
    for (const serviceAccountRef of [`id:${ada.id}`, `key:${ada.username}`, `id:${NO_ID}`]) {
      const call = () => world.refused(`auth/service_account_${verb}`, { serviceAccountRef, ...more });
      const problem = await world.writesNothing(call);
      expect([problem.code, problem.message]).toEqual(["not_found", `no service account ${serviceAccountRef}`]);
    }
  });

  test("passes the checks of fsck", async () => {
    const findings = async () => (await checkAccounts(world.table, world.service.runtime)).violations;
    const before = await findings();
    await tokenOf(robot, { models: ["crm*"] });
    const other = await made({ roleRefs: ["key:reader"] });
    await world.ok("auth/service_account_disable", { serviceAccountRef: other.ref });
    await world.ok("auth/actor_enable", { actorId: other.id });
    await world.ok("auth/service_account_delete", { serviceAccountRef: (await made()).ref });
    // The world of these tests begins without the mark of a bootstrap.
    expect(before.map(({ code }) => code)).toEqual(["bootstrap-mark"]);
    expect(await findings()).toEqual(before);
  });
});

test("a service account with all permissions is not a remaining administrator", async () => {
  await world.renew();
  await made({ roleRefs: ["key:admin"] });
  const given = { actorId: (await findActor(world.read, "admin")).id, roleRef: "key:admin" };
  expect(await world.refused("auth/actor_delete_role", given)).toMatchObject({ code: "last_administrator" });
});
