import { expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { checkModel } from "../../shared/store/fsck/check-model.ts";
import { TAGS } from "../../shared/store/keys.ts";
import { countOfRun, createChance } from "../guarantees/support/history-chance.ts";
import { type PastHistory, pastHistory, type Seen } from "./support/past-history.ts";
import { seedFor } from "./support/seed.ts";

const HISTORIES = countOfRun("METACTION_HISTORIES", 6);
const CALLS = 60;

// So small that every history passes some of its snapshots.
Object.assign(LIMITS, { snapshotCommits: 7 });

test("every past state is exported as it was exported when it was the newest", {
  timeout: 60_000 + HISTORIES * 20_000,
}, async () => {
  const first = seedFor("past-properties");
  const tally = { states: 0, releases: 0, deleted: 0, snapshots: 0 };
  for (let seed = first; seed < first + HISTORIES; seed++) {
    const told = `seed ${seed}`;
    const history = await pastHistory(createChance(seed));
    await history.go(CALLS).catch((error: unknown) => {
      throw new Error(told, { cause: error });
    });
    for (const model of history.models.values()) {
      tally.states += await expectPast(history, model, told);
      tally.releases += await expectReleases(history, model, told);
      tally.deleted += Number(model.gone !== undefined);
    }
    const { seam } = history.world;
    for (const ledger of [TAGS.model, ...history.models.keys()]) {
      expect(await checkModel(seam, history.ambient, ledger), told).toEqual([]);
      tally.snapshots += (await seam.query({ pk: `snapshot#${ledger}` })).items.length;
    }
  }
  process.stdout.write(`past-properties: ${JSON.stringify(tally)}\n`);
  expect(tally.states).toBeGreaterThan(HISTORIES * 10);
  expect(tally.releases).toBeGreaterThan(HISTORIES);
  if (HISTORIES >= 6) expect(Math.min(tally.deleted, tally.snapshots)).toBeGreaterThan(0);
});

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
