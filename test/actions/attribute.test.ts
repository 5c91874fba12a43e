import { describe, expect, test } from "vitest";
import { expectFaults, expectWritten, useWorld } from "./support/checked-world.ts";
import { aModel, anAttribute, anEntity, aRelationship, aType, type Made } from "./support/models.ts";

const world = useWorld();

interface Scene {
  readonly model: Made;
  readonly entity: Made;
  readonly type: Made;
  /** The entity or relationship that has the attributes. */
  readonly owner: Made;
  readonly refs: { readonly modelRef: string };
}

const keysOf = (rows: readonly { readonly key: string }[]): readonly string[] => rows.map(({ key }) => key);

/** What the actions of both kinds of attributes are called, and how an owner is created. */
const OWNERS = [
  {
    kind: "entity",
    list: "entities",
    createOwner: ({ model }: Pick<Scene, "model" | "entity">) => anEntity(world, model),
    placeOf: ({ model, type, owner }: Scene) => ({ model, type, entity: owner }),
  },
  {
    kind: "relationship",
    list: "relationships",
    createOwner: ({ model, entity }: Pick<Scene, "model" | "entity">) =>
      aRelationship(world, { model, a: entity, b: entity }),
    placeOf: ({ model, type, owner }: Scene) => ({ model, type, relationship: owner }),
  },
] as const;

describe.each(OWNERS)("an attribute of a $kind", ({ kind, list, createOwner, placeOf }) => {
  const action = (verb: string): string => `model/${kind}_attribute_${verb}`;
  const other = OWNERS.find((one) => one.kind !== kind) ?? OWNERS[0];
  const create = (scene: Scene, key?: string) => anAttribute(world, placeOf(scene), key);
  const withOwner = (scene: Omit<Scene, "owner" | "refs">, owner: Made): Scene => ({
    ...{ ...scene, owner },
    refs: { modelRef: scene.model.ref, [`${kind}Ref`]: owner.ref },
  });

  async function newScene(): Promise<Scene> {
    const model = await aModel(world);
    const entity = await anEntity(world, model);
    const type = await aType(world, model);
    return withOwner({ model, entity, type }, await createOwner({ model, entity }));
  }

  /** Keys of the attributes of the owner in the order of an export. */
  async function exportedKeys({ model, owner }: Pick<Scene, "model" | "owner">): Promise<readonly string[]> {
    const document = await world.read("model/model_export", { modelRef: model.byId });
    return keysOf(document[list].find((one: { id: string }) => one.id === owner.id).attributes);
  }

  test("is created with a free key and a type", async () => {
    const { model, type, refs } = await newScene();
    const payload = { ...refs, attributeKey: "code", type: type.ref, optional: false };
    const answer = await world.ok(action("create"), payload);
    expectWritten(answer, { key: "code", modelId: model.id, revision: 5 });
    const attribute = await world.read(action("get"), { ...refs, attributeRef: "key:code" });
    expect(attribute).toEqual({ id: answer.body.id, key: "code", type: type.byId, optional: false, tags: [] });
  });

  test("keeps a name and a description, and its type by id", async () => {
    const { type, refs } = await newScene();
    const fields = { name: "Code", description: "Unique per customer.", optional: true };
    await world.ok(action("create"), { ...refs, attributeKey: "code", type: type.byId, ...fields });
    const attribute = await world.read(action("get"), { ...refs, attributeRef: "key:code" });
    expect(attribute).toMatchObject({ ...fields, type: type.byId });
  });

  test("cannot have a key that another one of its owner has, and nothing is written", async () => {
    const scene = await newScene();
    await create(scene, "code");
    const payload = { ...scene.refs, attributeKey: "code", type: scene.type.ref, optional: true };
    const problem = await world.writesNothing(() => world.refused(action("create"), payload));
    expect(problem.code).toBe("key_taken");
    expect(problem.message).toContain("code");
    const unknown = await world.refused(action("create"), { ...payload, type: "key:none" });
    expect(unknown.code).toBe("not_found");
  });

  test("may have a key that an attribute of another owner has", async () => {
    const scene = await newScene();
    const second = withOwner(scene, await createOwner(scene));
    const third = { ...scene, owner: await other.createOwner(scene) };
    await anAttribute(world, other.placeOf(third), "code");
    for (const one of [scene, second]) await create(one, "code");
  });

  test("needs a type of its model, when it is created and when its type is updated", async () => {
    const scene = await newScene();
    const elsewhere = await newScene();
    const { ref: attributeRef } = await create(scene);
    for (const type of ["key:none", elsewhere.type.byId]) {
      for (const [verb, payload] of [
        ["create", { attributeKey: "code", type, optional: false }],
        ["update_type", { attributeRef, value: type }],
      ] as const) {
        const call = () => world.refused(action(verb), { ...scene.refs, ...payload });
        const problem = await world.writesNothing(call);
        expect(problem.code).toBe("not_found");
        expect(problem.message).toContain(type);
      }
    }
  });

  test.each([undefined, "true", "false", 0, 1, "yes", []])("is not created with %j as optional", async (optional) => {
    const { type, refs } = await newScene();
    const payload = { ...refs, attributeKey: "code", type: type.ref, optional };
    expectFaults(await world.refused(action("create"), payload), "/optional");
  });

  test("prevents the deletion of its type, and the refusal names it", async () => {
    const scene = await newScene();
    const { model, owner, type } = scene;
    const attribute = await create(scene);
    const problem = await world.refused("model/type_delete", { modelRef: model.ref, typeRef: type.ref });
    expect(problem.code).toBe("still_used");
    expect(problem.message).toContain(`${owner.key}.${attribute.key}`);
  });

  test("comes in the order of creation in exports and lists, and by key in lists on request", async () => {
    const scene = await newScene();
    for (const key of ["m", "z", "a", "B"]) await create(scene, key);
    expect(await exportedKeys(scene)).toEqual(["m", "z", "a", "B"]);
    for (const [sort, wanted] of [
      [undefined, ["m", "z", "a", "B"]],
      ["declared", ["m", "z", "a", "B"]],
      ["key", ["B", "a", "m", "z"]],
    ] as const) {
      const { items } = await world.read(action("list"), { ...scene.refs, sort });
      expect(keysOf(items)).toEqual(wanted);
      const page = await world.ok(action("list"), { ...scene.refs, sort, limit: 3 });
      const rest = await world.read(action("list"), { ...scene.refs, sort, cursor: page.next });
      expect([...keysOf(page.body.items), ...keysOf(rest.items)]).toEqual(wanted);
    }
  });

  test("keeps its place when its key, name and type change, and comes last when it is created again", async () => {
    const scene = await newScene();
    for (const key of ["one", "two", "three"]) await create(scene, key);
    const { refs, model } = scene;
    const type = await aType(world, model);
    await world.ok(action("update_key"), { ...refs, attributeRef: "key:one", value: "zzz" });
    await world.ok(action("update_name"), { ...refs, attributeRef: "key:three", value: "Three" });
    await world.ok(action("update_type"), { ...refs, attributeRef: "key:two", value: type.ref });
    expect(await exportedKeys(scene)).toEqual(["zzz", "two", "three"]);
    await world.ok(action("delete"), { ...refs, attributeRef: "key:zzz" });
    await create(scene, "zzz");
    expect(await exportedKeys(scene)).toEqual(["two", "three", "zzz"]);
  });

  test("comes after the attributes of a copy", async () => {
    const scene = await newScene();
    for (const key of ["m", "a"]) await create(scene, key);
    const modelRef = `key:${scene.model.key} copy`;
    const { body } = await world.ok("model/model_copy", {
      modelRef: scene.model.ref,
      modelNewKey: modelRef.slice("key:".length),
    });
    const payload = { ...scene.refs, modelRef, type: scene.type.ref, optional: false };
    await world.ok(action("create"), { ...payload, attributeKey: "b" });
    const document = await world.read("model/model_export", { modelRef: `id:${body.id}` });
    const copy = document[list].find(({ key }: { key: string }) => key === scene.owner.key);
    expect(keysOf(copy.attributes)).toEqual(["m", "a", "b"]);
  });

  test("is not found under another owner, nor by the actions of the other kind", async () => {
    const scene = await newScene();
    const attribute = await create(scene);
    const second = withOwner(scene, await createOwner(scene));
    const otherOwner = await other.createOwner(scene);
    const modelRef = scene.model.ref;
    for (const [path, refs, lost] of [
      [action("get"), second.refs, attribute.byId],
      [`model/${other.kind}_attribute_get`, { modelRef, [`${other.kind}Ref`]: otherOwner.ref }, attribute.byId],
      [`model/${other.kind}_attribute_get`, { modelRef, [`${other.kind}Ref`]: scene.owner.byId }, scene.owner.byId],
    ] as const) {
      const problem = await world.refused(path, { ...refs, attributeRef: attribute.byId });
      expect(problem.code).toBe("not_found");
      expect(problem.message).toContain(lost);
    }
  });

  test("is deleted by key and by id, which frees its key", async () => {
    const scene = await newScene();
    const ids = new Set<string>();
    for (const by of ["ref", "byId"] as const) {
      const attribute = await create(scene, "code");
      ids.add(attribute.id);
      const refs = { ...scene.refs, attributeRef: attribute[by] };
      const { body } = await world.ok(action("delete"), refs);
      expect(body).toMatchObject({ id: attribute.id, key: "code", changed: true });
      for (const attributeRef of [attribute.ref, attribute.byId]) {
        expect((await world.refused(action("get"), { ...refs, attributeRef })).code).toBe("not_found");
      }
    }
    expect(ids.size).toBe(2);
    expect(await world.read(action("list"), scene.refs)).toEqual({ items: [] });
  });
});

describe("an attribute in a primary key", () => {
  async function newKey(...keys: readonly string[]) {
    const model = await aModel(world);
    const entity = await anEntity(world, model);
    const place = { model, entity, type: await aType(world, model) };
    const refs = { modelRef: model.ref, entityRef: entity.ref };
    const attributes: Made[] = [];
    for (const key of keys) attributes.push(await anAttribute(world, place, key));
    const attributeRef = attributes.map(({ ref }) => ref);
    await world.ok("model/entity_primary_key_update", { ...refs, attributeRef });
    return { place, refs, attributes };
  }
  const primaryKey = async (refs: object) => (await world.read("model/entity_get", refs)).primaryKey;

  test("stays in it under another key", async () => {
    const { refs, attributes } = await newKey("code");
    await world.ok("model/entity_attribute_update_key", { ...refs, attributeRef: "key:code", value: "number" });
    expect(await primaryKey(refs)).toEqual([attributes[0]?.byId]);
  });

  test("leaves it when it is deleted, and the others stay in order", async () => {
    const { refs, attributes } = await newKey("c", "b", "a");
    const [c, , a] = attributes;
    await world.ok("model/entity_attribute_delete", { ...refs, attributeRef: "key:b" });
    expect(await primaryKey(refs)).toEqual([c?.byId, a?.byId]);
    for (const key of ["a", "c"])
      await world.ok("model/entity_attribute_delete", { ...refs, attributeRef: `key:${key}` });
    expect(await primaryKey(refs)).toEqual([]);
  });

  test("does not come back into it when it is created again", async () => {
    const { place, refs } = await newKey("code");
    await world.ok("model/entity_attribute_delete", { ...refs, attributeRef: "key:code" });
    await anAttribute(world, place, "code");
    expect(await primaryKey(refs)).toEqual([]);
  });
});
