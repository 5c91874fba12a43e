import { describe, expect, test } from "vitest";
import type { Body } from "../support/world.ts";
import { expectFaults, expectProblem, expectWritten, useWorld } from "./support/checked-world.ts";
import { aModel, anAttribute, anEntity, aRelationship, aType } from "./support/models.ts";

const world = useWorld();

async function newScene() {
  const model = await aModel(world);
  const person = await anEntity(world, model);
  const order = await anEntity(world, model);
  const roleA = { roleAKey: "buyer", roleAEntityRef: person.ref, roleACardinality: "one" };
  const roleB = { roleBKey: "order", roleBEntityRef: order.byId, roleBCardinality: "many" };
  return { model, person, order, payload: { modelRef: model.ref, relationshipKey: "places", ...roleA, ...roleB } };
}

test("relationship_create with one key for both roles points at the second, before it reads anything", async () => {
  const { payload } = await newScene();
  const twice = { ...payload, roleBKey: "buyer", modelRef: "key:none" };
  const problem = await world.writesNothing(() => world.refused("model/relationship_create", twice));
  expectFaults(problem, "/roleBKey");
  expect(problem.message).toContain("buyer");
  await world.ok("model/relationship_create", { ...payload, roleBKey: "Buyer" });
});

test("relationship_delete deletes its attributes too: a new relationship with the key has none, and their type can be deleted", async () => {
  const { model, person, order } = await newScene();
  const type = await aType(world, model);
  const relationship = await aRelationship(world, { model, a: person, b: order }, "places");
  const attribute = await anAttribute(world, { model, relationship, type });
  const refs = { modelRef: model.ref, relationshipRef: relationship.ref };
  await world.ok("model/relationship_delete", refs);
  await aRelationship(world, { model, a: person, b: order }, "places");
  expect(await world.read("model/relationship_attribute_list", refs)).toEqual({ items: [] });
  for (const attributeRef of [attribute.ref, attribute.byId])
    expect((await world.refused("model/relationship_attribute_get", { ...refs, attributeRef })).code).toBe("not_found");
  await world.ok("model/type_delete", { modelRef: model.ref, typeRef: type.ref });
});

async function newRelationship() {
  const { model, person, order } = await newScene();
  const relationship = await aRelationship(world, { model, a: person, b: order });
  return { model, person, relationship, refs: { modelRef: model.ref, relationshipRef: relationship.ref } };
}
type WithRoles = Awaited<ReturnType<typeof newRelationship>>;

const rolesOf = async ({ refs }: WithRoles): Promise<readonly Body[]> =>
  (await world.read("model/relationship_get", refs)).roles;

const addRole = ({ refs, person }: WithRoles, roleKey: string, changed: object = {}) => {
  const role = { roleKey, roleEntityRef: person.ref, roleCardinality: "zeroOrOne", ...changed };
  return world.ok("model/relationship_role_create", { ...refs, ...role });
};

describe("relationship_role_create", () => {
  test("adds a role behind the others, and answers its id and key", async () => {
    const scene = await newRelationship();
    const before = await rolesOf(scene);
    const answer = await addRole(scene, "A", { roleName: "Payer" });
    expectWritten(answer, { key: "A", modelId: scene.model.id, revision: 5 });
    const added = { id: answer.body.id, key: "A", name: "Payer", entity: scene.person.byId, cardinality: "zeroOrOne" };
    expect(await rolesOf(scene)).toEqual([...before, added]);
    await addRole(scene, "0");
    expect((await rolesOf(scene)).map((role) => role.key)).toEqual(["a", "b", "A", "0"]);
  });

  test("refuses a key that a role of the relationship has, after it has found the entity", async () => {
    const scene = await newRelationship();
    const payload = { ...scene.refs, roleKey: "b", roleEntityRef: scene.person.ref, roleCardinality: "one" };
    const problem = await world.writesNothing(() => world.refused("model/relationship_role_create", payload));
    expectProblem(problem, "key_taken", "b");
    const absent = await world.refused("model/relationship_role_create", { ...payload, roleEntityRef: "key:none" });
    expect(absent.code).toBe("not_found");
  });

  test("prevents the deletion of the entity of the new role", async () => {
    const scene = await newRelationship();
    const other = await anEntity(world, scene.model);
    await addRole(scene, "c", { roleEntityRef: other.byId });
    const refs = { modelRef: scene.model.ref, entityRef: other.ref };
    expect((await world.refused("model/entity_delete", refs)).code).toBe("still_used");
    await world.ok("model/relationship_role_delete", { ...scene.refs, relationshipRoleRef: "key:c" });
    await world.ok("model/entity_delete", refs);
  });
});

describe("relationship_role_delete", () => {
  test("removes the role by key and by id, down to two roles", async () => {
    const scene = await newRelationship();
    await addRole(scene, "c");
    const [a, ...others] = await rolesOf(scene);
    const answer = await world.ok("model/relationship_role_delete", { ...scene.refs, relationshipRoleRef: "key:a" });
    expectWritten(answer, { key: "a", modelId: scene.model.id, revision: 6 });
    expect(answer.body.id).toBe(a?.id);
    expect(await rolesOf(scene)).toEqual(others);
    const { body } = await addRole(scene, "a");
    await world.ok("model/relationship_role_delete", { ...scene.refs, relationshipRoleRef: `id:${body.id}` });
    expect(await rolesOf(scene)).toEqual(others);
  });

  test("refuses to leave fewer than two roles, after it has found the role", async () => {
    const scene = await newRelationship();
    const payload = { ...scene.refs, relationshipRoleRef: "key:a" };
    const problem = await world.writesNothing(() => world.refused("model/relationship_role_delete", payload));
    expectProblem(problem, "too_few_roles", scene.relationship.key);
    const other = { ...payload, relationshipRoleRef: "key:none" };
    expect((await world.refused("model/relationship_role_delete", other)).code).toBe("not_found");
  });
});
