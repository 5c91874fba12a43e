import { expect, test } from "vitest";
import { SWEEP } from "../../../shared/domain/limits.ts";
import { checkTable } from "../../../shared/store/fsck/check-table.ts";
import { sweep } from "../../../shared/store/sweep/sweep.ts";
import { idsPartition, logPartition, objectsPartition, SWEEPS, TAGS } from "../../../shared/store/table/keys.ts";
import { openTable } from "../../support/table.ts";
import { createWorld } from "../../support/world.ts";
import { checkModel, partition } from "../support/check-model.ts";
import { quickRuntime } from "../support/quick-runtime.ts";
import { sceneDocument } from "../support/scene.ts";
import { openFaultyWorld } from "../support/scenes.ts";

/** How many objects are marked in all; METACTION_TAG_MARKS=5000 makes the number of the promise. */
const MARKS = Number(process.env.METACTION_TAG_MARKS ?? 200);
const MODELS = Math.min(40, Math.ceil(MARKS / 25));
const TAG = "key:privacy/personal";

let writeUnits = 0;
const opened = await openTable((operation, units) => {
  if (operation === "transactWrite" || operation === "write") writeUnits += units;
});
const world = await createWorld({ table: opened.table });

/** Models whose attributes are all marked with the tag, and with one that stays. */
async function markedModels(): Promise<readonly string[]> {
  const marks = [TAG, "key:privacy/kept"];
  const tagGroups = [{ key: "privacy", tags: [{ key: "personal" }, { key: "kept" }] }];
  const ids: string[] = [];
  for (let m = 0; m < MODELS; m++) {
    const scene = sceneDocument(`model-${m}`);
    const attributes = Array.from({ length: Math.round(MARKS / MODELS) }, (_, i) => ({
      ...{ key: `a${i}`, type: "key:string", optional: true, tags: marks },
    }));
    const entities = [...scene.entities, { key: "marked", attributes, primaryKey: [] }];
    ids.push((await world.run("model/import", { content: { ...scene, entities, tagGroups } })).id);
  }
  return ids;
}

const countEntries = (ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await partition(opened.table, logPartition(id))).length));

async function shown(): Promise<readonly string[]> {
  const documents = JSON.stringify(await world.run("model/inspect_models_json"));
  return [...new Set(documents.match(/key:privacy\/\w+/g))].sort();
}

test(`a global tag on ${MARKS} objects in ${MODELS} models is deleted from everything at the cost of one without links, and leaves nothing to sweep`, {
  timeout: 900_000,
}, async () => {
  const ids = await markedModels();
  expect(await shown()).toEqual(["key:privacy/kept", "key:privacy/personal"]);
  const before = await countEntries(ids);
  const unitsOfDeleting = async (tagRef: string): Promise<number> => {
    writeUnits = 0;
    await world.run("tag/tag_global_delete", { tagRef });
    return writeUnits;
  };
  await world.run("tag/tag_global_create", { groupRef: "key:privacy", key: "unused" });
  expect(await unitsOfDeleting("key:privacy/unused")).toBe(6);
  expect(await unitsOfDeleting(TAG)).toBe(6);
  expect(await shown()).toEqual(["key:privacy/kept"]);
  expect(await partition(opened.table, SWEEPS)).toEqual([]);
  expect(await countEntries(ids)).toEqual(before);
  const clock = quickRuntime(new Date().toISOString());
  const { violations: findings } = await checkTable(opened.table, { runtime: clock, scan: opened.scan });
  expect(findings.filter(({ key }) => key.pk !== "identity")).toEqual([]);
});

test("deleted tags are invisible at once, and those of a group are swept next", async () => {
  const { opened, world } = await openFaultyWorld();
  const tagGroups = [
    { key: "doomed", tags: [{ key: "a" }, { key: "b" }] },
    { key: "privacy", tags: [{ key: "kept" }, { key: "personal" }] },
  ];
  const refs = tagGroups.flatMap(({ key, tags }) => tags.map((tag) => `key:${key}/${tag.key}`));
  const attribute = { key: "a", type: "key:string", optional: true, tags: [...refs, "key:draft", "key:reviewed"] };
  const models: string[] = [];
  for (const key of ["one", "two"]) {
    const content = sceneDocument(key);
    const entities = [...content.entities, { key: "marked", attributes: [attribute], primaryKey: [] }];
    models.push((await world.run("model/import", { content: { ...content, entities, tagGroups } })).id);
  }
  const shownOn = async (key: string): Promise<readonly string[]> => {
    const on = { modelRef: `key:${key}`, entityRef: "key:marked", attributeRef: "key:a" };
    const { tags } = await world.run("model/entity_attribute_get", on);
    return tags.map((tag: { key: string }) => tag.key);
  };
  const all = ["doomed/a", "doomed/b", "draft", "privacy/kept", "privacy/personal", "reviewed"];
  expect(await shownOn("one")).toEqual(all);
  await world.run("tag/tag_group_delete", { tagGroupRef: "key:doomed" });
  await world.run("tag/tag_global_delete", { tagRef: "key:privacy/personal" });
  await world.run("tag/tag_local_delete", { modelRef: "key:one", tagRef: "key:draft" });
  const expectShown = async () => {
    expect(await shownOn("one")).toEqual(["privacy/kept", "reviewed"]);
    expect(await shownOn("two")).toEqual(["draft", "privacy/kept", "reviewed"]);
  };
  await expectShown();
  const clock = quickRuntime(new Date(Date.now() + 60_000).toISOString());
  expect(await sweep(opened.table, clock)).toEqual({ closed: 0, notes: 1, items: 2 });
  clock.advance(SWEEP.secondLookMs + 1);
  expect(await sweep(opened.table, clock)).toEqual({ closed: 0, notes: 1, items: 0 });
  const ledger = await partition(opened.table, objectsPartition(TAGS.model, TAGS.generation));
  expect(ledger.map(({ sk }) => sk.split("#").at(-1))).toEqual(["kept", "privacy"]);
  expect(await partition(opened.table, idsPartition(TAGS.model, TAGS.generation))).toHaveLength(2);
  expect(await partition(opened.table, SWEEPS)).toEqual([]);
  for (const id of models) expect(await checkModel(opened.table, id)).toEqual([]);
  await expectShown();
});
