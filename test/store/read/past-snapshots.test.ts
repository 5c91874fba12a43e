import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { LIMITS, SWEEP } from "../../../shared/domain/limits.ts";
import { sweep } from "../../../shared/store/sweep/sweep.ts";
import { SWEEPS, snapshotKey } from "../../../shared/store/table/keys.ts";
import { OutcomeUnknown, type Range, type Table } from "../../../shared/store/table/table.ts";
import { type FsckWorld, fsckWorld } from "../support/fsck-world.ts";

const { snapshotCommits } = LIMITS;
const DISTANCE = 10;
const M = { modelRef: "key:m" };

beforeEach(() => {
  // Snapshots come after so few commits that a test can pass some of them.
  Object.assign(LIMITS, { snapshotCommits: DISTANCE });
});
afterEach(() => Object.assign(LIMITS, { snapshotCommits }));

async function modelAt(revision: number): Promise<FsckWorld & { readonly id: string; readonly asked: Range[] }> {
  const asked: Range[] = [];
  const watching = (table: Table): Table => ({
    ...table,
    query: (range) => {
      asked.push(range);
      return table.query(range);
    },
  });
  const world = await fsckWorld(watching);
  const { id } = await world.run("model/model_create", { key: "m", name: "M" });
  for (let i = 2; i <= revision; i++) await world.run("model/type_create", { ...M, typeKey: `t${i}` });
  return { ...world, id, asked };
}

const pointers = ({ items, id }: FsckWorld & { id: string }) => items(snapshotKey(id, 0).pk);

const typesAt = async (world: FsckWorld, revision: number): Promise<number> =>
  (await world.run("model/model_export", { ...M, revision })).types.length;

test("the sweeper keeps a snapshot after every snapshotCommits commits, and reads of the past begin there", async () => {
  const world = await modelAt(2 * DISTANCE + 5);
  expect(await world.items(SWEEPS)).toHaveLength(2);
  expect(await world.codes()).toEqual([]);
  expect(await world.sweep()).toMatchObject({ notes: 2 });
  expect(await world.items(SWEEPS)).toEqual([]);
  expect((await pointers(world)).map(({ sk }) => Number(sk))).toEqual([DISTANCE, 2 * DISTANCE]);
  expect(await world.codes()).toEqual([]);
  for (const [revision, from] of [
    [DISTANCE - 1, 1],
    [DISTANCE, undefined],
    [DISTANCE + 1, DISTANCE + 1],
    [2 * DISTANCE + 5, 2 * DISTANCE + 1],
  ] as const) {
    world.asked.length = 0;
    expect(await typesAt(world, revision)).toBe(revision - 1);
    const read = world.asked.filter(({ pk, from }) => pk === `log#${world.id}` && from !== undefined);
    expect(read.map((range) => Number(range.from))).toEqual(from === undefined ? [] : [from]);
  }
});

test("an incomplete snapshot is ignored by reads of the past", async () => {
  const world = await modelAt(DISTANCE + 1);
  const losing: Table = { ...world.table, batchPut: () => Promise.reject(new OutcomeUnknown("no answer")) };
  await expect(sweep(losing, world.runtime)).rejects.toBeInstanceOf(OutcomeUnknown);
  expect(await typesAt(world, DISTANCE)).toBe(DISTANCE - 1);
  expect(await world.codes()).toEqual([]);
  await world.sweep();
  expect(await pointers(world)).toHaveLength(1);
  expect(await typesAt(world, DISTANCE)).toBe(DISTANCE - 1);
});

describe("a log that cannot be replayed", () => {
  /** A sweep in whose sight the log of a model lacks its third entry. */
  function sweepWithout({ table, runtime, id }: FsckWorld & { id: string }): Promise<unknown> {
    const torn: Table = {
      ...table,
      query: async (range) => {
        const page = await table.query(range);
        return { ...page, items: page.items.filter(({ pk, sk }) => pk !== `log#${id}` || Number(sk) !== 3) };
      },
    };
    return sweep(torn, runtime);
  }

  test("is read once more, because it may have been read during a write", async () => {
    const world = await modelAt(DISTANCE);
    await sweepWithout(world);
    expect(await pointers(world)).toEqual([]);
    expect(await world.sweep()).toMatchObject({ notes: 0 });
    world.runtime.advance(SWEEP.secondLookMs + 1);
    expect(await world.sweep()).toMatchObject({ notes: 1 });
    expect(await pointers(world)).toHaveLength(1);
    expect(await world.items(SWEEPS)).toEqual([]);
  });

  test("is left to fsck if it fails again", async () => {
    const world = await modelAt(DISTANCE);
    await sweepWithout(world);
    world.runtime.advance(SWEEP.secondLookMs + 1);
    await sweepWithout(world);
    expect(await world.items(SWEEPS)).toEqual([]);
  });
});

test("a snapshot written twice is one", async () => {
  const world = await modelAt(DISTANCE);
  const [note] = await world.items(SWEEPS);
  await world.sweep();
  const [pointer] = await pointers(world);
  if (!note) throw new Error("no note");
  await world.table.write({ put: note, expect: { absent: true } });
  await world.sweep();
  expect(await pointers(world)).toEqual([pointer]);
  expect(await world.codes()).toEqual([]);
});
