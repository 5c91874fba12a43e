import { beforeEach, describe, expect, test } from "vitest";
import { repairViolations } from "../../../shared/store/fsck/ledger-checks.ts";
import type { Violation } from "../../../shared/store/fsck/violation.ts";
import { isMoved } from "../../../shared/store/table/items.ts";
import type { ItemKey } from "../../../shared/store/table/keys.ts";
import { getWriteKey, type Item, type Table } from "../../../shared/store/table/table.ts";
import { type Chance, createChance, seedOf } from "../../support/chance.ts";
import { type FsckWorld, fsckWorld } from "../support/fsck-world.ts";
import { readyScene, sceneDocument, WRITE_CASES } from "../support/scene.ts";

interface Written {
  readonly key: ItemKey;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

/** Restores to a moment inside the transaction that are tried for every write, beside all that lose or keep one item. */
const RANDOM_MOMENTS = 2;

describe("a restore to a point in time inside a transaction", () => {
  let world: FsckWorld;
  let last: readonly Written[] = [];
  const chance = createChance(seedOf("fsck-restore"));

  const remembering = (table: Table): Table => ({
    ...table,
    transactWrite: async (writes) => {
      const keys = writes.filter((write) => !("check" in write)).map(getWriteKey);
      const read = (): Promise<(Item | undefined)[]> => Promise.all(keys.map(({ pk, sk }) => table.get({ pk, sk })));
      const before = await read();
      await table.transactWrite(writes);
      const after = await read();
      last = keys.map(({ pk, sk }, i) => ({ key: { pk, sk }, before: before[i], after: after[i] }));
    },
  });

  const make = async ({ key: { pk, sk } }: Written, item: Item | undefined) => {
    if (item) await world.table.batchPut([item]);
    else await world.table.batchDelete([{ pk, sk }]);
  };

  /** Mends until nothing is found, which may need the list of models mended before the models in it. */
  const mendAll = async (): Promise<readonly Violation[]> => {
    for (let rounds = 0; ; rounds++) {
      const findings = await world.check();
      if (findings.length === 0 || rounds === 3) return findings;
      await repairViolations(world.table, world.runtime, findings);
    }
  };

  beforeEach(async () => (world = await fsckWorld(remembering)));

  test.for(WRITE_CASES)("is repaired to the state of the log after $name", { timeout: 60_000 }, async ({
    name,
    payload,
  }) => {
    const { id } = await world.run("model/import", { content: sceneDocument("scene") });
    await readyScene(name, "scene", (action, first) => world.run(`model/${action}`, first));
    await world.run(`model/${name}`, payload("scene", "made", id));
    const written = last;
    const log = written.findIndex(({ key }) => key.pk.startsWith("log#"));
    expect(log).toBeGreaterThanOrEqual(0);
    for (const kept of momentsOf(written.length, chance)) {
      for (const [i, one] of written.entries()) await make(one, kept.has(i) ? one.after : one.before);
      expect(await mendAll(), `${name}, of ${written.length} items only ${[...kept]}`).toEqual([]);
      const head = kept.has(log) ? written[log]?.after : undefined;
      for (const { key, before, after } of written) {
        // Items of a dead generation stay until they are swept, and the restore may note them for that once more.
        const dead = /^(model|ids)#/.test(key.pk) && (kept.has(log) ? head?.state !== "live" : !before);
        if (dead || /^(sweeps|stagings)$/.test(key.pk)) continue;
        const there = await world.table.get({ pk: key.pk, sk: key.sk });
        expect(shown(there), `${key.pk} ${key.sk}`).toEqual(shown(kept.has(log) ? after : before));
      }
    }
    for (let i = 0; i < 3; i++) {
      world.runtime.advance(25 * 3_600_000);
      await world.sweep();
      // A generation whose log entry was lost shows once its staging is forgotten.
      expect(await mendAll()).toEqual([]);
    }
    await world.sweep();
    expect(await world.check()).toEqual([]);
  });
});

/** Which items of a transaction were there at a moment: all but one, only one, and some by chance. */
function* momentsOf(items: number, chance: Chance): Generator<ReadonlySet<number>> {
  const all = Array.from({ length: items }, (_, i) => i);
  yield new Set();
  for (const one of all) {
    yield new Set([one]);
    yield new Set(all.filter((i) => i !== one));
  }
  for (let i = 0; i < RANDOM_MOMENTS; i++) yield new Set(all.filter(() => chance.happens(0.5)));
}

/** An item without what mending need not bring back: the revision of an id, and the row of a former key. */
function shown(item: Item | undefined): object | undefined {
  if (item && isMoved(item)) return undefined;
  if (!item?.pk.startsWith("ids#")) return item;
  const { revision: _, ...rest } = item;
  return rest;
}
