import { beforeAll, describe, expect, test } from "vitest";
import { expectFaults, newKey, useWorld } from "./support/checked-world.ts";
import { aModel, anEntity, aRelationship, aType } from "./support/models.ts";

const world = useWorld();
/** JSON that only text keeps: numbers and names that the table has not, and members in an order of their own. */
const CONSTRAINTS = {
  format: "email",
  enum: ["b", null, { z: 1e300, a: [5e-324, ""] }],
  default: { constructor: 1, "": { 2: "two", 1: "one" } },
  unique: true,
};
const modelRef = "key:crm";
const code = { modelRef, entityRef: "key:customer", attributeRef: "key:code" };
const channel = { modelRef, relationshipRef: "key:places", attributeRef: "key:channel" };

beforeAll(async () => {
  const model = await aModel(world, "crm");
  await aType(world, model, "text");
  const a = await anEntity(world, model, "customer");
  await aRelationship(world, { model, a, b: a }, "places");
  const attribute = { modelRef, type: "key:text", optional: true, constraints: CONSTRAINTS };
  await world.ok("model/entity_attribute_create", { ...attribute, entityRef: "key:customer", attributeKey: "code" });
  const second = { ...attribute, relationshipRef: "key:places", attributeKey: "channel" };
  await world.ok("model/relationship_attribute_create", second);
});

describe("the constraints of an attribute", () => {
  test("are replaced as a whole, cleared when left out, recorded in the history and restored", async () => {
    const before = await world.read("model/model_export", { modelRef });
    const update = (more: object) => world.ok("model/entity_attribute_update_constraints", { ...code, ...more });
    const { body: same } = await update({ value: Object.fromEntries(Object.entries(CONSTRAINTS).toReversed()) });
    expect(same).toMatchObject({ changed: false });
    const { body: changed } = await update({ value: { unit: "kg" } });
    expect(changed).toMatchObject({ changed: true, revision: same.revision + 1 });
    expect((await world.read("model/entity_attribute_get", code)).constraints).toEqual({ unit: "kg" });
    await update({});
    expect(await world.read("model/entity_attribute_get", code)).not.toHaveProperty("constraints");
    const { items } = await world.read("model/history_version_changes", { modelRef });
    expect(items.slice(-2)).toMatchObject([
      { change: "update", before: { constraints: CONSTRAINTS }, after: { constraints: { unit: "kg" } } },
      { change: "update", before: { constraints: { unit: "kg" } }, after: { constraints: null } },
    ]);
    await world.ok("model/model_restore", { modelRef, revision: same.revision });
    expect((await world.read("model/model_export", { modelRef })).entities).toEqual(before.entities);
  });

  test("are refused in an import with a pointer to each fault, and nothing is stored", async () => {
    const document = await world.read("model/model_export", { modelRef });
    const [entity] = document.entities;
    const attributes = [{ ...entity.attributes[0], constraints: { minLenght: 1, pattern: "x".repeat(1_001) } }];
    const content = { ...document, key: newKey(), entities: [{ ...entity, attributes }] };
    const problem = await world.refused("model/import", { content });
    expect(problem.code).toBe("invalid_content");
    expect(problem.members.errors).toMatchObject([
      { pointer: "/entities/0/attributes/0/constraints/minLenght", detail: expect.stringContaining("minLength?") },
      { pointer: "/entities/0/attributes/0/constraints/pattern", detail: "longer than 1000 characters" },
    ]);
  });

  test("are found by keyword and by format", async () => {
    const found = async (...items: object[]) => {
      const answer = await world.read("model/search", { filters: { items } });
      const rows: readonly { location: Record<string, string> }[] = answer.items;
      return rows.filter(({ location }) => location.modelKey === "crm").map(({ location }) => location.objectType);
    };
    const both = ["entityAttribute", "relationshipAttribute"];
    const value = { minimum: 1, format: "date" };
    await world.ok("model/relationship_attribute_update_constraints", { ...channel, value });
    expect(await found({ type: "constraints", condition: "notEmpty" })).toEqual(both);
    expect(await found({ type: "constraints", condition: "anyOf", value: ["enum", "minimum"] })).toEqual(both);
    const [ofEntity, ofRelationship] = both;
    const all = await found({ type: "constraints", condition: "allOf", value: ["format", "minimum"] });
    expect(all).toEqual([ofRelationship]);
    expect(await found({ type: "format", condition: "anyOf", value: ["email", "uuid"] })).toEqual([ofEntity]);
    const none = await found({ type: "constraints", condition: "noneOf", value: ["format"] });
    expect(none).toEqual(await found({ type: "constraints", condition: "empty" }));
    expect(none).toContain("entity");
    const filters = { items: [{ type: "constraints", condition: "anyOf", value: ["minimun"] }] };
    const problem = await world.refused("model/search", { filters });
    expectFaults(problem, "/filters/items/0/value/0");
    expect(problem.message).toContain("did you mean minimum?");
  });
});
