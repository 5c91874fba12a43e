import { expect, test } from "vitest";
import { freshTable } from "../support/table.ts";
import { createWorld } from "../support/world.ts";
import { sceneDocument } from "./support/scene.ts";

const READS = new Set(["get", "batchGet", "query", "transactGet"]);

let spent = { write: 0, read: 0 };

const small = { modelRef: "key:small" };
const large = { modelRef: "key:large" };

/** Calls whose cost has to be the same on any model. The exact budgets are those of `test/store/unit-budget/unit-steps.ts`. */
const CALLS: readonly (readonly [action: string, payload: object])[] = [
  ["model_get", {}],
  ["model_update_name", { name: "Another" }],
  ["type_create", { typeKey: "made" }],
  ["type_get", { typeRef: "key:string" }],
  ["type_update_key", { typeRef: "key:made", value: "moved" }],
  ["entity_create", { entityKey: "made" }],
  ["entity_update_name", { entityRef: "key:made", value: "Made" }],
  ["entity_attribute_create", { entityRef: "key:made", attributeKey: "a", type: "key:string", optional: true }],
  ["entity_attribute_get", { entityRef: "key:made", attributeRef: "key:a" }],
  ["entity_attribute_update_type", { entityRef: "key:made", attributeRef: "key:a", value: "key:integer" }],
  ["entity_attribute_update_key", { entityRef: "key:made", attributeRef: "key:a", value: "b" }],
  ["business_key_create", { entityRef: "key:made", key: "made", participants: ["key:b"] }],
  ["business_key_get", { businessKeyRef: "key:made" }],
  ["business_key_update_participants", { businessKeyRef: "key:made", value: [] }],
  ["business_key_update_key", { businessKeyRef: "key:made", value: "moved" }],
  ["business_key_delete", { businessKeyRef: "key:moved" }],
  ["model_update_key", { value: "moved" }],
];

const table = await freshTable((operation, units) => (spent[READS.has(operation) ? "read" : "write"] += units));
const world = await createWorld({ table, cachedObjects: 0 });
await world.run("model/import", { content: sceneDocument("small") });
const scene = sceneDocument("large");
const types = Array.from({ length: 1_500 }, (_, i) => ({ key: `t${i}`, name: `Type ${i}` }));
const entities = Array.from({ length: 300 }, (_, i) => ({ key: `e${i}`, attributes: [], primaryKey: [] }));
const content = { ...scene, types: [...scene.types, ...types], entities: [...scene.entities, ...entities] };
await world.run("model/import", { content });
for (let i = 0; i < 30; i++) await world.run("model/model_create", { key: `other-${i}`, name: "Other" });
for (let i = 0; i < 120; i++)
  await world.run("model/entity_update_name", { ...large, entityRef: "key:customer", value: `Name ${i}` });

test.each(CALLS)("%s costs the same with 1,800 objects and 120 revisions as with ten", async (action, payload) => {
  const costs: object[] = [];
  for (const model of [small, large]) {
    const key = action === "model_update_key" ? `${model.modelRef.slice("key:".length)}-moved` : undefined;
    spent = { write: 0, read: 0 };
    await world.run(`model/${action}`, { ...model, ...payload, ...(key !== undefined && { value: key }) });
    costs.push(spent);
  }
  expect(costs[1]).toEqual(costs[0]);
});

test("the deletion of an attribute writes the same as on the small model; its search for business keys may read more", async () => {
  const writes: number[] = [];
  for (const modelRef of ["key:small-moved", "key:large-moved"]) {
    spent = { write: 0, read: 0 };
    await world.run("model/entity_attribute_delete", { modelRef, entityRef: "key:customer", attributeRef: "key:code" });
    writes.push(spent.write);
  }
  expect(writes[1]).toBe(writes[0]);
});

test("an object with four local and four global tags is read, linked and unlinked at one cost, for any number of tags", async () => {
  const four = ["a", "b", "c", "d"];
  const modelRef = "key:marked";
  const on = { modelRef, entityRef: "key:e" };
  await world.run("model/model_create", { key: "marked", name: "Marked" });
  await world.run("model/entity_create", { modelRef, entityKey: "e" });
  await world.run("tag/tag_group_create", { key: "g" });
  for (const key of four) {
    await world.run("tag/tag_global_create", { groupRef: "key:g", key });
    await world.run("tag/tag_local_create", { modelRef, key });
    for (const tagRef of [`key:g/${key}`, `key:${key}`]) await world.run("model/entity_add_tag", { ...on, tagRef });
  }
  const costs: object[] = [];
  for (const more of [60, 180]) {
    const actions = Array.from({ length: more }, (_, i) => [
      { group: "tag", action: "tag_global_create", payload: { groupRef: "key:g", key: `more-${more}-${i}` } },
      { group: "tag", action: "tag_local_create", payload: { modelRef, key: `more-${more}-${i}` } },
    ]).flat();
    for (let at = 0; at < actions.length; at += 40)
      await world.run("batch/batch_run", { actions: actions.slice(at, at + 40) });
    // After four more commits to each ledger its head tells the same of ids in both rounds.
    for (let i = 0; i < 4; i++) {
      await world.run("model/entity_update_name", { ...on, value: `Name ${more} ${i}` });
      await world.run("tag/tag_group_update_name", { tagGroupRef: "key:g", value: `Name ${more} ${i}` });
    }
    const { tags } = await world.run("model/entity_get", on);
    expect(tags).toHaveLength(8);
    const steps: readonly (readonly [string, object])[] = [
      ["entity_get", on],
      ["entity_delete_tag", { ...on, tagRef: "key:g/a" }],
      ["entity_add_tag", { ...on, tagRef: "key:g/a" }],
    ];
    const spentBy: object[] = [];
    for (const [action, payload] of steps) {
      spent = { write: 0, read: 0 };
      await world.run(`model/${action}`, payload);
      spentBy.push({ ...spent });
    }
    costs.push(spentBy);
  }
  expect(costs[1]).toEqual(costs[0]);
  expect(costs[0]).toMatchObject([{ write: 0 }, { write: 4 }, { write: 8 }]);
});
