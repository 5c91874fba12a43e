import { afterAll, beforeAll, expect, test } from "vitest";
import { LIMITS } from "../../../shared/domain/limits.ts";
import { checkModel } from "../../../shared/store/fsck/check-model.ts";
import { TAGS } from "../../../shared/store/table/keys.ts";
import { type Chance, countOfRun, createChance, seedOf } from "../../support/chance.ts";
import { foundBy, naiveDifference } from "../support/naive-difference.ts";
import { type PastHistory, pastHistory, type Seen } from "../support/past-history.ts";

const HISTORIES = countOfRun("METACTION_HISTORIES", 4);
const CALLS = 45;

const { snapshotCommits } = LIMITS;

beforeAll(() => {
  // The limit is so small that every history passes some of its snapshots.
  Object.assign(LIMITS, { snapshotCommits: 7 });
});

afterAll(() => {
  Object.assign(LIMITS, { snapshotCommits });
});

test("every past state is exported as when it was the newest", {
  timeout: 60_000 + HISTORIES * 20_000,
}, async () => {
  const first = seedOf("past-properties");
  const tally = { states: 0, releases: 0, deleted: 0, snapshots: 0, differences: 0 };
  for (let seed = first; seed < first + HISTORIES; seed++) {
    const told = `seed ${seed}`;
    const chance = createChance(seed);
    const history = await pastHistory(chance);
    await history.go(CALLS).catch((error: unknown) => {
      throw new Error(told, { cause: error });
    });
    for (const model of history.models.values()) {
      tally.states += await expectPast(history, model, told);
      tally.releases += await expectReleases(history, model, told);
      tally.deleted += Number(model.gone !== undefined);
    }
    tally.differences += await expectDifferences(history, chance, told);
    const { table } = history.world;
    for (const ledger of [TAGS.model, ...history.models.keys()]) {
      expect(await checkModel(table, history.ambient, ledger), told).toEqual([]);
      tally.snapshots += (await table.query({ pk: `snapshot#${ledger}` })).items.length;
    }
  }
  process.stdout.write(`past-properties: ${JSON.stringify(tally)}\n`);
  expect(tally.states).toBeGreaterThan(HISTORIES * 10);
  expect(tally.releases).toBeGreaterThan(HISTORIES);
  expect(tally.differences).toBeGreaterThan(HISTORIES * 5);
  if (HISTORIES >= 40) expect(Math.min(tally.deleted, tally.snapshots)).toBeGreaterThan(0);
});

/** States that are compared in each history. */
const PAIRS = 6;

/** Compares some states with themselves and with others; answers how many differences there are. */
async function expectDifferences({ world, models }: PastHistory, chance: Chance, told: string): Promise<number> {
  const living = [...models.values()].filter(({ gone }) => gone === undefined);
  if (living.length === 0) return 0;
  const state = () => {
    const { id, exports } = chance.pick(living);
    const [revision, { text }] = chance.pick([...exports]);
    return { id, revision, document: JSON.parse(text) };
  };
  let count = 0;
  for (let i = 0; i < PAIRS; i++) {
    const [left, right] = [state(), state()];
    const compare = (a: typeof left, b: typeof left) =>
      world.run("model/model_compare", {
        ...{ leftModelRef: `id:${a.id}`, leftRevision: a.revision },
        ...{ rightModelRef: `id:${b.id}`, rightRevision: b.revision },
      });
    expect((await compare(left, left)).entries, told).toEqual([]);
    const body = await compare(left, right);
    const wanted = naiveDifference(left.document, right.document, left.id === right.id);
    const where = `${told}, ${left.id} at ${left.revision} with ${right.id} at ${right.revision}`;
    expect(foundBy(body), where).toEqual(wanted);
    expect(body.breaking + body.additive + body.cosmetic, where).toBe(body.entries.length);
    count += wanted.length;
  }
  return count;
}

/** Compares every export; answers how many there are. */
async function expectPast({ world }: PastHistory, { id, exports, gone }: Seen, told: string): Promise<number> {
  const modelRef = `id:${id}`;
  for (const [revision, { text, etag }] of exports) {
    const past = await world.answer("model/model_export", { modelRef, revision });
    expect(JSON.stringify(past.body), `${told}, ${id} at ${revision}`).toBe(text);
    expect(past.etag, `${told}, ${id} at ${revision}`).toBe(etag);
  }
  if (gone !== undefined) {
    expect((await world.problem("model/model_export", { modelRef, revision: gone })).code).toBe("not_found");
    expect((await world.problem("model/model_export", { modelRef, revision: 1 }, world.people.reader)).code).toBe(
      "not_found",
    );
  }
  return exports.size;
}

/** Compares every released version with the export of its revision; answers how many there are. */
async function expectReleases({ world }: PastHistory, { id, exports, releases }: Seen, told: string): Promise<number> {
  const modelRef = `id:${id}`;
  const { items } = await world.run("model/history_versions", { modelRef });
  const listed = items.map(({ version, revision }: { version: string; revision: number }) => [version, revision]);
  expect(listed, told).toEqual([...releases].reverse());
  for (const [version, revision] of releases) {
    const document = await world.run("model/model_export_version", { modelRef, version });
    expect(JSON.stringify(document), `${told}, ${id} ${version}`).toBe(exports.get(revision)?.text);
  }
  return releases.size;
}
