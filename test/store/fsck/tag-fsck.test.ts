import { beforeAll, describe, expect, test } from "vitest";
import type { ViolationCode } from "../../../shared/store/fsck/violation.ts";
import { toSweepItem } from "../../../shared/store/log/stagings.ts";
import { type ItemKey, idsPartition, logKey, objectsPartition, TAGS } from "../../../shared/store/table/keys.ts";
import type { Item } from "../../../shared/store/table/table.ts";
import { type FsckWorld, fsckWorld } from "../support/fsck-world.ts";
import { sceneDocument } from "../support/scene.ts";

const HOUR_MS = 3_600_000;
const OBJECTS = objectsPartition(TAGS.model, TAGS.generation);
const IDS = idsPartition(TAGS.model, TAGS.generation);

/** The group `privacy` with the tags `personal` and `secret`, of which the first marks an entity. */
interface Scene {
  readonly world: FsckWorld;
  readonly group: string;
  readonly personal: string;
  item(key: ItemKey): Promise<Item>;
  change(key: ItemKey, members: object): Promise<void>;
  drop(key: ItemKey): Promise<void>;
}

async function setScene(): Promise<Scene> {
  const world = await fsckWorld();
  const { table } = world;
  const { id: group } = await world.run("tag/tag_group_create", { key: "private" });
  await world.run("tag/tag_group_update_key", { tagGroupRef: "key:private", value: "privacy" });
  const { id: personal } = await world.run("tag/tag_global_create", { groupRef: "key:privacy", key: "personal" });
  await world.run("tag/tag_global_create", { groupRef: "key:privacy", key: "secret" });
  await world.run("model/import", { content: sceneDocument("crm") });
  const on = { modelRef: "key:crm", entityRef: "key:customer" };
  await world.run("model/entity_add_tag", { ...on, tagRef: "key:privacy/personal" });
  const item: Scene["item"] = async ({ pk, sk }) => {
    const found = await table.get({ pk, sk });
    if (!found) throw new Error(`there is nothing at ${pk} ${sk}`);
    return found;
  };
  return {
    world,
    group,
    personal,
    item,
    change: async (key, members) => void (await table.batchPut([{ ...(await item(key)), ...members }])),
    drop: async ({ pk, sk }) => void (await table.batchDelete([{ pk, sk }])),
  };
}

type Break = readonly [what: string, codes: readonly ViolationCode[], act: (scene: Scene) => Promise<unknown>];

const tagAt = ({ group }: Scene, key = "personal"): ItemKey => ({ pk: OBJECTS, sk: `global_tag#${group}#${key}` });
const groupAt: ItemKey = { pk: OBJECTS, sk: "tag_group#privacy" };
const NOBODY = "01900000-0000-7000-8000-000000000000";

const MENDABLE: readonly Break[] = [
  ["a group is lost", ["object-missing"], (s) => s.drop(groupAt)],
  ["a tag is lost", ["object-missing"], (s) => s.drop(tagAt(s))],
  ["a tag has another name", ["object-differs"], (s) => s.change(tagAt(s), { name: "Other" })],
  [
    "a group is under its former key still",
    ["object-unexpected"],
    (s) => s.change(groupAt, { sk: "tag_group#private", key: "private" }),
  ],
  [
    "a tag of no group",
    ["object-orphaned"],
    (s) => s.change(tagAt(s), { sk: `global_tag#${NOBODY}#personal`, owner: NOBODY, id: NOBODY }),
  ],
  ["an id is lost", ["id-missing"], (s) => s.drop({ pk: IDS, sk: s.personal })],
  ["an id leads elsewhere", ["id-differs"], (s) => s.change({ pk: IDS, sk: s.group }, { at: "tag_group#private" })],
  ["an id of nothing", ["id-unexpected"], (s) => s.change({ pk: IDS, sk: s.group }, { sk: NOBODY })],
  [
    "a sweep of what a living group owns",
    ["sweep-alive"],
    (s) => s.world.table.batchPut([toSweepItem({ ...TAGS, owner: s.group, round: 1 }, s.world.ambient.now(), "alive")]),
  ],
];

describe("a violation in the ledger of tags", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await setScene();
    expect(await scene.world.check()).toEqual([]);
  });

  test.each(MENDABLE)("is found and repaired: %s", async (_, codes, act) => {
    const { world } = scene;
    const dump = async () => [await world.items(OBJECTS), (await world.items(IDS)).map(({ sk, at }) => [sk, at])];
    const before = await dump();
    await act(scene);
    const findings = await world.check();
    expect(findings.map(({ code }) => code)).toEqual(codes);
    expect(findings.every(({ repair: mend, sentence }) => mend && sentence.length > 20)).toBe(true);
    expect(await world.mend()).toMatchObject({ changed: 0 });
    expect(await world.check()).toEqual([]);
    expect(await dump()).toEqual(before);
  });

  test.each<Break>([
    ["a revision is lost", ["log-gap"], (s) => s.drop(logKey(TAGS.model, 2))],
    [
      "a change does not fit",
      ["log-misfit"],
      async (s) => {
        const [change] = (await s.item(logKey(TAGS.model, 2))).changes as readonly object[];
        await s.change(logKey(TAGS.model, 2), { changes: [{ ...change, base: 7 }] });
      },
    ],
    ["another generation", ["log-facts", "log-facts"], (s) => s.change(logKey(TAGS.model, 3), { generation: "1" })],
  ])("is found and not changed: %s", async (_, codes, act) => {
    const alone = await setScene();
    await act(alone);
    const findings = await alone.world.check();
    expect(findings.map(({ code }) => code)).toEqual(codes);
    expect(findings.every(({ repair }) => !repair)).toBe(true);
  });
});

test("tags that are deleted with their group, and their links, are no violation at any step of the sweep", async () => {
  const { world } = await setScene();
  await world.run("tag/tag_global_delete", { tagRef: "key:privacy/secret" });
  await world.run("tag/tag_group_delete", { tagGroupRef: "key:privacy" });
  await world.run("tag/tag_local_delete", { modelRef: "key:crm", tagRef: "key:draft" });
  expect(await world.check()).toEqual([]);
  for (const ms of [0, HOUR_MS / 6, HOUR_MS, 30 * HOUR_MS]) {
    world.ambient.advance(ms);
    await world.signIn();
    await world.sweep();
    expect(await world.check()).toEqual([]);
    await world.run("tag/tag_group_create", { key: `g${ms}` });
  }
  expect((await world.items(OBJECTS)).map(({ sk }) => sk.split("#")[0])).not.toContain("global_tag");
});

test("tags and models under concurrent writes have no violation", { timeout: 60_000 }, async () => {
  const { world } = await setScene();
  let writing = true;
  const writer = async (mine: string): Promise<number> => {
    let writes = 0;
    for (; writing; writes += 6) {
      const modelRef = "key:crm";
      await world.run("tag/tag_group_create", { key: mine });
      await world.run("tag/tag_global_create", { groupRef: `key:${mine}`, key: "t" });
      await world.run("tag/tag_local_create", { modelRef, key: mine });
      const on = { modelRef, relationshipRef: "key:places" };
      await world.run("model/relationship_add_tag", { ...on, tagRef: `key:${mine}/t` });
      await world.run("model/relationship_add_tag", { ...on, tagRef: `key:${mine}` });
      await world.run("tag/tag_group_delete", { tagGroupRef: `key:${mine}` });
      await world.run("tag/tag_local_delete", { modelRef, tagRef: `key:${mine}` });
      await world.sweep();
    }
    return writes;
  };
  const writers = ["w1", "w2"].map(writer);
  for (let i = 0; i < 8; i++) expect(await world.check()).toEqual([]);
  writing = false;
  const writes = (await Promise.all(writers)).reduce((a, b) => a + b, 0);
  expect(writes).toBeGreaterThan(10);
  expect(await world.check()).toEqual([]);
});
