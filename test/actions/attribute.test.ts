import { describe, expect, test } from "vitest";
import { expectProblem, useWorld } from "./support/checked-world.ts";
import {
  aModel,
  anAttribute,
  anEntity,
  anEntityWithAttributes,
  aRelationship,
  aType,
  type Made,
} from "./support/models.ts";

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

  test("may have a key that an attribute of another owner has", async () => {
    const scene = await newScene();
    const second = withOwner(scene, await createOwner(scene));
    const third = { ...scene, owner: await other.createOwner(scene) };
    await anAttribute(world, other.placeOf(third), "code");
    for (const one of [scene, second]) await create(one, "code");
  });

  test("prevents the deletion of its type, and the refusal names it", async () => {
    const scene = await newScene();
    const { model, owner, type } = scene;
    const attribute = await create(scene);
    const deletion = { modelRef: model.ref, typeRef: type.ref };
    const problem = await world.writesNothing(() => world.refused("model/type_delete", deletion));
    expectProblem(problem, "still_used", `${owner.key}.${attribute.key}`);
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
      expectProblem(problem, "not_found", lost);
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
});

describe("type_delete", () => {
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
});
