import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { ambient } from "../functions/ambient.ts";
import { LIMITS } from "../shared/domain/limits.ts";
import { sweep } from "../shared/store/sweep/sweep.ts";
import { type BenchService, startBenchService } from "./bench-service.ts";

const COMMITS = 10_000;
const CHANGES = 100_000;
const PER_COMMIT = 95;
const TYPES = 40;
const M = { modelRef: "key:past" };
const MANY = { modelRef: "key:many" };
/**
 * Most units that a read of the past may cost, wherever it begins: the log between two snapshots and a snapshot of this
 * small model.
 */
const MOST_UNITS = LIMITS.snapshotCommits / 2;
/** Megabytes by which the memory in use may differ from page to page; all rows together are much more. */
const FLAT_MB = 20;

interface Row {
  readonly step: string;
  readonly ms: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly calls: number;
  readonly heapMb: number;
}

/** Reads the past of a model with 10,000 commits, and pages through 100,000 changes. */
export async function benchHistory(): Promise<readonly string[]> {
  const bench = await startBenchService();
  const rows: Row[] = [];
  const measure = async <T>(step: string, run: () => Promise<T>): Promise<Row> => {
    bench.count.reset();
    const began = performance.now();
    await run();
    const { readUnits, writeUnits, calls } = bench.count;
    const heapMb = Math.round(process.memoryUsage().heapUsed / 1e6);
    const row = { step, ms: Math.round(performance.now() - began), readUnits, writeUnits, calls, heapMb };
    rows.push(row);
    process.stderr.write(`${step}\n`);
    return row;
  };
  const faults: string[] = [];
  try {
    await measure(`${COMMITS} commits`, () => commitMany(bench));
    const read = (revision: number) => bench.run("model/model_export", { ...M, revision });
    await measure("read 9999, before the sweeper", () => read(9_999));
    await measure("the sweeper makes ten snapshots", () => sweep(bench.table, ambient));
    for (const revision of [1, 999, 1_000, 5_000, 5_999, 9_999, COMMITS]) {
      const { step, readUnits } = await measure(`read ${revision}`, () => read(revision));
      if (readUnits > MOST_UNITS) faults.push(`${step} costs ${readUnits} units, more than ${MOST_UNITS}`);
    }
    await measure("release", () => bench.run("model/model_release", { ...M, value: "1.0.0" }));
    await measure("read the release", () => bench.run("model/model_export_version", { ...M, version: "1.0.0" }));
    await measure("restore 5000", () => bench.run("model/model_restore", { ...M, revision: 5_000 }));
    await measure("ten rows of its history", () => bench.run("model/history_version_changes", { ...M, limit: 10 }));
    await measure(`${CHANGES} changes`, () => changeMany(bench));
    const grown = await pageThrough(bench, measure);
    if (grown > FLAT_MB) faults.push(`memory grew by ${grown} MB while paging, more than ${FLAT_MB}`);
  } finally {
    await bench.stop();
  }
  console.table(rows);
  for (const fault of faults) console.log(`FAULT ${fault}`);
  console.log(JSON.stringify({ bench: "history", rows, faults }));
  return faults;
}

/** Makes a model whose newest revision is `COMMITS`. */
async function commitMany({ run }: BenchService): Promise<void> {
  await run("model/model_create", { key: "past", name: "Past" });
  for (let i = 0; i < TYPES; i++) await run("model/type_create", { ...M, typeKey: `t${i}` });
  for (let revision = TYPES + 2; revision <= COMMITS; revision++) {
    const value = `What it was after ${revision} commits, in a sentence of ordinary length.`;
    await run("model/type_update_description", { ...M, typeRef: `key:t${revision % TYPES}`, value });
  }
}

/** Makes a model with so many changes, many in each commit. */
async function changeMany({ run }: BenchService): Promise<void> {
  await run("model/model_create", { key: "many", name: "Many" });
  const entry = (action: string, payload: object) => ({ group: "model", action, payload: { ...MANY, ...payload } });
  const keys = Array.from({ length: PER_COMMIT }, (_, i) => `t${i}`);
  for (const typeKey of keys) await run("model/type_create", { ...MANY, typeKey });
  for (let changes = 1 + PER_COMMIT; changes < CHANGES; changes += PER_COMMIT) {
    const value = `After ${changes} changes.`;
    const actions = keys.map((key) => entry("type_update_description", { typeRef: `key:${key}`, value }));
    await run("batch/batch_run", { actions });
  }
}

/** Reads all pages; answers the megabytes by which the heap grew between the first pages and the last. */
async function pageThrough(
  { run }: BenchService,
  measure: (step: string, run: () => Promise<unknown>) => Promise<Row>,
): Promise<number> {
  setFlagsFromString("--expose-gc");
  // With the flag, new contexts have the function of that name.
  const collect = runInNewContext("gc") as () => void;
  let cursor: string | undefined;
  let [seen, least, most] = [0, Number.POSITIVE_INFINITY, 0];
  await measure("all pages of 1,000 changes", async () => {
    do {
      const payload = { ...MANY, limit: LIMITS.pageRows, ...(cursor !== undefined && { cursor }) };
      const { body, next } = await run("model/history_version_changes", payload);
      seen += (body as { items: unknown[] }).items.length;
      cursor = next;
      collect();
      const heap = process.memoryUsage().heapUsed / 1e6;
      least = Math.min(least, heap);
      most = Math.max(most, heap);
    } while (cursor !== undefined);
  });
  // The first commit is a release of its own.
  if (seen < CHANGES - 1) throw new Error(`${seen} changes were told, not ${CHANGES}`);
  process.stderr.write(`heap between ${Math.round(least)} and ${Math.round(most)} MB\n`);
  return Math.round(most - least);
}
