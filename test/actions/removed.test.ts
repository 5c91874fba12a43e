import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { LIMITS } from "../../shared/domain/limits.ts";
import { ACTIONS } from "../support/actions.ts";
import type { Body } from "../support/world.ts";
import { newKey, useWorld } from "./support/checked-world.ts";
import { aBusinessKey, aModel, anAttribute, anEntity, aType, entryOf, type Made } from "./support/models.ts";

const world = useWorld();

async function newScene() {
  const model = await aModel(world);
  return { model, type: await aType(world, model), entity: await anEntity(world, model) };
}

const row = (kind: string, { id, key }: Made, more: object = {}) => ({ kind, id, key, ...more });

/** Runs a deletion as a dry run and then in earnest, and answers the removed objects, which both have to list alike. */
async function removedBy(action: string, payload: object) {
  const rehearsed = await world.keepsEveryByte(() => world.ok(`model/${action}`, payload, { dryRun: true }));
  const { body } = await world.ok(`model/${action}`, payload);
  expect(rehearsed.body.removed).toEqual(body.removed);
  return body.removed;
}

test("every deletion inside a model lists the objects that it removed, except tags", () => {
  const telling = ACTIONS.filter(({ output }) => {
    return "removed" in (z.toJSONSchema(output.schema(), { io: "input" }).properties ?? {});
  });
  const deleting = ACTIONS.filter(({ group, name }) => group === "model" && /(?<!model)_delete$/.test(name));
  expect(telling.map(({ name }) => name).sort()).toEqual(deleting.map(({ name }) => name).sort());
});

describe("removed", () => {
  test("lists for an entity the primary key in order, business keys and attributes, and nothing of other entities", async () => {
    const { model, type, entity } = await newScene();
    const other = await anEntity(world, model);
    const add = (key: string) => anAttribute(world, { model, type, entity }, key);
    const [b, a, c] = [await add("b"), await add("a"), await add("c")];
    await anAttribute(world, { model, type, entity: other }, "a");
    const [second, first] = [
      await aBusinessKey(world, { model, entity }, newKey("z"), ["key:a"]),
      await aBusinessKey(world, { model, entity }, newKey("b")),
    ];
    await aBusinessKey(world, { model, entity: other }, newKey("c"));
    const payload = { modelRef: model.ref, entityRef: entity.ref };
    await world.ok("model/entity_primary_key_update", { ...payload, attributeRef: [b.ref, a.ref] });
    const businessKeys = [first, second].map((one) => row("business_key", one));
    const attributes = [a, b, c].map((one) => row("attribute", one));
    const items = [row("primary_key", entity, { attributes: ["b", "a"] }), ...businessKeys, ...attributes];
    expect(await removedBy("entity_delete", payload)).toEqual({ count: 6, items });
    const { body } = await world.ok("model/entity_delete", { modelRef: model.ref, entityRef: other.ref });
    expect(body.removed.count).toBe(2);
  });

  test("lists for an attribute its position in the primary key and in business keys", async () => {
    const { model, type, entity } = await newScene();
    const on = { modelRef: model.ref, entityRef: entity.ref };
    for (const key of ["a", "b", "c"]) await anAttribute(world, { model, type, entity }, key);
    const inKey = await aBusinessKey(world, { model, entity }, newKey("b"), ["key:a", "key:b"]);
    await aBusinessKey(world, { model, entity }, newKey("b"), ["key:b"]);
    await world.ok("model/entity_primary_key_update", { ...on, attributeRef: ["key:b", "key:a"] });
    const remains = true;
    expect(await removedBy("entity_attribute_delete", { ...on, attributeRef: "key:a" })).toEqual({
      count: 2,
      items: [row("primary_key", entity, { attributes: ["a"], remains }), row("business_key", inKey, { remains })],
    });
    const last = await removedBy("entity_attribute_delete", { ...on, attributeRef: "key:b" });
    expect(last.items[0]).toEqual(row("primary_key", entity, { attributes: ["b"] }));
    expect(last.count).toBe(3);
    const nothing = await removedBy("entity_attribute_delete", { ...on, attributeRef: "key:c" });
    expect(nothing).toEqual({ count: 0, items: [] });
  });

  test("in a batch takes earlier entries into account", async () => {
    const { model, type, entity } = await newScene();
    await anAttribute(world, { model, type, entity }, "a");
    await anAttribute(world, { model, type, entity }, "b");
    const on = { modelRef: model.ref, entityRef: entity.ref };
    const call = (action: string, payload: object) => entryOf(action, { ...on, ...payload });
    const { body } = await world.ok("batch/batch_run", {
      actions: [
        call("entity_attribute_delete", { attributeRef: "key:a" }),
        call("entity_attribute_create", { attributeKey: "c", type: type.ref, optional: true }),
        call("entity_delete", {}),
      ],
    });
    expect(body.results[2].removed.items.map(({ key }: Made) => key)).toEqual(["b", "c"]);
  });
});

describe(`more than ${LIMITS.removedRows} removed objects`, () => {
  const fieldNames = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ name: `f${String(i).padStart(5, "0")}` }));
  const imported = async (...tables: readonly number[]): Promise<string> => {
    const resources = tables.map((fields, i) => ({ name: `t${i}`, schema: { fields: fieldNames(fields) } }));
    const key = newKey("large");
    await world.ok("model/import", { content: { name: key, resources } });
    return `key:${key}`;
  };

  test("are counted, and so many of them listed, keys first", async () => {
    const modelRef = await imported(LIMITS.removedRows, LIMITS.removedRows + 1);
    const edge = await removedBy("entity_delete", { modelRef, entityRef: "key:t0" });
    expect([edge.count, edge.items.length]).toEqual([LIMITS.removedRows, LIMITS.removedRows]);
    const on = { modelRef, entityRef: "key:t1" };
    await world.ok("model/entity_primary_key_update", { ...on, attributeRef: ["key:f01000"] });
    const over = await removedBy("entity_delete", on);
    expect([over.count, over.items.length]).toEqual([LIMITS.removedRows + 2, LIMITS.removedRows]);
    expect(over.items[0]).toMatchObject({ kind: "primary_key", attributes: ["f01000"] });
  });

  test("are listed up to the limit over all entries of a batch", async () => {
    const modelRef = await imported(LIMITS.removedRows - 1, 3, 3);
    const actions = ["t0", "t1", "t2"].map((key) => entryOf("entity_delete", { modelRef, entityRef: `key:${key}` }));
    const { body } = await world.ok("batch/batch_run", { actions });
    expect(body.results.map(({ removed }: Body) => [removed.count, removed.items.length])).toEqual([
      [LIMITS.removedRows - 1, LIMITS.removedRows - 1],
      [3, 1],
      [3, 0],
    ]);
  });
});
