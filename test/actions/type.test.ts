import { describe, expect, test } from "vitest";
import { expectWritten, newKey, useWorld } from "./support/checked-world.ts";
import { aModel, anAttribute, anEntity, aType, revisionOf } from "./support/models.ts";

const world = useWorld();

describe("type_create", () => {
  test("given a free key, makes a type with a name and a description", async () => {
    const model = await aModel(world);
    const payload = { modelRef: model.ref, typeKey: "string", name: "Text", description: "Any *text*." };
    const answer = await world.ok("model/type_create", payload);
    expectWritten(answer, { key: "string", modelId: model.id, revision: 2 });
    const type = await world.read("model/type_get", { modelRef: model.ref, typeRef: "key:string" });
    expect(type).toEqual({ id: answer.body.id, key: "string", name: "Text", description: "Any *text*." });
  });

  test("given no name and no description, leaves both out", async () => {
    const model = await aModel(world);
    const { body } = await world.ok("model/type_create", {
      modelRef: model.ref,
      typeKey: "t",
      name: "",
      description: null,
    });
    expect(await world.read("model/type_get", { modelRef: model.ref, typeRef: `id:${body.id}` })).toEqual({
      id: body.id,
      key: "t",
    });
  });

  test("given a key that another type of the model has, refuses it and writes nothing", async () => {
    const model = await aModel(world);
    const { key } = await aType(world, model);
    const problem = await world.writesNothing(() =>
      world.refused("model/type_create", { modelRef: model.ref, typeKey: key, name: "Other" }),
    );
    expect(problem.code).toBe("key_taken");
    expect(problem.message).toContain(key);
  });

  test("given a key that a type of another model or an entity of this one has, takes it", async () => {
    const [one, two] = [await aModel(world), await aModel(world)];
    await aType(world, one, "same");
    await anEntity(world, two, "same");
    const type = await aType(world, two, "same");
    expect(await world.read("model/type_get", { modelRef: two.ref, typeRef: "key:same" })).toMatchObject({
      id: type.id,
    });
  });

  test("distinguishes keys by case and by spaces", async () => {
    const model = await aModel(world);
    for (const key of ["text", "Text", " text", "text "]) await aType(world, model, key);
    const { items } = await world.read("model/type_list", { modelRef: model.ref });
    expect(items.map((t: { key: string }) => t.key)).toEqual([" text", "Text", "text", "text "]);
  });
});

describe("type_get", () => {
  test("answers the type by key and by id, in a model by key and by id", async () => {
    const model = await aModel(world);
    const type = await aType(world, model);
    for (const modelRef of [model.ref, model.byId]) {
      for (const typeRef of [type.ref, type.byId]) {
        const answer = await world.ok("model/type_get", { modelRef, typeRef });
        expect(answer.body).toEqual({ id: type.id, key: type.key });
        expect(answer.etag).toBe(`${model.id}-2`);
      }
    }
  });
});

describe("type_list", () => {
  test("answers an empty list for an empty model, and only the types of the model otherwise", async () => {
    const [empty, full] = [await aModel(world), await aModel(world)];
    const type = await aType(world, full);
    expect(await world.read("model/type_list", { modelRef: empty.ref })).toEqual({ items: [] });
    expect(await world.read("model/type_list", { modelRef: full.ref })).toEqual({
      items: [{ id: type.id, key: type.key }],
    });
  });
});

describe("type_update_key", () => {
  test("keeps the attributes that have the type, because they refer to it by id", async () => {
    const model = await aModel(world);
    const type = await aType(world, model, "string");
    const entity = await anEntity(world, model);
    await anAttribute(world, { model, entity, type }, "code");
    await world.ok("model/type_update_key", { modelRef: model.ref, typeRef: "key:string", value: "text" });
    const document = await world.read("model/model_export", { modelRef: model.ref });
    expect(document.types).toEqual([{ id: type.id, key: "text" }]);
    expect(document.entities[0].attributes[0]).toMatchObject({ key: "code", type: "key:text" });
  });

  test("frees the old key for another type", async () => {
    const model = await aModel(world);
    const type = await aType(world, model, "string");
    await world.ok("model/type_update_key", { modelRef: model.ref, typeRef: type.ref, value: "text" });
    const again = await aType(world, model, "string");
    expect(again.id).not.toBe(type.id);
    expect(await world.read("model/type_get", { modelRef: model.ref, typeRef: type.byId })).toMatchObject({
      key: "text",
    });
  });
});

describe("type_delete", () => {
  test("removes a type that nothing uses, by key and by id, and frees its key", async () => {
    const model = await aModel(world);
    const type = await aType(world, model);
    const answer = await world.ok("model/type_delete", { modelRef: model.ref, typeRef: type.ref });
    expectWritten(answer, { key: type.key, modelId: model.id, revision: 3 });
    expect(answer.body.id).toBe(type.id);
    for (const typeRef of [type.ref, type.byId]) {
      const problem = await world.refused("model/type_get", { modelRef: model.ref, typeRef });
      expect(problem.code).toBe("not_found");
      expect(problem.message).toContain(typeRef);
    }
    expect((await aType(world, model, type.key)).id).not.toBe(type.id);
  });

  test("refuses a type that attributes have, names one of them and writes nothing", async () => {
    const model = await aModel(world);
    const type = await aType(world, model);
    const entity = await anEntity(world, model, "customer");
    await anAttribute(world, { model, entity, type }, "code");
    const problem = await world.writesNothing(() =>
      world.refused("model/type_delete", { modelRef: model.ref, typeRef: type.ref }),
    );
    expect(problem.code).toBe("still_used");
    expect(problem.message).toContain("customer.code");
  });

  test.each([
    "the attribute is deleted",
    "the attribute gets another type",
    "the entity is deleted",
  ])("given a used type, removes it once %s", async (way) => {
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

  test("removes a type if only attributes of another model have a type of that key", async () => {
    const [one, two] = [await aModel(world), await aModel(world)];
    const type = await aType(world, one, "same");
    await aType(world, two, "same");
    const entity = await anEntity(world, one);
    await anAttribute(world, { model: one, entity, type });
    await world.ok("model/type_delete", { modelRef: two.ref, typeRef: "key:same" });
    expect(await revisionOf(world, two)).toBe(3);
  });

  test("a new type with the old key has another id", async () => {
    const model = await aModel(world);
    const key = newKey();
    const first = await aType(world, model, key);
    await world.ok("model/type_delete", { modelRef: model.ref, typeRef: first.byId });
    await aType(world, model, key);
    const problem = await world.refused("model/type_get", { modelRef: model.ref, typeRef: first.byId });
    expect(problem.code).toBe("not_found");
  });
});
