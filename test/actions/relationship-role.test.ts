import { describe, expect, test } from "vitest";
import { type Checked, expectFaults, expectWritten, NO_ID, useWorld } from "./support/checked-world.ts";
import { aModel, anEntity, aRelationship, aType, type Made, revisionOf } from "./support/models.ts";

const world = useWorld();

interface Scene {
  readonly model: Made;
  readonly person: Made;
  readonly order: Made;
  readonly relationship: Made;
  readonly refs: { readonly modelRef: string; readonly relationshipRef: string };
}

/** A relationship of two entities, with the roles `a` and `b`. */
async function newScene(): Promise<Scene> {
  const model = await aModel(world);
  const [person, order] = [await anEntity(world, model), await anEntity(world, model)];
  const relationship = await aRelationship(world, { model, a: person, b: order });
  return { model, person, order, relationship, refs: { modelRef: model.ref, relationshipRef: relationship.ref } };
}

interface Role {
  readonly id: string;
  readonly key: string;
  readonly name?: string;
  readonly entity: string;
  readonly cardinality: string;
}

const rolesOf = async ({ refs }: Scene): Promise<readonly Role[]> =>
  (await world.read("model/relationship_get", refs)).roles;

const addRole = ({ refs, person }: Scene, roleKey: string, changed: object = {}): Promise<Checked> => {
  const role = { roleKey, roleEntityRef: person.ref, roleCardinality: "zeroOrOne", ...changed };
  return world.ok("model/relationship_role_create", { ...refs, ...role });
};

describe("relationship_role_create", () => {
  test("adds a role behind the others, and answers its id and key", async () => {
    const scene = await newScene();
    const before = await rolesOf(scene);
    const answer = await addRole(scene, "A", { roleName: "Payer" });
    expectWritten(answer, { key: "A", modelId: scene.model.id, revision: 5 });
    const added = { id: answer.body.id, key: "A", name: "Payer", entity: scene.person.byId, cardinality: "zeroOrOne" };
    expect(await rolesOf(scene)).toEqual([...before, added]);
    await addRole(scene, "0");
    expect((await rolesOf(scene)).map((role) => role.key)).toEqual(["a", "b", "A", "0"]);
  });

  test("refuses a key that a role of the relationship has, after it has found the entity", async () => {
    const scene = await newScene();
    const payload = { ...scene.refs, roleKey: "b", roleEntityRef: scene.person.ref, roleCardinality: "one" };
    const problem = await world.writesNothing(() => world.refused("model/relationship_role_create", payload));
    expect(problem.code).toBe("key_taken");
    expect(problem.message).toContain("b");
    const absent = await world.refused("model/relationship_role_create", { ...payload, roleEntityRef: "key:none" });
    expect(absent.code).toBe("not_found");
  });

  test("given no entity of the model, names the ref", async () => {
    const scene = await newScene();
    const elsewhere = await newScene();
    for (const roleEntityRef of ["key:none", `id:${NO_ID}`, elsewhere.person.byId, scene.relationship.byId]) {
      const payload = { ...scene.refs, roleKey: "c", roleEntityRef, roleCardinality: "one" };
      const problem = await world.refused("model/relationship_role_create", payload);
      expect(problem.code).toBe("not_found");
      expect(problem.message).toContain(roleEntityRef);
    }
  });

  test("prevents the deletion of the entity of the new role", async () => {
    const scene = await newScene();
    const other = await anEntity(world, scene.model);
    await addRole(scene, "c", { roleEntityRef: other.byId });
    const refs = { modelRef: scene.model.ref, entityRef: other.ref };
    expect((await world.refused("model/entity_delete", refs)).code).toBe("still_used");
    await world.ok("model/relationship_role_delete", { ...scene.refs, relationshipRoleRef: "key:c" });
    await world.ok("model/entity_delete", refs);
  });
});

/** The updates of a role: the value of each, in the payload and as a read shows it, and what it must refuse. */
const UPDATES = [
  { field: "key", value: () => "buyer", malformed: ["", null, "it's", "x".repeat(129), 7] },
  { field: "name", value: () => "Buyer", malformed: ["two\nlines", "  ", "x".repeat(201), 7] },
  {
    field: "entity",
    value: ({ order }: Scene) => order.ref,
    shown: ({ order }: Scene) => order.byId,
    malformed: ["", null, "order", "id:7", 7],
  },
  { field: "cardinality", value: () => "unknown", malformed: ["", null, "Many", "zeroOrMany", 1] },
];

describe.each(UPDATES)("relationship_role_update_$field", ({ field, value, shown = value, malformed }) => {
  const action = `model/relationship_role_update_${field}`;

  test("sets the field of the role alone, named by key and by id", async () => {
    for (const by of ["id", "key"] as const) {
      const scene = await newScene();
      const [a, b] = await rolesOf(scene);
      const payload = { ...scene.refs, relationshipRoleRef: `${by}:${a?.[by]}`, value: value(scene) };
      const answer = await world.ok(action, payload);
      const key = field === "key" ? "buyer" : "a";
      expectWritten(answer, { key, modelId: scene.model.id, revision: 5 });
      expect(answer.body.id).toBe(a?.id);
      expect(await rolesOf(scene)).toEqual([{ ...a, [field]: shown(scene) }, b]);
    }
  });

  test("changes nothing where the value is the same", async () => {
    const scene = await newScene();
    const [a] = await rolesOf(scene);
    const payload = { ...scene.refs, relationshipRoleRef: `id:${a?.id}`, value: value(scene) };
    await world.ok(action, payload);
    const { body } = await world.writesNothing(() => world.ok(action, payload));
    expect(body).toMatchObject({ id: a?.id, changed: false, revision: 5 });
  });

  test("reports the change of the relationship in a dry run, and writes nothing", async () => {
    const scene = await newScene();
    const payload = { ...scene.refs, relationshipRoleRef: "key:a", value: value(scene) };
    const { body } = await world.keepsEveryByte(() => world.ok(action, payload, { dryRun: true }));
    const { id, key } = scene.relationship;
    expect(body).toMatchObject({ dryRun: true, changes: [{ change: "update", kind: "relationship", id, key }] });
  });

  test("given no role of the relationship, names the ref", async () => {
    const scene = await newScene();
    const [foreign] = await rolesOf(await newScene());
    for (const relationshipRoleRef of [
      "key:none",
      `id:${foreign?.id}`,
      scene.relationship.byId,
      `key:${foreign?.id}`,
    ]) {
      const payload = { ...scene.refs, relationshipRoleRef, value: value(scene) };
      const problem = await world.writesNothing(() => world.refused(action, payload));
      expect(problem.code).toBe("not_found");
      expect(problem.message).toContain(relationshipRoleRef);
    }
  });

  test("refuses malformed values with a pointer", async () => {
    const { refs, model } = await newScene();
    for (const wrong of malformed) {
      const problem = await world.refused(action, { ...refs, relationshipRoleRef: "key:a", value: wrong });
      expectFaults(problem, "/value");
    }
    expectFaults(await world.refused(action, { ...refs, value: malformed.at(-1) }), "/relationshipRoleRef", "/value");
    expect(await revisionOf(world, model)).toBe(4);
  });
});

describe("the key of a role", () => {
  test("must differ from those of the other roles of the relationship", async () => {
    const scene = await newScene();
    const payload = { ...scene.refs, relationshipRoleRef: "key:a", value: "b" };
    const problem = await world.writesNothing(() => world.refused("model/relationship_role_update_key", payload));
    expect(problem.code).toBe("key_taken");
    expect(problem.message).toContain("b");
  });

  test("is free again once the role has another", async () => {
    const scene = await newScene();
    await world.ok("model/relationship_role_update_key", { ...scene.refs, relationshipRoleRef: "key:a", value: "c" });
    await world.ok("model/relationship_role_update_key", { ...scene.refs, relationshipRoleRef: "key:b", value: "a" });
    expect((await rolesOf(scene)).map((role) => role.key)).toEqual(["c", "a"]);
  });
});

test.each([{ value: "" }, { value: null }, {}])("the name of a role is cleared by %j", async (nothing) => {
  const scene = await newScene();
  const payload = { ...scene.refs, relationshipRoleRef: "key:a" };
  const before = await rolesOf(scene);
  await world.ok("model/relationship_role_update_name", { ...payload, value: "Buyer" });
  const cleared = { ...payload, ...nothing };
  expect((await world.ok("model/relationship_role_update_name", cleared)).body).toMatchObject({ changed: true });
  expect(await rolesOf(scene)).toEqual(before);
  const { body } = await world.writesNothing(() => world.ok("model/relationship_role_update_name", cleared));
  expect(body).toMatchObject({ changed: false });
});

test("a role with an entity of another model is refused, with the ref", async () => {
  const scene = await newScene();
  const elsewhere = await newScene();
  const type = await aType(world, scene.model);
  for (const value of ["key:none", `id:${NO_ID}`, elsewhere.order.byId, type.byId]) {
    const payload = { ...scene.refs, relationshipRoleRef: "key:a", value };
    const problem = await world.writesNothing(() => world.refused("model/relationship_role_update_entity", payload));
    expect(problem.code).toBe("not_found");
    expect(problem.message).toContain(value);
  }
});

describe("relationship_role_delete", () => {
  test("removes the role by key and by id, down to two roles", async () => {
    const scene = await newScene();
    await addRole(scene, "c");
    const [a, ...others] = await rolesOf(scene);
    const byKey = { ...scene.refs, relationshipRoleRef: "key:a" };
    const answer = await world.ok("model/relationship_role_delete", byKey);
    expectWritten(answer, { key: "a", modelId: scene.model.id, revision: 6 });
    expect(answer.body.id).toBe(a?.id);
    expect(await rolesOf(scene)).toEqual(others);
    const { body } = await addRole(scene, "a");
    await world.ok("model/relationship_role_delete", { ...scene.refs, relationshipRoleRef: `id:${body.id}` });
    expect(await rolesOf(scene)).toEqual(others);
  });

  test("refuses to leave fewer than two roles, after it has found the role", async () => {
    const scene = await newScene();
    const payload = { ...scene.refs, relationshipRoleRef: "key:a" };
    const problem = await world.writesNothing(() => world.refused("model/relationship_role_delete", payload));
    expect(problem.code).toBe("too_few_roles");
    expect(problem.message).toContain(scene.relationship.key);
    const other = { ...payload, relationshipRoleRef: "key:none" };
    expect((await world.refused("model/relationship_role_delete", other)).code).toBe("not_found");
  });

  test("given no role of the relationship, names the ref", async () => {
    const scene = await newScene();
    await addRole(scene, "c");
    const [foreign] = await rolesOf(await newScene());
    for (const relationshipRoleRef of ["key:none", `id:${foreign?.id}`]) {
      const payload = { ...scene.refs, relationshipRoleRef };
      const problem = await world.refused("model/relationship_role_delete", payload);
      expect(problem.code).toBe("not_found");
      expect(problem.message).toContain(relationshipRoleRef);
    }
  });
});
