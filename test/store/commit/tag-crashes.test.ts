import { beforeAll, describe, expect, test } from "vitest";
import { checkTable } from "../../../shared/store/fsck/check-table.ts";
import { readNewestEntries } from "../../../shared/store/log/log.ts";
import { openTable, type TestTable } from "../../support/table.ts";
import { createWorld, type World } from "../../support/world.ts";
import { checkModel } from "../support/check-model.ts";
import { createFaultTable, type FaultTable } from "../support/fault-table.ts";
import { quickAmbient } from "../support/quick-ambient.ts";
import { sceneDocument } from "../support/scene.ts";
import { type Caller, serviceOver } from "../support/service-over.ts";

let opened: TestTable;
let world: World;
let table: FaultTable;
let caller: Caller;
let model: string;
let clock: ReturnType<typeof quickAmbient>;

beforeAll(async () => {
  opened = await openTable();
  world = await createWorld({ table: opened.table });
  table = createFaultTable(opened.table);
  clock = quickAmbient(new Date().toISOString());
  caller = serviceOver(world, table, clock);
  model = (await world.run("model/import", { content: sceneDocument("crm") })).id;
});

interface Place {
  readonly group: string;
  readonly tag: string;
  readonly local: string;
}

/** Writes of every sort on tags, on a group, a global tag and a local tag that mark an entity, all made for it alone. */
const WRITES: readonly (readonly [action: string, payload: (place: Place) => object])[] = [
  ["tag/tag_group_create", ({ group }) => ({ key: `${group}-new` })],
  ["tag/tag_group_update_key", ({ group }) => ({ tagGroupRef: `key:${group}`, value: `${group}-moved` })],
  ["tag/tag_group_delete", ({ group }) => ({ tagGroupRef: `key:${group}` })],
  ["tag/tag_global_create", ({ group }) => ({ groupRef: `key:${group}`, key: "new" })],
  ["tag/tag_global_update_key", ({ tag }) => ({ tagRef: tag, value: "moved" })],
  ["tag/tag_global_delete", ({ tag }) => ({ tagRef: tag })],
  ["tag/tag_local_delete", ({ local }) => ({ modelRef: "key:crm", tagRef: local })],
  ["model/model_add_tag", ({ tag }) => ({ modelRef: "key:crm", tagRef: tag })],
  ["model/model_add_tag", ({ local }) => ({ modelRef: "key:crm", tagRef: local })],
  ["model/entity_delete_tag", ({ tag }) => ({ modelRef: "key:crm", entityRef: "key:customer", tagRef: tag })],
];

let places = 0;

async function newPlace(): Promise<Place> {
  const group = `g${places++}`;
  const place = { group, tag: `key:${group}/t`, local: `key:${group}-local` };
  await world.run("tag/tag_group_create", { key: group });
  await world.run("tag/tag_global_create", { groupRef: `key:${group}`, key: "t" });
  await world.run("tag/tag_local_create", { modelRef: "key:crm", key: `${group}-local` });
  const on = { modelRef: "key:crm", entityRef: "key:customer" };
  await world.run("model/entity_add_tag", { ...on, tagRef: place.tag });
  await world.run("model/entity_add_tag", { ...on, tagRef: place.local });
  return place;
}

/** Takes the marks off again, so that the entity never has too many. */
async function leavePlace({ group, local }: Place): Promise<void> {
  const gone = (action: string, payload: object) => world.run(action, payload).catch(() => undefined);
  for (const key of [group, `${group}-moved`]) await gone("tag/tag_group_delete", { tagGroupRef: `key:${key}` });
  for (const ref of [local, `${local}-moved`]) await gone("tag/tag_local_delete", { modelRef: "key:crm", tagRef: ref });
}

/** Revisions of the model and of the tags. */
async function revisions(): Promise<readonly number[]> {
  const newest = async (ledger: string) => (await readNewestEntries(opened.table, ledger, 1))[0]?.revision ?? 0;
  return [await newest(model), await newest("tags")];
}

async function findings(): Promise<readonly string[]> {
  const checked = await checkTable(opened.table, { ambient: clock, scan: opened.scan });
  const wrong = checked.violations.filter(({ place }) => place.pk !== "identity").map(({ sentence }) => sentence);
  return [...wrong, ...(await checkModel(opened.table, model))];
}

const FAULTS = ["kill", "lose-answer"] as const;

describe.each(WRITES)("%s", (action, payload) => {
  test.each(
    FAULTS,
  )('that fails with "%s" at any call happens once or not at all, and its answer is correct', async (fault) => {
    let place: Place | undefined;
    for (let nth = 1; nth < 30; nth++) {
      place ??= await newPlace();
      const [ofModel = 0, ofTags = 0] = await revisions();
      table.arm({ rules: [{ match: { nth }, do: fault }] });
      const outcome = await caller.call(action, payload(place)).catch((error: unknown) => {
        expect(error).toBeInstanceOf(Error);
        return undefined;
      });
      // The call that died left other storage calls under way.
      const met = !outcome || table.trace.length >= nth;
      await table.settle();
      const [model2 = 0, tags2 = 0] = await revisions();
      const made = model2 - ofModel + (tags2 - ofTags);
      expect([0, 1]).toContain(made);
      if (outcome?.answer) expect(made).toBe(1);
      else if (outcome) expect(outcome.problem?.members.retryAfter ?? outcome.problem?.code).toBeDefined();
      if (made > 0) {
        await leavePlace(place);
        place = undefined;
      }
      if (!met) {
        expect(made).toBe(1);
        break;
      }
    }
    expect(await findings()).toEqual([]);
  });
});
