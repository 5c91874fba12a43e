import { describe, expect, test } from "vitest";
import { expectProblem, useWorld } from "./support/checked-world.ts";
import { aModel, anAttribute, anEntity, anEntityWithAttributes, aRelationship, aType } from "./support/models.ts";

const world = useWorld();

describe.each(["entity", "relationship"] as const)("an attribute of a %s", (kind) => {
  /** A model with an entity and a relationship, one of which has an attribute. */
  async function newScene() {
    const model = await aModel(world);
    const [type, a] = [await aType(world, model), await anEntity(world, model)];
    const owners = { entity: a, relationship: await aRelationship(world, { model, a, b: a }) };
    const owner = owners[kind];
    const place = kind === "entity" ? { entity: owner } : { relationship: owner };
    return { model, type, a, owners, owner, attribute: await anAttribute(world, { model, type, ...place }) };
  }

  test("prevents the deletion of its type, and the refusal names it", async () => {
    const { model, owner, type, attribute } = await newScene();
    const deletion = { modelRef: model.ref, typeRef: type.ref };
    const problem = await world.writesNothing(() => world.refused("model/type_delete", deletion));
    expectProblem(problem, "still_used", `${owner.key}.${attribute.key}`);
  });

  test("is not found under another owner, nor by the actions of the other kind", async () => {
    const { model, a, owners, owner, attribute } = await newScene();
    const another = kind === "entity" ? await anEntity(world, model) : await aRelationship(world, { model, a, b: a });
    const other = kind === "entity" ? "relationship" : "entity";
    for (const [of, ownerRef, lost] of [
      [kind, another.ref, attribute.byId],
      [other, owners[other].ref, attribute.byId],
      [other, owner.byId, owner.byId],
    ] as const) {
      const refs = { modelRef: model.ref, [`${of}Ref`]: ownerRef, attributeRef: attribute.byId };
      expectProblem(await world.refused(`model/${of}_attribute_get`, refs), "not_found", lost);
    }
  });
});

describe("an attribute in a primary key", () => {
  /** An entity whose primary key has these of its attributes. */
  async function newKey(...keys: readonly ("a" | "b" | "c")[]) {
    const place = await anEntityWithAttributes(world);
    const refs = { modelRef: place.model.ref, entityRef: place.entity.ref };
    await world.ok("model/entity_primary_key_update", { ...refs, attributeRef: keys.map((key) => place[key].ref) });
    return { ...place, refs };
  }
  const primaryKey = async (refs: object) => (await world.read("model/entity_get", refs)).primaryKey;

  test("stays in it under another key", async () => {
    const { refs, a } = await newKey("a");
    await world.ok("model/entity_attribute_update_key", { ...refs, attributeRef: "key:a", value: "number" });
    expect(await primaryKey(refs)).toEqual([a.byId]);
  });

  test("leaves it when it is deleted, the others stay in order, and it does not come back when it is created again", async () => {
    const { refs, a, c, ...place } = await newKey("c", "b", "a");
    await world.ok("model/entity_attribute_delete", { ...refs, attributeRef: "key:b" });
    expect(await primaryKey(refs)).toEqual([c.byId, a.byId]);
    for (const key of ["a", "c"])
      await world.ok("model/entity_attribute_delete", { ...refs, attributeRef: `key:${key}` });
    expect(await primaryKey(refs)).toEqual([]);
    await anAttribute(world, place, "a");
    expect(await primaryKey(refs)).toEqual([]);
  });
});

test("type_update_key keeps the attributes that have the type, because they refer to it by id", async () => {
  const model = await aModel(world);
  const type = await aType(world, model, "string");
  await anAttribute(world, { model, entity: await anEntity(world, model), type }, "code");
  await world.ok("model/type_update_key", { modelRef: model.ref, typeRef: "key:string", value: "text" });
  const document = await world.read("model/model_export", { modelRef: model.ref });
  expect(document.types).toEqual([{ id: type.id, key: "text" }]);
  expect(document.entities[0].attributes[0]).toMatchObject({ key: "code", type: "key:text" });
});

const WAYS = ["the attribute is deleted", "the attribute gets another type", "the entity is deleted"];

test.each(WAYS)("type_delete removes a used type once %s", async (way) => {
  const model = await aModel(world);
  const [type, other] = [await aType(world, model), await aType(world, model)];
  const entity = await anEntity(world, model);
  const attribute = await anAttribute(world, { model, entity, type });
  const place = { modelRef: model.ref, entityRef: entity.ref };
  const attributeRef = attribute.ref;
  if (way.includes("entity")) await world.ok("model/entity_delete", place);
  else if (way.includes("another type")) {
    await world.ok("model/entity_attribute_update_type", { ...place, attributeRef, value: other.ref });
  } else await world.ok("model/entity_attribute_delete", { ...place, attributeRef });
  await world.ok("model/type_delete", { modelRef: model.ref, typeRef: type.ref });
});
