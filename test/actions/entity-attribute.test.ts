import { describe, expect, test } from "vitest";
import { expectFaults, expectWritten, useWorld } from "./support/checked-world.ts";
import { aModel, anAttribute, anEntity, aType, type Made } from "./support/models.ts";

const world = useWorld();

interface Scene {
  readonly model: Made;
  readonly entity: Made;
  readonly type: Made;
  /** The refs of both, by key. */
  readonly refs: { readonly modelRef: string; readonly entityRef: string };
}

async function newScene(): Promise<Scene> {
  const model = await aModel(world);
  const entity = await anEntity(world, model);
  const type = await aType(world, model);
  return { model, entity, type, refs: { modelRef: model.ref, entityRef: entity.ref } };
}

/** Keys of the entity's attributes in the order of an export. */
async function exportedKeys({ model, entity }: Scene): Promise<readonly string[]> {
  const { entities } = await world.read("model/model_export", { modelRef: model.byId });
  const found = entities.find((e: { id: string }) => e.id === entity.id);
  return found.attributes.map((a: { key: string }) => a.key);
}

describe("entity_attribute_create", () => {
  test("given a free key and a type, makes an attribute", async () => {
    const { model, type, refs } = await newScene();
    const payload = { ...refs, attributeKey: "code", type: type.ref, optional: false };
    const answer = await world.ok("model/entity_attribute_create", payload);
    expectWritten(answer, { key: "code", modelId: model.id, revision: 4 });
    const attribute = await world.read("model/entity_attribute_get", { ...refs, attributeRef: "key:code" });
    expect(attribute).toEqual({ id: answer.body.id, key: "code", type: type.byId, optional: false, tags: [] });
  });

  test("given a name and a description, and the type by id, keeps them", async () => {
    const { type, refs } = await newScene();
    const fields = { name: "Code", description: "Unique per customer.", optional: true };
    await world.ok("model/entity_attribute_create", { ...refs, attributeKey: "code", type: type.byId, ...fields });
    const attribute = await world.read("model/entity_attribute_get", { ...refs, attributeRef: "key:code" });
    expect(attribute).toMatchObject({ ...fields, type: type.byId });
  });

  test("given a key that another attribute of the entity has, refuses it and writes nothing", async () => {
    const scene = await newScene();
    await anAttribute(world, scene, "code");
    const payload = { ...scene.refs, attributeKey: "code", type: scene.type.ref, optional: true };
    const problem = await world.writesNothing(() => world.refused("model/entity_attribute_create", payload));
    expect(problem.code).toBe("key_taken");
    expect(problem.message).toContain("code");
  });

  test("given a key that an attribute of another entity has, takes it", async () => {
    const scene = await newScene();
    await anAttribute(world, scene, "code");
    const entity = await anEntity(world, scene.model);
    await anAttribute(world, { ...scene, entity }, "code");
  });

  test("given a type that is not in the model, names its ref", async () => {
    const { refs } = await newScene();
    const elsewhere = await newScene();
    for (const type of ["key:none", elsewhere.type.byId]) {
      const payload = { ...refs, attributeKey: "code", type, optional: false };
      const problem = await world.refused("model/entity_attribute_create", payload);
      expect(problem.code).toBe("not_found");
      expect(problem.message).toContain(type);
    }
  });

  test("given a taken key and an unknown type, reports the unknown type first", async () => {
    const scene = await newScene();
    await anAttribute(world, scene, "code");
    const payload = { ...scene.refs, attributeKey: "code", type: "key:none", optional: false };
    expect((await world.refused("model/entity_attribute_create", payload)).code).toBe("not_found");
  });

  test("requires optional; false counts as given", async () => {
    const { type, refs } = await newScene();
    const payload = { ...refs, attributeKey: "code", type: type.ref };
    expectFaults(await world.refused("model/entity_attribute_create", payload), "/optional");
    await world.ok("model/entity_attribute_create", { ...payload, optional: false });
  });

  test.each(["true", "false", 0, 1, "yes", []])("given %j as optional, refuses it", async (optional) => {
    const { type, refs } = await newScene();
    const payload = { ...refs, attributeKey: "code", type: type.ref, optional };
    expectFaults(await world.refused("model/entity_attribute_create", payload), "/optional");
  });

  test("given nothing, names every required parameter at once", async () => {
    const required = ["/modelRef", "/entityRef", "/attributeKey", "/type", "/optional"];
    expectFaults(await world.refused("model/entity_attribute_create"), ...required);
  });
});

describe("the order of attributes", () => {
  test("is the order of creation, whatever the keys", async () => {
    const scene = await newScene();
    for (const key of ["m", "z", "a", "B"]) await anAttribute(world, scene, key);
    expect(await exportedKeys(scene)).toEqual(["m", "z", "a", "B"]);
  });

  test("is kept when key, name and type change", async () => {
    const scene = await newScene();
    for (const key of ["one", "two", "three"]) await anAttribute(world, scene, key);
    const { refs, model } = scene;
    const other = await aType(world, model);
    await world.ok("model/entity_attribute_update_key", { ...refs, attributeRef: "key:one", value: "zzz" });
    await world.ok("model/entity_attribute_update_name", { ...refs, attributeRef: "key:three", value: "Three" });
    await world.ok("model/entity_attribute_update_type", { ...refs, attributeRef: "key:two", value: other.ref });
    expect(await exportedKeys(scene)).toEqual(["zzz", "two", "three"]);
  });

  test("has an attribute last that is created again under an old key", async () => {
    const scene = await newScene();
    for (const key of ["one", "two"]) await anAttribute(world, scene, key);
    await world.ok("model/entity_attribute_delete", { ...scene.refs, attributeRef: "key:one" });
    await anAttribute(world, scene, "one");
    expect(await exportedKeys(scene)).toEqual(["two", "one"]);
  });

  test("is that of entity_attribute_list, which can also sort by key", async () => {
    const scene = await newScene();
    for (const key of ["m", "z", "a", "B"]) await anAttribute(world, scene, key);
    const listed = async (more: object): Promise<readonly string[]> => {
      const { items } = await world.read("model/entity_attribute_list", { ...scene.refs, ...more });
      return items.map((a: { key: string }) => a.key);
    };
    expect(await listed({})).toEqual(["m", "z", "a", "B"]);
    expect(await listed({ sort: "key" })).toEqual(["B", "a", "m", "z"]);
  });

  test("continues behind the attributes of a copy", async () => {
    const scene = await newScene();
    for (const key of ["m", "a"]) await anAttribute(world, scene, key);
    const copy = `${scene.model.key} copy`;
    await world.ok("model/model_copy", { modelRef: scene.model.ref, modelNewKey: copy });
    const payload = { modelRef: `key:${copy}`, entityRef: scene.entity.ref, type: scene.type.ref, optional: false };
    await world.ok("model/entity_attribute_create", { ...payload, attributeKey: "b" });
    const { entities } = await world.read("model/model_export", { modelRef: `key:${copy}` });
    expect(entities[0].attributes.map((a: { key: string }) => a.key)).toEqual(["m", "a", "b"]);
  });
});

describe("entity_attribute_get", () => {
  test("answers the attribute by any mix of keys and ids", async () => {
    const scene = await newScene();
    const { model, entity, type } = scene;
    const attribute = await anAttribute(world, scene);
    for (const modelRef of [model.ref, model.byId]) {
      for (const entityRef of [entity.ref, entity.byId]) {
        for (const attributeRef of [attribute.ref, attribute.byId]) {
          const answer = await world.ok("model/entity_attribute_get", { modelRef, entityRef, attributeRef });
          expect(answer.body).toEqual({
            id: attribute.id,
            key: attribute.key,
            type: type.byId,
            optional: false,
            tags: [],
          });
          expect(answer.etag).toBe(`${model.id}-4`);
        }
      }
    }
  });

  test("finds nothing for the id of an attribute of another entity of the model", async () => {
    const scene = await newScene();
    const entity = await anEntity(world, scene.model);
    const other = await anAttribute(world, { ...scene, entity });
    const problem = await world.refused("model/entity_attribute_get", { ...scene.refs, attributeRef: other.byId });
    expect(problem.code).toBe("not_found");
    expect(problem.message).toContain(other.byId);
  });
});

describe("entity_attribute_update_type", () => {
  test("given a type that is not in the model, names its ref and changes nothing", async () => {
    const scene = await newScene();
    const elsewhere = await newScene();
    const { ref: attributeRef } = await anAttribute(world, scene);
    for (const value of ["key:none", elsewhere.type.byId]) {
      const problem = await world.writesNothing(() =>
        world.refused("model/entity_attribute_update_type", { ...scene.refs, attributeRef, value }),
      );
      expect(problem.code).toBe("not_found");
      expect(problem.message).toContain(value);
    }
  });
});

describe("entity_attribute_update_key", () => {
  test("keeps the attribute in the primary key", async () => {
    const scene = await newScene();
    const attribute = await anAttribute(world, scene, "code");
    await world.ok("model/entity_primary_key_update", { ...scene.refs, attributeRef: [attribute.ref] });
    await world.ok("model/entity_attribute_update_key", { ...scene.refs, attributeRef: "key:code", value: "number" });
    const document = await world.read("model/model_export", { modelRef: scene.model.ref });
    expect(document.entities[0].primaryKey).toEqual(["key:number"]);
  });
});

describe("entity_attribute_delete", () => {
  test("removes the attribute by key and by id, and frees its key", async () => {
    const scene = await newScene();
    const attribute = await anAttribute(world, scene, "code");
    const answer = await world.ok("model/entity_attribute_delete", { ...scene.refs, attributeRef: attribute.byId });
    expectWritten(answer, { key: "code", modelId: scene.model.id, revision: 5 });
    expect(answer.body.id).toBe(attribute.id);
    for (const attributeRef of [attribute.ref, attribute.byId]) {
      const problem = await world.refused("model/entity_attribute_get", { ...scene.refs, attributeRef });
      expect(problem.code).toBe("not_found");
    }
    expect((await anAttribute(world, scene, "code")).id).not.toBe(attribute.id);
  });

  test("removes the attribute from the primary key, which keeps the others in order", async () => {
    const scene = await newScene();
    const [a, b, c] = [
      await anAttribute(world, scene),
      await anAttribute(world, scene),
      await anAttribute(world, scene),
    ];
    await world.ok("model/entity_primary_key_update", { ...scene.refs, attributeRef: [c.ref, b.ref, a.ref] });
    await world.ok("model/entity_attribute_delete", { ...scene.refs, attributeRef: b.ref });
    expect((await world.read("model/entity_get", scene.refs)).primaryKey).toEqual([c.byId, a.byId]);
    await world.ok("model/entity_attribute_delete", { ...scene.refs, attributeRef: a.ref });
    await world.ok("model/entity_attribute_delete", { ...scene.refs, attributeRef: c.ref });
    expect((await world.read("model/entity_get", scene.refs)).primaryKey).toEqual([]);
  });

  test("does not put an attribute that is created again under the old key into the primary key", async () => {
    const scene = await newScene();
    const attribute = await anAttribute(world, scene, "code");
    await world.ok("model/entity_primary_key_update", { ...scene.refs, attributeRef: [attribute.ref] });
    await world.ok("model/entity_attribute_delete", { ...scene.refs, attributeRef: attribute.ref });
    await anAttribute(world, scene, "code");
    expect((await world.read("model/entity_get", scene.refs)).primaryKey).toEqual([]);
  });
});
