import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { DOCUMENT_SCHEMA } from "../shared/domain/document/document.ts";
import { LIMITS } from "../shared/domain/limits.ts";
import { createStore } from "../shared/store/model-store.ts";
import { ModelCache } from "../shared/store/read/model-cache.ts";
import type { UnitStep } from "../test/store/unit-budget/unit-step.ts";
import { startBenchService } from "./bench-service.ts";
import { measureUnits, type UnitRow } from "./units.ts";

/** Cost of one call in a process without a cache, and in one with a warm cache. */
export interface WarmRow {
  readonly step: UnitStep;
  readonly cold: UnitRow;
  readonly warm: UnitRow;
}

/** Reads of the current state of one model or of the tags. A warm process answers them with one read of the log. */
const CURRENT_READS = /^(model|tag|property)\/(\w+_)?(get|list|export|export_as)$/;
/** Variants that read more: a past state, a second ledger, a ledger that does not exist yet. */
const MORE = [/^of a (revision|version)$/, /global tag/, /^none yet$/];
const OF_NO_MODEL: ReadonlySet<string> = new Set([
  ...["model/model_list", "model/deleted_list", "model/run_list", "model/run_get"],
]);

/** Runs every call of the budget on a cold and on a warm service. */
export async function measureWarm(): Promise<readonly WarmRow[]> {
  const cold = await measureUnits("cold");
  const warm = await measureUnits("warm");
  return warm.map(([step, row], i) => ({ step, cold: cold[i]?.[1] ?? row, warm: row }));
}

/** Returns a sentence for each call that costs more in a warm process, and for each cached read of more than one unit or call. */
export function findWarmFaults(rows: readonly WarmRow[]): readonly string[] {
  return rows.flatMap(({ step: { action, variant }, cold, warm }) => {
    const name = `${action} ${variant}`;
    const figures = ["write", "read", "sequence"] as const;
    const dearer = figures.filter((figure) => warm[figure] > cold[figure]);
    const isPresent =
      CURRENT_READS.test(action) && !OF_NO_MODEL.has(action) && !MORE.some((more) => more.test(variant));
    return [
      ...dearer.map((figure) => `${name}: ${figure} ${warm[figure]}, cold ${cold[figure]}`),
      ...(isPresent && (warm.read !== 1 || warm.sequence !== 1)
        ? [`${name}: ${warm.read} units in ${warm.sequence} calls, not 1 in 1`]
        : []),
    ];
  });
}

/** Attributes of one entity of the model that fills the cache. */
const ATTRIBUTES = 100;

/** Returns the bytes of heap that a full cache takes for each object. */
async function measureObjectBytes(): Promise<number> {
  const bench = await startBenchService({ cachedObjects: 0 });
  try {
    const count = Math.floor(LIMITS.cachedObjects / 3 / ATTRIBUTES);
    const attributes = Array.from({ length: ATTRIBUTES - 1 }, (_, i) => ({
      ...{ key: `attribute_${i}`, name: `Attribute ${i}`, type: "key:t", optional: true },
      description: "What it means, in a sentence of a common length, as people write them.",
    }));
    const entities = Array.from({ length: count }, (_, i) => ({ key: `entity_${i}`, name: `Entity ${i}`, attributes }));
    const content = { $schema: DOCUMENT_SCHEMA, key: "m", name: "M", types: [{ key: "t" }], entities };
    await bench.run("model/import", { content });
    const cache = new ModelCache(Date.now);
    const store = createStore(bench.table, bench.service.runtime, { cache });
    const before = measureHeap();
    const view = await store.open({ scheme: "key", value: "m" });
    await view.readContent();
    await store.confirm(view);
    const known = cache.get(view.ledgerId)?.listRange({ prefix: "" })?.length ?? 0;
    if (known === 0) throw new Error("the cache kept nothing");
    return (measureHeap() - before) / known;
  } finally {
    await bench.stop();
  }
}

/** Returns the bytes of heap in use after garbage collection. */
function measureHeap(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}

/** Prints what every call costs a cold and a warm process, and the memory of a full cache; answers the faults. */
export async function benchWarm(): Promise<readonly string[]> {
  const rows = await measureWarm();
  const shown = rows.map(({ step: { action, variant }, cold, warm }) => {
    const cost = ({ write, read, sequence }: UnitRow) => `${write} w ${read} r in ${sequence}`;
    return { action, variant, cold: cost(cold), warm: cost(warm) };
  });
  console.table(shown);
  const perObject = Math.round(await measureObjectBytes());
  const full = Math.round((perObject * LIMITS.cachedObjects) / 1e6);
  console.log(`an object takes ${perObject} B; a full cache about ${full} MB`);
  const faults = findWarmFaults(rows);
  for (const fault of faults) console.log(`FAULT ${fault}`);
  console.log(JSON.stringify({ bench: "warm", rows: shown, bytesPerObject: perObject, fullMegabytes: full, faults }));
  return faults;
}
