import { DOCUMENT_SCHEMA } from "../shared/domain/document.ts";
import { LIMITS } from "../shared/domain/limits.ts";
import { type BenchService, startBenchService } from "./bench-service.ts";

const MODELS = 200;
/** With the model, its types, entities and tags these are 500 objects each. */
const ENTITIES = 20;
const ATTRIBUTES = 23;
const TYPES = 15;
const TAGS = 4;
const OBJECTS = MODELS * (1 + TYPES + TAGS + ENTITIES * (1 + ATTRIBUTES));
/** Milliseconds that a warm search may take. */
const WARM_MS = 1_000;

interface Row {
  readonly search: string;
  readonly found: number;
  readonly ms: number;
  /** Time the processor worked for it, which does not depend on what else the machine does. */
  readonly cpuMs: number;
  readonly readUnits: number;
  readonly calls: number;
  readonly heapMb: number;
}

const contains = (value: string) => ({ type: "text", condition: "contains", value });
const tagged = { type: "tags", condition: "notEmpty" };

/** Searches of the warm instance: the text they look for, and the size of a page. */
const SEARCHES: readonly (readonly [search: string, filters: object, limit?: number])[] = [
  ["warm, a word in few", { items: [contains("needle")] }],
  ["warm, a word in every third", { items: [contains("numéro 1")] }, 1_000],
  ["warm, a word in none", { items: [contains("haystack")] }],
  ["warm, tags and text", { items: [tagged, contains("entity 7")] }],
  ["warm, no tags", { items: [{ type: "tags", condition: "empty" }] }, 1_000],
  ["warm, everything, one page", { items: [] }, 1_000],
];

/** Searches 200 models with 100,000 objects, cold and warm, and after a change; answers the searches that took too long. */
export async function benchSearch(): Promise<readonly string[]> {
  const bench = await startBenchService();
  const rows: Row[] = [];
  const measure = async (search: string, filters: object, limit?: number): Promise<void> => {
    bench.count.reset();
    const [began, cpu] = [performance.now(), process.cpuUsage()];
    const payload = { filters, ...(limit !== undefined && { limit }) };
    const { body } = await bench.run("model/search", payload);
    const ms = Math.round(performance.now() - began);
    const { user, system } = process.cpuUsage(cpu);
    const cpuMs = Math.round((user + system) / 1_000);
    const { readUnits, calls } = bench.count;
    const heapMb = Math.round(process.memoryUsage().heapUsed / 1e6);
    rows.push({ search, found: (body as { items: unknown[] }).items.length, ms, cpuMs, readUnits, calls, heapMb });
  };
  try {
    await fill(bench);
    await measure("cold, a word in few", { items: [contains("needle")] });
    for (const search of SEARCHES) await measure(...search);
    for (let i = 0; i < MODELS; i += 20) {
      await bench.run("model/model_update_name", { modelRef: `key:${keyOf(i)}`, name: `Changed ${i}` });
    }
    await measure("10 models changed", { items: [contains("changed")] });
  } finally {
    await bench.stop();
  }
  console.table(rows);
  const slow = rows.filter(({ search, ms }) => search.startsWith("warm") && ms > WARM_MS);
  const faults = slow.map(({ search, ms }) => `${search}: ${ms} ms, more than ${WARM_MS}`);
  for (const fault of faults) console.log(`FAULT ${fault}`);
  const room = LIMITS.searchObjects;
  console.log(JSON.stringify({ bench: "search", models: MODELS, objects: OBJECTS, room, rows, faults }));
  return faults;
}

const keyOf = (i: number): string => `model_${String(i).padStart(3, "0")}`;

async function fill(bench: BenchService): Promise<void> {
  for (let i = 0; i < MODELS; i++) {
    await bench.run("model/import", { content: document(i) });
    if (i % 20 === 19) process.stderr.write(`${i + 1} models of ${MODELS}\n`);
  }
}

function document(i: number): object {
  const tags = Array.from({ length: TAGS }, (_, n) => ({ key: `tag_${n}` }));
  const attributes = Array.from({ length: ATTRIBUTES }, (_, n) => ({
    ...{ key: `attribute_${n}`, name: `Attribute ${n}`, type: `key:type_${n % TYPES}`, optional: n % 2 === 0 },
    description: `Numéro ${n} of many attributes, described in a sentence of ordinary length.`,
    ...(n % 5 === 0 && { tags: [`key:tag_${n % TAGS}`] }),
  }));
  const entities = Array.from({ length: ENTITIES }, (_, n) => ({
    ...{ key: `entity_${n}`, name: `Entity ${n}`, primaryKey: [], attributes, tags: [`key:tag_${n % TAGS}`] },
    ...(i % 40 === 0 && n === 0 && { description: "The needle." }),
  }));
  return {
    ...{ $schema: DOCUMENT_SCHEMA, key: keyOf(i), name: `Model ${i}`, version: "0.0.1", authority: "system" },
    types: Array.from({ length: TYPES }, (_, n) => ({ key: `type_${n}` })),
    ...{ entities, relationships: [], businessKeys: [], localTags: tags, tagGroups: [] },
  };
}
