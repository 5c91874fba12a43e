import { expect, test } from "vitest";
import { checkModel } from "../../../shared/store/fsck/check-model.ts";
import { distantTable } from "../support/distant-table.ts";
import { fsckWorld } from "../support/fsck-world.ts";
import { readyScene, sceneDocument, WRITE_CASES } from "../support/scene.ts";

const HOUR_MS = 3_600_000;

test("a table after every kind of write has no violation, at any step of its sweep", { timeout: 120_000 }, async () => {
  const world = await fsckWorld();
  expect(await world.check()).toEqual([]);
  const models: string[] = [];
  for (const [i, { name, payload }] of WRITE_CASES.entries()) {
    const key = `scene ${i}`;
    const { id } = await world.run("model/import", { content: sceneDocument(key) });
    models.push(id);
    await readyScene(name, key, (action, first) => world.run(`model/${action}`, first));
    expect((await world.run(`model/${name}`, payload(key, `made ${i}`, id))).changed, name).toBe(true);
  }
  const modelRef = "key:scene 0";
  await world.run("model/model_create", { key: "mine", name: "Mine" });
  const { id } = await world.run("model/model_delete", { modelRef: "key:mine" });
  await world.run("model/model_create", { key: "mine", name: "Mine again" });
  await world.run("model/entity_delete", { modelRef, entityRef: "key:empty" });
  await world.run("model/entity_create", { modelRef, entityKey: "empty" });
  await world.run("tag/tag_group_create", { key: "privacy" });
  for (const key of ["personal", "secret"]) await world.run("tag/tag_global_create", { groupRef: "key:privacy", key });
  await world.run("model/model_add_tag", { modelRef, tagRef: "key:privacy/personal" });
  await world.run("tag/tag_global_delete", { tagRef: "key:privacy/secret" });
  await world.run("tag/tag_group_delete", { tagGroupRef: "key:privacy" });
  await world.run("tag/tag_local_delete", { modelRef, tagRef: "key:draft" });
  const undelete = () => world.run("model/model_undelete", { modelRef: `id:${id}`, key: "mine before" });
  await undelete();
  expect(await world.check()).toEqual([]);
  for (const id of models) expect(await checkModel(distantTable(world.table), world.runtime, id)).toEqual([]);
  for (const ms of [0, HOUR_MS / 6, HOUR_MS, 24 * HOUR_MS, HOUR_MS, 40 * HOUR_MS]) {
    world.runtime.advance(ms);
    await world.signIn();
    await world.sweep();
    await world.run("model/model_delete", { modelRef: `id:${id}` });
    expect(await world.check()).toEqual([]);
    await undelete();
    await world.run("model/model_update_name", { modelRef: "key:mine", name: `Mine after ${ms}` });
    await world.run("tag/tag_group_create", { key: world.runtime.newId() });
  }
  expect(await world.check()).toEqual([]);
});

test("an object that was deleted and restored may be left to the sweep when its owner is deleted", async () => {
  const world = await fsckWorld();
  const modelRef = "key:m";
  await world.run("model/model_create", { key: "m", name: "M" });
  await world.run("model/entity_create", { modelRef, entityKey: "e" });
  const businessKey = { modelRef, entityRef: "key:e", key: "b", participants: [] };
  const { revision } = await world.run("model/business_key_create", businessKey);
  await world.run("model/business_key_delete", { modelRef, businessKeyRef: "key:b" });
  await world.run("model/model_restore", { modelRef, revision });
  await world.run("model/entity_delete", { modelRef, entityRef: "key:e" });
  expect(await world.check()).toEqual([]);
});

test("models and tags under concurrent writes have no violation", { timeout: 60_000 }, async () => {
  const world = await fsckWorld(distantTable);
  const modelRef = "key:busy";
  const { id } = await world.run("model/import", { content: sceneDocument("busy") });
  let isWriting = true;
  let writes = 0;
  const repeat = async (own: string, calls: readonly (readonly [action: string, payload: object])[]) => {
    while (isWriting) {
      for (const [action, payload] of calls) await world.run(action, payload);
      if (own.startsWith("tag")) await world.sweep();
      writes += calls.length;
    }
  };
  const onEntity = (own: string) => {
    const entity = { modelRef, entityRef: `key:${own}` };
    return repeat(own, [
      ["model/entity_create", { modelRef, entityKey: own }],
      ["model/entity_attribute_create", { ...entity, attributeKey: "a", type: "key:string", optional: true }],
      ["model/entity_update_key", { ...entity, value: `${own}-2` }],
      ["model/entity_delete", { modelRef, entityRef: `key:${own}-2` }],
    ]);
  };
  const onTags = (own: string) => {
    const relationship = { modelRef, relationshipRef: "key:places" };
    return repeat(own, [
      ["tag/tag_group_create", { key: own }],
      ["tag/tag_global_create", { groupRef: `key:${own}`, key: "t" }],
      ["tag/tag_local_create", { modelRef, key: own }],
      ["model/relationship_add_tag", { ...relationship, tagRef: `key:${own}/t` }],
      ["model/relationship_add_tag", { ...relationship, tagRef: `key:${own}` }],
      ["tag/tag_group_delete", { tagGroupRef: `key:${own}` }],
      ["tag/tag_local_delete", { modelRef, tagRef: `key:${own}` }],
    ]);
  };
  const writers = Promise.all([...["w1", "w2", "w3"].map(onEntity), ...["tag1", "tag2"].map(onTags)]);
  const distant = distantTable(world.table);
  for (let checks = 0; checks < 15 || writes < 40; checks++) {
    expect(await checkModel(distant, world.runtime, id)).toEqual([]);
    if (checks % 2 === 0) expect(await world.check()).toEqual([]);
  }
  isWriting = false;
  await writers;
  expect(await world.check()).toEqual([]);
});
