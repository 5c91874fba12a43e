import { describe, expect, test } from "vitest";
import { expectFaults, expectWritten, useWorld } from "./support/checked-world.ts";
import { aModel, anAttribute, anEntity, aRelationship, aType, type Made } from "./support/models.ts";

const world = useWorld();

interface Scene {
  readonly model: Made;
  readonly entity: Made;
  readonly relationship: Made;
  readonly type: Made;
  readonly refs: { readonly modelRef: string; readonly relationshipRef: string };
}

async function newScene(): Promise<Scene> {
  const model = await aModel(world);
  const entity = await anEntity(world, model);
  const relationship = await aRelationship(world, { model, a: entity, b: entity });
  const type = await aType(world, model);
  return { model, entity, relationship, type, refs: { modelRef: model.ref, relationshipRef: relationship.ref } };
}

/** The scene without the entity, for objects that are made in the relationship. */
const inside = ({ model, relationship, type }: Scene) => ({ model, relationship, type });

describe("relationship_attribute_create", () => {
  test("given a free key and a type, makes an attribute", async () => {
    const { model, type, refs } = await newScene();
    const payload = { ...refs, attributeKey: "channel", type: type.ref, optional: false };
    const answer = await world.ok("model/relationship_attribute_create", payload);
    expectWritten(answer, { key: "channel", modelId: model.id, revision: 5 });
    const attribute = await world.read("model/relationship_attribute_get", { ...refs, attributeRef: "key:channel" });
    expect(attribute).toEqual({ id: answer.body.id, key: "channel", type: type.byId, optional: false, tags: [] });
  });

  test("given a name and a description, and the type by id, keeps them", async () => {
    const { type, refs } = await newScene();
    const fields = { name: "Channel", description: "Shop, telephone or web.", optional: true };
    const payload = { ...refs, attributeKey: "channel", type: type.byId, ...fields };
    await world.ok("model/relationship_attribute_create", payload);
    const attribute = await world.read("model/relationship_attribute_get", { ...refs, attributeRef: "key:channel" });
    expect(attribute).toMatchObject({ ...fields, type: type.byId });
  });

  test("given a key that another attribute of the relationship has, refuses it and writes nothing", async () => {
    const scene = await newScene();
    await anAttribute(world, inside(scene), "channel");
    const payload = { ...scene.refs, attributeKey: "channel", type: scene.type.ref, optional: true };
    const problem = await world.writesNothing(() => world.refused("model/relationship_attribute_create", payload));
    expect(problem.code).toBe("key_taken");
    expect(problem.message).toContain("channel");
  });

  test("given a key that an attribute of an entity or another relationship has, takes it", async () => {
    const scene = await newScene();
    const { model, entity, type } = scene;
    await anAttribute(world, { model, entity, type }, "channel");
    const relationship = await aRelationship(world, { model, a: entity, b: entity });
    await anAttribute(world, { model, relationship, type }, "channel");
    await anAttribute(world, inside(scene), "channel");
  });

  test("given a type that is not in the model, names its ref", async () => {
    const { refs } = await newScene();
    const elsewhere = await newScene();
    for (const type of ["key:none", elsewhere.type.byId]) {
      const payload = { ...refs, attributeKey: "channel", type, optional: false };
      const problem = await world.refused("model/relationship_attribute_create", payload);
      expect(problem.code).toBe("not_found");
      expect(problem.message).toContain(type);
    }
  });

  test("given nothing, names every required parameter at once", async () => {
    const required = ["/modelRef", "/relationshipRef", "/attributeKey", "/type", "/optional"];
    expectFaults(await world.refused("model/relationship_attribute_create"), ...required);
  });

  test("prevents the deletion of its type, and the refusal names it", async () => {
    const scene = await newScene();
    const { model, relationship, type } = scene;
    const attribute = await anAttribute(world, inside(scene));
    const problem = await world.refused("model/type_delete", { modelRef: model.ref, typeRef: type.ref });
    expect(problem.code).toBe("still_used");
    expect(problem.message).toContain(`${relationship.key}.${attribute.key}`);
  });
});

describe("the order of attributes of a relationship", () => {
  test("is the order of creation in exports and lists, and by key in lists on request", async () => {
    const scene = await newScene();
    const keys = (rows: readonly { readonly key: string }[]) => rows.map(({ key }) => key);
    for (const key of ["m", "z", "a", "B"]) await anAttribute(world, inside(scene), key);
    const { relationships } = await world.read("model/model_export", { modelRef: scene.model.ref });
    expect(keys(relationships[0].attributes)).toEqual(["m", "z", "a", "B"]);
    for (const [sort, wanted] of [
      ["declared", ["m", "z", "a", "B"]],
      ["key", ["B", "a", "m", "z"]],
    ] as const) {
      const list = { ...scene.refs, sort };
      const { items } = await world.read("model/relationship_attribute_list", list);
      expect(keys(items)).toEqual(wanted);
      const page = await world.ok("model/relationship_attribute_list", { ...list, limit: 3 });
      expect(keys(page.body.items)).toEqual(wanted.slice(0, 3));
      const rest = await world.read("model/relationship_attribute_list", { ...list, cursor: page.next });
      expect(keys(rest.items)).toEqual(wanted.slice(3));
    }
  });
});

describe("an attribute of a relationship", () => {
  test("is found by any mix of keys and ids", async () => {
    const scene = await newScene();
    const { model, relationship, type } = scene;
    const attribute = await anAttribute(world, inside(scene));
    const expected = { id: attribute.id, key: attribute.key, type: type.byId, optional: false, tags: [] };
    for (const modelRef of [model.ref, model.byId]) {
      for (const relationshipRef of [relationship.ref, relationship.byId]) {
        for (const attributeRef of [attribute.ref, attribute.byId]) {
          const refs = { modelRef, relationshipRef, attributeRef };
          expect(await world.read("model/relationship_attribute_get", refs)).toEqual(expected);
        }
      }
    }
  });

  test("is not found under another relationship, nor an attribute of an entity under a relationship", async () => {
    const scene = await newScene();
    const { model, entity, type } = scene;
    const other = await aRelationship(world, { model, a: entity, b: entity });
    const ofOther = await anAttribute(world, { model, relationship: other, type });
    const ofEntity = await anAttribute(world, { model, entity, type });
    for (const attributeRef of [ofOther.byId, ofOther.ref, ofEntity.byId, ofEntity.ref]) {
      const problem = await world.refused("model/relationship_attribute_get", { ...scene.refs, attributeRef });
      expect(problem.code).toBe("not_found");
      expect(problem.message).toContain(attributeRef);
    }
  });

  test("is not found by the actions of entities, whatever ref names the relationship", async () => {
    const scene = await newScene();
    const { model, entity, relationship } = scene;
    const attribute = await anAttribute(world, inside(scene));
    for (const [entityRef, lost] of [
      [entity.ref, attribute.byId],
      [relationship.byId, relationship.byId],
      [relationship.ref, relationship.ref],
    ]) {
      const refs = { modelRef: model.ref, entityRef, attributeRef: attribute.byId };
      const problem = await world.refused("model/entity_attribute_get", refs);
      expect(problem.code).toBe("not_found");
      expect(problem.message).toContain(lost);
    }
  });

  test("keeps its type if the requested one is not in the model", async () => {
    const scene = await newScene();
    const elsewhere = await newScene();
    const { ref: attributeRef } = await anAttribute(world, inside(scene));
    for (const value of ["key:none", elsewhere.type.byId]) {
      const payload = { ...scene.refs, attributeRef, value };
      const action = "model/relationship_attribute_update_type";
      const problem = await world.writesNothing(() => world.refused(action, payload));
      expect(problem.code).toBe("not_found");
      expect(problem.message).toContain(value);
    }
  });
});

describe("relationship_attribute_delete", () => {
  test("removes the attribute by key and by id, and frees its key", async () => {
    const scene = await newScene();
    for (const by of ["ref", "byId"] as const) {
      const attribute = await anAttribute(world, inside(scene), "channel");
      const refs = { ...scene.refs, attributeRef: attribute[by] };
      const { body } = await world.ok("model/relationship_attribute_delete", refs);
      expect(body).toMatchObject({ id: attribute.id, key: "channel", changed: true });
      expect((await world.refused("model/relationship_attribute_get", refs)).code).toBe("not_found");
    }
    expect(await world.read("model/relationship_attribute_list", scene.refs)).toEqual({ items: [] });
  });
});
