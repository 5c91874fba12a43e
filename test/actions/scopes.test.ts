import { beforeAll, describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { type Someone, someone, someoneOn } from "../support/someone.ts";
import { type Body, codeOf } from "../support/world.ts";
import { expectFaults, expectProblem, NO_ID, newKey, readPages, useWorld } from "./support/checked-world.ts";
import { aModel, anEntity, exampleModel, type Made } from "./support/models.ts";

const world = useWorld();

/** A person who is manager of the models `crm*` and reader of `shared_*`. */
let ada: Someone;
let crm: Made;
let shared: Made;
let hidden: Made;

beforeAll(async () => {
  ada = await someoneOn(world, "ada", { role: "manager", models: "crm*" }, { role: "reader", models: "shared_*" });
  crm = (await exampleModel(world, "crm")).model;
  shared = await aModel(world, "shared_terms");
  hidden = await aModel(world, "hidden");
  await anEntity(world, shared, "term");
  await anEntity(world, hidden, "customer");
});

const asAda = (action: string, payload: object = {}) => world.okAs(ada.token, action, payload);
const refused = (action: string, payload: object = {}) => world.problem(action, payload, ada.token);
const keys = (items: readonly Body[]): string[] => items.map(({ key }) => key);

describe("a role for some models only", () => {
  test("permits to work on these models and to read others, and hides the rest", async () => {
    await asAda("model/entity_create", { modelRef: crm.ref, entityKey: newKey("entity") });
    await asAda("model/entity_get", { modelRef: shared.ref, entityRef: "key:term" });
    const write = await refused("model/entity_create", { modelRef: shared.ref, entityKey: "new" });
    expectProblem(write, "not_allowed", "model_write on the model shared_terms");
    for (const ref of [hidden.ref, hidden.byId]) {
      const unseen = await refused("model/entity_get", { modelRef: ref, entityRef: "key:customer" });
      const unmade = await refused("model/entity_get", { modelRef: "key:no_such", entityRef: "key:customer" });
      expect(unseen.code).toBe("not_found");
      expect(unseen.message.replace(ref, "")).toBe(unmade.message.replace("key:no_such", ""));
      expect(unseen.members).toEqual(unmade.members);
    }
  });

  test("limits lists to these models, in pages, searches and tags too", async () => {
    const all = keys((await asAda("model/model_list")).body);
    expect(all).toContain("crm");
    expect(all).toContain("shared_terms");
    expect(all).not.toContain("hidden");
    const pages = await readPages((after) => asAda("model/model_list", { limit: 1, ...after }));
    expect(pages.map(({ body }) => keys(body))).toEqual(all.map((key) => [key]));

    const filters = { items: [{ type: "text", condition: "contains", value: "customer" }] };
    const places = JSON.stringify((await asAda("model/search", { filters })).body);
    expect(places).toContain(crm.id);
    expect(places).not.toContain(hidden.id);

    await world.ok("tag/tag_local_create", { modelRef: hidden.ref, key: "secret-tag" });
    const tags = keys((await asAda("tag/tag_search")).body.items);
    expect(tags).toContain("draft");
    expect(tags).not.toContain("secret-tag");
    const items = [{ type: "scopeRef", condition: "is", value: { type: "model", id: hidden.id } }];
    expect((await refused("tag/tag_search", { filters: { items } })).code).toBe("not_found");
  });

  test("applies to the old key and to the new one", async () => {
    const { body } = await asAda("model/model_create", { key: "crm_new", name: "New" });
    const modelRef = `id:${body.id}`;
    const expectKept = async (action: string, payload: object) => {
      const problem = await world.writesNothing(() => refused(action, payload));
      expect(problem, action).toMatchObject({ code: "not_allowed" });
      expect(problem.message).toContain("on the model elsewhere");
    };
    await expectKept("model/model_create", { key: "elsewhere", name: "New" });
    await expectKept("model/model_update_key", { modelRef, value: "elsewhere" });
    await expectKept("model/model_copy", { modelRef, modelNewKey: "elsewhere" });
    await expectKept("model/import", { modelKey: "elsewhere", content: { name: "t", fields: [] } });
    const copy = { modelRef: shared.ref, modelNewKey: "crm_copied" };
    expect((await refused("model/model_copy", copy)).code).toBe("not_allowed");
    await asAda("model/model_copy", { modelRef, modelNewKey: "crm_copied" });
    await asAda("model/model_update_key", { modelRef, value: "crm_renamed" });
    // An administrator who gives the model another key takes it out of the caller's reach.
    await world.ok("model/model_update_key", { modelRef, value: "gone" });
    expect((await refused("model/model_get", { modelRef })).code).toBe("not_found");
  });

  test("gives no permission without a model, even if the role has it", async () => {
    const all = await someoneOn(world, "scoped-admin", { role: "admin", models: "*" });
    const { body } = await world.okAs(all.token, "auth/whoami");
    expect(body).toMatchObject({ admin: false, permissions: [] });
    expect(body.scopes[0].permissions).not.toContain("admin");
    expect(body.scopes[0].permissions).toContain("model_delete");
    expect((await world.problem("tag/tag_group_create", { key: "g", name: "G" }, all.token)).code).toBe("not_allowed");
    expect((await world.problem("auth/role_list", {}, all.token)).code).toBe("not_allowed");
    await world.okAs(all.token, "model/model_get", { modelRef: hidden.ref });
  });

  test("ends at once, also for recorded answers", async () => {
    const bob = await someoneOn(world, "bob", { role: "manager", models: "crm" });
    const payload = { modelRef: crm.ref, entityKey: newKey("entity") };
    const again = () => world.answer("model/entity_create", payload, bob.token, { idempotencyKey: "bob-1" });
    await again();
    expect(await again()).toMatchObject({ replayed: true });
    const role = { actorId: bob.id, roleRef: "key:manager", models: "crm" };
    await world.ok("auth/actor_delete_role", role);
    await expect(again()).rejects.toMatchObject({ code: "not_allowed" });
    expect((await world.ok("auth/actor_delete_role", role)).body.changed).toBe(false);
  });
});

describe("a role for one model", () => {
  const opens = async (caller: string, modelRef: string): Promise<string> =>
    codeOf(world.answer("model/model_get", { modelRef }, caller));

  test("by key applies to the model that has that exact key now, which is not read as a pattern", async () => {
    const star = await aModel(world, "one*");
    const other = await aModel(world, "one_more");
    const fred = await someoneOn(world, "fred", { role: "manager", models: "key:one*" });
    for (const ref of [star.ref, star.byId]) expect(await opens(fred.token, ref)).toBe("none");
    for (const ref of [other.ref, other.byId]) expect(await opens(fred.token, ref)).toBe("not_found");
    expect(keys((await world.okAs(fred.token, "model/model_list")).body)).toEqual(["one*"]);
    // The role is given for the key alone: a manager may not change the key, nor reach the model under another.
    const taken = { modelRef: star.ref, value: "one_else" };
    expect((await world.problem("model/model_update_key", taken, fred.token)).code).toBe("not_allowed");
    await world.ok("model/model_update_key", taken);
    expect(await opens(fred.token, star.byId)).toBe("not_found");
  });

  test("by id applies to that model, whatever its key, and permits no creation", async () => {
    const mine = await aModel(world, newKey("mine"));
    const models = `id:${mine.id}`;
    const gina = await someoneOn(world, "gina", { role: "manager", models });
    expect((await world.okAs(gina.token, "auth/whoami")).body.scopes).toMatchObject([{ models }]);
    for (const ref of [mine.ref, mine.byId]) expect(await opens(gina.token, ref)).toBe("none");
    expect(keys((await world.okAs(gina.token, "model/model_list")).body)).toHaveLength(1);
    const value = newKey("renamed");
    await world.ok("model/model_update_key", { modelRef: mine.ref, value });
    await anEntity(world, { ...mine, ref: `key:${value}` }, "inside");
    await world.okAs(gina.token, "model/entity_get", { modelRef: `key:${value}`, entityRef: "key:inside" });
    const actions = ["model/entity_create", "model/model_get"];
    const asked = { actions, models: [`key:${value}`, mine.byId, mine.ref, hidden.ref, hidden.byId] };
    const { items } = (await world.okAs(gina.token, "auth/can", asked)).body;
    const ofEach = [true, true, false, false, false];
    expect(items.map(({ allowed }: Body) => allowed)).toEqual([...ofEach, ...ofEach]);
    // A new model under the former key is another model, which the scope by id does not open.
    await aModel(world, mine.key);
    expect(await opens(gina.token, mine.ref)).toBe("not_found");
    const create = { key: newKey("second"), name: "Second" };
    expect((await world.problem("model/model_create", create, gina.token)).code).toBe("not_allowed");
    const entry = { group: "model", action: "entity_create", payload: { modelRef: mine.byId, entityKey: "batched" } };
    await world.okAs(gina.token, "batch/batch_run", { actions: [entry] });
  });
});

describe("permissions on a model by id do not include the keys of other models", () => {
  /** Everything that a caller sees of an attempt to give the model a key: the answer without the key, and what was written. */
  async function tryKey(caller: string, modelRef: string, value: string, dryRun: boolean, inBatch: boolean) {
    const payload = { modelRef, value };
    const entry = { group: "model", action: "model_update_key", payload };
    const problem = await world.writesNothing(() =>
      inBatch
        ? world.problem("batch/batch_run", { actions: [entry] }, caller, { dryRun })
        : world.problem("model/model_update_key", payload, caller, { dryRun }),
    );
    return { code: problem.code, message: problem.message.replaceAll(value, "K"), members: problem.members };
  }

  test("a hidden and a free key get the same refusal, with a role and a token, in a call, a dry run and a batch", async () => {
    const mine = await aModel(world, newKey("mine"));
    const models = `id:${mine.id}`;
    const ivan = await someoneOn(world, "ivan", { role: "manager", models });
    const token = (await world.ok("auth/token_create", { name: "T", models: [models] })).body.token;
    for (const caller of [ivan.token, token]) {
      for (const dryRun of [false, true]) {
        for (const inBatch of [false, true]) {
          const refusal = await tryKey(caller, mine.byId, hidden.key, dryRun, inBatch);
          expectProblem(refusal, "not_allowed", "by its id do not include another key");
          expect(await tryKey(caller, mine.byId, newKey("free"), dryRun, inBatch)).toEqual(refusal);
        }
      }
      // Its present key is no other one.
      await world.okAs(caller, "model/model_update_key", { modelRef: mine.byId, value: mine.key });
    }
  });

  test("a restore of a state with another key is refused too", async () => {
    const mine = await aModel(world, newKey("first"));
    const judy = await someoneOn(world, "judy", { role: "manager", models: `id:${mine.id}` });
    await world.ok("model/model_update_key", { modelRef: mine.byId, value: newKey("second") });
    const restore = { modelRef: mine.byId, revision: 1 };
    const free = await world.problem("model/model_restore", restore, judy.token);
    expect(free).toMatchObject({ code: "not_allowed" });
    await aModel(world, mine.key);
    expect(await world.problem("model/model_restore", restore, judy.token)).toEqual(free);
  });

  test("a pattern in the same grant permits the keys that match it", async () => {
    const mine = await aModel(world, newKey("mine"));
    const models = `id:${mine.id}`;
    const pattern = "kim_*";
    const both = [models, pattern].map((one) => ({ role: "manager", models: one }));
    const kim = await someoneOn(world, "kim", ...both);
    const { token } = (await world.ok("auth/token_create", { name: "T", models: [models, pattern] })).body;
    // Reading is not enough.
    const lea = await someoneOn(world, "lea", { role: "manager", models }, { role: "reader", models: pattern });
    for (const [caller, value] of [
      [kim.token, "kim_one"],
      [token, "kim_two"],
    ] as const) {
      const elsewhere = { modelRef: mine.byId, value: newKey("elsewhere") };
      expect((await world.problem("model/model_update_key", elsewhere, caller)).code).toBe("not_allowed");
      await world.okAs(caller, "model/model_update_key", { modelRef: mine.byId, value });
    }
    const fits = { modelRef: mine.byId, value: "kim_three" };
    expect((await world.problem("model/model_update_key", fits, lea.token)).code).toBe("not_allowed");
  });
});

describe("actor_add_role with models", () => {
  test("warns if the actor has the same permissions on all models already", async () => {
    const henry = await someone(world, "henry");
    const give = async (roleRef: string, models?: string): Promise<readonly Body[] | undefined> =>
      (await world.ok("auth/actor_add_role", { actorId: henry.id, roleRef, models })).body.warnings;
    expect(await give("key:reader", "crm*")).toBeUndefined();
    expect(await give("key:reader")).toBeUndefined();
    const [read, ...others] = (await give("key:manager", "id:" + crm.id)) ?? [];
    expect(others).toEqual([]);
    expect(read).toEqual({
      pointer: "/models",
      detail: `id:${crm.id} does not limit model_read: the role reader gives it for every model; remove that role from the actor to limit it`,
    });
    // The warning comes also where the call changes nothing, and in a dry run.
    const again = { actorId: henry.id, roleRef: "key:manager", models: `id:${crm.id}` };
    for (const controls of [{}, { dryRun: true }]) {
      const { body } = await world.ok("auth/actor_add_role", again, controls);
      expect(body).toMatchObject({ changed: false, warnings: [read] });
    }
    await world.ok("auth/actor_delete_role", { actorId: henry.id, roleRef: "key:reader" });
    expect(await give("key:manager", "crm*")).toBeUndefined();
    await give("key:admin");
    expect((await give("key:reader", "x*"))?.[0]?.detail).toContain("x* does not limit model_read: the role admin");
  });

  test("stores each pair of role and pattern once, beside the roles for all models", async () => {
    const carl = await someone(world, "carl");
    const give = (models?: string) =>
      world.ok("auth/actor_add_role", { actorId: carl.id, roleRef: "key:reader", models });
    await give("a*");
    await give("b*");
    expect((await give("a*")).body.changed).toBe(false);
    await give();
    const { id } = (await world.read("auth/role_get", { roleRef: "key:reader" })).role;
    const one = () => world.read("auth/actor_get", { actorId: carl.id });
    const pairs = ["a*", "b*"].map((models) => ({ role: id, models }));
    expect(await one()).toMatchObject({ roles: [id], scopedRoles: pairs });
    await world.ok("auth/actor_delete_role", { actorId: carl.id, roleRef: "key:reader" });
    expect(await one()).toMatchObject({ roles: [], scopedRoles: pairs });
    await world.ok("auth/actor_delete_role", { actorId: carl.id, roleRef: "key:reader", models: "a*" });
    expect(await one()).toMatchObject({ scopedRoles: [{ role: id, models: "b*" }] });
  });

  test("accepts only patterns and refs, and an id only of a model that exists", async () => {
    const role = { actorId: ada.id, roleRef: "key:reader" };
    const gone = await world.writesNothing(() =>
      world.refused("auth/actor_add_role", { ...role, models: `id:${NO_ID}` }),
    );
    expect([gone.code, gone.message]).toEqual(["not_found", `no model id:${NO_ID}`]);
    for (const models of ["a\\", "a\\b", "key:", "id:crm"])
      expectFaults(await world.refused("auth/actor_add_role", { ...role, models }), "/models");
  });

  test("adds at most scopedRoles roles", async () => {
    const role = { actorId: (await someone(world, "dora")).id, roleRef: "key:reader" };
    for (let i = 0; i < LIMITS.scopedRoles; i++) await world.ok("auth/actor_add_role", { ...role, models: `m${i}` });
    expect((await world.refused("auth/actor_add_role", { ...role, models: "one more" })).code).toBe("too_large");
    await world.ok("auth/actor_add_role", role);
  });
});

describe("can", () => {
  const actions = ["model/entity_create", "model/entity_get", "model/model_create", "auth/role_list", "auth/whoami"];
  const asked = async (payload: object, caller = ada.token): Promise<readonly Body[]> =>
    (await world.okAs(caller, "auth/can", payload)).body.items;

  test("answers for which models an action is permitted", async () => {
    expect(await asked({ actions })).toEqual([
      { action: "model/entity_create", allowed: false, models: ["crm*"] },
      { action: "model/entity_get", allowed: false, models: ["crm*", "shared_*"] },
      { action: "model/model_create", allowed: false, models: ["crm*"] },
      { action: "auth/role_list", allowed: false },
      { action: "auth/whoami", allowed: true },
    ]);
    expect((await asked({ actions }, world.people.admin)).every(({ allowed }) => allowed)).toBe(true);
  });

  test("answers for models that exist, do not exist, and are hidden", async () => {
    const models = [crm.byId, shared.ref, hidden.byId, "key:crm_later", "key:other"];
    const rows = await asked({ actions: actions.slice(0, 3), models });
    expect(rows).toHaveLength(15);
    expect(rows.filter(({ allowed }) => allowed).map(({ action, model }) => `${action} ${model}`)).toEqual([
      `model/entity_create ${crm.byId}`,
      "model/entity_create key:crm_later",
      `model/entity_get ${crm.byId}`,
      "model/entity_get key:shared_terms",
      "model/entity_get key:crm_later",
      `model/model_create ${crm.byId}`,
      "model/model_create key:crm_later",
    ]);
  });

  test("refuses unknown actions", async () => {
    expect((await refused("auth/can", { actions: ["model/no_such"] })).code).toBe("unknown_action");
    expectFaults(await refused("auth/can", { actions: ["entity_create"] }), "/actions/0");
  });
});
