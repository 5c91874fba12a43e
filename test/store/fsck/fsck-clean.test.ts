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
    models.push((await world.run("model/import", { content: sceneDocument(key) })).id);
    await readyScene(name, key, (action, first) => world.run(`model/${action}`, first));
    const answer = await world.run(`model/${name}`, payload(key, `made ${i}`));
    expect(answer.changed, name).toBe(true);
  }
  const modelRef = "key:scene 0";
  await world.run("model/model_create", { key: "mine", name: "Mine" });
  await world.run("model/model_delete", { modelRef: "key:mine" });
  await world.run("model/model_create", { key: "mine", name: "Mine again" });
  await world.run("model/entity_delete", { modelRef, entityRef: "key:empty" });
  await world.run("model/entity_create", { modelRef, entityKey: "empty" });
  expect(await world.check()).toEqual([]);
  for (const id of models) expect(await checkModel(distantTable(world.table), world.ambient, id)).toEqual([]);
  for (const ms of [0, HOUR_MS, 24 * HOUR_MS, HOUR_MS, 40 * HOUR_MS]) {
    world.ambient.advance(ms);
    await world.signIn();
    await world.sweep();
    expect(await world.check()).toEqual([]);
    await world.run("model/model_update_name", { modelRef: "key:mine", name: `Mine after ${ms}` });
  }
  expect(await world.check()).toEqual([]);
});

test("a model under concurrent writes has no violation", { timeout: 60_000 }, async () => {
  const world = await fsckWorld(distantTable);
  const { id } = await world.run("model/import", { content: sceneDocument("busy") });
  let writing = true;
  let writes = 0;
  const writer = async (mine: string): Promise<void> => {
    for (; writing; writes += 4) {
      const modelRef = "key:busy";
      await world.run("model/entity_create", { modelRef, entityKey: mine });
      const attribute = { modelRef, entityRef: `key:${mine}`, type: "key:string", optional: true };
      await world.run("model/entity_attribute_create", { ...attribute, attributeKey: "a" });
      await world.run("model/entity_update_key", { modelRef, entityRef: `key:${mine}`, value: `${mine}-2` });
      await world.run("model/entity_delete", { modelRef, entityRef: `key:${mine}-2` });
    }
  };
  const writers = Promise.all(["w1", "w2", "w3"].map(writer));
  const distant = distantTable(world.table);
  for (let checks = 0; checks < 15 || writes < 20; checks++) {
    expect(await checkModel(distant, world.ambient, id)).toEqual([]);
  }
  writing = false;
  await writers;
  expect(await world.check()).toEqual([]);
});
