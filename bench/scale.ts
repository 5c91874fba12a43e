import { SWEEP } from "../shared/domain/limits.ts";
import { runtime } from "../shared/service/runtime.ts";
import { sweep } from "../shared/store/sweep/sweep.ts";
import { startBenchService } from "./bench-service.ts";

const ENTITIES = 20;
/** Together with the model, its entities and types: the number of objects that one call may write. */
const ATTRIBUTES = 19_960;

interface Row {
  readonly step: string;
  readonly ms: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly calls: number;
  readonly rssMb: number;
}

/** Imports, exports, copies and deletes a model of nearly 20,000 attributes, and sweeps. */
export async function benchScale(): Promise<readonly string[]> {
  const bench = await startBenchService();
  const rows: Row[] = [];
  const measure = async <T>(step: string, run: () => Promise<T>): Promise<T> => {
    bench.count.reset();
    const began = performance.now();
    const result = await run();
    const { readUnits, writeUnits, calls } = bench.count;
    const rssMb = Math.round(process.memoryUsage().rss / 1e6);
    rows.push({ step, ms: Math.round(performance.now() - began), readUnits, writeUnits, calls, rssMb });
    process.stderr.write(`${step}\n`);
    return result;
  };
  const imported = await measure("import", () => bench.run("model/import", { content: largePackage() }));
  const { counts } = imported.body as { counts: { attributes: number } };
  const exported = await measure("export", () => bench.run("model/model_export", { modelRef: "key:large" }));
  await measure("copy", () => bench.run("model/model_copy", { modelRef: "key:large", modelNewKey: "copy" }));
  await measure("delete", () => bench.run("model/model_delete", { modelRef: "key:large" }));
  const later = { ...runtime, now: () => Date.now() + SWEEP.generationMs + 1_000 };
  const swept = await measure("sweep", () => sweep(bench.table, later));
  await bench.stop();
  console.table(rows);
  const size = JSON.stringify(exported.body).length;
  console.log(JSON.stringify({ bench: "scale", attributes: counts.attributes, exportBytes: size, swept, rows }));
  return counts.attributes === ATTRIBUTES ? [] : [`${counts.attributes} attributes were imported, not ${ATTRIBUTES}`];
}

function largePackage() {
  const fields = Array.from({ length: ATTRIBUTES / ENTITIES }, (_, i) => ({
    name: `attribute_${i}`,
    title: `Attribute ${i}`,
    type: "string",
    description: "One of many attributes, described in a sentence of ordinary length.",
  }));
  const resources = Array.from({ length: ENTITIES }, (_, i) => ({
    name: `entity_${i}`,
    path: `entity_${i}.csv`,
    schema: { fields },
  }));
  return { name: "large", title: "A large package", resources };
}
