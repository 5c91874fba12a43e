import { LIMITS } from "../shared/domain/limits.ts";
import { startBenchService } from "./bench-service.ts";

const ENTITIES = 20;
const ATTRIBUTES = 9_960;
/** Entries of the batches that are timed, one after the other on the same model. */
const BATCHES = [1_000, 1_000, LIMITS.batchEntries];

/** Creates 1,000 attributes in one batch, in a model of 10,000 objects, and then as many as a batch may. */
export async function benchBatch(): Promise<readonly string[]> {
  const bench = await startBenchService();
  const rows: object[] = [];
  const faults: string[] = [];
  try {
    await bench.run("model/import", { content: largePackage() });
    for (const [run, count] of BATCHES.entries()) {
      const before = await revision(bench);
      bench.count.reset();
      const began = performance.now();
      await bench.run("batch/batch_run", { actions: entries(run, count) });
      const { readUnits, writeUnits, calls } = bench.count;
      rows.push({ entries: count, ms: Math.round(performance.now() - began), readUnits, writeUnits, calls });
      const revisions = (await revision(bench)) - before;
      if (revisions !== 1) faults.push(`a batch made ${revisions} revisions, not one`);
    }
  } finally {
    await bench.stop();
  }
  console.table(rows);
  console.log(JSON.stringify({ bench: "batch", objects: ATTRIBUTES + 2 * ENTITIES, rows, faults }));
  return faults;
}

async function revision(bench: Awaited<ReturnType<typeof startBenchService>>): Promise<number> {
  return ((await bench.run("model/model_get", { modelRef: "key:large" })).body as { revision: number }).revision;
}

function entries(run: number, count: number): readonly object[] {
  return Array.from({ length: count }, (_, i) => ({
    group: "model",
    action: "entity_attribute_create",
    payload: {
      modelRef: "key:large",
      entityRef: `key:entity_${i % ENTITIES}`,
      attributeKey: `new_${run}_${i}`,
      type: "key:string",
      optional: true,
    },
  }));
}

function largePackage() {
  const fields = Array.from({ length: ATTRIBUTES / ENTITIES }, (_, i) => ({ name: `attribute_${i}`, type: "string" }));
  const resources = Array.from({ length: ENTITIES }, (_, i) => ({
    name: `entity_${i}`,
    path: `entity_${i}.csv`,
    schema: { fields },
  }));
  return { name: "large", title: "A model of 10,000 objects", resources };
}
