import { expect, test } from "vitest";
import { toLogEntry } from "../../../shared/store/log/log.ts";
import { logPartition } from "../../../shared/store/table/keys.ts";
import { createChance, seedOf } from "../../support/chance.ts";
import type { Body } from "../../support/world.ts";
import { attempt, findings, NO_ID, payloadFor, plain, prepare, visible } from "../support/batch-comparison.ts";
import { partition } from "../support/check-model.ts";
import { type FsckWorld, fsckWorld } from "../support/fsck-world.ts";
import { type PlannedEntry, randomEntries, SIDE } from "../support/random-entries.ts";

const HOUR_MS = 3_600_000;
const ATTRIBUTES = 150;

function insideOne(entries: readonly PlannedEntry[]): readonly PlannedEntry[] {
  const isInside = ({ group, action, payload }: PlannedEntry) =>
    group === "model" &&
    payload.modelRef === `key:${SIDE}m0` &&
    !/^model_|^import$|^entity_delete$|_get$|_list$/.test(action);
  return entries.filter(isInside);
}

const newestEntry = async (world: FsckWorld, id: string) => {
  const item = (await partition(world.table, logPartition(id))).at(-1);
  if (!item) throw new Error(`${id} has no log`);
  return toLogEntry(item);
};

test("a batch that no transaction holds has the same effect, as one published revision", {
  timeout: 120_000,
}, async () => {
  const seed = seedOf("batch-large");
  const chance = createChance(seed);
  const world = await fsckWorld();
  const [left, right] = ["left0x", "right0x"];
  for (const side of [left, right]) await prepare(world.run, side);
  const made = { modelRef: `key:${SIDE}m0`, type: "key:t0", optional: true };
  const many: readonly PlannedEntry[] = Array.from({ length: ATTRIBUTES }, (_, i) => ({
    ...{ group: "model", action: "entity_attribute_create" },
    payload: { ...made, entityRef: `key:e${i % 2}`, attributeKey: `many ${i}` },
  }));
  const batched: object[] = [];
  const answers: Body[] = [];
  for (const entry of [...many, ...insideOne(randomEntries(chance, 700))]) {
    const called = JSON.parse(JSON.stringify(payloadFor(right, entry, () => NO_ID)).replaceAll("$$", "$"));
    const { body } = await attempt(() => world.run(`${entry.group}/${entry.action}`, called));
    if (!body) continue;
    answers.push(body);
    batched.push({ ...entry, payload: payloadFor(left, entry, () => NO_ID) });
  }
  const { id, revision } = await world.run("model/model_get", { modelRef: `key:${left}m0` });
  const body = await world.run("batch/batch_run", { actions: batched });
  expect(answers.length, `seed ${seed}`).toBeGreaterThan(ATTRIBUTES);
  expect(plain(left, body.results), `seed ${seed}`).toEqual(plain(right, answers));
  expect(body.revisions).toEqual([{ id, key: `${left}m0`, revision: revision + 1 }]);
  const newest = await newestEntry(world, id);
  expect(newest.revision).toBe(revision + 1);
  expect(newest.snapshot).toBeDefined();
  expect(plain(left, await visible(world, left)), `seed ${seed}`).toEqual(plain(right, await visible(world, right)));
  for (const ms of [0, HOUR_MS, 25 * HOUR_MS]) {
    world.runtime.advance(ms);
    await world.signIn();
    await world.sweep();
    expect(await findings(world), `seed ${seed}`).toEqual([]);
  }
  expect(plain(left, await visible(world, left)), `seed ${seed}`).toEqual(plain(right, await visible(world, right)));
});

test("a large batch whose last entry fails leaves no trace", async () => {
  const world = await fsckWorld();
  await prepare(world.run, "left0x");
  const modelRef = "key:left0xm0";
  const create = (entityKey: string) => ({ group: "model", action: "entity_create", payload: { modelRef, entityKey } });
  const before = await visible(world, "left0x");
  const actions = [...Array.from({ length: 200 }, (_, i) => create(`fresh ${i}`)), create("fresh 7")];
  const { problem } = await attempt(() => world.run("batch/batch_run", { actions }));
  expect([problem?.code, problem?.members.entry]).toEqual(["key_taken", 201]);
  expect(await visible(world, "left0x")).toEqual(before);
  expect(await partition(world.table, "stagings")).toEqual([]);
});
