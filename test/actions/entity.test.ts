import { describe, expect, test } from "vitest";
import { expectFaults, expectWritten, newKey, useWorld } from "./support/checked-world.ts";
import { aModel, anAttribute, anEntity, aRelationship, aType, type Made, revisionOf } from "./support/models.ts";

const world = useWorld();

/** A model with one entity that has the attributes `a`, `b` and `c`. */
async function threeAttributes(): Promise<{ model: Made; entity: Made; a: Made; b: Made; c: Made }> {
  const model = await aModel(world);
  const type = await aType(world, model);
  const entity = await anEntity(world, model);
  const place = { model, entity, type };
  const a = await anAttribute(world, place, "a");
  const b = await anAttribute(world, place, "b");
  return { model, entity, a, b, c: await anAttribute(world, place, "c") };
}

const primaryKeyOf = async (model: Made, entity: Made): Promise<readonly string[]> =>
  (await world.read("model/entity_get", { modelRef: model.ref, entityRef: entity.byId })).primaryKey;

describe("entity_create", () => {
  test("given a free key, creates an entity without attributes and without a primary key", async () => {
    const model = await aModel(world);
    const answer = await world.ok("model/entity_create", { modelRef: model.ref, entityKey: "customer" });
    expectWritten(answer, { key: "customer", modelId: model.id, revision: 2 });
    const entity = await world.read("model/entity_get", { modelRef: model.ref, entityRef: "key:customer" });
    expect(entity).toEqual({ id: answer.body.id, key: "customer", primaryKey: [], tags: [] });
    const list = await world.read("model/entity_attribute_list", { modelRef: model.ref, entityRef: "key:customer" });
    expect(list).toEqual({ items: [] });
  });

  test("given a name, a description and a link, keeps them", async () => {
    const model = await aModel(world);
    const fields = { name: "Customer", description: "Whoever buys.", documentationHome: "https://example.com/c?x=1#y" };
    await world.ok("model/entity_create", { modelRef: model.ref, entityKey: "c", ...fields });
    expect(await world.read("model/entity_get", { modelRef: model.ref, entityRef: "key:c" })).toMatchObject(fields);
  });

  test("given a key that another entity of the model has, refuses it and writes nothing", async () => {
    const model = await aModel(world);
    const { key } = await anEntity(world, model);
    const problem = await world.writesNothing(() =>
      world.refused("model/entity_create", { modelRef: model.ref, entityKey: key }),
    );
    expect(problem.code).toBe("key_taken");
    expect(problem.message).toContain(key);
  });

  test("given a key that an entity of another model or a type of this one has, takes it", async () => {
    const [one, two] = [await aModel(world), await aModel(world)];
    await anEntity(world, one, "same");
    await aType(world, two, "same");
    await anEntity(world, two, "same");
    expect(await revisionOf(world, two)).toBe(3);
  });

  test.each([
    "customers",
    "/customers",
    "javascript:alert(1)",
    "http://",
    "data:text/plain,x",
    "https://exa mple.com",
  ])("given the link %j, refuses it", async (documentationHome) => {
    const model = await aModel(world);
    const payload = { modelRef: model.ref, entityKey: "c", documentationHome };
    expectFaults(await world.refused("model/entity_create", payload), "/documentationHome");
  });

  test.each([
    "http://example.com",
    "https://example.com/ä",
    "ftp://example.com/a",
    "mailto:ada@example.com",
  ])("given the link %j, takes it", async (documentationHome) => {
    const model = await aModel(world);
    await world.ok("model/entity_create", { modelRef: model.ref, entityKey: "c", documentationHome });
  });

  test("lists all faults at once", async () => {
    const payload = {
      modelRef: "crm",
      entityKey: "it's",
      name: "two\nlines",
      description: "  ",
      documentationHome: "x",
    };
    const problem = await world.refused("model/entity_create", payload);
    expectFaults(problem, "/modelRef", "/entityKey", "/name", "/description", "/documentationHome");
  });
});

describe("entity_get", () => {
  test("answers the entity by key and by id, in a model by key and by id", async () => {
    const model = await aModel(world);
    const entity = await anEntity(world, model);
    for (const modelRef of [model.ref, model.byId]) {
      for (const entityRef of [entity.ref, entity.byId]) {
        const answer = await world.ok("model/entity_get", { modelRef, entityRef });
        expect(answer.body).toEqual({ id: entity.id, key: entity.key, primaryKey: [], tags: [] });
        expect(answer.etag).toBe(`${model.id}-2`);
      }
    }
  });
});

describe("entity_list", () => {
  test("answers the entities of the model sorted by key, without their attributes", async () => {
    const { model, entity } = await threeAttributes();
    const first = await anEntity(world, model, "Apple");
    const { items } = await world.read("model/entity_list", { modelRef: model.ref });
    expect(items).toEqual([
      { id: first.id, key: "Apple", primaryKey: [], tags: [] },
      { id: entity.id, key: entity.key, primaryKey: [], tags: [] },
    ]);
  });
});

describe("entity_update_key", () => {
  test("keeps the attributes, their order and the primary key", async () => {
    const { model, entity, b } = await threeAttributes();
    const modelRef = model.ref;
    await world.ok("model/entity_primary_key_update", { modelRef, entityRef: entity.ref, attributeRef: [b.ref] });
    const { entities: before } = await world.read("model/model_export", { modelRef });
    const key = newKey("renamed");
    await world.ok("model/entity_update_key", { modelRef, entityRef: entity.ref, value: key });
    const { entities: after } = await world.read("model/model_export", { modelRef });
    expect(after).toEqual([{ ...before[0], key }]);
  });

  test("frees the old key, under which nothing of the entity is found", async () => {
    const { model, entity } = await threeAttributes();
    const modelRef = model.ref;
    await world.ok("model/entity_update_key", { modelRef, entityRef: entity.ref, value: newKey() });
    const problem = await world.refused("model/entity_attribute_list", { modelRef, entityRef: entity.ref });
    expect(problem.code).toBe("not_found");
    await anEntity(world, model, entity.key);
    const list = await world.read("model/entity_attribute_list", { modelRef, entityRef: entity.ref });
    expect(list).toEqual({ items: [] });
  });
});

describe("entity_primary_key_update", () => {
  test("sets the attributes in the order given, mixed by key and by id", async () => {
    const { model, entity, a, c } = await threeAttributes();
    const payload = { modelRef: model.byId, entityRef: entity.ref, attributeRef: [c.byId, a.ref] };
    const answer = await world.ok("model/entity_primary_key_update", payload);
    expectWritten(answer, { key: entity.key, modelId: model.id, revision: 7 });
    expect(answer.body.id).toBe(entity.id);
    expect(await primaryKeyOf(model, entity)).toEqual([c.byId, a.byId]);
    const document = await world.read("model/model_export", { modelRef: model.ref });
    expect(document.entities[0].primaryKey).toEqual(["key:c", "key:a"]);
  });

  test("replaces the whole key; another order is a change", async () => {
    const { model, entity, a, b } = await threeAttributes();
    const payload = { modelRef: model.ref, entityRef: entity.ref };
    await world.ok("model/entity_primary_key_update", { ...payload, attributeRef: [a.ref, b.ref] });
    const swapped = await world.ok("model/entity_primary_key_update", { ...payload, attributeRef: [b.ref, a.ref] });
    expect(swapped.body).toMatchObject({ changed: true, revision: 8 });
    await world.ok("model/entity_primary_key_update", { ...payload, attributeRef: [b.ref] });
    expect(await primaryKeyOf(model, entity)).toEqual([b.byId]);
  });

  test("given the same list by other refs, changes nothing", async () => {
    const { model, entity, a, b } = await threeAttributes();
    const payload = { modelRef: model.ref, entityRef: entity.ref };
    await world.ok("model/entity_primary_key_update", { ...payload, attributeRef: [a.ref, b.ref] });
    const again = await world.writesNothing(() =>
      world.ok("model/entity_primary_key_update", { ...payload, attributeRef: [a.byId, b.byId] }),
    );
    expect(again.body).toMatchObject({ changed: false, revision: 7 });
    expect(again.etag).toBe(`${model.id}-7`);
  });

  test("removes the primary key for an empty list, and changes nothing without a primary key", async () => {
    const { model, entity, a } = await threeAttributes();
    const payload = { modelRef: model.ref, entityRef: entity.ref };
    expect((await world.ok("model/entity_primary_key_update", { ...payload, attributeRef: [] })).body.changed).toBe(
      false,
    );
    await world.ok("model/entity_primary_key_update", { ...payload, attributeRef: [a.ref] });
    expect((await world.ok("model/entity_primary_key_update", { ...payload, attributeRef: [] })).body.changed).toBe(
      true,
    );
    expect(await primaryKeyOf(model, entity)).toEqual([]);
  });

  test("accepts an optional attribute", async () => {
    const { model, entity, a } = await threeAttributes();
    const payload = { modelRef: model.ref, entityRef: entity.ref };
    await world.ok("model/entity_attribute_update_optional", { ...payload, attributeRef: a.ref, value: true });
    await world.ok("model/entity_primary_key_update", { ...payload, attributeRef: [a.ref] });
  });

  test("points at the second of two equal attributes", async () => {
    const { model, entity, a, b } = await threeAttributes();
    const payload = { modelRef: model.ref, entityRef: entity.ref, attributeRef: [a.ref, b.ref, a.byId] };
    expectFaults(await world.refused("model/entity_primary_key_update", payload), "/attributeRef/2");
  });

  test("names the ref of an attribute of another entity or of none", async () => {
    const { model, entity, a } = await threeAttributes();
    const other = await threeAttributes();
    for (const ref of ["key:none", other.a.byId]) {
      const payload = { modelRef: model.ref, entityRef: entity.ref, attributeRef: [a.ref, ref] };
      const problem = await world.refused("model/entity_primary_key_update", payload);
      expect(problem.code).toBe("not_found");
      expect(problem.message).toContain(ref);
    }
  });

  test("given a bare ref instead of a list, refuses it", async () => {
    const { model, entity, a } = await threeAttributes();
    const payload = { modelRef: model.ref, entityRef: entity.ref };
    const problem = await world.refused("model/entity_primary_key_update", { ...payload, attributeRef: a.ref });
    expectFaults(problem, "/attributeRef");
  });

  test("requires the list, because only an empty one removes the key", async () => {
    const { model, entity } = await threeAttributes();
    const payload = { modelRef: model.ref, entityRef: entity.ref };
    for (const attributeRef of [undefined, null, ""]) {
      expectFaults(
        await world.refused("model/entity_primary_key_update", { ...payload, attributeRef }),
        "/attributeRef",
      );
    }
  });

  test("given malformed refs in the list, points at each", async () => {
    const { model, entity, a } = await threeAttributes();
    const payload = { modelRef: model.ref, entityRef: entity.ref, attributeRef: ["a", a.ref, "id:7", 8] };
    const problem = await world.refused("model/entity_primary_key_update", payload);
    expectFaults(problem, "/attributeRef/0", "/attributeRef/2", "/attributeRef/3");
  });
});

describe("entity_delete", () => {
  test("is refused while a relationship has a role for it, and names the relationship", async () => {
    const { model, entity } = await threeAttributes();
    const other = await anEntity(world, model);
    const places = await aRelationship(world, { model, a: other, b: entity }, "places");
    const payload = { modelRef: model.ref, entityRef: entity.ref };
    for (const dryRun of [false, true]) {
      const problem = await world.keepsEveryByte(() => world.refused("model/entity_delete", payload, { dryRun }));
      expect(problem.code).toBe("still_used");
      expect(problem.message).toContain(entity.key);
      expect(problem.message).toContain("places");
    }
    await world.ok("model/relationship_delete", { modelRef: model.ref, relationshipRef: places.ref });
    await world.ok("model/entity_delete", payload);
  });

  test("names each relationship once, at most five, with their number", async () => {
    const { model, entity } = await threeAttributes();
    const payload = { modelRef: model.ref, entityRef: entity.ref };
    const refusal = async () => (await world.refused("model/entity_delete", payload)).message;
    // Each relationship counts once, though the entity has both of its roles.
    for (const key of ["r1", "r2", "r3", "r4", "r5"]) await aRelationship(world, { model, a: entity, b: entity }, key);
    expect(await refusal()).toContain("5 relationship(s): r1, r2, r3, r4, r5. ");
    await aRelationship(world, { model, a: entity, b: entity }, "r6");
    expect(await refusal()).toContain("6 relationship(s): r1, r2, r3, r4, r5, …. ");
  });

  test("is permitted when other entities have relationships, or when the role was given to another entity", async () => {
    const { model, entity } = await threeAttributes();
    const [one, two] = [await anEntity(world, model), await anEntity(world, model)];
    await aRelationship(world, { model, a: one, b: two });
    const places = await aRelationship(world, { model, a: one, b: entity });
    const role = { modelRef: model.ref, relationshipRef: places.ref, relationshipRoleRef: "key:b" };
    await world.ok("model/relationship_role_update_entity", { ...role, value: two.ref });
    await world.ok("model/entity_delete", { modelRef: model.ref, entityRef: entity.ref });
    const problem = await world.refused("model/entity_delete", { modelRef: model.ref, entityRef: two.ref });
    expect(problem.code).toBe("still_used");
  });

  test("removes the entity and its attributes from every read", async () => {
    const { model, entity, a } = await threeAttributes();
    const modelRef = model.ref;
    await world.ok("model/entity_primary_key_update", { modelRef, entityRef: entity.ref, attributeRef: [a.ref] });
    const answer = await world.ok("model/entity_delete", { modelRef, entityRef: entity.ref });
    expectWritten(answer, { key: entity.key, modelId: model.id, revision: 8 });
    for (const entityRef of [entity.ref, entity.byId]) {
      for (const attributeRef of [a.ref, a.byId]) {
        const problem = await world.refused("model/entity_attribute_get", { modelRef, entityRef, attributeRef });
        expect(problem.code).toBe("not_found");
        expect(problem.message).toContain(entityRef);
      }
      expect((await world.refused("model/entity_get", { modelRef, entityRef })).code).toBe("not_found");
    }
    expect(await world.read("model/entity_list", { modelRef })).toEqual({ items: [] });
    expect(await world.read("model/model_export", { modelRef })).toMatchObject({ entities: [] });
  });

  test("frees the key, for a new entity with attributes of the same keys", async () => {
    const { model, entity, a } = await threeAttributes();
    const modelRef = model.ref;
    await world.ok("model/entity_delete", { modelRef, entityRef: entity.byId });
    const again = await anEntity(world, model, entity.key);
    expect(again.id).not.toBe(entity.id);
    const list = { modelRef, entityRef: again.ref };
    expect(await world.read("model/entity_attribute_list", list)).toEqual({ items: [] });
    const type = await aType(world, model);
    const made = await anAttribute(world, { model, entity: again, type }, "a");
    expect(made.id).not.toBe(a.id);
    const document = await world.read("model/model_export", { modelRef });
    expect(document.entities).toHaveLength(1);
    expect(document.entities[0]).toMatchObject({
      id: again.id,
      primaryKey: [],
      attributes: [{ id: made.id, key: "a" }],
    });
  });

  test("keeps the other entities and their attributes with the same keys", async () => {
    const { model, entity } = await threeAttributes();
    const other = await anEntity(world, model);
    const type = await aType(world, model);
    const kept = await anAttribute(world, { model, entity: other, type }, "a");
    await world.ok("model/entity_delete", { modelRef: model.ref, entityRef: entity.ref });
    const document = await world.read("model/model_export", { modelRef: model.ref });
    expect(document.entities).toMatchObject([{ id: other.id, attributes: [{ id: kept.id, key: "a" }] }]);
  });
});
