import { describe, expect, test } from "vitest";
import { expectProblem, useWorld } from "./support/checked-world.ts";
import { anAttribute, anEntity, anEntityWithAttributes, aRelationship, aType } from "./support/models.ts";

const world = useWorld();

const threeAttributes = () => anEntityWithAttributes(world);

describe("entity_delete", () => {
  test("is refused while a relationship has a role for it, and names the relationship", async () => {
    const { model, entity } = await threeAttributes();
    const places = await aRelationship(world, { model, a: await anEntity(world, model), b: entity }, "places");
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

  test("frees the key, for a new entity with attributes of the same keys", async () => {
    const { model, entity, a } = await threeAttributes();
    const modelRef = model.ref;
    await world.ok("model/entity_delete", { modelRef, entityRef: entity.byId });
    const again = await anEntity(world, model, entity.key);
    expect(again.id).not.toBe(entity.id);
    expect(await world.read("model/entity_attribute_list", { modelRef, entityRef: again.ref })).toEqual({ items: [] });
    const made = await anAttribute(world, { model, entity: again, type: await aType(world, model) }, "a");
    expect(made.id).not.toBe(a.id);
    const document = await world.read("model/model_export", { modelRef });
    const attributes = [{ id: made.id, key: "a" }];
    expect(document.entities).toMatchObject([{ id: again.id, primaryKey: [], attributes }]);
  });
});
