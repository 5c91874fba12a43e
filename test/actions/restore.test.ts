import { describe, expect, test } from "vitest";
import type { Body } from "../support/world.ts";
import { expectFaults, newKey, useWorld } from "./support/checked-world.ts";
import {
  aGlobalTag,
  aModel,
  anAttribute,
  anEntity,
  aTagGroup,
  aType,
  exampleModel,
  type Made,
  revisionOf,
} from "./support/models.ts";

const world = useWorld();

const exported = (model: Made): Promise<Body> => world.read("model/model_export", { modelRef: model.byId });
const restore = async (model: Made, moment: object) =>
  (await world.ok("model/model_restore", { modelRef: model.byId, ...moment })).body;
const refused = (model: Made, moment: object) =>
  world.refused("model/model_restore", { modelRef: model.byId, ...moment });

describe("model_restore", () => {
  test("restores everything with the same ids", async () => {
    const { model, revision, customer, draft } = await exampleModel(world, newKey("restored"));
    const then = await exported(model);
    const at = { modelRef: model.ref };
    await world.ok("model/entity_delete", { ...at, entityRef: customer.ref });
    await world.ok("tag/tag_local_delete", { ...at, tagRef: draft.ref });
    await world.ok("model/relationship_delete", { ...at, relationshipRef: "key:places" });
    await world.ok("model/model_update_description", { ...at, value: "Changed." });
    await anEntity(world, model, "customer");
    await anEntity(world, model, "another");
    const before = await revisionOf(world, model);
    expect(await restore(model, { revision })).toMatchObject({
      ...{ status: "ok", id: model.id, key: model.key, changed: true },
      ...{ revision: before + 1, restoredRevision: revision, losses: [] },
    });
    expect(JSON.stringify(await exported(model))).toBe(JSON.stringify(then));
    const found = await world.read("model/entity_get", { ...at, entityRef: customer.byId });
    expect(found).toMatchObject({ id: customer.id, key: "customer" });
    await world.ok("model/entity_update_name", { ...at, entityRef: "key:customer", value: "Still at work" });
  });

  test("keeps the version label, and reports it", async () => {
    const model = await aModel(world);
    await world.ok("model/model_release", { modelRef: model.ref, value: "1.0.0" });
    const { losses } = await restore(model, { version: "0.0.1" });
    expect(losses).toMatchObject([{ id: model.id, detail: expect.stringContaining("1.0.0") }]);
    expect((await exported(model)).version).toBe("1.0.0");
  });

  test("restores the model's key, unless another model has it now", async () => {
    const model = await aModel(world);
    const [second, third] = [newKey("second"), newKey("third")];
    await world.ok("model/model_update_key", { modelRef: model.byId, value: second });
    await world.ok("model/model_update_key", { modelRef: model.byId, value: third });
    expect(await restore(model, { revision: 2 })).toMatchObject({ key: second, losses: [] });
    expect((await world.read("model/model_get", { modelRef: `key:${second}` })).id).toBe(model.id);
    const other = await aModel(world, model.key);
    const { key, losses } = await restore(model, { revision: 1 });
    expect(key).toBe(second);
    expect(losses).toMatchObject([{ id: model.id, detail: expect.stringContaining(model.key) }]);
    expect((await world.read("model/model_get", { modelRef: model.ref })).id).toBe(other.id);
  });

  test("lists the lost links to global tags, once for each object, in the order of the document", async () => {
    const group = await aTagGroup(world);
    const tag = (key: string) => aGlobalTag(world, group, key);
    const [kept, early, late] = [await tag("kept"), await tag("early"), await tag("late")];
    const model = await aModel(world);
    const entity = await anEntity(world, model);
    for (const { ref } of [kept, early, late])
      await world.ok("model/entity_add_tag", { modelRef: model.ref, entityRef: entity.ref, tagRef: ref });
    const type = await aType(world, model);
    for (const key of ["c", "a", "b"]) {
      const attribute = await anAttribute(world, { model, type, entity: await anEntity(world, model, key) }, key);
      const refs = { modelRef: model.ref, entityRef: `key:${key}`, attributeRef: attribute.ref, tagRef: late.ref };
      await world.ok("model/entity_attribute_add_tag", refs);
    }
    await world.ok("tag/tag_global_delete", { tagRef: early.byId });
    await world.ok("model/entity_update_name", { modelRef: model.ref, entityRef: entity.ref, value: "Then" });
    const revision = await revisionOf(world, model);
    await world.ok("tag/tag_global_delete", { tagRef: late.byId });
    await world.ok("model/entity_update_name", { modelRef: model.ref, entityRef: entity.ref, value: "Now" });
    const { losses } = await restore(model, { revision });
    expect(losses[0].id).toBe(entity.id);
    expect(losses.map(({ detail }: Body) => detail.replace(" of its global tag(s) were deleted", ""))).toEqual(
      [`entity ${entity.key}`, "attribute a", "attribute b", "attribute c"].map((one) => `${one}: 1`),
    );
    const document = (await exported(model)).entities.find(({ id }: Made) => id === entity.id);
    expect(document).toMatchObject({ name: "Then", tags: [kept.ref] });
  });

  test("requires exactly one point in time that the model had", async () => {
    const model = await aModel(world);
    expectFaults(await refused(model, {}), "/version", "/revision");
    expectFaults(await refused(model, { version: "0.0.1", revision: 1 }), "/version", "/revision");
    // Parameters come before objects.
    const both = { modelRef: "key:no such model", version: "0.0.1", revision: 1 };
    for (const action of ["model/model_restore", "model/model_export"])
      expectFaults(await world.refused(action, both), "/version", "/revision");
    expect((await refused(model, { version: "8.0.0" })).message).toContain("8.0.0");
    const problem = await refused(model, { revision: 8 });
    expect([problem.code, problem.message]).toEqual(["not_found", expect.stringContaining("8")]);
  });
});
