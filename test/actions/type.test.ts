import { describe, expect, test } from "vitest";
import { aModel, anAttribute, anEntity, aType, revisionOf } from "./support/models.ts";
import { expectFaults, expectWritten, newKey, useStage } from "./support/stage.ts";

const stage = useStage();

describe("type_create", () => {
  test("given a free key, makes a type with a name and a description", async () => {
    const model = await aModel(stage);
    const payload = { modelRef: model.ref, typeKey: "string", name: "Text", description: "Any *text*." };
    const answer = await stage.ok("model/type_create", payload);
    expectWritten(answer, { key: "string", modelId: model.id, revision: 2 });
    const type = await stage.read("model/type_get", { modelRef: model.ref, typeRef: "key:string" });
    expect(type).toEqual({ id: answer.body.id, key: "string", name: "Text", description: "Any *text*." });
  });

  test("given no name and no description, leaves both out", async () => {
    const model = await aModel(stage);
    const { body } = await stage.ok("model/type_create", {
      modelRef: model.ref,
      typeKey: "t",
      name: "",
      description: null,
    });
    expect(await stage.read("model/type_get", { modelRef: model.ref, typeRef: `id:${body.id}` })).toEqual({
      id: body.id,
      key: "t",
    });
  });

  test("given a key that another type of the model has, refuses it and writes nothing", async () => {
    const model = await aModel(stage);
    const { key } = await aType(stage, model);
    const problem = await stage.writesNothing(() =>
      stage.refused("model/type_create", { modelRef: model.ref, typeKey: key, name: "Other" }),
    );
    expect(problem.code).toBe("key_taken");
    expect(problem.message).toContain(key);
  });

  test("given a key that a type of another model or an entity of this one has, takes it", async () => {
    const [one, two] = [await aModel(stage), await aModel(stage)];
    await aType(stage, one, "same");
    await anEntity(stage, two, "same");
    const type = await aType(stage, two, "same");
    expect(await stage.read("model/type_get", { modelRef: two.ref, typeRef: "key:same" })).toMatchObject({
      id: type.id,
    });
  });

  test("given nothing, names every required parameter", async () => {
    expectFaults(await stage.refused("model/type_create"), "/modelRef", "/typeKey");
  });

  test("tells keys apart by case and by spaces", async () => {
    const model = await aModel(stage);
    for (const key of ["text", "Text", " text", "text "]) await aType(stage, model, key);
    const { items } = await stage.read("model/type_list", { modelRef: model.ref });
    expect(items.map((t: { key: string }) => t.key)).toEqual([" text", "Text", "text", "text "]);
  });
});

describe("type_get", () => {
  test("answers the type by key and by id, in a model by key and by id", async () => {
    const model = await aModel(stage);
    const type = await aType(stage, model);
    for (const modelRef of [model.ref, model.byId]) {
      for (const typeRef of [type.ref, type.byId]) {
        const answer = await stage.ok("model/type_get", { modelRef, typeRef });
        expect(answer.body).toEqual({ id: type.id, key: type.key });
        expect(answer.etag).toBe(`${model.id}-2`);
      }
    }
  });
});

describe("type_list", () => {
  test("answers no types of an empty model, and those of the model alone otherwise", async () => {
    const [empty, full] = [await aModel(stage), await aModel(stage)];
    const type = await aType(stage, full);
    expect(await stage.read("model/type_list", { modelRef: empty.ref })).toEqual({ items: [] });
    expect(await stage.read("model/type_list", { modelRef: full.ref })).toEqual({
      items: [{ id: type.id, key: type.key }],
    });
  });
});

describe("type_update_key", () => {
  test("keeps the attributes that have the type, because they refer to it by id", async () => {
    const model = await aModel(stage);
    const type = await aType(stage, model, "string");
    const entity = await anEntity(stage, model);
    await anAttribute(stage, { model, entity, type }, "code");
    await stage.ok("model/type_update_key", { modelRef: model.ref, typeRef: "key:string", value: "text" });
    const document = await stage.read("model/model_export", { modelRef: model.ref });
    expect(document.types).toEqual([{ id: type.id, key: "text" }]);
    expect(document.entities[0].attributes[0]).toMatchObject({ key: "code", type: "key:text" });
  });

  test("frees the old key for another type", async () => {
    const model = await aModel(stage);
    const type = await aType(stage, model, "string");
    await stage.ok("model/type_update_key", { modelRef: model.ref, typeRef: type.ref, value: "text" });
    const again = await aType(stage, model, "string");
    expect(again.id).not.toBe(type.id);
    expect(await stage.read("model/type_get", { modelRef: model.ref, typeRef: type.byId })).toMatchObject({
      key: "text",
    });
  });
});

describe("type_delete", () => {
  test("removes a type that nothing uses, by key and by id, and frees its key", async () => {
    const model = await aModel(stage);
    const type = await aType(stage, model);
    const answer = await stage.ok("model/type_delete", { modelRef: model.ref, typeRef: type.ref });
    expectWritten(answer, { key: type.key, modelId: model.id, revision: 3 });
    expect(answer.body.id).toBe(type.id);
    for (const typeRef of [type.ref, type.byId]) {
      const problem = await stage.refused("model/type_get", { modelRef: model.ref, typeRef });
      expect(problem.code).toBe("not_found");
      expect(problem.message).toContain(typeRef);
    }
    expect((await aType(stage, model, type.key)).id).not.toBe(type.id);
  });

  test("given a type that attributes have, refuses, names one of them and writes nothing", async () => {
    const model = await aModel(stage);
    const type = await aType(stage, model);
    const entity = await anEntity(stage, model, "customer");
    await anAttribute(stage, { model, entity, type }, "code");
    const problem = await stage.writesNothing(() =>
      stage.refused("model/type_delete", { modelRef: model.ref, typeRef: type.ref }),
    );
    expect(problem.code).toBe("still_used");
    expect(problem.message).toContain("customer.code");
  });

  test.each([
    "the attribute is deleted",
    "the attribute gets another type",
    "the entity is deleted",
  ])("given a used type, removes it once %s", async (way) => {
    const model = await aModel(stage);
    const [type, other] = [await aType(stage, model), await aType(stage, model)];
    const entity = await anEntity(stage, model);
    const attribute = await anAttribute(stage, { model, entity, type });
    const place = { modelRef: model.ref, entityRef: entity.ref };
    const attributeRef = attribute.ref;
    if (way.includes("entity")) await stage.ok("model/entity_delete", place);
    else if (way.includes("another type")) {
      await stage.ok("model/entity_attribute_update_type", { ...place, attributeRef, value: other.ref });
    } else await stage.ok("model/entity_attribute_delete", { ...place, attributeRef });
    await stage.ok("model/type_delete", { modelRef: model.ref, typeRef: type.ref });
  });

  test("given a type that only attributes of another model's type of that key have, removes it", async () => {
    const [one, two] = [await aModel(stage), await aModel(stage)];
    const type = await aType(stage, one, "same");
    await aType(stage, two, "same");
    const entity = await anEntity(stage, one);
    await anAttribute(stage, { model: one, entity, type });
    await stage.ok("model/type_delete", { modelRef: two.ref, typeRef: "key:same" });
    expect(await revisionOf(stage, two)).toBe(3);
  });

  test("cannot be undone under the id: the new type of that key has another", async () => {
    const model = await aModel(stage);
    const key = newKey();
    const first = await aType(stage, model, key);
    await stage.ok("model/type_delete", { modelRef: model.ref, typeRef: first.byId });
    await aType(stage, model, key);
    const problem = await stage.refused("model/type_get", { modelRef: model.ref, typeRef: first.byId });
    expect(problem.code).toBe("not_found");
  });
});
