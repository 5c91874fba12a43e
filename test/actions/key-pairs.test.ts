import { describe, expect, test } from "vitest";
import { expectFaults, expectProblem, expectWritten, useWorld } from "./support/checked-world.ts";
import { aModel, anAttribute, anEntity, aRelationship, aType, type Made, revisionOf } from "./support/models.ts";

const world = useWorld();

/** Two entities with two attributes each, and a relationship with the role `a` of the order and `b` of the customer. */
async function newScene() {
  const model = await aModel(world);
  const type = await aType(world, model);
  const [order, customer] = [await anEntity(world, model, "order"), await anEntity(world, model, "customer")];
  const on = (entity: Made, key: string) => anAttribute(world, { model, type, entity }, key);
  const [buyer, tenant] = [await on(order, "buyer"), await on(order, "tenant")];
  const [id, tenantId] = [await on(customer, "id"), await on(customer, "tenant_id")];
  const relationship = await aRelationship(world, { model, a: order, b: customer }, "places");
  const refs = { modelRef: model.ref, relationshipRef: relationship.ref };
  return { model, order, customer, relationship, refs, buyer, tenant, id, tenantId };
}
type Scene = Awaited<ReturnType<typeof newScene>>;

const SET = "model/relationship_update_key_pairs";
const BOTH = [
  ["key:buyer", "key:id"],
  ["key:tenant", "key:tenant_id"],
];
const pairsOf = async ({ refs }: Scene) => (await world.read("model/relationship_get", refs)).keyPairs;
const listed = async ({ model }: Scene) =>
  (await world.read("model/relationship_list", { modelRef: model.ref })).items[0].keyPairs;
const exportOf = ({ model }: Scene) => world.read("model/model_export", { modelRef: model.ref });
const exported = async (scene: Scene) => (await exportOf(scene)).relationships[0].keyPairs;

describe("relationship_update_key_pairs", () => {
  test("sets the pairs, by key and by id, and reports no change where they are set already", async () => {
    const scene = await newScene();
    const revision = await revisionOf(world, scene.model);
    const answer = await world.ok(SET, { ...scene.refs, value: [[scene.buyer.byId, "key:id"], BOTH[1]] });
    expectWritten(answer, { key: "places", modelId: scene.model.id, revision: revision + 1 });
    const shown = [
      [scene.buyer.byId, scene.id.byId],
      [scene.tenant.byId, scene.tenantId.byId],
    ];
    expect(await pairsOf(scene)).toEqual(shown);
    expect(await listed(scene)).toEqual(shown);
    expect(await exported(scene)).toEqual(BOTH);
    expect((await world.writesNothing(() => world.ok(SET, { ...scene.refs, value: BOTH }))).body.changed).toBe(false);
  });

  test.each([[{}], [{ value: null }], [{ value: [] }]])("clears them for %j", async (cleared) => {
    const scene = await newScene();
    await world.ok(SET, { ...scene.refs, value: BOTH });
    expect((await world.ok(SET, { ...scene.refs, ...cleared })).body.changed).toBe(true);
    expect(await world.read("model/relationship_get", scene.refs)).not.toHaveProperty("keyPairs");
    expect((await exportOf(scene)).relationships[0]).not.toHaveProperty("keyPairs");
    expect((await world.ok(SET, { ...scene.refs, ...cleared })).body.changed).toBe(false);
  });

  test("accepts only attributes of the entity of each role, in the order of the roles", async () => {
    const scene = await newScene();
    const refuse = (value: unknown) => world.writesNothing(() => world.refused(SET, { ...scene.refs, value }));
    expectProblem(await refuse([["key:id", "key:buyer"]]), "not_found", "key:id");
    expect((await refuse([[scene.id.byId, scene.id.byId]])).code).toBe("not_found");
    expectFaults(await refuse([BOTH[0], BOTH[1], [scene.buyer.byId, "key:id"]]), "/value/2");
    expectFaults(await refuse([["key:buyer"]]), "/value/0");
    expectFaults(await refuse([["key:buyer", "id"]]), "/value/0/1");
    expectFaults(await refuse(["key:buyer"]), "/value/0");
    expectFaults(await refuse("key:buyer"), "/value");
  });

  test("is refused for a relationship with three roles, except to clear the pairs", async () => {
    const scene = await newScene();
    const role = { roleKey: "c", roleEntityRef: scene.order.ref, roleCardinality: "one" };
    await world.ok("model/relationship_role_create", { ...scene.refs, ...role });
    const problem = await world.writesNothing(() => world.refused(SET, { ...scene.refs, value: BOTH }));
    expectProblem(problem, "too_many_roles", "places has 3 roles");
    expect((await world.ok(SET, { ...scene.refs, value: [] })).body.changed).toBe(false);
  });
});

test("relationship_create accepts key pairs of the given entities", async () => {
  const { model, buyer, id } = await newScene();
  const roles = {
    ...{ roleAKey: "z", roleAEntityRef: "key:order", roleACardinality: "many" },
    ...{ roleBKey: "y", roleBEntityRef: "key:customer", roleBCardinality: "one" },
  };
  const payload = { modelRef: model.ref, relationshipKey: "again", ...roles };
  await world.ok("model/relationship_create", { ...payload, keyPairs: [["key:buyer", "key:id"]] });
  const refs = { modelRef: model.ref, relationshipRef: "key:again" };
  expect((await world.read("model/relationship_get", refs)).keyPairs).toEqual([[buyer.byId, id.byId]]);
  // Documents have roles in the order of their keys, and pairs in that of the roles.
  const [again] = (await world.read("model/model_export", { modelRef: model.ref })).relationships;
  expect([again.roles.map((r: Made) => r.key), again.keyPairs]).toEqual([["y", "z"], [["key:id", "key:buyer"]]]);
  const missing = { ...payload, relationshipKey: "other", keyPairs: [["key:id", "key:id"]] };
  expect((await world.refused("model/relationship_create", missing)).code).toBe("not_found");
  const twice = { ...missing, keyPairs: [BOTH[0], BOTH[0]] };
  expectFaults(await world.refused("model/relationship_create", twice), "/keyPairs/1");
  await world.ok("model/relationship_create", { ...payload, relationshipKey: "without", keyPairs: [] });
});

describe("key pairs", () => {
  test("of a deleted attribute are left out by every read, and the deletion does not change them", async () => {
    const scene = await newScene();
    await world.ok(SET, { ...scene.refs, value: BOTH });
    const revision = await revisionOf(world, scene.model);
    const place = { modelRef: scene.model.ref, entityRef: "key:customer", attributeRef: "key:id" };
    expect((await world.ok("model/entity_attribute_delete", place)).body.removed).toEqual({ count: 0, items: [] });
    const left = [[scene.tenant.byId, scene.tenantId.byId]];
    expect(await pairsOf(scene)).toEqual(left);
    expect(await listed(scene)).toEqual(left);
    expect(await exported(scene)).toEqual([BOTH[1]]);
    const { items } = await world.read("model/history_version_changes", { modelRef: scene.model.ref });
    const last = items.filter((row: { revision: number }) => row.revision === revision + 1);
    expect(last.map((row: { kind: string }) => row.kind)).toEqual(["attribute"]);
    // A copy and an import of what is left have what is left.
    await world.ok("model/model_copy", { modelRef: scene.model.ref, modelNewKey: `${scene.model.key}-copy` });
    const copy = await world.read("model/model_export", { modelRef: `key:${scene.model.key}-copy` });
    expect(copy.relationships[0].keyPairs).toEqual([BOTH[1]]);
    await world.ok("model/entity_attribute_delete", { ...place, attributeRef: "key:tenant_id" });
    expect(await pairsOf(scene)).toBeUndefined();
    // Restoring the attributes brings the pairs back with them.
    await world.ok("model/model_restore", { modelRef: scene.model.ref, revision });
    expect(await exported(scene)).toEqual(BOTH);
  });

  test("are kept when attributes and roles get other keys", async () => {
    const scene = await newScene();
    await world.ok(SET, { ...scene.refs, value: BOTH });
    const place = { modelRef: scene.model.ref, entityRef: "key:customer", attributeRef: "key:id" };
    await world.ok("model/entity_attribute_update_key", { ...place, value: "number" });
    expect(await exported(scene)).toEqual([["key:buyer", "key:number"], BOTH[1]]);
    const before = await revisionOf(world, scene.model);
    await world.ok("model/relationship_role_update_key", { ...scene.refs, relationshipRoleRef: "key:a", value: "z" });
    expect(await exported(scene)).toEqual([
      ["key:number", "key:buyer"],
      ["key:tenant_id", "key:tenant"],
    ]);
    expect((await pairsOf(scene))[0]).toEqual([scene.buyer.byId, scene.id.byId]);
    const sides = { leftModelRef: scene.model.ref, leftRevision: before, rightModelRef: scene.model.ref };
    const { entries } = await world.read("model/model_compare", sides);
    expect(entries).toMatchObject([{ objectType: "relationshipRole", members: ["key"] }]);
  });

  test.each([
    ["relationship_role_update_entity", { relationshipRoleRef: "key:b", value: "key:order" }],
    ["relationship_role_create", { roleKey: "c", roleEntityRef: "key:order", roleCardinality: "one" }],
  ])("are removed by %s, and not restored", async (action, payload) => {
    const scene = await newScene();
    await world.ok(SET, { ...scene.refs, value: BOTH });
    // What changes nothing takes nothing away.
    const same = { relationshipRoleRef: "key:b", value: "key:customer" };
    await world.ok("model/relationship_role_update_entity", { ...scene.refs, ...same });
    expect(await pairsOf(scene)).toHaveLength(2);
    await world.ok(`model/${action}`, { ...scene.refs, ...payload });
    expect(await pairsOf(scene)).toBeUndefined();
    expect(await exported(scene)).toBeUndefined();
    if (action === "relationship_role_create") {
      await world.ok("model/relationship_role_delete", { ...scene.refs, relationshipRoleRef: "key:c" });
      expect(await pairsOf(scene)).toBeUndefined();
    }
  });
});
