import { describe, expect, test } from "vitest";
import { expectProblem, newKey, useWorld } from "./support/checked-world.ts";
import { aModel, anAttribute, anEntity, anEntityWithAttributes, aRelationship, aType } from "./support/models.ts";

const world = useWorld();

const threeAttributes = () => anEntityWithAttributes(world);

test("the documentation link of an entity may have any scheme of the web, of files or of mail", async () => {
  const model = await aModel(world);
  for (const documentationHome of ["http://example.com", "https://example.com/ä", "ftp://e.com/a", "mailto:a@e.com"]) {
    await world.ok("model/entity_create", { modelRef: model.ref, entityKey: newKey(), documentationHome });
  }
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
});

describe("entity_primary_key_update", () => {
  test("accepts an optional attribute", async () => {
    const { model, entity, a } = await threeAttributes();
    const payload = { modelRef: model.ref, entityRef: entity.ref };
    await world.ok("model/entity_attribute_update_optional", { ...payload, attributeRef: a.ref, value: true });
    await world.ok("model/entity_primary_key_update", { ...payload, attributeRef: [a.ref] });
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
      expectProblem(problem, "still_used", entity.key, "places");
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
});
