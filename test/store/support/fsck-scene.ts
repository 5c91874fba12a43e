import type { ViolationCode } from "../../../shared/store/fsck/violation.ts";
import { type ItemKey, idsPartition, logKey, objectsPartition, TAGS } from "../../../shared/store/table/keys.ts";
import type { Item } from "../../../shared/store/table/table.ts";
import { getItem } from "./check-model.ts";
import { type FsckWorld, fsckWorld } from "./fsck-world.ts";
import { sceneDocument } from "./scene.ts";

export const TAG_OBJECTS = objectsPartition(TAGS.model, TAGS.generation);
export const TAG_IDS = idsPartition(TAGS.model, TAGS.generation);

export type Scene = Awaited<ReturnType<typeof setScene>>;

/** A model with a commit per revision, a deleted one, and the keys of its items. Its entity `customer` has a global tag. */
export async function setScene() {
  const world = await fsckWorld();
  const { table } = world;
  const { id: model }: Record<"id", string> = await world.run("model/import", { content: sceneDocument("crm") });
  const modelRef = "key:crm";
  const { id: gone }: Record<"id", string> = await world.run("model/model_create", { key: "old", name: "Old" });
  await world.run("model/model_delete", { modelRef: "key:old" });
  await world.run("model/model_update_name", { modelRef, name: "Customer relations" });
  await world.run("model/entity_create", { modelRef, entityKey: "supplier" });
  await world.run("model/entity_update_key", { modelRef, entityRef: "key:supplier", value: "vendor" });
  await markWithTagThatGoes(world, modelRef);
  await world.run("tag/tag_group_create", { key: "private" });
  await world.run("tag/tag_group_update_key", { tagGroupRef: "key:private", value: "privacy" });
  for (const key of ["personal", "secret"]) await world.run("tag/tag_global_create", { groupRef: "key:privacy", key });
  await world.run("model/entity_add_tag", { modelRef, entityRef: "key:customer", tagRef: "key:privacy/personal" });
  await world.run("model/model_release", { modelRef, value: "1.0.0" });
  const vendor = { modelRef, entityRef: "key:vendor", value: "Vendor" };
  const { revision: head }: Record<"revision", number> = await world.run("model/entity_update_name", vendor);
  const item = (key: ItemKey): Promise<Item> => getItem(table, key);
  const generation = String((await item(logKey(model, head))).generation);
  const objects = objectsPartition(model, generation);
  const all = [...(await world.items(objects)), ...(await world.items(TAG_OBJECTS))];
  return {
    world,
    model,
    gone,
    generation,
    head,
    objects,
    ids: idsPartition(model, generation),
    id: Object.fromEntries(all.map((object) => [String(object.key), String(object.id)])),
    item,
    put: async (one: Item) => void (await table.batchPut([one])),
    drop: async ({ pk, sk }: ItemKey) => void (await table.batchDelete([{ pk, sk }])),
    /** Changes members of an item; undefined takes one away. */
    change: async (key: ItemKey, members: object) =>
      void (await table.batchPut([{ ...(await item(key)), ...members }])),
  };
}

async function markWithTagThatGoes(world: FsckWorld, modelRef: string) {
  const on = { modelRef, tagRef: "key:old" };
  await world.run("tag/tag_local_create", { modelRef, key: "old" });
  await world.run("model/entity_add_tag", { ...on, entityRef: "key:customer" });
  await world.run("tag/tag_local_delete", on);
}

/** Case that breaks a rule: its name, the expected violations, and the change. */
export const broken = (what: string, codes: readonly ViolationCode[], act: (scene: Scene) => Promise<unknown>) => ({
  what,
  codes,
  act,
});

export type Break = ReturnType<typeof broken>;
