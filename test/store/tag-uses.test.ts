import { beforeAll, describe, expect, test } from "vitest";
import { SWEEP } from "../../shared/domain/limits.ts";
import { checkTable } from "../../shared/store/fsck/check-table.ts";
import { createScan } from "../../shared/store/fsck/scan.ts";
import { logPartition, usesPartition } from "../../shared/store/keys.ts";
import { itemsOf } from "../../shared/store/pages.ts";
import { sweep } from "../../shared/store/sweep.ts";
import { createWorld, type World } from "../support/world.ts";
import { createFaultSeam, Killed } from "./support/fault-seam.ts";
import { quickAmbient } from "./support/quick-ambient.ts";
import { sceneDocument } from "./support/scene.ts";
import { type OpenTable, openTable } from "./support/table.ts";

/** How many uses in all; METACTION_TAG_USES=5000 makes the number of the promise. */
const USES = Number(process.env.METACTION_TAG_USES ?? 200);
const MODELS = Math.min(40, Math.ceil(USES / 25));
const TAG = "key:privacy/personal";

let table: OpenTable;
let world: World;
let writeUnits = 0;

beforeAll(async () => {
  table = await openTable((operation, units) => {
    if (operation === "transactWrite" || operation === "write") writeUnits += units;
  });
  world = await createWorld({ seam: table.seam });
}, 60_000);

/** Models whose attributes are all marked with the tag, and with one that stays. */
async function markedModels(): Promise<readonly string[]> {
  const marks = [TAG, "key:privacy/kept"];
  const tagGroups = [{ key: "privacy", tags: [{ key: "personal" }, { key: "kept" }] }];
  const ids: string[] = [];
  for (let m = 0; m < MODELS; m++) {
    const scene = sceneDocument(`model-${m}`);
    const attributes = Array.from({ length: Math.round(USES / MODELS) }, (_, i) => ({
      ...{ key: `a${i}`, type: "key:string", optional: true, tags: marks },
    }));
    const entities = [...scene.entities, { key: "marked", attributes, primaryKey: [] }];
    ids.push((await world.run("model/import", { content: { ...scene, entities, tagGroups } })).id);
  }
  return ids;
}

async function usesOf(tag: string): Promise<number> {
  let count = 0;
  for await (const _ of itemsOf(table.seam, { pk: usesPartition(tag) })) count += 1;
  return count;
}

async function revisions(ids: readonly string[]): Promise<readonly number[]> {
  return Promise.all(
    ids.map(async (id) => {
      const { items } = await table.seam.query({ pk: logPartition(id), descending: true, limit: 1 });
      return Number(items[0]?.sk);
    }),
  );
}

/** The keys of the tags that the attributes show, in lists and in exports. */
async function shown(): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  for (let m = 0; m < MODELS; m++) {
    const on = { modelRef: `key:model-${m}`, entityRef: "key:marked" };
    const { items } = await world.run("model/entity_attribute_list", on);
    for (const { tags } of items) for (const { key } of tags) keys.add(key);
    const document = await world.run("model/model_export", { modelRef: on.modelRef });
    const marked = document.entities.find(({ key }: { key: string }) => key === "marked");
    for (const { tags = [] } of marked.attributes) for (const ref of tags) keys.add(ref.slice("key:".length));
    for (const { tags } of document.tagGroups) for (const { key } of tags) keys.add(`privacy/${key}`);
  }
  return keys;
}

describe(`a global tag with ${USES} uses in ${MODELS} models`, () => {
  test("is gone from everything at the cost of one that marks nothing, and the sweeper, killed or not, changes nothing of that", {
    timeout: 900_000,
  }, async () => {
    const ids = await markedModels();
    const { id: tag } = await world.run("tag/tag_global_get", { tagRef: TAG });
    const { id: kept } = await world.run("tag/tag_global_get", { tagRef: "key:privacy/kept" });
    expect(await usesOf(tag)).toBe(Math.round(USES / MODELS) * MODELS);
    expect([...(await shown())].sort()).toEqual(["privacy/kept", "privacy/personal"]);
    const before = await revisions(ids);

    const unitsOfDeleting = async (tagRef: string): Promise<number> => {
      writeUnits = 0;
      await world.run("tag/tag_global_delete", { tagRef });
      return writeUnits;
    };
    await world.run("tag/tag_global_create", { groupRef: "key:privacy", key: "unused" });
    const unused = await unitsOfDeleting("key:privacy/unused");
    expect(unused).toBeGreaterThan(0);
    const begun = performance.now();
    expect(await unitsOfDeleting(TAG)).toBe(unused);
    const took = performance.now() - begun;
    expect([...(await shown())]).toEqual(["privacy/kept"]);
    expect(await usesOf(tag)).toBe(Math.round(USES / MODELS) * MODELS);

    const clock = quickAmbient(new Date().toISOString());
    const seam = createFaultSeam(table.seam);
    const swept = performance.now();
    // The note, the uses that are read, the batches that delete them.
    for (const nth of [2, 4, 5, 6, 7, 9]) {
      for (const fault of ["kill", "kill-after"] as const) {
        seam.arm({ rules: [{ match: { nth }, do: fault }] });
        await sweep(seam, clock).catch((error: unknown) => expect(error).toBeInstanceOf(Killed));
        await seam.settle();
      }
    }
    expect([...(await shown())]).toEqual(["privacy/kept"]);
    await sweep(seam, clock);
    clock.advance(SWEEP.secondLookMs + 1);
    await sweep(seam, clock);
    process.stdout.write(
      `${USES} uses: deletion ${Math.round(took)} ms, sweep, killed twelve times, ${Math.round(performance.now() - swept)} ms\n`,
    );
    expect(await usesOf(tag)).toBe(0);
    expect(await usesOf(kept)).toBe(Math.round(USES / MODELS) * MODELS);
    expect([...(await shown())]).toEqual(["privacy/kept"]);
    expect(await revisions(ids)).toEqual(before);
    const { findings } = await checkTable(table.seam, { ambient: clock, scan: createScan(table.connection) });
    expect(findings.filter(({ place }) => place.pk !== "identity")).toEqual([]);
  });
});
