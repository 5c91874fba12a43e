import { describe, expect, test } from "vitest";
import { expectFaults, expectWritten, NO_ID, useWorld } from "./support/checked-world.ts";
import { aModel, anAttribute, anEntity, aRelationship, aType, type Made } from "./support/models.ts";

const world = useWorld();

interface Scene {
  readonly model: Made;
  readonly person: Made;
  readonly order: Made;
  /** The parameters that `relationship_create` needs. */
  readonly payload: Readonly<Record<string, string>>;
}

async function newScene(): Promise<Scene> {
  const model = await aModel(world);
  const person = await anEntity(world, model);
  const order = await anEntity(world, model);
  const roleA = { roleAKey: "buyer", roleAEntityRef: person.ref, roleACardinality: "one" };
  const roleB = { roleBKey: "order", roleBEntityRef: order.byId, roleBCardinality: "many" };
  return { model, person, order, payload: { modelRef: model.ref, relationshipKey: "places", ...roleA, ...roleB } };
}

const get = ({ model }: Scene, relationshipRef = "key:places") =>
  world.read("model/relationship_get", { modelRef: model.ref, relationshipRef });

describe("relationship_create", () => {
  test("given two roles, makes a relationship of both in this order", async () => {
    const scene = await newScene();
    const answer = await world.ok("model/relationship_create", scene.payload);
    expectWritten(answer, { key: "places", modelId: scene.model.id, revision: 4 });
    const { roles, ...rest } = await get(scene);
    expect(rest).toEqual({ id: answer.body.id, key: "places", tags: [] });
    expect(roles).toEqual([
      { id: expect.any(String), key: "buyer", entity: scene.person.byId, cardinality: "one" },
      { id: expect.any(String), key: "order", entity: scene.order.byId, cardinality: "many" },
    ]);
    expect(new Set([answer.body.id, ...roles.map((r: { id: string }) => r.id)]).size).toBe(3);
  });

  test("given names and a description, keeps them", async () => {
    const scene = await newScene();
    const texts = { name: "Places", description: "Who has ordered what." };
    const names = { roleAName: "Buyer", roleBName: "Order" };
    await world.ok("model/relationship_create", { ...scene.payload, ...texts, ...names });
    const relationship = await get(scene);
    expect(relationship).toMatchObject(texts);
    expect(relationship.roles).toMatchObject([{ name: "Buyer" }, { name: "Order" }]);
  });

  test("accepts every cardinality, and one entity in both roles", async () => {
    const scene = await newScene();
    for (const [i, cardinality] of ["zeroOrOne", "one", "many", "unknown"].entries()) {
      const own = { relationshipKey: `own ${i}`, roleBEntityRef: scene.person.byId };
      const payload = { ...scene.payload, ...own, roleACardinality: cardinality, roleBCardinality: cardinality };
      await world.ok("model/relationship_create", payload);
      expect((await get(scene, `key:own ${i}`)).roles).toMatchObject([
        { entity: scene.person.byId, cardinality },
        { entity: scene.person.byId, cardinality },
      ]);
    }
  });

  test("given one key for both roles, points at the second, before it reads anything", async () => {
    const { payload } = await newScene();
    const twice = { ...payload, roleBKey: "buyer", modelRef: "key:none" };
    const problem = await world.writesNothing(() => world.refused("model/relationship_create", twice));
    expectFaults(problem, "/roleBKey");
    expect(problem.message).toContain("buyer");
    await world.ok("model/relationship_create", { ...payload, roleBKey: "Buyer" });
  });

  test("given a key that another relationship of the model has, refuses it and writes nothing", async () => {
    const scene = await newScene();
    await world.ok("model/relationship_create", scene.payload);
    const problem = await world.writesNothing(() => world.refused("model/relationship_create", scene.payload));
    expect(problem.code).toBe("key_taken");
    expect(problem.message).toContain("places");
    await world.ok("model/relationship_create", (await newScene()).payload);
  });

  test.each(["roleAEntityRef", "roleBEntityRef"])("given in %s no entity of the model, names the ref", async (role) => {
    const { model, payload } = await newScene();
    const elsewhere = await newScene();
    const type = await aType(world, model);
    for (const ref of ["key:none", `id:${NO_ID}`, elsewhere.person.byId, type.byId, type.ref]) {
      const wrong = { ...payload, [role]: ref };
      const problem = await world.writesNothing(() => world.refused("model/relationship_create", wrong));
      expect(problem.code).toBe("not_found");
      expect(problem.message).toContain(ref);
    }
  });

  test.each(["zeroOrMany", "ONE", 1, true, ["one"]])("refuses the cardinality %j", async (cardinality) => {
    const { payload } = await newScene();
    const wrong = { ...payload, roleACardinality: cardinality, roleBCardinality: cardinality };
    const problem = await world.refused("model/relationship_create", wrong);
    expectFaults(problem, "/roleACardinality", "/roleBCardinality");
  });
});

describe("relationship_list", () => {
  test("answers the rows of relationship_get, sorted by key", async () => {
    const scene = await newScene();
    const { model, person, order } = scene;
    for (const key of ["m", "z", "B"]) await aRelationship(world, { model, a: person, b: order }, key);
    const { items } = await world.read("model/relationship_list", { modelRef: model.ref });
    expect(items).toEqual([await get(scene, "key:B"), await get(scene, "key:m"), await get(scene, "key:z")]);
    const first = await world.ok("model/relationship_list", { modelRef: model.ref, limit: 2 });
    expect(first.body.items.map((r: { key: string }) => r.key)).toEqual(["B", "m"]);
    const rest = await world.ok("model/relationship_list", { modelRef: model.ref, limit: 2, cursor: first.next });
    expect(rest.body.items.map((r: { key: string }) => r.key)).toEqual(["z"]);
    expect(rest.next).toBeUndefined();
  });
});

describe("an entity in a role", () => {
  test("cannot be deleted before the relationship; the refusal names it", async () => {
    const { model, person, payload } = await newScene();
    await world.ok("model/relationship_create", payload);
    const refs = { modelRef: model.ref, entityRef: person.ref };
    const problem = await world.writesNothing(() => world.refused("model/entity_delete", refs));
    expect(problem.code).toBe("still_used");
    expect(problem.message).toContain("places");
    await world.ok("model/relationship_delete", { modelRef: model.ref, relationshipRef: "key:places" });
    await world.ok("model/entity_delete", refs);
  });

  test("stays in its role when its key changes", async () => {
    const scene = await newScene();
    const { model, person, payload } = scene;
    await world.ok("model/relationship_create", payload);
    await world.ok("model/entity_update_key", { modelRef: model.ref, entityRef: person.ref, value: "human" });
    expect((await get(scene)).roles[0].entity).toBe(person.byId);
    const { relationships } = await world.read("model/model_export", { modelRef: model.ref });
    expect(relationships[0].roles[0]).toMatchObject({ key: "buyer", entity: "key:human" });
  });
});

describe("relationship_delete", () => {
  test("removes the relationship by key and by id, and frees its key", async () => {
    const scene = await newScene();
    const { model, person, order } = scene;
    for (const by of ["ref", "byId"] as const) {
      const made = await aRelationship(world, { model, a: person, b: order }, "places");
      const refs = { modelRef: model.ref, relationshipRef: made[by] };
      const { body } = await world.ok("model/relationship_delete", refs);
      expect(body).toMatchObject({ id: made.id, key: "places", changed: true });
      for (const relationshipRef of [made.ref, made.byId]) {
        const problem = await world.refused("model/relationship_get", { modelRef: model.ref, relationshipRef });
        expect(problem.code).toBe("not_found");
      }
    }
  });

  test("deletes its attributes too: a new relationship with the key has none, and their type can be deleted", async () => {
    const { model, person, order } = await newScene();
    const type = await aType(world, model);
    const relationship = await aRelationship(world, { model, a: person, b: order }, "places");
    const attribute = await anAttribute(world, { model, relationship, type });
    const refs = { modelRef: model.ref, relationshipRef: relationship.ref };
    await world.ok("model/relationship_delete", refs);
    await aRelationship(world, { model, a: person, b: order }, "places");
    expect(await world.read("model/relationship_attribute_list", refs)).toEqual({ items: [] });
    for (const attributeRef of [attribute.ref, attribute.byId]) {
      const problem = await world.refused("model/relationship_attribute_get", { ...refs, attributeRef });
      expect(problem.code).toBe("not_found");
    }
    await world.ok("model/type_delete", { modelRef: model.ref, typeRef: type.ref });
  });
});
