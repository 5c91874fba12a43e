import { beforeAll, describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { person, type Someone, someone, someoneOn } from "../support/someone.ts";
import { type Body, codeOf } from "../support/world.ts";
import { expectFaults, expectProblem, NO_ID, newKey, useWorld } from "./support/checked-world.ts";
import { aModel, anEntity, type Made } from "./support/models.ts";

const world = useWorld();

let ada: Someone;
let crm: Made;
let shop: Made;

beforeAll(async () => {
  ada = await person(world, "manager");
  crm = await aModel(world, "crm");
  shop = await aModel(world, "shop");
  await anEntity(world, crm, "customer");
  await anEntity(world, shop, "customer");
});

const tokenFor = async (owner: Someone, payload: object): Promise<string> =>
  (await world.okAs(owner.token, "auth/token_create", { name: "T", ...payload })).body.token;

const codes = async (token: string, calls: readonly (readonly [string, object])[]): Promise<readonly string[]> => {
  const all: string[] = [];
  for (const [action, payload] of calls) all.push(await codeOf(world.answer(action, payload, token)));
  return all;
};

describe("an API token for some models", () => {
  test("states its models in its answer, in lists and in whoami", async () => {
    const models = ["crm*", `id:${shop.id}`];
    const made = (await world.okAs(ada.token, "auth/token_create", { name: "T", models: [...models, "crm*"] })).body;
    expect(made.models).toEqual(models);
    const { items } = (await world.okAs(ada.token, "auth/token_list")).body;
    expect(items.find(({ id }: Body) => id === made.id).models).toEqual(models);
    const own = (await world.okAs(made.token, "auth/whoami")).body;
    expect(own).toMatchObject({ permissions: [], admin: false, within: models });
    expect(own.scopes.map((scope: Body) => scope.models)).toEqual(models);
    const actions = ["model/model_get", "tag/tag_group_create", "config/inspect_actions"];
    expect((await world.okAs(made.token, "auth/can", { actions })).body.items).toEqual([
      { action: "model/model_get", allowed: false, models, within: models },
      { action: "tag/tag_group_create", allowed: false },
      { action: "config/inspect_actions", allowed: true },
    ]);
  });

  test("works on these only, and finds no other model", async () => {
    const token = await tokenFor(ada, { models: ["crm*"] });
    const on = (model: Made) => ({ modelRef: model.byId });
    const outcomes = await codes(token, [
      ["model/entity_create", { ...on(crm), entityKey: newKey("entity") }],
      ["model/entity_create", { ...on(shop), entityKey: newKey("entity") }],
      ["model/model_get", on(shop)],
      ["model/model_create", { key: newKey("crm"), name: "C" }],
      ["model/model_create", { key: newKey("erp"), name: "E" }],
      ["model/model_update_key", { ...on(crm), value: "erp" }],
      ["tag/tag_group_create", { key: newKey("group") }],
      ["auth/user_list", {}],
    ]);
    const refused = Array(4).fill("not_allowed");
    expect(outcomes).toEqual(["none", "not_found", "not_found", "none", ...refused]);
    const { body: listed } = await world.okAs(token, "model/model_list");
    const rows: readonly Body[] = listed.items ?? listed;
    expect(rows.every(({ key }) => key.startsWith("crm"))).toBe(true);
    expect(rows.length).toBeGreaterThan(0);
    const found = (await world.okAs(token, "model/search", { filters: { operator: "and", items: [] } })).body.items;
    expect(JSON.stringify(found)).not.toContain(shop.id);
  });

  test("applies and imports into these only", async () => {
    const content = (key: string): object => ({
      ...{ $schema: "urn:metaction:model:1", key, name: "N", version: "1.0.0", authority: "system" },
      ...{ types: [], entities: [], tags: [], tagGroups: [], localTags: [] },
    });
    const [newCrm, newErp] = [newKey("crm"), newKey("erp")];
    const outcomes = await codes(await tokenFor(ada, { models: ["crm*"] }), [
      ["model/import", { content: content(newKey("crm")) }],
      ["model/import", { content: content(newKey("erp")) }],
      ["model/model_apply", { modelKey: newCrm, create: true, content: content(newCrm) }],
      ["model/model_apply", { modelKey: newErp, create: true, content: content(newErp) }],
      ["model/model_apply", { modelRef: crm.ref, content: content("crm") }],
      ["model/model_apply", { modelRef: shop.ref, content: content("shop") }],
    ]);
    expect(outcomes).toEqual(["none", "not_allowed", "none", "not_allowed", "none", "not_found"]);
  });

  test("gives a permission only where its actor has it too", async () => {
    const eve = await someoneOn(world, "eve", { role: "manager", models: "shop" });
    const token = await tokenFor(eve, { models: ["crm*", "sh*"] });
    const outcomes = await codes(token, [
      ["model/entity_create", { modelRef: shop.ref, entityKey: newKey("entity") }],
      ["model/entity_create", { modelRef: crm.ref, entityKey: newKey("entity") }],
    ]);
    expect(outcomes).toEqual(["none", "not_found"]);
    const asked = { actions: ["model/entity_create"], models: [shop.ref, crm.ref] };
    const { items } = (await world.okAs(token, "auth/can", asked)).body;
    expect(items.map(({ allowed }: Body) => allowed)).toEqual([true, false]);
    expect((await world.okAs(token, "auth/can", { actions: asked.actions })).body.items).toEqual([
      { action: "model/entity_create", allowed: false, models: ["sh*"], within: ["crm*", "sh*"] },
    ]);
  });

  test("shows its own bounds, not the other models and tokens of its actor", async () => {
    const bluebird = await aModel(world, "project-bluebird-merger");
    const reads = { role: "reader", models: "c*" };
    const owner = await someoneOn(world, newKey("owner"), { role: "manager", models: bluebird.ref }, reads);
    await tokenFor(owner, { name: "Due diligence of bluebird", models: [bluebird.ref] });
    const asked = { actions: ["model/model_get", "model/entity_create"] };
    for (const models of ["crm*", `id:${crm.id}`, crm.ref]) {
      const bounded = { name: "Bounded", models: [models] };
      const { token, permissions } = (await world.okAs(owner.token, "auth/token_create", bounded)).body;
      expect(permissions).toEqual(["model_read"]);
      const answers = [
        await world.okAs(token, "auth/whoami"),
        await world.okAs(token, "auth/can", asked),
        await world.okAs(token, "auth/token_list"),
        await world.okAs(token, "auth/token_list", { limit: 1 }),
      ].map(({ body }) => body);
      expect(JSON.stringify(answers)).not.toContain("bluebird");
      expect(answers[0]).toMatchObject({ scopes: [{ models, permissions: ["model_read"] }], within: [models] });
      expect(answers[1].items).toEqual([
        { action: "model/model_get", allowed: false, models: [models], within: [models] },
        { action: "model/entity_create", allowed: false },
      ]);
      for (const list of answers.slice(2)) expect(list.items).toMatchObject([{ name: "Bounded", permissions }]);
    }
    // A token without bounds sees the tokens of its actor.
    expect((await world.okAs(await tokenFor(owner, {}), "auth/token_list")).body.items).toHaveLength(5);
  });

  test("permits nothing that concerns no model, for any actor, and lists no such permission", async () => {
    const owner = await person(world, "admin");
    const created = async (payload: object): Promise<Body> =>
      (await world.okAs(owner.token, "auth/token_create", { name: "T", ...payload })).body;
    const most = ["model_copy", "model_create_manual", "model_delete", "model_import", "model_release"];
    const all = await created({ models: ["*"] });
    expect(all.permissions).toEqual([...most, "model_update_authority", "tag_local_manage"]);
    const some = await created({
      models: ["crm*"],
      permissions: ["model_write", "property_manage", "tag_group_manage"],
    });
    const none = await created({ models: [crm.byId], permissions: ["property_manage"] });
    expect([some.permissions, none.permissions]).toEqual([["model_write"], []]);
    const listed = async () =>
      (await world.ok("auth/token_list", { actorId: owner.id })).body.items.map((row: Body) => row.permissions);
    expect(await listed()).toEqual([all.permissions, ["model_write"], []]);
    const [{ permissions: held }] = (await world.okAs(all.token, "auth/whoami")).body.scopes;
    expect(held).toEqual([...all.permissions, "model_read", "model_write"].sort());
    await world.ok("auth/actor_add_role", { actorId: owner.id, roleRef: "key:reader", models: "crm*" });
    const outcomes = await codes(all.token, [
      ["auth/actor_list", {}],
      ["auth/token_list", { all: true }],
      ["tag/tag_group_create", { key: newKey("group") }],
      ["model/model_list", {}],
    ]);
    expect(outcomes).toEqual(["not_allowed", "not_allowed", "not_allowed", "none"]);
    await world.ok("auth/actor_delete_role", { actorId: owner.id, roleRef: "key:admin" });
    expect(await listed()).toEqual([["model_read"], ["model_read"], []]);
    expect((await world.ok("auth/token_list", { all: true })).body.items.length).toBeGreaterThan(10);
  });

  test("does not replay an answer that its actor got elsewhere with the same idempotency key", async () => {
    const token = await tokenFor(ada, { models: ["crm*"] });
    const controls = { idempotencyKey: newKey() };
    const call = ["model/entity_create", { modelRef: shop.byId, entityKey: newKey("entity") }] as const;
    await world.run(...call, ada.token, controls);
    expect((await world.problem(...call, token, controls)).code).toBe("not_found");
    const made = ["model/model_create", { key: newKey("erp"), name: "E" }] as const;
    await world.run(...made, ada.token, controls);
    expect((await world.problem(...made, token, controls)).code).toBe("not_allowed");
    const own = ["model/model_create", { key: newKey("crm"), name: "C" }] as const;
    const first = await world.run(...own, token, controls);
    expect(await world.run(...own, token, controls)).toEqual(first);
  });

  test.each([
    ["none", [], "/models"],
    ["an empty one", [""], "/models/0"],
    ["too many", Array.from({ length: LIMITS.apiTokenModels + 1 }, (_, i) => `m${i}`), "/models"],
  ])("refuses a list with %s", async (_, models, pointer) => {
    expectFaults(await world.refused("auth/token_create", { name: "T", models }), pointer);
  });

  test("takes models up to the limit, and refuses an id of a model that the caller may not read", async () => {
    const models = Array.from({ length: LIMITS.apiTokenModels }, (_, i) => `m${i}`);
    expect((await world.ok("auth/token_create", { name: "T", models })).body.models).toEqual(models);
    const nobody = await someone(world, newKey("nobody"));
    for (const [owner, id] of [
      [ada, NO_ID],
      [nobody, crm.id],
    ] as const) {
      const asked = { name: "T", models: [`id:${id}`] };
      expect((await world.problem("auth/token_create", asked, owner.token)).code).toBe("not_found");
    }
  });
});

describe("an API token for another actor", () => {
  test("is created by administrators only, belongs to that actor, and is managed by that actor", async () => {
    const owner = await person(world, "reader");
    const other = await world.problem("auth/token_create", { name: "T", actorId: owner.id }, ada.token);
    expect(other).toMatchObject({ code: "not_allowed" });
    await world.okAs(owner.token, "auth/token_create", { name: "Own", actorId: owner.id });
    const made = (await world.ok("auth/token_create", { name: "Given", actorId: owner.id })).body;
    expect(made.permissions).toEqual(["model_read"]);
    expect((await world.okAs(made.token, "auth/whoami")).body).toMatchObject({ sub: owner.username });
    const { items } = (await world.okAs(owner.token, "auth/token_list")).body;
    expect(items.map(({ name }: Body) => name).toSorted()).toEqual(["Given", "Own"]);
    await world.okAs(owner.token, "auth/token_revoke", { tokenId: made.id });
  });

  test("is refused permissions that the actor lacks, with their names", async () => {
    const owner = await person(world, "reader");
    const asked = { name: "T", actorId: owner.id, permissions: ["model_write"] };
    const problem = await world.refused("auth/token_create", asked);
    expectProblem(problem, "not_allowed", `model_write, which ${owner.username} does not hold by an assigned role`);
  });

  test("requires an actor that exists", async () => {
    expect((await world.refused("auth/token_create", { name: "T", actorId: NO_ID })).code).toBe("not_found");
  });
});
